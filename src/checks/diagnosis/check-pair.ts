/** One definition before and after, as `check crd` reports it: judged, with fixes, and decided as at the gate. */
import type { ClusterView } from '../../cluster/index.js';
import { escalateShared, isShared, readCsv } from '../../olm/index.js';
import {
  type FoundCrd,
  Judge,
  judgeForServers,
  judgeConsumers,
  judgeRollback,
  placeInFile,
  previousFindings,
  removalFinding,
  type UpgradePair,
  withRemedy,
} from '../../upgrade/index.js';
import type { TargetMinors } from '../../kubernetes/index.js';
import type { JsonObject, Place } from '../../text/documents/index.js';
import { endedBy, type Finding, foundAt } from '../../rule/index.js';
import {
  check,
  groupsOf,
  type Question,
  applyComments,
  type CommentOptions,
  type Subject,
} from '../../policy/index.js';
import {
  type CheckResult,
  type ReportedFinding,
  codeFrames,
  framesInTurn,
  type CodeFrame,
} from '../../report/index.js';
import {
  consumersOf,
  judgeKnownConsumers,
  noneKnown,
  type PossibleConsumer,
} from '../cluster-scan/consumers.js';
import { judgeChange } from './pair-judgement.js';
import {
  boundFor,
  findingsOfServers,
  keepBounds,
  withFixes,
  type FixContext,
} from './pair-fixes.js';
import { countedObjects, type CheckedObjects, type GivenObjects } from './checked-objects.js';

export interface PairContext {
  readonly decision: DecisionContext;
  /** Minors of Kubernetes that are asked whether they take the new definition. */
  readonly minors: TargetMinors;
  readonly fixes: FixContext;
  /** Stored objects to judge too. */
  readonly objects?: GivenObjects | undefined;
  /** Objects that may rely on the definitions. */
  readonly possibleConsumers?: readonly PossibleConsumer[] | undefined;
  /** Whether a rollback is judged too. */
  readonly isRollbackWanted: boolean;
}

export interface DecisionContext extends CommentOptions {
  readonly owners: ClusterView | undefined;
}

/** @throws InvalidInputError for a definition that cannot be judged */
export async function checkPair(
  old: FoundCrd,
  next: FoundCrd,
  context: PairContext,
): Promise<CheckResult> {
  const { decision, objects, minors } = context;
  const { owners, policy } = decision;
  const pair = Judge.for(policy).pair(old.crd, next.crd, { isTaken: true });
  const change = judgeChange(old, next, policy, pair);
  const servers = judgeForServers(next.crd.document, old.crd.document, minors);
  const fixes = withFixes(old, next, change, {
    ...context.fixes,
    release: pair.options.release,
    minors: minors.all,
    policy,
  });
  const known =
    owners === undefined ? noneKnown : await judgeKnownConsumers(old.crd, next.crd, owners);
  const shared = withSharedOwners(fixes.findings, old.name, known.csvs);
  const stored = await objects?.check(old.crd.document, next.crd.document, async (object) =>
    objects.onHarmed?.(next.name, object),
  );
  const rollback = context.isRollbackWanted ? await judgeRollbackOf(pair, objects) : undefined;
  keepBounds(next, old, servers, context.fixes);
  const frames = { old: framesOf(old), new: framesOf(next) };
  const ofConsumers = findingsOfConsumers(old, next, context.possibleConsumers);
  const isTold = new Set(ofConsumers.placed.map(({ finding }) => finding.message));
  const placed: ReportedFinding[] = [
    ...shared.map((finding) => {
      const { side = 'new', keys } = finding[foundAt] ?? { keys: [] };
      const place = placeInFile(side === 'old' ? old : next, keys);
      const note = { fix: finding[endedBy]?.title, frame: frames[side](place) };
      return { finding: withRemedy(finding), place, note };
    }),
    ...[...(stored?.findings ?? []), ...(rollback ? [rollback.finding] : [])].map((finding) => {
      return { finding, place: {}, note: { fix: boundFor(finding, servers)?.title } };
    }),
    ...findingsOfServers(next, servers, frames.new),
    ...ofConsumers.placed,
    ...placedIn(next, known.found).filter(({ finding }) => !isTold.has(finding.message)),
  ];
  const unknown = [...known.unchecked, ...servers.unchecked, ...ofConsumers.unchecked];
  const previous = () => previousFindings(pair, policy.profile, change.findings);
  const question = { previous, unchecked: [...new Set(unknown)] };
  const { verdict, ...decided } = await decide(old, next, placed, question, decision);
  const isUnused = stored?.tally.checked === 0 && stored.findings.length === 0;
  const unused = `${objects?.source ?? ''} holds none of ${next.name}: no object was judged`;
  return {
    ...decided,
    verdict: { ...verdict, warnings: [...verdict.warnings, ...(isUnused ? [unused] : [])] },
    output: {
      ...change.output,
      ...(stored && { storedObjects: stored.tally }),
      ...(rollback && { rollback: rollback.output }),
    },
    definitions: { old: old.crd.document, new: next.crd.document },
    ...countedOf(fixes.notes, objects, stored),
  };
}

/** Tells whether all objects passed or none was looked at. */
function countedOf(
  notes: readonly string[] = [],
  given: GivenObjects | undefined,
  stored: CheckedObjects | undefined,
): Pick<CheckResult, 'counted'> {
  const none = 'objects: none was judged, as the change concerns nothing that is stored';
  const counted = [
    ...(given === undefined ? [] : [stored === undefined ? none : countedObjects(stored)]),
    ...notes,
  ];
  return counted.length === 0 ? {} : { counted };
}

/** As at the gate: a removed version is an error where several operators own the definition. */
function withSharedOwners(
  findings: readonly Finding[],
  name: string,
  csvs: readonly JsonObject[],
): readonly Finding[] {
  const owners = csvs
    .map(readCsv)
    .filter(({ ownedCrds }) => ownedCrds.some((crd) => crd.name === name));
  return isShared(owners) ? findings.map(escalateShared) : findings;
}

/** Whether a rollback is possible, and with `--objects` which objects have closed it already. */
async function judgeRollbackOf(
  pair: UpgradePair,
  objects: GivenObjects | undefined,
): Promise<{ readonly finding: Finding; readonly output: object }> {
  const { finding, ...back } = judgeRollback(pair);
  // Standard input is read once, for the way there.
  if (objects === undefined || objects.isReadOnce) return { finding, output: back };
  const stored = await objects.check(pair.next.document, pair.old.document);
  if (stored === undefined) return { finding, output: back };
  const { refused, pruned, checked } = stored.tally;
  const already =
    refused + pruned === 0
      ? `none of ${checked} stored objects stands in its way so far`
      : stored.findings.map(({ message }) => message).join('; ');
  const message = `${finding.message}; ${already}`;
  return { finding: { ...finding, message }, output: { ...back, storedObjects: stored.tally } };
}

export async function checkAdded(next: FoundCrd, context: PairContext): Promise<CheckResult> {
  const { decision, fixes, minors } = context;
  const servers = judgeForServers(next.crd.document, undefined, minors);
  keepBounds(next, undefined, servers, fixes);
  const ofConsumers = findingsOfConsumers(undefined, next, context.possibleConsumers);
  const placed = [...findingsOfServers(next, servers, framesOf(next)), ...ofConsumers.placed];
  const question = { unchecked: [...servers.unchecked, ...ofConsumers.unchecked] };
  return { ...(await decide(undefined, next, placed, question, decision)), output: {} };
}

export async function checkRemoved(
  old: FoundCrd,
  source: string,
  isWhole: boolean,
  { decision: { policy, owners: view } }: PairContext,
): Promise<CheckResult> {
  const { name } = old;
  const findings = [removalFinding(name, source, isWhole)];
  const question = { subject: subjectOf(old), findings, request: { oldObject: old.crd.document } };
  const { verdict } = await check(question, policy, { view });
  const places = verdict.findings.map(() => placeInFile(old, []));
  return { name, verdict, output: {}, places };
}

/** The old definition is taken for the cluster's: its switch-offs count. */
async function decide(
  old: FoundCrd | undefined,
  next: FoundCrd,
  placed: readonly ReportedFinding[],
  known: Pick<Question, 'previous' | 'unchecked'>,
  { owners: view, ...comments }: DecisionContext,
): Promise<Required<Pick<CheckResult, 'name' | 'verdict' | 'places' | 'notes'>>> {
  const findings = placed.map(({ finding }) => finding);
  const { policy, warnings } = await applyComments(next.document, placed, comments);
  const request = { object: next.crd.document, ...(old && { oldObject: old.crd.document }) };
  const subject = subjectOf(old ?? next);
  const question = { subject, findings, request, ...known };
  const { verdict, decided } = await check(question, policy, { view });
  // Findings that the policy makes come after those that are placed.
  const own = decided.slice(placed.length).map(({ finding }) => finding);
  return {
    name: next.name,
    places: [
      ...placed.map(({ place }) => place ?? {}),
      ...own.map((finding) => placeInFile(next, finding[foundAt]?.keys ?? [])),
    ],
    verdict: {
      ...verdict,
      warnings: [...verdict.warnings, ...warnings, ...notCompared(old, next)],
    },
    notes: decided.map(({ isExempt, because }, index) => {
      const { note = {} } = placed[index] ?? {};
      return isExempt === true ? { ...note, exempt: because } : note;
    }),
  };
}

function findingsOfConsumers(
  old: FoundCrd | undefined,
  next: FoundCrd,
  possible: readonly PossibleConsumer[] = [],
): { readonly placed: readonly ReportedFinding[]; readonly unchecked: readonly string[] } {
  const files = new Set([old?.document.file, next.document.file]);
  const { consumers, unchecked } = consumersOf(possible, (old ?? next).crd, files);
  return { placed: placedIn(next, judgeConsumers(old?.crd, next.crd, consumers)), unchecked };
}

function placedIn(next: FoundCrd, found: readonly Finding[]): ReportedFinding[] {
  const frameAt = framesOf(next);
  return countAlike(found).map((finding) => {
    const place = placeInFile(next, finding[foundAt]?.keys ?? []);
    return { finding, place, note: { frame: frameAt(place) } };
  });
}

/** A repository may hold any number of manifests that lose the same. */
const maxNamed = 1_000;

/** Names a thousand of those who lose the same, and counts the others. */
function countAlike(found: readonly Finding[]): Finding[] {
  const counts = new Map<string, { count: number; readonly first: Finding }>();
  const lossOf = ({ rule, severity, data, path }: Finding): string =>
    JSON.stringify([rule, severity, { ...data, consumer: '' }, path]);
  const named = found.filter((each) => {
    const loss = lossOf(each);
    const known = counts.get(loss);
    if (known !== undefined) return ++known.count <= maxNamed;
    counts.set(loss, { count: 1, first: each });
    return true;
  });
  const more = [...counts.values()].flatMap(({ count, first: finding }) => {
    if (count <= maxNamed) return [];
    const consumer = `each of ${count - maxNamed} more`;
    const message = finding.message.replace(String(finding.data?.['consumer']), () => consumer);
    return [{ ...finding, message, data: { ...finding.data, consumer } }];
  });
  return [...named, ...more];
}

/** Fields that only the cluster knows of a definition that a controller makes. */
function notCompared(...sides: readonly (FoundCrd | undefined)[]): string[] {
  const places = sides.flatMap((side) => side?.madeFrom?.unknown ?? []);
  const fields = new Set(
    places.map((keys) => keys.filter((_, at) => keys[at - 1] === 'properties').join('.')),
  );
  return fields.size === 0
    ? []
    : [`only the cluster knows the types of ${[...fields].join(', ')}: these were not compared`];
}

export function subjectOf({ name, crd }: FoundCrd): Subject {
  return { name, groups: groupsOf(crd.document) };
}

function framesOf({ document, written }: FoundCrd): (place: Place) => CodeFrame | undefined {
  if (written === undefined) {
    const frameAt = codeFrames(document);
    return ({ line }) => frameAt(line);
  }
  const frameAt = framesInTurn();
  return ({ file = '', line }) => frameAt({ text: written.textOf(file) ?? '', line: 1 }, line);
}
