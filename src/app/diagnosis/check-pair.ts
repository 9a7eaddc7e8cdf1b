/** One definition before and after, as `check crd` reports it: judged, with fixes, and decided as at the gate. */
import { ClusterError, type ClusterView } from '../facts/cluster/view.js';
import { heedSharing, isShared, readCsv } from '../../olm/index.js';
import {
  findingsOf,
  type FoundCrd,
  type HarmedObject,
  type JudgedFinding,
  judgeForServers,
  judgeRollback,
  locationOf,
  placeInFile,
  previousFindings,
  servedVersionRemoved,
  UpgradePair,
  withRemedy,
} from '../../upgrade/index.js';
import type { TargetMinors } from '../../kubernetes/index.js';
import type { InvalidInputError } from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';
import type { Finding } from '../../rule/index.js';
import { check, type Question } from '../check/check.js';
import { applyComments, type CommentOptions } from '../check/exemption-comments.js';
import type { Subject } from '../check/exemptions.js';
import type { Profile } from '../check/policy.js';
import type { CheckResult } from '../report/check-report.js';
import { codeFrames } from '../report/code-frame.js';
import { judgePair, type JudgingPolicy, type PairJudgement } from './crd-judgement.js';
import {
  boundFor,
  findingsOfServers,
  keepBounds,
  withFixes,
  type FixContext,
  type PlacedFinding,
} from './pair-fixes.js';
import type { JudgedPair } from './pair-judgement.js';
import { countedObjects, type CheckedObjects, type GivenObjects } from './checked-objects.js';

/** For `--write-exemptions`, and for warnings about exemptions that exempt nothing. */
export interface JudgedDefinition {
  readonly subject: Subject;
  readonly findings: readonly Finding[];
}

export interface PairContext extends FixContext, CommentOptions {
  readonly profile: Profile;
  readonly view: ClusterView | undefined;
  /** Where the owners of the definitions are looked up. */
  readonly owners: ClusterView | undefined;
  /** What was found in each definition, as it comes. */
  readonly judged: JudgedDefinition[];
  /** Stored objects to judge too. */
  readonly objects: GivenObjects | undefined;
  /** Minors of Kubernetes that are asked whether they take the new definition. */
  readonly minors: TargetMinors;
  /** What could not be read: a sentence each. */
  readonly unchecked: Set<string>;
  /** Whether a rollback is judged too. */
  readonly isRollbackWanted: boolean;
  /** What a thread has found out about a pair; undefined where nobody has. */
  readonly judgedAhead?: () => Promise<JudgedPair | undefined>;
  /** Called with each stored object that comes to harm, and the definition's name. */
  readonly onHarmed: ((name: string, object: HarmedObject) => Promise<void>) | undefined;
}

const nowhere = { side: 'new', keys: [] } as const;

/** @throws InvalidInputError for a definition that cannot be judged */
export async function checkPair(
  old: FoundCrd,
  next: FoundCrd,
  context: PairContext,
): Promise<CheckResult> {
  const { objects, owners, profile, policy, unchecked } = context;
  const ahead = await context.judgedAhead?.();
  const judging = { ...policy, profile };
  const pair =
    ahead === undefined ? judgePair(old, next, judging) : withPrevious(old, next, judging, ahead);
  const fixes = withFixes(old, next, pair, context);
  const shared = await withSharedOwners(fixes.judged, old.name, owners);
  const stored = await objects?.check(old.crd.document, next.crd.document, {
    onUnreadable: (error) => unchecked.add(unreadSentence(error)),
    onHarmed: async (object) => context.onHarmed?.(next.name, object),
  });
  const rollback = context.isRollbackWanted ? await judgeRollbackOf(old, next, context) : undefined;
  const servers =
    ahead?.servers ?? judgeForServers(next.crd.document, old.crd.document, context.minors);
  keepBounds(next, old, servers, context);
  const frames = { old: codeFrames(old.document), new: codeFrames(next.document) };
  const placed: PlacedFinding[] = [
    ...shared.judged.map(({ finding, place: at, fix }) => {
      const { side, keys } = at === undefined ? nowhere : locationOf(at);
      const place = placeInFile(side === 'old' ? old : next, keys);
      return {
        finding: withRemedy(finding),
        place,
        note: { fix, frame: frames[side](place.line) },
      };
    }),
    ...[...(stored?.findings ?? []), ...(rollback ? [rollback.finding] : [])].map((finding) => {
      return { finding, place: {}, note: { fix: boundFor(finding, servers)?.title } };
    }),
    ...findingsOfServers(next, servers, frames.new),
  ];
  const unknown = [...shared.unchecked, ...servers.unchecked];
  const question = { previous: pair.previous, unchecked: unknown, view: owners };
  const { verdict, ...decided } = await decide(old, next, placed, question, context);
  const isUnused = stored?.tally.checked === 0 && stored.findings.length === 0;
  const unused = `--objects ${objects?.source ?? ''} holds none of ${next.name}: no object was judged`;
  const subject = { groups: groupsOf(old), name: next.name };
  context.judged.push({ subject, findings: verdict.findings });
  return {
    ...decided,
    verdict: { ...verdict, warnings: [...verdict.warnings, ...(isUnused ? [unused] : [])] },
    output: {
      ...pair.output,
      ...(stored && { storedObjects: stored.tally }),
      ...(rollback && { rollback: rollback.output }),
    },
    definitions: { old: old.crd.document, new: next.crd.document },
    ...countedOf(fixes.note, objects, stored),
  };
}

/** What another thread found, with what the old definition by itself has of it. */
function withPrevious(
  old: FoundCrd,
  next: FoundCrd,
  { profile, crdify }: JudgingPolicy,
  { pair }: JudgedPair,
): PairJudgement {
  const previous = (): readonly Finding[] =>
    previousFindings(
      new UpgradePair(old.crd, next.crd, { crdify }),
      profile,
      findingsOf(pair.judged),
    );
  return { ...pair, previous };
}

function unreadSentence(error: InvalidInputError): string {
  return `${error.describe()}; nothing from there on in this file was judged`;
}

/** Without a word nobody would know whether all objects passed or none was looked at. */
function countedOf(
  note: string | undefined,
  given: GivenObjects | undefined,
  stored: CheckedObjects | undefined,
): Pick<CheckResult, 'counted'> {
  const none = 'objects: none was judged, as the change concerns nothing that is stored';
  const counted = [
    ...(given === undefined ? [] : [stored === undefined ? none : countedObjects(stored)]),
    ...(note === undefined ? [] : [note]),
  ];
  return counted.length === 0 ? {} : { counted };
}

/** As at the gate: a version that goes is an error where several operators own the definition. */
async function withSharedOwners<Each extends Pick<JudgedFinding, 'finding'>>(
  judged: readonly Each[],
  name: string,
  view: ClusterView | undefined,
): Promise<{ readonly judged: readonly Each[]; readonly unchecked: readonly string[] }> {
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
  const stored = await objects.check(next.crd.document, old.crd.document, {
    onUnreadable: (error) => unchecked.add(unreadSentence(error)),
  });
  if (stored === undefined) return { finding, output: back };
  const { refused, pruned, checked } = stored.tally;
  const already =
    refused + pruned === 0
      ? `none of ${checked} stored objects stands in its way so far`
      : stored.findings.map(({ message }) => message).join('; ');
  const message = `${finding.message}; ${already}`;
  return { finding: { ...finding, message }, output: { ...back, storedObjects: stored.tally } };
}

/** A definition that is only in NEW: whether servers would take it. */
export async function checkAdded(next: FoundCrd, context: PairContext): Promise<CheckResult> {
  const { view, minors } = context;
  const servers = judgeForServers(next.crd.document, undefined, minors);
  keepBounds(next, undefined, servers, context);
  const placed = findingsOfServers(next, servers, codeFrames(next.document));
  const question = { unchecked: servers.unchecked, view };
  return { ...(await decide(undefined, next, placed, question, context)), output: {} };
}

/** The old definition stands for the one the cluster has: what switches checks off there counts. */
async function decide(
  old: FoundCrd | undefined,
  next: FoundCrd,
  placed: readonly PlacedFinding[],
  { view, ...rest }: Pick<Question, 'previous' | 'unchecked'> & { view: ClusterView | undefined },
  context: CommentOptions,
): Promise<Required<Pick<CheckResult, 'name' | 'verdict' | 'places' | 'notes'>>> {
  const findings = placed.map(({ finding }) => finding);
  const places = placed.map(({ place }) => place);
  const { policy, warnings } = await applyComments(next.document, findings, places, context);
  const request = { object: next.crd.document, ...(old && { oldObject: old.crd.document }) };
  const subject = { groups: groupsOf(old ?? next), name: next.name };
  const question = { subject, findings, request, ...rest };
  const { verdict, decided } = await check(question, policy, { now: new Date(), view });
  return {
    ...{ name: next.name, places },
    verdict: { ...verdict, warnings: [...verdict.warnings, ...warnings] },
    notes: placed.map(({ note }, index) => {
      const because = decided[index]?.because;
      return because?.startsWith('exemption') === true ? { ...note, exempt: because } : note;
    }),
  };
}

function groupsOf({ crd }: FoundCrd): string[] {
  const group = textAt(crd.document, 'spec', 'group');
  return group === undefined ? [] : [group];
}
