/** Actions of a plan in their order, from its findings. */
import { plural } from '../../text/plural.js';
import type {
  Obstacle,
  PlannedAction,
  PlannedDefinition,
  PlannedStep,
  UpgradePlan,
} from '../../report/index.js';
import { ruleNamed, type Policy } from '../../policy/index.js';
import { isRefusedByServer } from '../../upgrade/index.js';
import { fileNamedAfter, shellCommand } from '../../text/shell-command.js';
import { shortened } from '../../text/shortened.js';
import { groupBy } from '../../text/group.js';
import type { TargetMinors } from '../../kubernetes/index.js';
import type { ClusterOptions } from '../options/cluster-option.js';
import { type NetworkOptions } from '../options/flags.js';

/** How this kind of release is brought to a cluster. */
export interface Delivery {
  /** `--kubeconfig FILE`, as every command here takes it. */
  readonly cluster: readonly string[];
  /** Keeps OLM from taking steps by itself. */
  readonly hold: readonly PlannedAction[];
  /** Before the first step: what must hold for all of them. */
  readonly before: readonly PlannedAction[];
  /** Actions that take a step, once nothing is in its way. */
  readonly take: (step: PlannedStep, number: number) => readonly PlannedAction[];
}

/** @param commands show why a step is denied, by what it leads to */
export function actionsOf(
  { steps, obstacles }: Pick<UpgradePlan, 'steps' | 'obstacles'>,
  { cluster, hold, before, take }: Delivery,
  commands: ReadonlyMap<string, string | undefined>,
): PlannedAction[] {
  // Nothing gets past a step that is blocked or unknown: what comes after it is planned once it is mended.
  const stop = steps.findIndex(({ state }) => state === 'blocked' || state === 'not checked');
  const reached = stop < 0 ? steps : steps.slice(0, stop + 1);
  return [
    ...hold,
    ...byObject(obstacles).map((each) => clear(each, cluster)),
    ...(stop === 0 ? [] : before),
    ...reached.flatMap((step, index) => {
      const number = index + 1;
      const concerned = step.definitions.filter(({ change }) => change !== 'added');
      const place = `step ${number} of ${steps.length}`;
      const mended = step.definitions
        .flatMap((each) => mend(each, place, commands.get(step.to)))
        .map((action) => ({ ...action, step: number }));
      if (index === stop)
        return step.state === 'blocked' ? mended : step.unchecked.map(see(number));
      const actions = [
        ...concerned.filter(isHardToTakeBack).map((each) => backUp(each, cluster)),
        ...concerned.flatMap((each) => migrate(each, cluster)),
        ...take(step, number),
      ];
      return actions.map((action) => ({ ...action, step: number }));
    }),
  ];
}

/** By kubectl, once what comes before is done. */
export function action(
  kind: PlannedAction['kind'],
  sentence: string,
  cluster: readonly string[],
  words: readonly string[],
): PlannedAction {
  const command = shellCommand('kubectl', ...cluster, ...words);
  return { kind, sentence, command, isNeeded: false };
}

/** Obstacles in the way, the objects one by one. */
function byObject(obstacles: readonly Obstacle[]): (readonly [Obstacle, ...Obstacle[]])[] {
  const inTheWay = obstacles.filter(({ isInTheWay }) => isInTheWay);
  return [...groupBy(inTheWay, ({ object }) => object).values()];
}

const longestReason = 360;
const hint = / What would help: .*$/s;

function clear(
  obstacles: readonly [Obstacle, ...Obstacle[]],
  cluster: readonly string[],
): PlannedAction {
  const [first] = obstacles;
  const { object } = first;
  const instead = first.instead ?? ruleNamed(first.rule)?.instead;
  const remedy = instead === undefined ? '' : `. ${instead}`;
  // A long message is cut, never the remedy: a user has to read that.
  const most = Math.max(longestReason - object.length - remedy.length, longestReason / 2);
  const message = obstacles.map((each) => each.message.replace(hint, '')).join('; ');
  return {
    kind: 'clear',
    sentence: `${object}: ${shortened(message.replace(/\.$/, ''), most)}${remedy}`,
    command: obstacles.find(({ command }) => command)?.command ?? lookAt(object, cluster),
    isNeeded: true,
  };
}

/** Groups are changed; of others only OLM writes the state. A cluster has no bundles and channels. */
function lookAt(object: string, cluster: readonly string[]): string | undefined {
  if (!/^[A-Z]/.test(object)) return undefined;
  const [kind = '', path = ''] = object.split(' ');
  const [namespace, name] = path.includes('/') ? path.split('/') : [undefined, path];
  return shellCommand(
    ...['kubectl', ...cluster, kind === 'OperatorGroup' ? 'edit' : 'describe'],
    ...[kind.toLowerCase(), name ?? ''],
    ...(namespace === undefined ? [] : ['-n', namespace]),
  );
}

/** Not marked as needed: what could not be compared is unknown, and not denied. */
function see(step: number) {
  return (sentence: string): PlannedAction => ({
    kind: 'clear',
    sentence: `${sentence}; then plan again`,
    isNeeded: false,
    step,
  });
}

/** The step says why, and the command says more; without a command the rule is explained. */
function mend(
  { name, denied, audiences }: PlannedDefinition,
  place: string,
  command: string | undefined,
): PlannedAction[] {
  if (denied.length === 0) return [];
  const errors = audiences.map(({ worst }) => worst).filter(({ severity }) => severity === 'error');
  const isRefused = errors.some(({ rule }) => isRefusedByServer(rule));
  const [worst] = errors;
  const explained = worst && shellCommand('olm-guard', 'explain', worst.rule);
  const remedy = isRefused
    ? 'Kubernetes refuses it too, whatever the policy says: upgrade to a release in between first, or have the author of the release change it'
    : 'have the author of the release change it, or exempt it in the policy';
  const sentence = `${name} is denied (${plural(denied.length, 'reason')}, see ${place}): ${remedy}; then plan again`;
  return [{ kind: 'mend', sentence, command: command ?? explained, isNeeded: true }];
}

/** Whether no other release brings it back, so that it is kept before. */
function isHardToTakeBack({ change, rollback }: PlannedDefinition): boolean {
  const { effect } = rollback ?? {};
  return (
    change === 'removed' || (effect !== undefined && effect !== 'safe' && effect !== 'behavior')
  );
}

function backUp(
  { name, isNamespaced }: PlannedDefinition,
  cluster: readonly string[],
): PlannedAction {
  const scope = isNamespaced ? ['--all-namespaces'] : [];
  const get = shellCommand('kubectl', ...cluster, 'get', name, ...scope, '-o', 'yaml');
  return {
    kind: 'back-up',
    sentence: `back up the objects of ${name}: a rollback may not be possible`,
    command: `${get} > ${fileNamedAfter(name)}`,
    isNeeded: false,
  };
}

function migrate(
  { name, migration }: PlannedDefinition,
  cluster: readonly string[],
): PlannedAction[] {
  if (migration === undefined) return [];
  const versions = migration.versions.flatMap((version) => ['--leaving', version]);
  return [
    {
      kind: 'migrate',
      sentence: `migrate ${name} out of ${migration.versions.join(', ')}: every object is written once, and the version taken out of status.storedVersions`,
      command: shellCommand('olm-guard', 'migrate', 'run', name, ...versions, ...cluster),
      isNeeded: true,
    },
  ];
}

export interface PlanQuestion extends ClusterOptions, NetworkOptions {
  readonly policy: Policy;
  readonly minors: TargetMinors;
  /** The options of every check, as they were given. */
  readonly given: readonly string[];
}

export interface FoundPlan extends Omit<UpgradePlan, 'headline' | 'isClear' | 'actions'> {
  readonly delivery: Delivery;
  /** Show why a step is denied, by what it leads to. */
  readonly commands: ReadonlyMap<string, string | undefined>;
}

/** How the commands of a plan reach the cluster that it was asked about. */
export function describeCluster({ kubeconfig, context }: ClusterOptions): string[] {
  return [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
}

/** Shows why a step is denied; undefined where a source cannot be read again. */
export function comparison(
  old: string | undefined,
  next: string | undefined,
  { given, state, network, ...question }: PlanQuestion,
): string | undefined {
  if (old === undefined || next === undefined || old === '-' || next === '-') return undefined;
  const cluster = [
    ...describeCluster(question),
    ...(state === undefined ? [] : ['--state', state]),
  ];
  return shellCommand(
    ...['olm-guard', 'check', 'crd', old, next, ...given, ...cluster],
    ...(cluster.length === 0 && !old.startsWith('cluster:') ? [] : ['--objects', 'cluster']),
    ...(network === true ? ['--network'] : []),
  );
}

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
