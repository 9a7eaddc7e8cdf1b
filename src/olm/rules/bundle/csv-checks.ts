/** The ClusterServiceVersion by itself and beside the definitions that come with it. */
import { readCustomResourceDefinition } from '../../../upgrade/index.js';
import { textAt } from '../../objects/fields.js';
import { RuleContext } from '../objects/rule.js';
import { IndexedView } from '../../objects/indexed-view.js';
import { conversionWebhook } from '../objects/cluster-service-version/conversion-webhook.js';
import { invalidWebhookDescription } from '../objects/cluster-service-version/invalid-webhook-description.js';
import { removedApiPermissions } from '../objects/cluster-service-version/removed-api-permissions.js';
import { unreadableOpenShiftLimit } from '../objects/cluster-service-version/unreadable-open-shift-limit.js';
import { checkInstallModes } from '../../operator-groups/install-modes.js';
import { readVersion } from '../../../text/versions/index.js';
import type { Bundle, Part } from './bundle.js';
import type { Csv } from '../../objects/cluster-service-version.js';
import { groupBy } from '../../catalogs/upgrades/group.js';
import { checkForOlmV1 } from './olm-v1-refusal.js';
import { checkServiceAccounts } from './bundle-service-account.js';
import { say, spotIn, type BundleFinding } from './finding.js';
import { bundleRules } from './rules.js';
import { pathKeys } from './path-keys.js';

export function* checkCsv(bundle: Bundle): Generator<BundleFinding> {
  const { csv } = bundle;
  if (csv === undefined) return;
  yield* checkVersion(csv);
  yield* checkInstallModesOf(csv);
  yield* checkOwnedCrds(csv, bundle);
  yield* checkAsGate(csv, bundle);
  yield* checkServiceAccounts(bundle);
  yield* checkForOlmV1(bundle);
}

function* checkVersion(csv: Part<Csv>): Generator<BundleFinding> {
  const { name, version, object } = csv.value;
  if (name === '') {
    yield say(bundleRules.parts, 'the ClusterServiceVersion has no metadata.name', csv, 'metadata');
  }
  if (textAt(object, 'spec', 'version') === undefined) {
    const message = `ClusterServiceVersion ${name} has no spec.version, so that no range and no skipRange can mean it`;
    yield say(bundleRules.version, message, csv, 'spec');
  } else if (readVersion(version) === undefined) {
    const message = `spec.version ${JSON.stringify(version)} is no semantic version such as 1.2.3`;
    yield say(bundleRules.version, message, csv, 'spec', 'version');
  }
}

const allModes = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

function* checkInstallModesOf(csv: Part<Csv>): Generator<BundleFinding> {
  const { installModes } = csv.value;
  const at = ['spec', ...(installModes.length === 0 ? [] : ['installModes'])];
  if (!installModes.some(({ supported }) => supported)) {
    const message =
      'no install mode is supported, so the operator can be installed in no OperatorGroup';
    yield say(bundleRules.installModes, message, csv, ...at);
    return;
  }
  // The set is judged before its targets are, so any target shows a list with duplicates.
  const refusal = checkInstallModes(installModes, 'operators', ['operators']);
  if (refusal?.stage === 'NewInstallModeSet') {
    yield say(bundleRules.installModes, refusal.message, csv, ...at);
  }
  const unknown = installModes.filter(({ type }) => !allModes.includes(type));
  for (const { type } of unknown) {
    const message = `${JSON.stringify(type)} is no install mode; there are ${allModes.join(', ')}`;
    yield say(bundleRules.installModes, message, csv, ...at);
  }
  const omitted = allModes.filter((mode) => !installModes.some(({ type }) => type === mode));
  if (omitted.length > 0) {
    const are =
      omitted.length === 1 ? 'is not listed and therefore' : 'are not listed and therefore';
    const message = `${omitted.join(', ')} ${are} unsupported; OLM infers nothing from the other modes`;
    yield say(bundleRules.installModesOmitted, message, csv, ...at);
  }
}

function* checkOwnedCrds(csv: Part<Csv>, bundle: Bundle): Generator<BundleFinding> {
  const { name, ownedCrds } = csv.value;
  const { crds, definitions } = bundle;
  const brought = groupBy(definitions, ({ value }) => textAt(value, 'metadata', 'name') ?? '');
  for (const [index, owned] of ownedCrds.entries()) {
    const at = ['spec', 'customresourcedefinitions', 'owned', index] as const;
    if (!brought.has(owned.name)) {
      const message = `${name} owns CustomResourceDefinition ${owned.name}, which the bundle does not bring`;
      yield say(bundleRules.ownedCrds, message, csv, ...at);
      continue;
    }
    const found = crds.get(owned.name);
    if (found === undefined) continue;
    const definition = readCustomResourceDefinition(found.crd);
    if (definition.version(owned.version) !== undefined) continue;
    const versions = definition.versions.map((version) => version.name).join(', ');
    const message = `${name} owns version ${owned.version || '""'} of ${owned.name}, which has only ${versions}`;
    yield say(bundleRules.ownedCrds, message, csv, ...at);
  }
  for (const [crd, [first]] of brought) {
    if (ownedCrds.some((owned) => owned.name === crd)) continue;
    const message = `the bundle brings CustomResourceDefinition ${crd}, which ${name} does not own`;
    yield say(bundleRules.foreignCrds, message, first, 'metadata', 'name');
  }
}

/** Rules of the gate, with the bundle as all there is on the cluster. */
function* checkAsGate(csv: Part<Csv>, { crds }: Bundle): Generator<BundleFinding> {
  const view = new IndexedView(
    { globalCatalogNamespace: null, kubernetesVersion: null },
    [...crds.values()].map(({ crd }) => crd),
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
      yield { finding, spot: spotIn(csv, ...pathKeys(finding.path ?? '$')) };
    }
  }
}
