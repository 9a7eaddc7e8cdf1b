import {
  explain,
  findingsOf,
  loadCatalogs,
  type NamespaceState,
  resolve,
} from '../../olm/index.js';
import { each, optionalFlag, optionalList, optionalText, requiring, text } from './schemas.js';
import { defineOperation } from './operation.js';

const properties = optionalList(requiring(['type'], { type: text, value: true }));
const crds = optionalList(
  requiring(['name', 'version', 'kind'], each(text, 'name', 'version', 'kind')),
);
const subscription = requiring(['name', 'namespace', 'package', 'catalog', 'catalogNamespace'], {
  ...each(text, 'name', 'namespace', 'package'),
  channel: optionalText,
  ...each(text, 'catalog', 'catalogNamespace'),
  ...each(optionalText, 'startingCSV', 'installedCSV', 'currentCSV', 'installPlanApproval'),
});
const installedCsv = requiring(['name', 'namespace'], {
  ...each(text, 'name', 'namespace'),
  ...each(optionalText, 'version', 'replaces', 'phase', 'copiedFrom'),
  ...each(crds, 'ownedCRDs', 'requiredCRDs'),
  properties,
});
const channelEntry = requiring(['name'], {
  ...{ name: text, replaces: optionalText },
  ...{ skips: optionalList(text), skipRange: optionalText },
});
const catalogPackage = requiring(['name'], {
  name: text,
  ...each(optionalText, 'defaultChannel', 'deprecation'),
  channels: optionalList(
    requiring(['name'], {
      name: text,
      entries: optionalList(channelEntry),
      deprecation: optionalText,
    }),
  ),
  bundles: optionalList(
    requiring(['name'], {
      ...{ name: text, version: optionalText },
      ...{ properties, dependencies: properties, deprecation: optionalText },
    }),
  ),
});

const catalog = requiring(['name', 'namespace'], {
  ...each(text, 'name', 'namespace'),
  priority: { type: ['integer', 'null'] },
  error: optionalText,
  noClient: optionalFlag,
  packages: optionalList(catalogPackage),
});

const operatorGroup = requiring(['name', 'namespace'], {
  ...each(text, 'name', 'namespace'),
  annotations: { type: ['object', 'null'], additionalProperties: text },
  upgradeStrategy: optionalText,
});

const namespaceState = requiring(['namespace', 'globalCatalogNamespace'], {
  ...each(text, 'namespace', 'globalCatalogNamespace'),
  operatorGroups: optionalList(operatorGroup),
  subscriptions: optionalList(subscription),
  installedCSVs: optionalList(installedCsv),
  catalogs: optionalList(catalog),
  semantics: { enum: ['olm', 'documents', null] },
});

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
