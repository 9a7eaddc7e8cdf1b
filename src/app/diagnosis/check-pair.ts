/** One definition before and after, as `check crd` tells of it: judged, mended, and decided as at the gate. */
import { ClusterError, type ClusterView } from '../facts/cluster/view.js';
import { heedSharing, isShared, readCsv } from '../../olm/index.js';
import {
  addBounds,
  findingsOf,
  fixLimits,
  type FoundCrd,
  type HarmedObject,
  hintLimits,
  type JudgedFinding,
  judgeForServers,
  judgeRollback,
  locationOf,
  placeInFile,
  type PatchedFinding,
  previousFindings,
  servedVersionRemoved,
  type ServersJudgement,
  UpgradePair,
  withMarkers,
  withPatches,
  withRemedy,
} from '../../upgrade/index.js';
import type { TargetMinors } from '../../kubernetes/index.js';
import {
  isObject,
  own,
  type InvalidInputError,
  type JsonObject,
  type Place,
} from '../../text/documents/index.js';
import type { Finding } from '../../rule/index.js';
import { check, type Checked, type Question } from '../check/check.js';
import {
  exemptedBy,
  exemptionComments,
  misspeltComments,
  type ExemptionComment,
} from '../check/exemption-comments.js';
import type { Subject } from '../check/exemptions.js';
import type { Policy, Profile } from '../check/policy.js';
import type { CheckResult, FindingNote } from '../report/check-report.js';
import { codeFrames, type CodeFrame } from '../report/code-frame.js';
import { judgePair, type JudgingPolicy, type PairJudgement } from './crd-judgement.js';
import type { Repaired } from './fixed-text.js';
import type { JudgedPair } from './pair-judgement.js';
import { countedObjects, type CheckedObjects, type GivenObjects } from './checked-objects.js';

export interface Judged {
  readonly subject: Subject;
  readonly findings: readonly Finding[];
}

export interface PairContext {
  readonly profile: Profile;
  readonly policy: Policy;
  /** Whether comments in the new definition exempt, as a repository's own policy does. */
  readonly areCommentsHeard: boolean;
  readonly view: ClusterView | undefined;
  /** Where the owners of the definitions are looked up. */
  readonly owners: ClusterView | undefined;
  /** What was found in each definition, as it comes. */
  readonly judged: Judged[];
  readonly isFixWanted: boolean;
  /** Where the ways out are kept for `--fix`. */
  readonly repaired: Repaired[];
  /** Stored objects to judge too. */
  readonly objects: GivenObjects | undefined;
  /** Minors of Kubernetes that are asked whether they take the new definition. */
  readonly minors: TargetMinors;
  /** What looking for hints may still cost, for all definitions together. */
  readonly hints: { values: number };
  /** What could not be read: a sentence each. */
  readonly unchecked: Set<string>;
  /** Whether a rollback is judged too. */
  readonly isRollbackWanted: boolean;
  /** What a thread has found out about a pair; undefined where nobody has. */
  readonly judgedAhead?: () => Promise<JudgedPair | undefined>;
  /** Told of each stored object that comes to harm, by the definition's name. */
  readonly onHarmed: ((name: string, object: HarmedObject) => Promise<void>) | undefined;
}

/** Without `--fix`, so that a large bundle does not wait. */
export const hintsForAll = 400_000;

/** @throws InvalidInputError for a definition that cannot be judged */
export async function checkPair(
  old: FoundCrd,
  next: FoundCrd,
  context: PairContext,
): Promise<CheckResult> {
  const { profile, policy } = context;
  const ahead = await context.judgedAhead?.();
  const pair =
    ahead === undefined
      ? judgePair(old, next, { ...policy, profile })
      : {
          ...ahead.pair,
          previous: () => previousOf(old.crd, next.crd, { ...policy, profile }, ahead.pair.judged),
        };
  const withFix = await withSharedOwners(withFixes(old, next, pair, context), old.name, context);
  const stored = await context.objects?.check(old.crd, next.crd, {
    onUnreadable: (error) => context.unchecked.add(unreadSentence(error)),
    onHarmed: async (object) => context.onHarmed?.(next.name, object),
  });
  const rollback = context.isRollbackWanted ? await judgeRollbackOf(old, next, context) : undefined;
  const servers = ahead?.servers ?? judgeForServers(next.crd, old.crd, context.minors);
  mendCosts(next, old, servers, context);
  const before = [
    ...(stored?.findings ?? []),
    ...(rollback === undefined ? [] : [rollback.finding]),
  ];
  const frames = { old: codeFrames(old.document), new: codeFrames(next.document) };
  const said: SaidFinding[] = [
    ...withFix.judged.map(({ finding, place: at, fix }) => {
      const { side, keys } = at === undefined ? nowhere : locationOf(at);
      const place = placeInFile(side === 'old' ? old : next, keys);
      const note = {
        fix,
        frame: frames[side](place.line),
      };
      return { finding: withRemedy(finding), place, note };
    }),
    ...before.map((finding) => ({ finding, place: {}, note: noteOf(finding, servers) })),
    ...saidByServers(next, servers, frames.new),
  ];
  const heeded = await heedComments(next, said, context);
  const findings = said.map(({ finding }) => finding);
  const { verdict, decided } = await decideAsWebhook(
    old,
    next,
    { findings, previous: pair.previous, unchecked: [...withFix.unchecked, ...servers.unchecked] },
    { ...context, policy: heeded.policy },
  );
  const warnings = [
    ...verdict.warnings,
    ...heeded.warnings,
    ...(stored?.tally.checked === 0 && stored.findings.length === 0
      ? [
          `--objects ${context.objects?.source ?? ''} holds none of ${next.name}: no object was judged`,
        ]
      : []),
  ];
  const output = {
    ...pair.output,
    ...(stored === undefined ? {} : { storedObjects: stored.tally }),
    ...(rollback === undefined ? {} : { rollback: rollback.output }),
  };
  const subject = { groups: groupsOf(old.crd), name: next.name };
  context.judged.push({ subject, findings: verdict.findings });
  return {
    name: next.name,
    verdict: { ...verdict, warnings },
    output,
    places: said.map(({ place }) => place),
    definitions: { old: old.crd, new: next.crd },
    notes: notesOf(said, decided),
    ...countOf(context.objects, stored),
  };
}

/** What the old definition by itself has of what another thread found. */
function previousOf(
  old: JsonObject,
  next: JsonObject,
  { profile, crdify }: JudgingPolicy,
  judged: readonly JudgedFinding[],
): readonly Finding[] {
  return previousFindings(new UpgradePair(old, next, { crdify }), profile, findingsOf(judged));
}

/** A finding as a report shows it. */
interface SaidFinding {
  readonly finding: Finding;
  readonly place: Place;
  readonly note: FindingNote;
}

const nowhere = { side: 'new', keys: [] } as const;

/** Decided in the order of what is said. */
function notesOf(said: readonly SaidFinding[], decided: Checked['decided']): FindingNote[] {
  return said.map(({ note }, index) => ({ ...note, ...exemptNote(decided[index]) }));
}

function saidByServers(
  next: FoundCrd,
  servers: ServersJudgement,
  frame: (line: number | undefined) => CodeFrame | undefined,
): SaidFinding[] {
  return servers.judged.map(({ finding: said, place: { keys } }) => {
    const place = placeInFile(next, keys);
    const way = boundFor(said, servers);
    const finding = way === undefined ? said : withMarkers(said, next.crd, way.patch);
    return { finding, place, note: { ...noteOf(said, servers), frame: frame(place.line) } };
  });
}

function unreadSentence(error: InvalidInputError): string {
  return `${error.describe()}; nothing from there on in this file was judged`;
}

/** Without a word nobody would know whether all objects passed or none was looked at. */
function countOf(
  given: GivenObjects | undefined,
  stored: CheckedObjects | undefined,
): Pick<CheckResult, 'counted'> {
  if (given === undefined) return {};
  if (stored === undefined) {
    return {
      counted: ['objects: none was judged, as the change concerns nothing that is stored'],
    };
  }
  return { counted: [countedObjects(stored)] };
}

/** The policy with what comments in the new definition exempt, and what is to be said of comments. */
async function heedComments(
  { document: { text, line: first, file } }: FoundCrd,
  said: readonly SaidFinding[],
  { policy, areCommentsHeard }: Pick<PairContext, 'policy' | 'areCommentsHeard'>,
): Promise<{ readonly policy: Policy; readonly warnings: readonly string[] }> {
  const comments = exemptionComments(text, first, file);
  const misspelt = misspeltComments(text, first).map(
    ({ line, written }) =>
      `the comment in ${placed(line, file)} does not count: it says "${written}" and not "olm-guard:exempt RULE: REASON"`,
  );
  if (!areCommentsHeard) {
    const unheard = comments.map(
      ({ line }) => `the comment in line ${line} does not count beside --policy`,
    );
    return { policy, warnings: [...unheard, ...misspelt] };
  }
  const { exemptions, unused } = exemptedBy(
    comments,
    said.map(({ finding }) => finding),
    said.map(({ place }) => place),
  );
  return {
    policy: { ...policy, exemptions: [...policy.exemptions, ...exemptions] },
    warnings: [...(await idleComments(unused, file)), ...misspelt],
  };
}

/** Every rule is read for their names, so only when there is something to say. */
async function idleComments(
  unused: readonly ExemptionComment[],
  file: string | undefined,
): Promise<string[]> {
  if (unused.length === 0) return [];
  const { suggestRuleName } = await import('../check/known-name.js');
  return unused.map(
    ({ line, rules }) =>
      `the comment in ${placed(line, file)} exempts nothing (${rules.map(suggestRuleName).join(', ')})`,
  );
}

function placed(line: number, file: string | undefined): string {
  return [file, line].filter((part) => part !== undefined).join(':');
}

/** As at the gate: a version that goes is an error where several operators own the definition. */
async function withSharedOwners<Judged extends Pick<JudgedFinding, 'finding'>>(
  judged: readonly Judged[],
  name: string,
  { owners: view }: PairContext,
): Promise<{ readonly judged: readonly Judged[]; readonly unchecked: readonly string[] }> {
  const isAsked = judged.some(({ finding }) => finding.rule === servedVersionRemoved.id);
  if (!isAsked || view === undefined) return { judged, unchecked: [] };
  try {
    const resource = { group: 'operators.coreos.com', resource: 'clusterserviceversions' };
    const csvs = await view.list(resource, { labelSelector: '!olm.copiedFrom' });
    const owners = csvs
      .map(readCsv)
      .filter(({ ownedCrds }) => ownedCrds.some((crd) => crd.name === name));
    if (!isShared(owners)) return { judged, unchecked: [] };
    const heeded = judged.map((each) => ({ ...each, finding: heedSharing(each.finding) }));
    return { judged: heeded, unchecked: [] };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    const unknown = `whether several ClusterServiceVersions own it is not known: ${error.message}`;
    return { judged, unchecked: [unknown] };
  }
}

/** Whether a rollback is possible, and with `--objects` which objects have closed it already. */
async function judgeRollbackOf(
  old: FoundCrd,
  next: FoundCrd,
  { objects, unchecked }: PairContext,
): Promise<{ readonly finding: Finding; readonly output: object }> {
  const { finding, ...back } = judgeRollback(new UpgradePair(old.crd, next.crd));
  // Standard input is read once, for the way there.
  if (objects === undefined || objects.source === '-') return { finding, output: back };
  const stored = await objects.check(next.crd, old.crd, {
    onUnreadable: (error) => unchecked.add(unreadSentence(error)),
  });
  if (stored === undefined) return { finding, output: back };
  const { refused, pruned, checked } = stored.tally;
  const already =
    refused + pruned === 0
      ? `none of ${checked} stored objects does so far`
      : stored.findings.map(({ message }) => message).join('; ');
  const message = `${finding.message}; ${already}`;
  return { finding: { ...finding, message }, output: { ...back, storedObjects: stored.tally } };
}

/** A definition that is only in NEW: whether servers would take it. */
export async function checkAdded(next: FoundCrd, context: PairContext): Promise<CheckResult> {
  const { view, minors } = context;
  const { name, crd, document } = next;
  const servers = judgeForServers(crd, undefined, minors);
  const { unchecked } = servers;
  mendCosts(next, undefined, servers, context);
  const said = saidByServers(next, servers, codeFrames(document));
  const heeded = await heedComments(next, said, context);
  const { verdict, decided } = await check(
    {
      subject: { groups: groupsOf(crd), name },
      findings: said.map(({ finding }) => finding),
      unchecked,
      request: { object: crd },
    },
    heeded.policy,
    { now: new Date(), view },
  );
  const warnings = [...verdict.warnings, ...heeded.warnings];
  const places = said.map(({ place }) => place);
  const notes = notesOf(said, decided);
  return { name, verdict: { ...verdict, warnings }, output: {}, places, notes };
}

function exemptNote(decided: Checked['decided'][number] | undefined): FindingNote {
  const because = decided?.because;
  return because?.startsWith('exemption') === true ? { exempt: because } : {};
}

function noteOf(finding: Finding, servers: ServersJudgement): FindingNote {
  const way = boundFor(finding, servers);
  return way === undefined ? {} : { fix: way.title };
}

/** The bound that makes a rule cheap enough is named at the end of what a server says. */
function boundFor(
  { message }: Finding,
  { cheaper }: ServersJudgement,
): ServersJudgement['cheaper'][number] | undefined {
  return cheaper.find(({ title }) => message.endsWith(title));
}

/** With `--fix`: bounds that make rules cheap enough, unless an object is found that has more. */
function mendCosts(
  next: FoundCrd,
  old: FoundCrd | undefined,
  { cheaper }: ServersJudgement,
  { isFixWanted, repaired }: PairContext,
): void {
  if (!isFixWanted || cheaper.length === 0) return;
  const index = repaired.findIndex((each) => each.next === next);
  const before = repaired[index]?.repair ?? { fixes: [], patched: next.crd, left: [], cost: 0 };
  const { repair, refused } = addBounds(old?.crd, before, cheaper);
  repaired.splice(index < 0 ? repaired.length : index, index < 0 ? 0 : 1, {
    next,
    repair,
    refused,
  });
}

/** Gives each finding that does harm the patch that ends it, where one is found. */
function withFixes(
  old: FoundCrd,
  next: FoundCrd,
  { judged, results }: PairJudgement,
  { isFixWanted, repaired, hints }: PairContext,
): readonly PatchedFinding[] {
  if (!isFixWanted && hints.values <= 0) return judged;
  const { judged: patched, repair } = withPatches(old.crd, next.crd, judged, {
    ...(isFixWanted ? fixLimits : hintLimits),
    ...(results === undefined ? {} : { proof: { results } }),
  });
  if (repair === undefined) return judged;
  hints.values -= repair.cost;
  repaired.push({ next, repair });
  return patched;
}

/** The old definition stands for the one the cluster has: what switches checks off there counts. */
async function decideAsWebhook(
  { crd: stored }: FoundCrd,
  { crd: requested, name }: FoundCrd,
  judged: Pick<Question, 'findings' | 'previous' | 'unchecked'>,
  { policy, owners }: PairContext,
): Promise<Pick<Checked, 'verdict' | 'decided'>> {
  return check(
    {
      subject: { groups: groupsOf(stored), name },
      ...judged,
      request: { object: requested, oldObject: stored },
    },
    policy,
    { now: new Date(), view: owners },
  );
}

function groupsOf(definition: JsonObject): string[] {
  const spec = own(definition, 'spec');
  const group = isObject(spec) ? own(spec, 'group') : undefined;
  return typeof group === 'string' ? [group] : [];
}
