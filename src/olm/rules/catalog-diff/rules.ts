/** Rules of `catalog diff`; one comparison of two catalogs yields the findings of all of them. */
import type { ObjectPlace } from '../../catalogs/catalog.js';
import {
  examplePackage,
  type Finding,
  from,
  type MessageOf,
  queueCatalog,
  type Rule,
  rulesWith,
  sources,
  type StoredWrites,
} from '../../../rule/index.js';

const diffRule = rulesWith({ subject: 'catalog update', family: 'catalogs' });

const graph = from.olmPages('Creating an Update Graph');
const updatePaths = from.openShift('Update paths');

const twoVersions = '{ name: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }';
const stable = (entries: string): string => examplePackage({ channels: { stable: entries } });
const chain = stable(twoVersions);
const longer = stable(`${twoVersions}, { name: queue.v1.2.0, replaces: queue.v1.1.0 }`);
const twoChannels = (defaultChannel = 'stable'): string =>
  examplePackage({ defaultChannel, channels: { stable: twoVersions, fast: twoVersions } });

type Bundles = NonNullable<Parameters<typeof examplePackage>[0]['bundles']>;
const chainWith = (version: string, bundle: Bundles[string]): string =>
  examplePackage({ channels: { stable: twoVersions }, bundles: { [version]: bundle } });

const sized = '{ properties: { size: { type: integer } } }';

/** A third version, and which definition it and the second one bring: the schema of its `spec`. */
function bringing(old: string, next?: string): string {
  const brings = next === undefined ? '' : `, brings: ${next}`;
  return `${longer}
---
{ bundle: queue.v1.1.0, brings: ${old} }
---
{ bundle: queue.v1.2.0${brings} }`;
}

export const catalogDiffRules = {
  CatalogPackageRemoved: diffRule({
    id: 'CatalogPackageRemoved',
    severity: 'error',
    checks: 'Every package of the old catalog is in the new one.',
    why: 'Subscriptions and ClusterExtensions of a package that is gone resolve nothing any more.',
    instead: 'Deprecate a package before it is removed.',
    source: sources(
      from.olmPages('File-based Catalogs'),
      from.olm('pkg/controller/registry/resolver/resolver.go', 'getSubscriptionVariables'),
    ),
    messages: {
      removed: 'package {package} is gone, with {contents}: installed users get no further updates',
    },
    example: {
      before: queueCatalog,
      after: longer,
      says: 'package topic is gone',
      accepted: queueCatalog,
    },
  }),
  CatalogChannelRemoved: diffRule({
    id: 'CatalogChannelRemoved',
    severity: 'error',
    checks: 'Every channel of the old catalog is in the new one.',
    why: 'Whoever subscribes to a channel that is gone gets no updates, and OLM classic resolves nothing in that namespace.',
    instead: 'Keep the channel and deprecate it.',
    source: sources(
      from.olmPages('File-based Catalogs'),
      from.olm('pkg/controller/registry/resolver/resolver.go', 'getSubscriptionVariables'),
    ),
    messages: {
      nowhere:
        'channel {channel} is gone, with {entries}; none of its versions is in another channel',
      elsewhere:
        'channel {channel} is gone, with {entries}; its versions are in {channels}: Subscriptions and ClusterExtensions must be changed by hand',
    },
    example: {
      before: twoChannels(),
      after: chain,
      says: 'channel fast is gone',
      accepted: twoChannels(),
    },
  }),
  CatalogChannelUnusable: diffRule({
    id: 'CatalogChannelUnusable',
    severity: 'error',
    checks: 'A channel has one unique chain of replaces from one head.',
    why: 'OLM classic installs nothing from a channel with several heads or a cycle. OLM v1 does not look at the chain.',
    instead: 'Let each entry but the head be replaced or skipped by one other.',
    source: sources(
      graph,
      from.operatorRegistry('alpha/model/model.go', 'Head', 'validateReplacesChain'),
    ),
    messages: {
      unusable: 'channel {channel}: OLM classic resolves nothing from it{asBefore}: {problem}',
    },
    example: {
      before: chain,
      after: stable(
        '{ name: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }, { name: queue.v1.2.0, replaces: queue.v1.0.0 }',
      ),
      says: '2 replacement chains',
      accepted: longer,
    },
  }),
  CatalogDefaultChannelMoved: diffRule({
    id: 'CatalogDefaultChannelMoved',
    severity: 'warning',
    checks:
      'The default channel of a package stays. One that does not exist is an error, unless the catalog had none before either.',
    why: 'A Subscription that names no channel follows the default channel, so it changes its stream of updates. opm refuses a catalog whose default channel does not exist, and serves nothing of it.',
    instead: 'Keep the default, or move it only to a channel with the same versions and say so.',
    source: from.olmPages('File-based Catalogs'),
    messages: {
      unknown:
        'the default channel {channel} does not exist{nearest}{asBefore}: opm serves no such catalog',
      moved:
        'the default channel moves from {from} to {channel}: Subscriptions that name no channel follow it',
    },
    example: {
      before: twoChannels(),
      after: twoChannels('fast'),
      says: 'the default channel moves from stable to fast',
      accepted: twoChannels(),
    },
  }),
  CatalogHeadChanged: diffRule({
    id: 'CatalogHeadChanged',
    severity: 'info',
    checks: 'Whether the head of a channel changes.',
    why: 'The head is what a new Subscription installs. One that goes back to a lower version leaves everybody above it without updates; that is a warning.',
    instead: 'Release a higher version on top instead of going back.',
    source: graph,
    messages: {
      back: 'channel {channel}: the head goes back from {from} to {to}; who has {from} stays there',
      forward: 'channel {channel}: the head moves from {from} to {to}',
    },
    example: {
      before: chain,
      after: longer,
      says: 'the head moves from queue.v1.1.0 to queue.v1.2.0',
      accepted: chain,
    },
  }),
  CatalogNoReplacement: diffRule({
    id: 'CatalogNoReplacement',
    severity: 'error',
    checks:
      'Every version that can be installed has one replacement in the new catalog, except the head.',
    why: 'Nobody who has it installed gets another update.',
    instead: 'Add a replaces, skips or skipRange that leads away from it.',
    source: sources(graph, updatePaths),
    messages: {
      one: 'channel {channel}: {names} can be installed and has no replacement{asBefore}: nothing on the chain of {head} replaces, skips or covers it',
      several:
        'channel {channel}: {names} can be installed and have no replacement{asBefore}: nothing on the chain of {head} replaces, skips or covers them',
    },
    example: {
      before: chain,
      after: stable(
        '{ name: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }, { name: queue.v1.2.0, skips: [queue.v1.1.0] }',
      ),
      says: 'queue.v1.0.0 can be installed and has no replacement',
      accepted: longer,
    },
  }),
  CatalogAmbiguousReplacement: diffRule({
    id: 'CatalogAmbiguousReplacement',
    severity: 'warning',
    checks: 'OLM classic and OLM v1 go to the same version.',
    why: 'OLM classic takes the successor nearest the head, OLM v1 the highest version; here they part.',
    instead: 'Make both the same by what the head skips.',
    source: sources(graph, updatePaths),
    messages: {
      differs:
        'channel {channel}: from {from} OLM classic goes to {classic}, OLM v1 to {v1}{asBefore}',
    },
    example: {
      before: chain,
      after: stable(
        "{ name: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }, { name: queue.v1.3.0, replaces: queue.v1.1.0, skipRange: '<1.2.0' }, { name: queue.v1.2.0, replaces: queue.v1.3.0, skipRange: '<1.2.0' }",
      ),
      says: 'OLM classic goes to queue.v1.2.0, OLM v1 to queue.v1.3.0',
      accepted: longer,
    },
  }),
  CatalogUpgradeLoops: diffRule({
    id: 'CatalogUpgradeLoops',
    severity: 'error',
    checks: 'The updates from a version end.',
    why: 'OLM would install the same versions over and over.',
    instead: 'Keep a skipRange from covering its own version or a later one.',
    source: graph,
    messages: { loops: 'channel {channel}: {cycle} forms an update cycle{asBefore}' },
    example: {
      before: chain,
      after: stable(
        "{ name: queue.v1.0.0 }, { name: queue.v1.1.0 }, { name: queue.v1.2.0, skipRange: '<=1.2.0', skips: [queue.v1.0.0, queue.v1.1.0] }",
      ),
      says: 'queue.v1.2.0 → queue.v1.2.0 forms an update cycle',
      accepted: longer,
    },
  }),
  CatalogBundleWithdrawn: diffRule({
    id: 'CatalogBundleWithdrawn',
    severity: 'error',
    checks: 'From a bundle that is withdrawn an update leads on.',
    why: 'Those who have installed it get no further updates.',
    instead: 'Release another bundle with an upgrade edge away from it.',
    source: graph,
    messages: {
      withdrawn:
        'channel {channel}: {bundle} is withdrawn, and nothing replaces, skips or covers it: installed users get no further updates',
    },
    example: {
      before: chain,
      after: stable('{ name: queue.v1.2.0 }'),
      says: 'queue.v1.1.0 is withdrawn',
      accepted: stable("{ name: queue.v1.2.0, skipRange: '<1.2.0' }"),
    },
  }),
  CatalogBundleChanged: diffRule({
    id: 'CatalogBundleChanged',
    severity: 'error',
    checks: 'A bundle keeps its image, its version and its manifests under its name.',
    why: 'OLM does not reinstall a bundle whose contents change under the same name: who has it keeps the old one.',
    instead: 'Release it under a new version.',
    source: from.olmPages('File-based Catalogs'),
    messages: {
      changed: '{bundle} is published already and changes: {changes}; OLM does not reinstall it',
    },
    example: {
      before: chain,
      after: chainWith('1.0.0', { image: 'example.com/queue:other' }),
      says: 'queue.v1.0.0 is published already and changes: image',
      accepted: longer,
    },
  }),
  CatalogBundlePropertiesChanged: diffRule({
    id: 'CatalogBundlePropertiesChanged',
    severity: 'warning',
    checks: 'The catalog says the same of a bundle whose image is the same.',
    why: 'Resolution changes, the installed bundle does not.',
    instead: 'Release the other properties with a new version.',
    source: from.olmPages('File-based Catalogs'),
    messages: {
      changed: '{bundle} keeps its image, and what the catalog says about it changes: {types}',
    },
    example: {
      before: chain,
      after: chainWith('1.0.0', { properties: "{ type: olm.maxOpenShiftVersion, value: '4.18' }" }),
      says: 'what the catalog says about it changes: olm.maxOpenShiftVersion',
      accepted: longer,
    },
  }),
  CatalogZStream: diffRule({
    id: 'CatalogZStream',
    severity: 'warning',
    checks: 'A patch release takes over from all earlier ones of its minor version.',
    why: 'Those that it leaves out are not updated to the newest.',
    instead: 'Let the newest skip the others.',
    source: graph,
    messages: {
      one: 'channel {channel}: {names} is not updated to {newest}, the newest of {minor}',
      several: 'channel {channel}: {names} are not updated to {newest}, the newest of {minor}',
    },
    example: {
      before: stable('{ name: queue.v1.0.0 }, { name: queue.v1.0.1, replaces: queue.v1.0.0 }'),
      after: stable(
        '{ name: queue.v1.0.0 }, { name: queue.v1.0.1, replaces: queue.v1.0.0 }, { name: queue.v1.0.2, skips: [queue.v1.0.1] }',
      ),
      says: 'queue.v1.0.0 is not updated to queue.v1.0.2, the newest of 1.0',
      accepted: stable(
        '{ name: queue.v1.0.0 }, { name: queue.v1.0.1, replaces: queue.v1.0.0 }, { name: queue.v1.0.2, replaces: queue.v1.0.1 }',
      ),
    },
  }),
  CatalogLateZStream: diffRule({
    id: 'CatalogLateZStream',
    severity: 'error',
    checks:
      'From a patch release of an older minor that came after the higher minor, updates lead to the higher minor.',
    why: 'Whoever takes the patch is stranded there.',
    instead: 'Let the higher minor skip the patch release.',
    source: graph,
    messages: {
      late: 'channel {channel}: {bundle} is new, and {above}, which was there before, does not skip it: who takes {bundle} never gets to {above}',
    },
    example: {
      before: chain,
      after: stable(
        '{ name: queue.v1.0.0 }, { name: queue.v1.0.1, replaces: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }',
      ),
      says: 'queue.v1.0.1 is new, and queue.v1.1.0, which was there before, does not skip it',
      accepted: stable(
        '{ name: queue.v1.0.0 }, { name: queue.v1.0.1, replaces: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0, skips: [queue.v1.0.1] }',
      ),
    },
  }),
  CatalogEdgesLost: diffRule({
    id: 'CatalogEdgesLost',
    severity: 'warning',
    checks:
      'Every update that the old catalog offered is offered still, where both ends are there.',
    why: 'Those who wait for it or pin it do not get it.',
    instead: 'Keep the edge by skips or skipRange.',
    source: graph,
    messages: { lost: 'channel {channel}: {entry} no longer takes over from {from}' },
    example: {
      before: chain,
      after: stable(
        '{ name: queue.v1.0.0 }, { name: queue.v1.0.1, replaces: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.1 }',
      ),
      says: 'queue.v1.1.0 no longer takes over from queue.v1.0.0',
      accepted: longer,
    },
  }),
  CatalogEdgesGained: diffRule({
    id: 'CatalogEdgesGained',
    severity: 'info',
    checks: 'Whether there are updates between versions of the old catalog that it did not offer.',
    why: 'Those who had no way out of a version have one now; automatic Subscriptions take it at once.',
    instead: 'Nothing, where that is meant; else take the edge out again.',
    source: graph,
    messages: { gained: 'channel {channel}: {entry} now takes over from {from}' },
    example: {
      before: stable(
        '{ name: queue.v1.0.0 }, { name: queue.v1.0.1, replaces: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.1 }',
      ),
      after: stable(
        '{ name: queue.v1.0.0 }, { name: queue.v1.0.1, replaces: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.1, skips: [queue.v1.0.0] }',
      ),
      says: 'queue.v1.1.0 now takes over from queue.v1.0.0',
      accepted: stable(
        '{ name: queue.v1.0.0 }, { name: queue.v1.0.1, replaces: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.1 }',
      ),
    },
  }),
  CatalogEdgeBreaks: diffRule({
    id: 'CatalogEdgeBreaks',
    severity: 'error',
    checks:
      'Along a new update no CustomResourceDefinition changes so that a valid object is refused or loses data.',
    why: 'The witness is such an object: after the update every write to it fails, or some of it is gone.',
    instead:
      'Change the definition as check crd --fix writes it, or migrate the objects with a version in between.',
    source: sources(from.openShift('CRD upgrade safety'), from.us('docs/decisions/proof.md')),
    messages: {
      breaks: '{definition} along {updates}{asBefore}: breaks objects: {reason}{refusal}',
      loses: '{definition} along {updates}{asBefore}: stored objects lose data: {reason}{refusal}',
    },
    example: {
      before: chain,
      after: bringing(sized, '{ properties: { size: { type: integer, maximum: 10 } } }'),
      says: 'widgets.example.com along v1.1.0 → v1.2.0: breaks objects',
      accepted: bringing(sized, sized),
    },
  }),
  CatalogEdgeRefused: diffRule({
    id: 'CatalogEdgeRefused',
    severity: 'error',
    awaitsProof: true,
    checks: 'OLM v1 does not refuse a new update by its CRD upgrade safety.',
    why: 'It refuses it although no stored object is shown to break, so ClusterExtensions stay on the old version.',
    instead:
      'Keep the definition as it was, or tell users to switch the check off for this update.',
    source: sources(
      from.openShift('CRD upgrade safety'),
      from.operatorController417(
        'internal/operator-controller/rukpak/preflights/crdupgradesafety/preflight.go',
      ),
    ),
    messages: {
      refused: '{definition} along {updates}: {by} refuses it: {refusals}',
      undecided: '{definition} along {updates}: undecided: {reason}. {by} refuses it: {refusals}',
      asBefore:
        '{definition} along {updates}: {by} refuses these updates, or nobody can show that they are safe, as before',
    },
    example: {
      before: chain,
      after: bringing(sized, '{ properties: { size: { type: integer, default: 1 } } }'),
      says: 'OLM v1 refuses it: ',
      accepted: bringing(sized, sized),
    },
  }),
  CatalogEdgeUndecided: diffRule({
    id: 'CatalogEdgeUndecided',
    severity: 'info',
    checks:
      'A change of a CustomResourceDefinition along a new update is shown to be safe, or to break.',
    why: 'Nobody could show either, so it may break stored objects.',
    instead: 'Read the difference that the message names, or make it one that can be decided.',
    source: from.us('docs/decisions/proof.md'),
    messages: { undecided: '{definition} along {updates}: undecided: {reason}{refusal}' },
    example: {
      before: chain,
      after: bringing(sized, '{ maxProperties: many }'),
      says: 'cannot be judged',
      accepted: bringing(sized, sized),
    },
  }),
  CatalogEdgeDropsCrd: diffRule({
    id: 'CatalogEdgeDropsCrd',
    severity: 'warning',
    checks: 'A new bundle brings every CustomResourceDefinition of the one that it updates.',
    why: 'OLM classic leaves it behind without an owner; OLM v1 deletes it, and its objects with it.',
    instead: 'Keep the definition until its objects are gone.',
    source: from.openShift('Update paths'),
    messages: {
      dropped: '{definition} along {updates}{asBefore}: the new bundle does not bring it any more',
    },
    example: {
      before: chain,
      after: bringing(sized),
      says: 'does not bring it any more',
      accepted: bringing(sized, sized),
    },
  }),
} satisfies Readonly<Record<string, Rule>>;

export type DiffRuleName = keyof typeof catalogDiffRules;

type Remark<Name extends DiffRuleName> = Circumstances &
  MessageOf<(typeof catalogDiffRules)[Name]['messages']>;

export interface Circumstances
  extends StoredWrites, Partial<Pick<Finding, 'severity' | 'effect' | 'harm' | 'witness'>> {
  readonly place: ObjectPlace | undefined;
  /** Identifies the subject of the finding, apart from its words; findings with the same subject share it. */
  readonly about: string;
  readonly isAsBefore?: boolean;
  readonly fix?: string;
}

export function diffFinding<Name extends DiffRuleName>(name: Name, remark: Remark<Name>): Finding {
  const { about, place, isAsBefore, ...rest } = remark;
  const rule: Rule = catalogDiffRules[name];
  return {
    ...rule.finding({ ...rest, cause: `${name} ${about}` }),
    ...(place !== undefined && { place }),
    ...(isAsBefore === true && { isAsBefore }),
  };
}

const maxNamed = 8;

/** `a, b, c and 5 more`. */
export function namesText(names: readonly string[]): string {
  if (names.length <= maxNamed + 1) return names.join(', ');
  return `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more`;
}
