import { parsePath } from '../../../text/documents/index.js';
import { textAt, textsAt, valueAt } from '../../../text/documents/fields.js';
import { RuleContext } from '../objects/rule.js';
import { IndexedView } from '../../objects/indexed-view.js';
import {
  conversionWebhook,
  invalidWebhookDescription,
} from '../objects/cluster-service-version/webhooks.js';
import {
  removedApiPermissions,
  unreadableOpenShiftLimit,
} from '../objects/cluster-service-version/csv-contents.js';
import { checkInstallModes } from '../../operator-groups/objects.js';
import { compareVersions, readVersion } from '../../../text/versions/index.js';
import { type Bundle, locate, type Part, placeIn } from './bundle.js';
import type { Csv } from '../../objects/classic-objects.js';
import { groupBy } from '../../../text/group.js';
import { checkCsvAnnotations } from './csv-annotations.js';
import { checkForOlmV1 } from './olm-v1-refusal.js';
import { checkServiceAccounts } from './manifest-checks.js';
import type { Finding } from '../../../rule/index.js';
import { bundleRules } from './rules.js';
import { rangePredicate } from '../../catalogs/validate.js';

export function* checkCsv(bundle: Bundle): Generator<Finding> {
  const { csv } = bundle;
  if (csv === undefined) return;
  yield* checkVersion(csv);
  yield* checkInstallModesOf(csv);
  yield* checkOwnedCrds(csv, bundle);
  yield* checkAsGate(csv, bundle);
  yield* checkCsvAnnotations(bundle);
  yield* checkServiceAccounts(bundle);
  yield* checkForOlmV1(bundle);
}

function* checkVersion(csv: Part<Csv>): Generator<Finding> {
  const { name, version, object } = csv.value;
  if (name === '') {
    yield locate(bundleRules.parts.finding({ id: 'name' }), csv, 'metadata');
  }
  if (textAt(object, 'spec', 'version') === undefined) {
    const missing = bundleRules.version.finding({ id: 'missing', data: { csv: name } });
    yield locate(missing, csv, 'spec');
  } else if (readVersion(version) === undefined) {
    const invalid = bundleRules.version.finding({ id: 'invalid', data: { version } });
    yield locate(invalid, csv, 'spec', 'version');
  }
}

const allModes = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

function* checkInstallModesOf(csv: Part<Csv>): Generator<Finding> {
  const { installModes } = csv.value;
  const at = ['spec', ...(installModes.length === 0 ? [] : ['installModes'])];
  if (!installModes.some(({ supported }) => supported)) {
    yield locate(bundleRules.installModes.finding({ id: 'none' }), csv, ...at);
    return;
  }
  // The set is judged before its targets are, so any target shows a list with duplicates.
  const refusal = checkInstallModes(installModes, 'operators', ['operators']);
  if (refusal?.stage === 'NewInstallModeSet') {
    const data = { refusal: refusal.message };
    yield locate(bundleRules.installModes.finding({ id: 'refused', data }), csv, ...at);
  }
  const unknown = installModes.filter(({ type }) => !allModes.includes(type));
  for (const { type } of unknown) {
    const data = { type, modes: allModes };
    yield locate(bundleRules.installModes.finding({ id: 'unknown', data }), csv, ...at);
  }
  const omitted = allModes.filter((mode) => !installModes.some(({ type }) => type === mode));
  if (omitted.length > 0) {
    const id = omitted.length === 1 ? 'one' : 'several';
    const data = { modes: omitted };
    yield locate(bundleRules.installModesOmitted.finding({ id, data }), csv, ...at);
  }
}

function* checkOwnedCrds(csv: Part<Csv>, bundle: Bundle): Generator<Finding> {
  const { name, ownedCrds } = csv.value;
  const { crds, definitions } = bundle;
  const brought = groupBy(definitions, ({ value }) => textAt(value, 'metadata', 'name') ?? '');
  for (const [index, owned] of ownedCrds.entries()) {
    const at = ['spec', 'customresourcedefinitions', 'owned', index] as const;
    if (!brought.has(owned.name)) {
      const data = { csv: name, definition: owned.name };
      yield locate(bundleRules.ownedCrds.finding({ id: 'definition', data }), csv, ...at);
      continue;
    }
    const found = crds.get(owned.name);
    if (found === undefined) continue;
    const { crd: definition } = found;
    const names = { csv: name, definition: owned.name };
    const defined = textAt(definition.document, 'spec', 'names', 'kind') ?? '';
    if (owned.kind !== defined) {
      const data = { ...names, kind: owned.kind || '""', defined };
      yield locate(bundleRules.ownedCrds.finding({ id: 'kind', data }), csv, ...at);
    }
    if (definition.version(owned.version) !== undefined) continue;
    const versions = definition.versions.map((version) => version.name).join(', ');
    const data = { ...names, version: owned.version || '""', versions };
    yield locate(bundleRules.ownedCrds.finding({ id: 'version', data }), csv, ...at);
  }
  for (const [crd, [first]] of brought) {
    if (ownedCrds.some((owned) => owned.name === crd)) continue;
    const data = { definition: crd, csv: name };
    const unowned = bundleRules.foreignCrds.finding({ id: 'unowned', data });
    yield locate(unowned, first, 'metadata', 'name');
  }
}

function* checkAsGate(csv: Part<Csv>, { crds }: Bundle): Generator<Finding> {
  const view = new IndexedView(
    { globalCatalogNamespace: null, kubernetesVersion: null },
    [...crds.values()].map(({ crd }) => crd.document),
  );
  const context = new RuleContext({
    request: 'CREATE',
    object: csv.value.object,
    oldObject: null,
    view,
    crdSafety: () => [],
  });
  const rules = [
    invalidWebhookDescription,
    conversionWebhook,
    unreadableOpenShiftLimit,
    removedApiPermissions,
  ];
  for (const rule of rules) {
    for (const finding of rule.judge(context)) {
      yield placeIn(finding, csv, ...parsePath(finding.path ?? '$'));
    }
  }
}

const skipRangeAnnotation = 'olm.skipRange';

export function* checkReplacement(bundle: Bundle, old: Bundle): Generator<Finding> {
  const [csv, before] = [bundle.csv, old.csv?.value];
  if (csv === undefined || before === undefined) return;
  yield* checkGraph(csv, before);
  for (const { name } of before.ownedCrds) {
    if (csv.value.ownedCrds.some((owned) => owned.name === name)) continue;
    const dropped = bundleRules.crdDropped.finding({
      id: 'dropped',
      data: { old: before.name, definition: name, csv: csv.value.name },
    });
    yield locate(dropped, csv, 'spec', 'customresourcedefinitions');
  }
  const now = new Set(supported(csv.value));
  const dropped = supported(before).filter((mode) => !now.has(mode));
  for (const mode of new Set(dropped)) {
    const data = { old: before.name, mode, csv: csv.value.name };
    const finding = bundleRules.installModeDropped.finding({ id: 'dropped', data });
    yield locate(finding, csv, 'spec', 'installModes');
  }
}

function* checkGraph(csv: Part<Csv>, before: Csv): Generator<Finding> {
  const { name, version, replaces, object, annotations } = csv.value;
  if (name === before.name) {
    const same = bundleRules.notReplaced.finding({ id: 'sameName', data: { csv: name } });
    yield locate(same, csv, 'metadata', 'name');
    return;
  }
  const [next, last] = [readVersion(version), readVersion(before.version)];
  if (next !== undefined && last !== undefined && compareVersions(next, last) <= 0) {
    const data = { version, oldVersion: before.version, old: before.name };
    yield locate(bundleRules.notNewer.finding({ id: 'lower', data }), csv, 'spec', 'version');
  }
  const range = annotations.get(skipRangeAnnotation) ?? '';
  if (replaces === before.name || textsAt(object, 'spec', 'skips').includes(before.name)) return;
  if (last !== undefined && range !== '' && rangePredicate(range)?.(last) === true) return;
  const said = [
    replaces === '' ? '' : `it replaces ${replaces}`,
    range === '' ? '' : `its skipRange is ${range}`,
  ].filter((part) => part !== '');
  const instead = said.length === 0 ? 'it names no predecessor' : said.join(' and ');
  const data = { csv: name, old: before.name, instead };
  const at = valueAt(object, 'spec', 'replaces') === undefined ? ['spec'] : ['spec', 'replaces'];
  yield locate(bundleRules.notReplaced.finding({ id: 'unrelated', data }), csv, ...at);
}

function supported({ installModes }: Csv): string[] {
  return installModes.filter((mode) => mode.supported).map(({ type }) => type);
}
