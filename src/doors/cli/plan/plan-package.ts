/** A plan for a package of OLM: the steps of its upgrade path, each compared with the one before. */
import { bundleCrds, validateCatalog } from '../../../catalogs/index.js';
import {
  edgeWords,
  explainPaths,
  packageOf,
  ResolutionError,
  type ExplainedPath,
  type Step,
} from '../../../catalogs/upgrades/index.js';
import { collectCrds, type Collection } from '../../../crd/collect.js';
import { ClusterError } from '../../../facts/cluster/view.js';
import type { OlmState } from '../../../facts/olm-state/olm-state.js';
import { readClusterExtension } from '../../../olm/cluster-extension.js';
import { isApproved } from '../../../olm/install-plan.js';
import { readSubscription, type Subscription } from '../../../olm/subscription.js';
import { textAt, textsAt } from '../../../olm/fields.js';
import { InvalidInputError, metaOf, type JsonObject } from '../../../text/documents/index.js';
import type { Obstacle, PlannedAction, PlannedStep } from '../../report/upgrade-plan/plan.js';
import {
  demandChannel,
  demandPackage,
  namedCatalogs,
  unknownVersion,
} from '../catalog/catalog-path.js';
import {
  readBundles,
  readCatalogOption,
  readKnownCatalogs,
  type NamedCatalog,
} from '../options/known-catalogs.js';
import type { Delivery } from './plan-actions.js';
import {
  installedVersions,
  noCluster,
  obstaclesIn,
  obstaclesOf,
  wayFirst,
  withState,
} from './plan-obstacles.js';
import { clusterWords, type FoundPlan, type PlanQuestion } from './plan-question.js';
import { planStep } from './plan-step.js';
import { answerResolve } from '../resolve/resolve-answer.js';
import { shellCommand } from './shell-command.js';

export interface PackageQuestion extends PlanQuestion {
  readonly package: string;
  readonly from?: string;
  readonly to?: string;
  readonly channel?: string;
  readonly namespace?: string;
  readonly catalog: readonly string[];
  readonly bundles?: string;
  readonly v1?: true;
  readonly classic?: true;
}

type ConcernedObject = Parameters<Parameters<typeof obstaclesOf>[2]>[0];

/** What the cluster has of the package. */
interface Installation {
  readonly by: 'classic' | 'v1';
  readonly subscription?: Subscription;
  /** The name of the ClusterExtension. */
  readonly extension?: string;
  /** The bundle's name, or its version. */
  readonly installed?: string;
}

/** @throws InvalidInputError, ClusterError */
export function planPackage(question: PackageQuestion): Promise<FoundPlan> {
  return withState(question, async (state) => {
    const named = namedCatalogs(undefined, question.catalog);
    const catalogs = await readKnownCatalogs(named, { keep: 'all' });
    demandPackage(question.package, catalogs);
    demandChannel(question.channel, question.package, catalogs);
    const installation = installationOf(question, state);
    const from = question.from ?? installation.installed;
    if (from === undefined) {
      const message = `name what is installed of ${question.package}: --from VERSION`;
      throw new InvalidInputError('E_INPUT', message);
    }
    const way = findWay(question, catalogs, installation, from);
    const { steps, unchecked } = await judgeSteps(way.steps, question, catalogs, state);
    const definitions = new Set(steps.flatMap((step) => step.definitions.map(({ name }) => name)));
    const met =
      state === undefined
        ? noFacts
        : await meet(state, question, { catalogs, installation, definitions });
    return {
      subject: question.package,
      from,
      to: way.to,
      by: installation.by,
      steps,
      obstacles: [...way.obstacles, ...met.obstacles],
      unchecked: [...unchecked, ...met.unchecked],
      delivery: deliveryOf(question, installation, way, state),
    };
  });
}

const noFacts = { obstacles: [], unchecked: [noCluster] };

/** @throws InvalidInputError where several namespaces subscribe to the package, and none is named */
function installationOf(question: PackageQuestion, state: OlmState | undefined): Installation {
  const { package: name, namespace } = question;
  const asked = question.v1 === true ? 'v1' : question.classic === true ? 'classic' : undefined;
  if (state === undefined) return { by: asked ?? 'classic' };
  const extension = [...state.objects('ClusterExtension')]
    .map((object) => readClusterExtension(object))
    .find(({ packageName }) => packageName === name);
  const objects = [...state.objects('Subscription')].filter(
    (object) =>
      textAt(object, 'spec', 'name') === name &&
      (namespace === undefined || metaOf(object).namespace === namespace),
  );
  const by = asked ?? (objects.length === 0 && extension !== undefined ? 'v1' : 'classic');
  if (by === 'v1') {
    const installed = extension?.installed?.version;
    return {
      by,
      ...(extension !== undefined && { extension: extension.name }),
      ...(installed !== undefined && { installed }),
    };
  }
  const [object] = objects;
  if (objects.length > 1) {
    const where = objects.map((each) => metaOf(each).namespace).sort();
    const message = `namespaces ${where.join(', ')} subscribe to ${name}; name one by --namespace`;
    throw new InvalidInputError('E_INPUT', message);
  }
  const installed = textAt(object, 'status', 'installedCSV');
  return {
    by,
    ...(object !== undefined && { subscription: readSubscription(object) }),
    ...(installed !== undefined && { installed }),
  };
}

interface Way {
  readonly steps: readonly Step[];
  /** The bundle or the version that it leads to. */
  readonly to: string;
  /** OLM would not stop there by itself. */
  readonly goesOn: boolean;
  readonly channel: string;
  readonly obstacles: readonly Obstacle[];
  readonly versionOf: (bundle: string) => string;
}

/** The steps that OLM would take; none where it takes none that lead there. */
function findWay(
  question: PackageQuestion,
  catalogs: readonly NamedCatalog[],
  { by, subscription }: Installation,
  from: string,
): Way {
  const { package: packageName, to: wanted } = question;
  const known = catalogs.flatMap(({ catalog }) => catalog.packages);
  const defaultChannel = known.find(({ name }) => name === packageName)?.defaultChannel ?? '';
  const subscribed = subscription?.channel === '' ? undefined : subscription?.channel;
  const channel = question.channel ?? (by === 'classic' ? (subscribed ?? defaultChannel) : '');
  const versions = new Map(
    catalogs
      .flatMap(({ catalog }) => catalog.bundles)
      .filter((bundle) => bundle.package === packageName)
      .map(({ name, packageProperties }) => [name, packageProperties[0]?.version ?? name]),
  );
  const versionOf = (bundle: string): string => versions.get(bundle) ?? bundle;
  const isWanted = (bundle: string): boolean => bundle === wanted || versionOf(bundle) === wanted;
  const isKnown = [...versions.keys()].some(isWanted);
  const range = by === 'v1' && wanted !== undefined ? `<=${versionOf(wanted)}` : undefined;
  const found = pathOf({
    packageName,
    catalogs: catalogs.flatMap(
      ({ catalog, ...named }) => packageOf(catalog, packageName, named) ?? [],
    ),
    from,
    defaultChannel,
    only: by,
    ...(channel !== '' && { channel }),
    ...(range !== undefined && { range }),
  });
  const { steps } = found.path;
  const end = wanted === undefined ? steps.length - 1 : steps.findIndex(({ to }) => isWanted(to));
  const isThere = wanted !== undefined && (from === wanted || isWanted(from));
  const isReached = wanted === undefined ? found.deadEnd === undefined : end >= 0 || isThere;
  const stopped =
    found.path.error ??
    (isReached && !found.path.loops ? undefined : whyNot(found, wanted, isWanted, isKnown));
  const common = { channel, versionOf };
  if (stopped !== undefined && !(isReached && wanted !== undefined)) {
    const obstacle = wayObstacle(stopped, question, { catalogs, channel, from, found });
    const shown = wanted === undefined ? steps : [];
    const to = wanted ?? shown.at(-1)?.to ?? from;
    return { ...common, steps: shown, to, goesOn: false, obstacles: [obstacle] };
  }
  const taken = steps.slice(0, end + 1);
  const to = taken.at(-1)?.to ?? from;
  const goesOn = by === 'classic' && taken.length < steps.length;
  return { ...common, steps: taken, to: versionOf(to), goesOn, obstacles: [] };
}

/** Why no way leads there, what to do about it, and what tells more. */
function wayObstacle(
  message: string,
  { package: packageName, to: wanted, catalog: sources }: PackageQuestion,
  {
    catalogs,
    channel,
    from,
    found,
  }: {
    readonly catalogs: readonly NamedCatalog[];
    readonly channel: string;
    readonly from: string;
    readonly found: ExplainedPath;
  },
): Obstacle {
  const object = channel === '' ? `package ${packageName}` : `channel ${channel} of ${packageName}`;
  const common = { object, isInTheWay: true, rule: 'UpgradePath', message };
  const invalid = catalogs.findIndex(({ catalog }) => validateCatalog(catalog).error !== undefined);
  if (found.path.error !== undefined && invalid >= 0) {
    const { source } = readCatalogOption(sources[invalid] ?? '');
    return {
      ...{ ...common, instead: 'Have the author of the catalog mend it' },
      command: shellCommand('olm-guard', 'catalog', 'validate', source),
    };
  }
  const instead =
    unknownVersion(packageName, from, catalogs) !== undefined
      ? `${from} is not in the catalog: name what is installed by --from, or a catalog that knows it`
      : wanted !== undefined
        ? 'Choose a version on the way by --to, or another channel by --channel'
        : 'Choose another channel by --channel, or have the author of the catalog let a later entry take over from it';
  const command = shellCommand(
    ...['olm-guard', 'catalog', 'path', packageName, '--from', from],
    ...sources.flatMap((source) => ['--catalog', source]),
    ...(channel === '' ? [] : ['--channel', channel]),
  );
  return { ...common, instead, command };
}

function pathOf(request: Parameters<typeof explainPaths>[0]): ExplainedPath {
  try {
    const [path] = explainPaths(request).paths;
    return path ?? { title: '', path: { steps: [], loops: false } };
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    throw new InvalidInputError('E_INPUT', error.message);
  }
}

function whyNot(
  { path: { steps, loops }, deadEnd }: ExplainedPath,
  wanted: string | undefined,
  isWanted: (bundle: string) => boolean,
  isKnown: boolean,
): string {
  if (loops) return 'the path comes back to where it was: it would go round for ever';
  const over = steps.find(({ passedOver }) => passedOver.some(isWanted));
  if (over !== undefined) {
    return `OLM never installs ${wanted}: from ${over.from ?? 'nothing'} it goes to ${over.to}, which passes over it`;
  }
  if (deadEnd !== undefined) return deadEnd;
  const end = steps.at(-1)?.to;
  return `no step leads to ${wanted}${isKnown ? '' : ', which is not in the catalog'}; the path ends at ${end ?? 'what is installed'}`;
}

async function judgeSteps(
  steps: readonly Step[],
  question: PackageQuestion,
  catalogs: readonly NamedCatalog[],
  state: OlmState | undefined,
): Promise<{ readonly steps: readonly PlannedStep[]; readonly unchecked: readonly string[] }> {
  const folders = await readBundles(question.bundles);
  const definitionsOf = (bundle: string | undefined): Collection['crds'] | undefined => {
    const inCatalogs = catalogs
      .flatMap(({ catalog }) => catalog.bundles)
      .filter((each) => each.package === question.package && each.name === bundle);
    const crds =
      inCatalogs.map(bundleCrds).find((each) => each !== undefined) ?? folders?.get(bundle ?? '');
    return crds && collectCrds(crds.map((value) => document(bundle ?? '', value))).crds;
  };
  const view = state?.cluster;
  const names = steps.flatMap(({ from, to }) => [
    ...(definitionsOf(from)?.keys() ?? []),
    ...(definitionsOf(to)?.keys() ?? []),
  ]);
  const { stored, unchecked } = await installedVersions(view, [...new Set(names)]);
  const installed = unchecked.length > 0 ? undefined : new Set(stored.keys());
  const planned: PlannedStep[] = [];
  for (const [index, step] of steps.entries()) {
    const { from = '', to } = step;
    const [before, after] = [definitionsOf(step.from), definitionsOf(to)];
    const channel = step.channel === '' ? '' : `; channel ${step.channel}`;
    const told = { from, to, why: `${edgeWords(step)}${channel}` };
    if (before === undefined || after === undefined) {
      const unknown = [
        ...(before === undefined ? [from] : []),
        ...(after === undefined ? [to] : []),
      ];
      planned.push({
        ...{ ...told, state: 'not looked at', definitions: [], unchanged: 0 },
        unchecked: [
          `the definitions of ${unknown.join(' and ')} are not in the catalog: give the bundle's folder by --bundles`,
        ],
      });
      continue;
    }
    const judged = await planStep(before, after, stored, {
      ...{ policy: question.policy, minors: question.minors, owners: view, view },
      ...(index === 0 || installed === undefined ? {} : { installed }),
    });
    const isLater =
      view !== undefined &&
      index > 0 &&
      judged.definitions.some(({ name }) => installed?.has(name) ?? true);
    const later = `stored objects against ${to}: judged as they are now; what ${from} makes of them shows once it is installed: plan again then`;
    planned.push({ ...told, ...judged, unchecked: isLater ? [later] : [] });
  }
  return { steps: planned, unchecked };
}

function document(bundle: string, value: JsonObject) {
  return { value, format: 'json', file: bundle, line: 1, offset: 0, text: '' } as const;
}

async function meet(
  state: OlmState,
  { package: packageName, policy }: PackageQuestion,
  {
    catalogs,
    installation: { by, subscription, extension },
    definitions,
  }: {
    readonly catalogs: readonly NamedCatalog[];
    readonly installation: Installation;
    /** The names of what the steps change. */
    readonly definitions: ReadonlySet<string>;
  },
): ReturnType<typeof obstaclesOf> {
  const isDefinition = ({ kind, name }: ConcernedObject): boolean =>
    kind === 'CustomResourceDefinition' && definitions.has(name);
  state.knownCatalogs = [...catalogs];
  if (by === 'v1') {
    const found = await obstaclesOf(
      state,
      policy,
      (object) =>
        isDefinition(object) || (object.kind === 'ClusterExtension' && object.name === extension),
    );
    if (extension !== undefined) return found;
    const nothing = `what stands in the way of a ClusterExtension: the cluster has none of ${packageName}`;
    return { ...found, unchecked: [...found.unchecked, nothing] };
  }
  if (subscription === undefined) {
    const nothing = `what stands in the way of a Subscription: the cluster has none to ${packageName}`;
    const found = await obstaclesOf(state, policy, isDefinition);
    return { ...found, unchecked: [...found.unchecked, nothing] };
  }
  const { namespace, catalog, catalogNamespace } = subscription;
  const found = await obstaclesOf(
    state,
    policy,
    (object) =>
      isDefinition(object) ||
      object.namespace === namespace ||
      (object.kind === 'CatalogSource' &&
        object.name === catalog &&
        object.namespace === catalogNamespace),
  );
  const resolved = await resolvedIn(state, subscription, catalogs, policy);
  return {
    obstacles: wayFirst([...found.obstacles, ...resolved.obstacles]),
    unchecked: [...found.unchecked, ...resolved.unchecked],
  };
}

/** What OLM would make of the whole namespace, which it resolves at once. */
async function resolvedIn(
  state: OlmState,
  { namespace, name }: Subscription,
  catalogs: readonly NamedCatalog[],
  policy: PackageQuestion['policy'],
): ReturnType<typeof obstaclesOf> {
  try {
    const source = { namespace, semantics: 'olm', subscribe: [], catalogs } as const;
    const { answer } = await answerResolve(state.cluster, source, policy);
    const { verdict } = answer;
    const findings = verdict.findings.filter(
      ({ severity, object }) => severity === 'error' || object?.name === name,
    );
    return {
      obstacles: obstaclesIn(`Subscription ${namespace}/${name}`, { ...verdict, findings }),
      unchecked: [],
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError || error instanceof ClusterError)) throw error;
    return { obstacles: [], unchecked: [`what OLM resolves in ${namespace}: ${error.message}`] };
  }
}

function deliveryOf(
  question: PackageQuestion,
  { by, subscription, extension }: Installation,
  way: Way,
  state: OlmState | undefined,
): Delivery {
  const cluster = clusterWords(question);
  const kubectl = (...words: readonly string[]): string =>
    shellCommand('kubectl', ...cluster, ...words);
  const patch = (kind: string, name: string, spec: object, namespace?: string): string =>
    kubectl(
      ...['patch', kind, name, ...(namespace === undefined ? [] : ['-n', namespace])],
      ...['--type', 'merge', '-p', JSON.stringify({ spec })],
    );
  if (by === 'v1') {
    const name = extension ?? question.package;
    const take = ({ to }: PlannedStep): PlannedAction[] => [
      {
        kind: 'roll-out',
        sentence: `have OLM v1 install ${way.versionOf(to)}`,
        command: patch('clusterextension', name, {
          source: { catalog: { version: way.versionOf(to) } },
        }),
        isNeeded: false,
      },
      {
        kind: 'roll-out',
        sentence: `wait until ${to} is installed`,
        command: kubectl(
          'wait',
          `--for=jsonpath={.status.install.bundle.version}=${way.versionOf(to)}`,
          `clusterextension/${name}`,
          '--timeout=10m',
        ),
        isNeeded: false,
      },
    ];
    return { cluster, before: [], take };
  }
  const namespace = subscription?.namespace ?? question.namespace ?? 'NAMESPACE';
  const name = subscription?.name ?? question.package;
  const isLater = way.steps.length > 1 || way.goesOn;
  const waits = subscription?.isManual === true;
  const before: PlannedAction[] = [];
  if (isLater && !waits) {
    before.push({
      kind: 'approve',
      sentence: `have OLM wait for an approval before each step of Subscription ${name}, else it takes all that the channel offers`,
      command: patch('subscription', name, { installPlanApproval: 'Manual' }, namespace),
      isNeeded: false,
    });
  }
  if (subscription !== undefined && way.channel !== subscription.channel && way.steps.length > 0) {
    before.push({
      kind: 'roll-out',
      sentence: `move Subscription ${name} to channel ${way.channel}`,
      command: patch('subscription', name, { channel: way.channel }, namespace),
      isNeeded: false,
    });
  }
  const plans = [...(state?.objects('InstallPlan') ?? [])].filter(
    (plan) => metaOf(plan).namespace === namespace && !isApproved(plan),
  );
  const take = ({ to }: PlannedStep): PlannedAction[] => {
    const wait: PlannedAction = {
      kind: 'roll-out',
      sentence: `wait until ${to} has succeeded`,
      command: kubectl(
        ...['wait', '--for=jsonpath={.status.phase}=Succeeded'],
        ...[`clusterserviceversion/${to}`, '-n', namespace, '--timeout=10m'],
      ),
      isNeeded: false,
    };
    if (!isLater && !waits && subscription !== undefined) return [wait];
    const plan = plans.find((each) => namesIn(each).includes(to));
    const others = plan === undefined ? [] : namesIn(plan).filter((each) => each !== to);
    const also = others.length === 0 ? '' : `, which installs ${others.join(', ')} too`;
    const approve: PlannedAction =
      plan === undefined
        ? {
            kind: 'approve',
            sentence: `approve the InstallPlan with ${to}, once OLM has made it (kubectl patch installplan NAME --type merge -p '{"spec":{"approved":true}}')`,
            command: kubectl('get', 'installplan', '-n', namespace),
            isNeeded: false,
          }
        : {
            kind: 'approve',
            sentence: `approve InstallPlan ${metaOf(plan).name} with ${to}${also}`,
            command: patch('installplan', metaOf(plan).name, { approved: true }, namespace),
            isNeeded: false,
          };
    return [approve, wait];
  };
  return { cluster, before, take };
}

function namesIn(plan: JsonObject): string[] {
  return textsAt(plan, 'spec', 'clusterServiceVersionNames');
}
