/** The installation of a package: its version, by which OLM, and by which object. */
import {
  type ClusterExtension,
  type Csv,
  isCopied,
  isLeaving,
  packagesOf,
  readClusterExtension,
  readCsv,
  readSubscription,
  selectCatalogs,
  type Subscription,
} from '../../olm/index.js';
import { meantNamespace } from '../../checks/index.js';
import type { OlmState } from '../../cluster/index.js';
import type { Obstacle } from '../../report/index.js';
import { textAt } from '../../text/documents/fields.js';
import { invalidInput, type JsonObject, metaOf } from '../../text/documents/index.js';
import { didYouMean } from '../../text/nearest.js';
import { shellCommand } from '../../text/shell-command.js';
import { ignoreClusterError, type KnownCatalog } from '../options/known-catalogs.js';
import type { PackageQuestion } from './plan-actions.js';

export interface Installation {
  readonly by: 'classic' | 'v1';
  readonly subscription?: Subscription;
  /** An operator that no Subscription owns: OLM never upgrades it. */
  readonly unowned?: Csv;
  readonly extension?: ClusterExtension & { readonly object: JsonObject };
  /** The bundle's name, or its version. */
  readonly installed?: string;
  /** The bundle that a Subscription starts with (`spec.startingCSV`). */
  readonly starting?: string;
}

/** @throws InvalidInputError where several namespaces subscribe to the package, and none is named */
export function installationOf(
  question: PackageQuestion,
  state: OlmState | undefined,
  catalogs: readonly KnownCatalog[],
): Installation {
  const { package: name, namespace } = question;
  const asked = question.v1 === true ? 'v1' : question.classic === true ? 'classic' : undefined;
  if (state === undefined) return { by: asked ?? 'classic' };
  const extension = [...state.objects('ClusterExtension')]
    .map((object) => ({ object, ...readClusterExtension(object) }))
    .find(({ packageName }) => packageName === name);
  const objects = [...state.objects('Subscription')].filter(
    (object) =>
      textAt(object, 'spec', 'name') === name &&
      (namespace === undefined || metaOf(object).namespace === namespace),
  );
  const by = asked ?? (objects.length === 0 && extension !== undefined ? 'v1' : 'classic');
  if (by === 'v1') {
    const installed = extension?.installed?.version;
    return { by, ...(extension && { extension }), ...(installed !== undefined && { installed }) };
  }
  const unowned = objects.length > 0 ? [] : unownedOf(question, state, catalogs);
  const where = [
    ...new Set([...objects.map(metaOf), ...unowned].map((each) => each.namespace)),
  ].sort();
  if (where.length > 1) {
    const verb = objects.length > 0 ? 'subscribe to' : 'have';
    const message = `namespaces ${where.join(', ')} ${verb} ${name}; name one by --namespace`;
    throw invalidInput(message);
  }
  const installedBy = (each: JsonObject | undefined) => textAt(each, 'status', 'installedCSV');
  // If a namespace has several (a scan reports that), one of them has installed it.
  const object = objects.find((each) => installedBy(each) !== undefined) ?? objects[0];
  const [orphan] = unowned;
  const installed = installedBy(object) ?? orphan?.name;
  const starting = textAt(object, 'spec', 'startingCSV');
  return {
    by,
    ...(object !== undefined && { subscription: readSubscription(object) }),
    ...(orphan !== undefined && { unowned: orphan }),
    ...(installed !== undefined && { installed }),
    ...(starting !== undefined && starting !== '' && { starting }),
  };
}

/** Operators of the package where no Subscription asks for it. */
function unownedOf(
  { package: name, namespace }: PackageQuestion,
  state: OlmState,
  catalogs: readonly KnownCatalog[],
): Csv[] {
  const bundles = new Set(
    catalogs
      .flatMap(({ catalog }) => catalog.bundles)
      .flatMap((bundle) => (bundle.package === name ? bundle.name : [])),
  );
  return [...state.objects('ClusterServiceVersion')].map(readCsv).filter((csv) => {
    const packages = packagesOf(csv.object);
    return (
      !isCopied(csv) &&
      (namespace === undefined || csv.namespace === namespace) &&
      !isLeaving(csv) &&
      (packages.length === 0 ? bundles.has(csv.name) : packages.includes(name))
    );
  });
}

/** Why the cluster does not say what is installed, and what to do about it. */
export function notAskedFor(
  question: PackageQuestion,
  { by }: Installation,
  state: OlmState,
): string {
  const { package: packageName, namespace, catalog } = question;
  const from = `name what is installed of ${packageName}: --from VERSION`;
  if (by === 'v1') return `no ClusterExtension installs ${packageName}; ${from}`;
  if (namespace === undefined) {
    const catalogs = catalog.flatMap((each) => ['--catalog', each]);
    const resolve = ['olm-guard', 'resolve', '--subscribe', packageName, ...catalogs];
    return `nothing is installed of ${packageName}, and no Subscription asks for it: add one (what OLM would install: ${shellCommand(...resolve)}); or ${from}`;
  }
  const subscribed = [...state.objects('Subscription')]
    .filter((object) => textAt(object, 'spec', 'name') === packageName)
    .map((object) => metaOf(object).namespace);
  const meant = didYouMean(namespace, subscribed) || meantNamespace(namespace, state);
  return `no Subscription in namespace "${namespace}" asks for ${packageName}${meant}; ${from}`;
}

export function unownedObstacles(
  { package: name }: PackageQuestion,
  { unowned }: Installation,
): Obstacle[] {
  if (unowned === undefined) return [];
  return [
    {
      object: `ClusterServiceVersion ${unowned.namespace}/${unowned.name}`,
      isInTheWay: true,
      rule: 'SubscriptionUnownedOperator',
      message: 'no Subscription owns it, so it must stay, and no InstallPlan will upgrade it',
      instead: `To adopt it, add a Subscription to ${name} and delete the ClusterServiceVersion, so that OLM installs the operator by the Subscription; its definitions and their objects stay`,
    },
  ];
}

/** The catalogs that OLM uses: for a ClusterExtension those that it selects, with their priorities. */
export async function catalogsFor(
  { extension }: Installation,
  catalogs: readonly KnownCatalog[],
  state: OlmState | undefined,
): Promise<readonly KnownCatalog[]> {
  if (extension === undefined || state === undefined) return catalogs;
  const listed = await state.cluster
    .list({ group: 'olm.operatorframework.io', resource: 'clustercatalogs' })
    .catch(ignoreClusterError);
  const view = {
    knownCatalogs: catalogs,
    lookUp: (_kind: string, name: string) =>
      listed === undefined ? null : listed.find((each) => metaOf(each).name === name),
  };
  const { selected } = selectCatalogs(view, extension);
  // If none is selected, a rule reports that, and the plan shows the route through all of them.
  return selected.length > 0 ? selected : catalogs;
}
