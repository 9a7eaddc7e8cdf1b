/** A plan for a package of OLM: the steps of its upgrade path, each compared with the one before. */
import {
  bundleCrds,
  edgeWords,
  requirementSentences,
  type Step,
  type Subscription,
} from '../../olm/index.js';
import { collectCrds, type Collection } from '../../upgrade/index.js';
import { ClusterError, type OlmState } from '../../cluster/index.js';
import { documentOf, InvalidInputError, invalidInput, metaOf } from '../../text/documents/index.js';
import { append } from '../../text/long-lists.js';
import type { Obstacle, PlannedStep } from '../../report/index.js';
import {
  bundleObstacles,
  bundleOf,
  causesAmong,
  installedVersions,
  noCluster,
  obstaclesIn,
  obstaclesOf,
  routeFirst,
  withState,
} from './plan-obstacles.js';
import { demandChannel, demandPackage, namedCatalogs } from '../catalog/catalog-path.js';
import {
  readBundlePlaces,
  readKnownCatalogs,
  type KnownCatalog,
  openShiftLimits,
  supportDates,
} from '../options/known-catalogs.js';
import { planStep } from './plan-step.js';
import { answerResolve } from '../resolve/resolve-answer.js';
import {
  comparison,
  describeCluster,
  type FoundPlan,
  type PackageQuestion,
} from './plan-actions.js';
import { shellCommand } from '../../text/shell-command.js';
import { withDefaultCluster } from '../options/cluster-option.js';
import { findWay, nothing, type UpgradeRoute } from './package-route.js';
import {
  catalogsFor,
  type Installation,
  installationOf,
  notAskedFor,
  unownedObstacles,
} from './installation.js';
import { deliveryOf, plannedExtension } from './package-delivery.js';

type ConcernedObject = Parameters<Parameters<typeof obstaclesOf>[2]>[0];

/** @throws InvalidInputError, ClusterError */
export async function planPackage(asked: PackageQuestion): Promise<FoundPlan> {
  const given = await readKnownCatalogs(namedCatalogs(undefined, asked.catalog), { keep: 'all' });
  demandPackage(asked.package, given);
  demandChannel(asked.channel, asked.package, given);
  const others = `--kubeconfig FILE or --state FOLDER, or name what is installed of ${asked.package}: --from VERSION`;
  const question = asked.from === undefined ? withDefaultCluster(asked, others) : asked;
  return withState(question, async (state) => {
    const installation = installationOf(question, state, given);
    const catalogs = await catalogsFor(installation, given, state);
    const from = question.from ?? installation.installed;
    // A subscription or extension that has installed nothing yet starts from nothing.
    const isAsked = (installation.subscription ?? installation.extension) !== undefined;
    if (from === undefined && !isAsked && state !== undefined) {
      throw invalidInput(notAskedFor(question, installation, state));
    }
    const way = findWay(question, catalogs, installation, from);
    const judged = await judgeSteps(way.steps, question, catalogs, state);
    const { steps } = judged;
    const changed = steps.flatMap((step) => step.definitions);
    const definitions = new Set(changed.map(({ name }) => name));
    const blocked = new Set(
      changed.filter((each) => each.state === 'blocked').map(({ name }) => name),
    );
    const met =
      state === undefined
        ? { obstacles: [], unchecked: [noCluster()] }
        : await meet(state, question, {
            ...{ catalogs: given, installation, definitions, blocked, way },
          });
    return {
      subject: question.package,
      from: from ?? nothing,
      to: way.to,
      by: installation.by,
      notInCatalog: way.notInCatalog,
      steps,
      obstacles: causesAmong([
        ...unownedObstacles(question, installation),
        ...way.obstacles,
        // With a cluster, the resolution of the namespace shows it.
        ...(state === undefined && installation.by === 'classic'
          ? requirementObstacles(question, way, catalogs)
          : []),
        ...judged.obstacles,
        ...met.obstacles,
        ...supportNotes(question, way, from, catalogs),
        ...(await limitNotes(way, catalogs, state)),
      ]),
      unchecked: [...judged.unchecked, ...met.unchecked],
      delivery: deliveryOf(question, installation, way, state, steps),
      commands: judged.commands,
    };
  });
}

function requirementObstacles(
  { package: name }: PackageQuestion,
  { steps }: ReturnType<typeof findWay>,
  catalogs: readonly KnownCatalog[],
): Obstacle[] {
  return requirementSentences(
    name,
    steps.map(({ to }) => to),
    catalogs.map(({ catalog }) => catalog),
  ).map(({ bundle, sentence }) => ({
    object: `bundle ${bundle}`,
    isInTheWay: true,
    rule: 'CatalogRequirementUnmet',
    message: sentence,
    instead: 'Name the catalog that has it by --catalog, or have the author add it.',
  }));
}

/** Until when what is installed and what it comes to are supported, where a catalog says it. */
function supportNotes(
  { package: name }: PackageQuestion,
  { steps }: ReturnType<typeof findWay>,
  from: string | undefined,
  catalogs: readonly KnownCatalog[],
): Obstacle[] {
  const versions = [...(from === undefined ? [] : [from]), ...steps.map(({ to }) => to)];
  return supportDates(name, versions, catalogs, new Date()).map((message) => ({
    object: `package ${name}`,
    isInTheWay: false,
    rule: 'CatalogLifecycle',
    message,
    instead: 'Plan the next update before support ends.',
  }));
}

/** Which bundles on the way keep OpenShift from its next minor version, once they are installed. */
async function limitNotes(
  { steps, to }: UpgradeRoute,
  catalogs: readonly KnownCatalog[],
  state: OlmState | undefined,
): Promise<Obstacle[]> {
  if (state === undefined) return [];
  const bundles = steps.map((step) => step.to);
  return (await openShiftLimits(bundles, catalogs, state.cluster)).map((message) => ({
    object: `the upgrade to ${to}`,
    isInTheWay: false,
    rule: 'BlocksClusterUpgrade',
    message,
    instead: 'Update the cluster first, or the operator again before it.',
  }));
}

async function judgeSteps(
  steps: readonly Step[],
  question: PackageQuestion,
  catalogs: readonly KnownCatalog[],
  state: OlmState | undefined,
): Promise<Pick<FoundPlan, 'steps' | 'obstacles' | 'unchecked' | 'commands'>> {
  const folders = await readBundlePlaces(question.bundles);
  const definitionsOf = (bundle: string | undefined): Collection['crds'] | undefined => {
    const inCatalogs = catalogs
      .flatMap(({ catalog }) => catalog.bundles)
      .filter((each) => each.package === question.package && each.name === bundle);
    const crds =
      inCatalogs.map(bundleCrds).find((each) => each !== undefined) ??
      folders?.get(bundle ?? '')?.crds;
    return crds && collectCrds(crds.map((value) => documentOf(value, bundle ?? ''))).crds;
  };
  const view = state?.cluster;
  const names = steps.flatMap(({ from, to }) => [
    ...(definitionsOf(from)?.keys() ?? []),
    ...(definitionsOf(to)?.keys() ?? []),
  ]);
  const { stored, unchecked } = await installedVersions(view, [...new Set(names)]);
  const installed = unchecked.length > 0 ? undefined : new Set(stored.keys());
  const planned: PlannedStep[] = [];
  const obstacles: Obstacle[] = [];
  const gaps: string[] = [];
  const commands = new Map<string, string | undefined>();
  for (const [index, step] of steps.entries()) {
    const { from = nothing, to } = step;
    const before = step.from === undefined ? new Map() : definitionsOf(step.from);
    const after = definitionsOf(to);
    const channel = step.channel === '' ? '' : `; channel ${step.channel}`;
    const route = { from, to, why: `${edgeWords(step)}${channel}` };
    const old = await bundleOf(folders?.get(from)?.folder);
    const bundle = await bundleOf(folders?.get(to)?.folder);
    commands.set(to, comparison(old, bundle, question));
    const ofBundle =
      bundle === undefined
        ? { obstacles: [], unchecked: [] }
        : await bundleObstacles({ old: old ?? '', new: bundle }, question);
    const isRefused = ofBundle.obstacles.some(({ isInTheWay }) => isInTheWay);
    append(obstacles, ofBundle.obstacles);
    append(gaps, ofBundle.unchecked);
    if (before === undefined || after === undefined) {
      const unknown = [
        ...(before === undefined ? [from] : []),
        ...(after === undefined ? [to] : []),
      ];
      planned.push({
        ...route,
        state: 'not checked',
        definitions: [],
        unchanged: 0,
        unchecked: [
          `give --bundles DIR to compare the definitions of ${unknown.join(' and ')}, which are not in the catalog`,
        ],
      });
      continue;
    }
    const judged = await planStep(before, after, stored, {
      policy: question.policy,
      minors: question.minors,
      owners: view,
      view,
      isWhole: false,
      ...(index === 0 || installed === undefined ? {} : { installed }),
    });
    const isLater =
      view !== undefined &&
      index > 0 &&
      judged.definitions.some(({ name }) => installed?.has(name) ?? true);
    const later = `stored objects against ${to}: judged as they are now; what ${from} makes of them shows once it is installed: plan again then`;
    planned.push({
      ...route,
      ...judged,
      unchecked: isLater ? [later] : [],
      ...(isRefused ? { state: 'blocked' as const } : {}),
    });
  }
  return { steps: planned, obstacles, unchecked: [...unchecked, ...gaps], commands };
}

async function meet(
  state: OlmState,
  question: PackageQuestion,
  {
    catalogs,
    installation: { by, subscription, extension },
    definitions,
    blocked,
    way,
  }: {
    readonly catalogs: readonly KnownCatalog[];
    readonly installation: Installation;
    /** The names of what the steps change. */
    readonly definitions: ReadonlySet<string>;
    readonly blocked: ReadonlySet<string>;
    readonly way: UpgradeRoute;
  },
): ReturnType<typeof obstaclesOf> {
  const { package: packageName, policy } = question;
  const isDefinition = ({ kind, name }: ConcernedObject): boolean =>
    kind === 'CustomResourceDefinition' && definitions.has(name);
  state.knownCatalogs = [...catalogs];
  if (by === 'v1') {
    const found = await obstaclesOf(
      state,
      policy,
      (object) =>
        isDefinition(object) ||
        (object.kind === 'ClusterExtension' && object.name === extension?.name),
      {
        planned: extension && new Map([[extension.object, plannedExtension(extension, way)]]),
        blocked,
      },
    );
    if (extension !== undefined) return found;
    const gap = `what stands in the way of a ClusterExtension: the cluster has none of ${packageName}`;
    return { ...found, unchecked: [...found.unchecked, gap] };
  }
  if (subscription === undefined) {
    const gap = `what stands in the way of a Subscription: the cluster has none to ${packageName}`;
    const found = await obstaclesOf(state, policy, isDefinition, { blocked });
    return { ...found, unchecked: [...found.unchecked, gap] };
  }
  const { namespace, catalogNamespace } = subscription;
  const found = await obstaclesOf(
    state,
    policy,
    (object) =>
      isDefinition(object) ||
      object.namespace === namespace ||
      // All that the namespace sees: one of them keeps OLM from resolving from the others.
      (object.kind === 'CatalogSource' &&
        [catalogNamespace, state.globalCatalogNamespace].includes(object.namespace ?? null)),
    { blocked },
  );
  const resolved = await resolvedIn(state, subscription, catalogs, { question, blocked });
  return {
    obstacles: routeFirst(causesAmong([...found.obstacles, ...resolved.obstacles])),
    unchecked: [...found.unchecked, ...resolved.unchecked],
  };
}

/** Resolves the whole namespace, as OLM would do at once. */
async function resolvedIn(
  state: OlmState,
  { namespace, name }: Subscription,
  catalogs: readonly KnownCatalog[],
  {
    question,
    blocked,
  }: { readonly question: PackageQuestion; readonly blocked: ReadonlySet<string> },
): ReturnType<typeof obstaclesOf> {
  const { policy, catalog, state: folder } = question;
  const command = shellCommand(
    ...['olm-guard', 'resolve', '-n', namespace, ...describeCluster(question)],
    ...(folder === undefined ? [] : ['--state', folder]),
    ...catalog.flatMap((each) => ['--catalog', each]),
  );
  try {
    const source = { namespace, semantics: 'olm', subscribe: [], catalogs } as const;
    const { verdict } = await answerResolve(state.cluster, source, policy);
    const others = new Set(
      [...state.objects('Subscription')]
        .map(metaOf)
        .filter((other) => other.namespace === namespace && other.name !== name)
        .map((other) => other.name),
    );
    const findings = verdict.findings.filter(
      ({ severity, object }) => severity === 'error' || !others.has(object?.name ?? ''),
    );
    return {
      obstacles: obstaclesIn(
        `Subscription ${namespace}/${name}`,
        { ...verdict, findings },
        blocked,
      ).map((each) => ({ ...each, command })),
      unchecked: [],
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError || error instanceof ClusterError)) throw error;
    return { obstacles: [], unchecked: [`what OLM resolves in ${namespace}: ${error.message}`] };
  }
}
