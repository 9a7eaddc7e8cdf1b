import {
  explain,
  findingsOf,
  loadCatalogs,
  type NamespaceState,
  resolve,
} from '../../olm/index.js';
import { defineOperation } from './operation.js';

const text = { type: 'string' };
const optionalText = { type: ['string', 'null'] };
const optionalFlag = { type: ['boolean', 'null'] };

function list(items: Record<string, unknown>): Record<string, unknown> {
  return { type: ['array', 'null'], items };
}

function record(
  properties: Record<string, unknown>,
  required: readonly string[] = ['name'],
): Record<string, unknown> {
  return { type: 'object', required, properties };
}

const properties = list(record({ type: text, value: true }, ['type']));
const crds = list(record({ name: text, version: text, kind: text }, ['name', 'version', 'kind']));

const subscription = record(
  {
    name: text,
    namespace: text,
    package: text,
    channel: optionalText,
    catalog: text,
    catalogNamespace: text,
    startingCSV: optionalText,
    installedCSV: optionalText,
    currentCSV: optionalText,
    installPlanApproval: optionalText,
  },
  ['name', 'namespace', 'package', 'catalog', 'catalogNamespace'],
);

const installedCsv = record(
  {
    name: text,
    namespace: text,
    version: optionalText,
    replaces: optionalText,
    phase: optionalText,
    copiedFrom: optionalText,
    ownedCRDs: crds,
    requiredCRDs: crds,
    properties,
  },
  ['name', 'namespace'],
);

const channelEntry = record({
  name: text,
  replaces: optionalText,
  skips: list(text),
  skipRange: optionalText,
});

const catalogPackage = record({
  name: text,
  defaultChannel: optionalText,
  deprecation: optionalText,
  channels: list(record({ name: text, entries: list(channelEntry), deprecation: optionalText })),
  bundles: list(
    record({
      name: text,
      version: optionalText,
      properties,
      dependencies: properties,
      deprecation: optionalText,
    }),
  ),
});

const catalog = record(
  {
    name: text,
    namespace: text,
    priority: { type: ['integer', 'null'] },
    error: optionalText,
    noClient: optionalFlag,
    packages: list(catalogPackage),
  },
  ['name', 'namespace'],
);

const operatorGroup = record(
  {
    name: text,
    namespace: text,
    annotations: { type: ['object', 'null'], additionalProperties: text },
    upgradeStrategy: optionalText,
  },
  ['name', 'namespace'],
);

const namespaceState = record(
  {
    namespace: text,
    globalCatalogNamespace: text,
    operatorGroups: list(operatorGroup),
    subscriptions: list(subscription),
    installedCSVs: list(installedCsv),
    catalogs: list(catalog),
    semantics: { enum: ['olm', 'documents', null] },
  },
  ['namespace', 'globalCatalogNamespace'],
);

export const resolveNamespace = defineOperation<NamespaceState>({
  name: 'resolve',
  summary: 'What OLM will install, upgrade or refuse in a namespace, and why.',
  input: namespaceState,
  judge(state) {
    const loaded = loadCatalogs(state.catalogs ?? [], state.semantics ?? 'olm');
    const resolution = resolve(state, loaded);
    const explanation = explain(state, resolution, loaded);
    const { outcome } = resolution;
    return {
      allowed: outcome.ok,
      findings: findingsOf(state, resolution, explanation),
      output: { ...outcome, explanation },
    };
  },
});
