/** How a release of a package is installed: what to change for OLM, and what to wait for. */
import type { Installation } from './installation.js';
import { action, type PackageQuestion, describeCluster, type Delivery } from './plan-actions.js';
import type { UpgradeRoute } from './package-route.js';
import type { OlmState } from '../../cluster/index.js';
import { shellCommand } from '../../text/shell-command.js';
import type { PlannedStep, PlannedAction } from '../../report/index.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import { readVersion } from '../../text/versions/index.js';
import { isApproved } from '../../olm/index.js';
import { objectAt, textsAt } from '../../text/documents/fields.js';

export function deliveryOf(
  question: PackageQuestion,
  installation: Installation,
  route: UpgradeRoute,
  state: OlmState | undefined,
  steps: readonly PlannedStep[],
): Delivery {
  const cluster = describeCluster(question);
  if (installation.unowned !== undefined) return { cluster, hold: [], before: [], take: () => [] };
  const delivery =
    installation.by === 'v1'
      ? byExtension(cluster, question.package, installation, route, steps)
      : bySubscription(cluster, question, installation.subscription, route, state, steps);
  return { cluster, ...delivery };
}

type Steps = Omit<Delivery, 'cluster'>;
type Extension = NonNullable<Installation['extension']>;

function patch(kind: string, name: string, spec: object, namespace?: string): string[] {
  const place = namespace === undefined ? [] : ['-n', namespace];
  return ['patch', kind, name, ...place, '--type', 'merge', '-p', JSON.stringify({ spec })];
}

/** The fields that a step changes in a ClusterExtension: the version, and the channels if they lack the wanted one. */
function chosenBy(extension: Extension | undefined, to: string, route: UpgradeRoute) {
  const channels = extension?.channels ?? [];
  const isMoved = route.channel !== '' && channels.length > 0 && !channels.includes(route.channel);
  return { version: route.versionOf(to), ...(isMoved && { channels: [route.channel] }) };
}

/** The ClusterExtension as the first step changes it, for rules to judge in place of the stored one. */
export function plannedExtension(extension: Extension, route: UpgradeRoute): JsonObject {
  const { object } = extension;
  const to = route.steps[0]?.to ?? route.wanted;
  const spec = objectAt(object, 'spec');
  const source = objectAt(spec, 'source');
  if (to === undefined || source === undefined) return object;
  const catalog = { ...objectAt(source, 'catalog'), ...chosenBy(extension, to, route) };
  return { ...object, spec: { ...spec, source: { ...source, catalog } } };
}

function byExtension(
  cluster: readonly string[],
  packageName: string,
  { extension, installed }: Installation,
  route: UpgradeRoute,
  steps: readonly PlannedStep[],
): Steps {
  const name = extension?.name ?? packageName;
  const range = extension?.version ?? '';
  const isPinned = readVersion(range) !== undefined;
  const pins = isPinned ? '' : `; this pins its version${range && ` over the range ${range}`}`;
  const pin = (sentence: string, catalog: ReturnType<typeof chosenBy>): PlannedAction => {
    const words = patch('clusterextension', name, { source: { catalog } });
    return action('roll-out', `${sentence}${pins}`, cluster, words);
  };
  // OLM v1 comes by itself to a version without being asked for it by name.
  const isByItself = extension !== undefined && route.wanted === undefined;
  const isHeld = steps.length > 1 || steps.some(({ state }) => state !== 'clear');
  const kept = `keep ClusterExtension ${name} at ${installed}, else OLM v1 upgrades it by itself`;
  return {
    hold: isByItself && isHeld && installed ? [pin(kept, { version: installed })] : [],
    before: [],
    take: ({ to }) => {
      const catalog = chosenBy(extension, to, route);
      const isTaken = isByItself && !isHeld && !('channels' in catalog);
      return [
        ...(isTaken ? [] : [pin(`have OLM v1 install ${catalog.version}`, catalog)]),
        action(
          'roll-out',
          `wait until ${to} is installed${isTaken ? ', which OLM v1 does by itself' : ''}`,
          cluster,
          [
            ...['wait', `--for=jsonpath={.status.install.bundle.version}=${catalog.version}`],
            ...[`clusterextension/${name}`, '--timeout=10m'],
          ],
        ),
      ];
    },
  };
}

function bySubscription(
  cluster: readonly string[],
  question: PackageQuestion,
  subscription: Installation['subscription'],
  route: UpgradeRoute,
  state: OlmState | undefined,
  steps: readonly PlannedStep[],
): Steps {
  const namespace = subscription?.namespace ?? question.namespace ?? 'NAMESPACE';
  const name = subscription?.name ?? question.package;
  const isLater = route.steps.length > 1 || route.goesOn;
  const waits = subscription?.isManual === true;
  const before: PlannedAction[] = [];
  const hold: PlannedAction[] = [];
  const isHeld =
    subscription === undefined
      ? isLater && steps[0]?.state !== 'blocked'
      : !waits && (isLater || steps.some((step) => step.state !== 'clear'));
  if (isHeld) {
    const sentence = `set installPlanApproval: Manual in Subscription ${name}, else OLM takes all that the channel offers by itself`;
    const manual = patch('subscription', name, { installPlanApproval: 'Manual' }, namespace);
    hold.push(action('approve', sentence, cluster, manual));
  }
  if (
    subscription !== undefined &&
    route.channel !== subscription.channel &&
    route.steps.length > 0
  ) {
    const sentence = `move Subscription ${name} to channel ${route.channel}`;
    const moved = patch('subscription', name, { channel: route.channel }, namespace);
    before.push(action('roll-out', sentence, cluster, moved));
  }
  const plans = [...(state?.objects('InstallPlan') ?? [])].filter(
    (plan) => metaOf(plan).namespace === namespace && !isApproved(plan),
  );
  const take = ({ to }: PlannedStep): PlannedAction[] => {
    const wait = action('roll-out', `wait until ${to} has succeeded`, cluster, [
      ...['wait', '--for=jsonpath={.status.phase}=Succeeded'],
      ...[`clusterserviceversion/${to}`, '-n', namespace, '--timeout=10m'],
    ]);
    if (!isHeld && !waits && subscription !== undefined) return [wait];
    const plan = plans.find((each) => namesIn(each).includes(to));
    if (plan === undefined) {
      const get = shellCommand('kubectl', ...cluster, 'get', 'installplan', '-n', namespace);
      const sentence = `approve the InstallPlan with ${to}, once OLM has made it (${get} tells its NAME)`;
      const approved = patch('installplan', 'NAME', { approved: true }, namespace);
      return [action('approve', sentence, cluster, approved), wait];
    }
    const others = namesIn(plan).filter((each) => each !== to);
    const also = others.length === 0 ? '' : `, which installs ${others.join(', ')} too`;
    const { name: planName } = metaOf(plan);
    const approved = patch('installplan', planName, { approved: true }, namespace);
    const sentence = `approve InstallPlan ${planName} with ${to}${also}`;
    return [action('approve', sentence, cluster, approved), wait];
  };
  return { hold, before, take };
}

function namesIn(plan: JsonObject): string[] {
  return textsAt(plan, 'spec', 'clusterServiceVersionNames');
}
