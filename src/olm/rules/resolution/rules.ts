import { from, rulesWith, sources } from '../../../rule/index.js';

const resolutionRule = rulesWith({ subject: 'resolution', family: 'resolution' });

const resolver = 'pkg/controller/registry/resolver/resolver.go';
const documented = from.openShift('Operator Lifecycle Manager dependency resolution');

function examplePackage(
  name: string,
  bundles: readonly [version: string, needs?: string][],
): string {
  const csv = (version: string): string => `${name}.v${version}`;
  const entries = bundles.map(([version], index) => {
    const before = bundles[index - 1]?.[0];
    return `{ name: ${csv(version)}${before === undefined ? '' : `, replaces: ${csv(before)}`} }`;
  });
  const listed = bundles.map(
    ([version, needs]) =>
      `{ name: ${csv(version)}, version: ${version}, properties: [{ type: olm.package, value: { packageName: ${name}, version: ${version} } }${needs === undefined ? '' : `, ${needs}`}] }`,
  );
  return `{ name: ${name}, defaultChannel: stable, channels: [{ name: stable, entries: [${entries.join(', ')}] }], bundles: [${listed.join(', ')}] }`;
}

const needsQueue = (range: string): string =>
  `{ type: olm.package.required, value: { packageName: queue, versionRange: '${range}' } }`;

interface ExampleState {
  readonly packages: readonly string[];
  readonly subscriptions: readonly string[];
  readonly installed?: string;
  readonly manual?: readonly string[];
  readonly catalogError?: string;
}

function exampleState({
  packages,
  subscriptions,
  installed,
  manual = [],
  catalogError,
}: ExampleState): string {
  const subscribed = subscriptions.map(
    (name) =>
      `  - { name: ${name}, namespace: work, package: ${name}, channel: stable, catalog: community, catalogNamespace: olm${installed?.startsWith(name) === true ? `, installedCSV: ${installed}, currentCSV: ${installed}` : ''}${manual.includes(name) ? ', installPlanApproval: Manual' : ''} }`,
  );
  const [name = '', version = ''] = installed?.split('.v') ?? [];
  return `
namespace: work
globalCatalogNamespace: olm
operatorGroups: [{ name: work, namespace: work }]
subscriptions:
${subscribed.join('\n')}
installedCSVs: [${installed === undefined ? '' : `{ name: ${installed}, namespace: work, version: ${version}, properties: [{ type: olm.package, value: { packageName: ${name}, version: ${version} } }] }`}]
catalogs:
  - name: community
    namespace: olm${catalogError === undefined ? '' : `\n    error: ${catalogError}`}
    packages:
${packages.map((each) => `      - ${each}`).join('\n')}`;
}

const queue = examplePackage('queue', [['1.0.0'], ['2.0.0']]);
const topicNeeds = (range: string): string =>
  examplePackage('topic', [['1.0.0', needsQueue(range)]]);
const solvable = exampleState({
  packages: [queue, topicNeeds('>=1.0.0')],
  subscriptions: ['topic', 'queue'],
});

export const resolutionRules = {
  conflict: resolutionRule({
    id: 'ResolutionConflict',
    severity: 'error',
    checks:
      'The subscriptions, installed operators and dependencies of a namespace do not contradict each other.',
    why: 'OLM installs and upgrades nothing at all in the namespace otherwise, and reports it on every subscription.',
    otherwise: 'constraints not satisfiable: …',
    instead: 'Do one of the changes that the explanation names; each of them resolves.',
    source: sources(from.olm(resolver, 'getSubscriptionVariables', 'addInvariants'), documented),
    example: {
      after: exampleState({ packages: [queue, topicNeeds('>=9.0.0')], subscriptions: ['topic'] }),
      says: 'needs package queue in range >=9.0.0',
      accepted: solvable,
    },
  }),
  prevented: resolutionRule({
    id: 'ResolutionPrevented',
    severity: 'error',
    checks:
      'Nothing stops OLM before it chooses: an unhealthy catalog, not exactly one OperatorGroup, a channel without a unique order, a constraint it cannot read.',
    why: 'One such thing stops the whole namespace.',
    otherwise: 'ErrorPreventedResolution: …',
    instead: 'Repair or delete what the message names.',
    source: from.olm('pkg/controller/registry/resolver/cache/cache.go', 'Error'),
    example: {
      after: exampleState({
        packages: [queue],
        subscriptions: ['queue'],
        catalogError: 'connection refused',
      }),
      says: 'error using catalogsource olm/community',
      accepted: solvable,
    },
  }),
  gaveUp: resolutionRule({
    id: 'ResolutionGaveUp',
    severity: 'warning',
    checks: 'The search for a solution ends within its budget of conflicts.',
    why: 'The budget is there so that the gate never hangs. What was not decided is a warning, and undecided.',
    instead:
      'Subscribe to fewer operators in one namespace, or give their dependencies narrower ranges.',
    source: from.us('docs/decisions/solver.md'),
    example: {
      after: exampleState({
        packages: [
          examplePackage('queue', [['1.0.0'], ['2.0.0'], ['3.0.0'], ['4.0.0']]),
          examplePackage('topic', [
            ['1.0.0', needsQueue('<2.0.0')],
            ['2.0.0', needsQueue('>=2.0.0 <3.0.0')],
          ]),
          examplePackage('relay', [
            ['1.0.0', needsQueue('>=3.0.0 <4.0.0')],
            ['2.0.0', needsQueue('>=4.0.0')],
          ]),
        ],
        subscriptions: ['topic', 'relay'],
      }),
      says: 'gave up',
      accepted: solvable,
    },
  }),
  heldBack: resolutionRule({
    id: 'UpgradeHeldBack',
    severity: 'warning',
    blocksUpgrade: true,
    checks: 'A subscription is upgraded when its channel has an upgrade.',
    why: 'It stays on its installed version because every upgrade contradicts something else. OLM does this silently.',
    instead: 'Change what the message names as the reason, or wait for a version that fits.',
    source: sources(from.olm(resolver, 'getSubscriptionVariables'), documented),
    messages: { stays: 'Subscription {subscription} stays at {csv}. {reasons}' },
    example: {
      after: exampleState({
        packages: [queue, examplePackage('topic', [['1.0.0'], ['1.1.0', needsQueue('>=9.0.0')]])],
        subscriptions: ['topic'],
        installed: 'topic.v1.0.0',
      }),
      says: 'Subscription topic stays at topic.v1.0.0.',
      accepted: exampleState({
        packages: [queue, examplePackage('topic', [['1.0.0'], ['1.1.0', needsQueue('>=1.0.0')]])],
        subscriptions: ['topic'],
        installed: 'topic.v1.0.0',
      }),
    },
  }),
  pulledIn: resolutionRule({
    id: 'OperatorPulledIn',
    severity: 'info',
    checks: 'Every operator that is installed was subscribed to.',
    why: 'OLM installs an operator that nobody subscribed to, because another one needs it, and makes a subscription for it.',
    instead: 'Subscribe to it yourself, in the channel you want.',
    source: sources(
      from.olm('pkg/controller/registry/resolver/step_resolver.go', 'ResolveSteps'),
      documented,
    ),
    messages: {
      pulledIn: '{csv} is installed too, with the new subscription {subscription}: {reason}',
    },
    example: {
      after: exampleState({ packages: [queue, topicNeeds('>=1.0.0')], subscriptions: ['topic'] }),
      says: 'queue.v2.0.0 is installed too',
      accepted: solvable,
    },
  }),
  waits: resolutionRule({
    id: 'InstallPlanWaits',
    severity: 'info',
    checks: 'What OLM installs in a namespace needs nobody’s approval.',
    why: 'All operators of a namespace share one InstallPlan, and one Subscription with approval Manual makes it wait. Whoever approves it for one operator approves it for all.',
    otherwise: 'RequiresApproval',
    instead:
      'Look at everything that the plan brings before you approve it; give operators that are to be approved on their own a namespace of their own.',
    source: sources(
      from.olm('pkg/controller/operators/catalog/operator.go', 'syncResolvingNamespace'),
      from.openShift('Multitenancy and Operator colocation'),
    ),
    example: {
      after: exampleState({
        packages: [queue, topicNeeds('>=1.0.0')],
        subscriptions: ['topic', 'queue'],
        manual: ['topic'],
      }),
      says: 'waits for approval of topic.v1.0.0 (Subscription topic with approval Manual); the same InstallPlan carries queue.v2.0.0',
      accepted: solvable,
    },
  }),
};
