/** The effect of a CustomResourceDefinition's update or deletion on the stored objects. */
import {
  objectPages,
  readPage,
  type VersionedResource,
  ClusterError,
  type ClusterView,
} from '../../cluster/index.js';
import {
  type Counted,
  deletionFindings,
  emptyTally,
  isRefusedByServer,
  laterVersionFindings,
  migrationFindings,
  noneStoredFinding,
  noRightFinding,
  planStored,
  storedFindings,
  storedObjectsRefused,
  type StoredPlan,
  storedResource,
  type StoredSubject,
  storedVersionsWriters,
  storedVersionUnproven,
  trimmedVersions,
  uncheckedFinding,
  unnamedVersions,
  unprovenFinding,
  type UnprovenVersions,
  unreachableFindings,
  unrecordedVersions,
  withoutObjects,
} from '../../upgrade/index.js';
import { groupsOf, isDeletedByWrite } from '../../policy/index.js';
import { deletionPending, foreignFinalizers, formatFinalizers } from '../../olm/index.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import { releaseFor } from '../../kubernetes/index.js';
import { timerMilliseconds } from '../../text/timer.js';
import { type Finding, referenceTo } from '../../rule/index.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';
import { shortName } from './bounds.js';
import { missingEvidence } from './migration-evidence.js';
import { ownerReferenceFindings, type Owned } from './owner-references.js';
import type { AssessContext, Assessment, Reviewer } from './reviewer.js';
import { readableView } from './disclosure.js';
import { type ScannedPair, StoredScans, type ScanOutcome } from './stored-scan.js';
import { wholeTurn } from './turns.js';
import { textAt } from '../../text/documents/fields.js';

/** Left of the review's time for deciding and answering once the scan has used its share. */
const marginMilliseconds = 250;

/** Managers of a status that a message names. */
const maxWriters = 3;

/** The reviewer of CustomResourceDefinitions, and the stored objects beside its own findings. */
export function withStoredObjects(inner: Reviewer, scans = new StoredScans()): Reviewer {
  return {
    ...inner,
    reviewsStatus: ({ oldObject, object }) =>
      !!oldObject && !!object && trimmedVersions(oldObject, object).length > 0,
    async assess(request, context) {
      if (isDeletion(request)) return assessDeletion(request, context);
      const [assessment, stored] = await Promise.all([
        inner.assess(request, context),
        request.operation === 'CREATE'
          ? creationFindings(request, context)
          : assessUpdate(request, context, scans),
      ]);
      if (assessment === undefined || stored.length === 0) return assessment;
      const isQuiet = isShownHarmless(assessment, context);
      const told = isQuiet ? stored.filter(({ id }) => id !== 'noRight') : stored;
      return {
        ...assessment,
        findings: [...assessment.findings, ...told],
        message: (denied) => message(assessment, told, denied),
      };
    },
  };
}

/** Whether a proof was looked for and shows no harm, so that the stored objects do not matter. */
function isShownHarmless({ findings }: Assessment, { policy, isHurried }: AssessContext): boolean {
  const isProven = policy.profile === 'proof' || policy.enforce !== 'all';
  return (
    isProven &&
    isHurried !== true &&
    findings.every(
      ({ family, effect }) =>
        family !== 'crd-upgrade-safety' || effect === 'safe' || effect === 'behavior',
    )
  );
}

async function assessUpdate(
  request: AdmissionRequest,
  context: AssessContext,
  scans: StoredScans,
): Promise<Finding[]> {
  const { oldObject: old, object: next, operation } = request;
  if (operation !== 'UPDATE' || !old || !next) return [];
  // The profile's comparison has had its turn of the event loop; this one takes another.
  await wholeTurn();
  const { storedObjectsSeconds } = context.policy.budgets;
  const update = { name: subjectName(request), old, next, isTaken: true };
  const owned = {
    ...update,
    ...ownedBy(request, context),
    subject: subjectOf(old, update.name),
    count: () => countStored(old, context),
  };
  const [stored, collected, trimmed, unrecorded] = await Promise.all([
    storedUpdate(update, storedObjectsSeconds * 1000, context, scans),
    ownerReferenceFindings(owned, readableView(context.view, context.standing)),
    unprovenFindings(update, owned.subject, 'status', context),
    unprovenFindings(update, owned.subject, 'record', context),
  ]);
  return [...stored, ...collected, ...trimmed, ...unrecorded];
}

/** Owners of a definition that has no objects yet. */
async function creationFindings(
  request: AdmissionRequest,
  context: AssessContext,
): Promise<Finding[]> {
  const { object: next } = request;
  if (!next) return [];
  const subject = subjectOf(next, subjectName(request));
  const count = (): Promise<Counted> => Promise.resolve({ objects: 0, isDisclosed: true });
  const owned = { ...ownedBy(request, context), subject, old: {}, next, count };
  return ownerReferenceFindings(owned, readableView(context.view, context.standing));
}

function ownedBy(
  { userInfo }: AdmissionRequest,
  { policy }: AssessContext,
): Pick<Owned, 'isUnseenDenied' | 'requester'> {
  const name = userInfo?.username ?? '';
  return {
    isUnseenDenied: policy.unjudged === 'deny',
    requester: { name, isOlm: policy.trusted.olmServiceAccounts.includes(name) },
  };
}

/** Versions that objects may be stored in, by what they leave. */
const leavingVersions = {
  status: trimmedVersions,
  record: unrecordedVersions,
  spec: unnamedVersions,
};

/** Nothing where no object is stored, or where something shows that none is in a version that leaves. */
async function unprovenFindings(
  change: { readonly old: JsonObject; readonly next: JsonObject },
  subject: StoredSubject,
  leave: UnprovenVersions['leave'],
  context: AssessContext,
): Promise<Finding[]> {
  const { policy, standing } = context;
  const { old, next } = change;
  const versions = leavingVersions[leave](old, next);
  if (versions.length === 0 || policy.budgets.storedObjectsSeconds <= 0) return [];
  const counted = await countStored(old, context);
  if ('objects' in counted && counted.objects === 0) return [];
  const missing = await missingEvidence(
    change,
    versions,
    readableView(context.view, standing),
    context.mayUpdate,
  );
  if (missing === undefined) return [];
  const writers = leave === 'status' ? [] : storedVersionsWriters(old)?.slice(0, maxWriters);
  const why = writers?.length
    ? `status.storedVersions was written by ${writers.join(', ')}; ${missing}`
    : missing;
  const isDenied = policy.unjudged === 'deny';
  return [unprovenFinding(subject, { versions, leave, why }, counted, isDenied)];
}

export interface DefinitionUpdate {
  readonly name: string;
  readonly old: JsonObject;
  readonly next: JsonObject;
  /** An API server has compiled the rules of `next` too; an InstallPlan's are still to be seen. */
  readonly isTaken?: boolean;
}

/** The effect of one update on the stored objects, as far as they can be read in these milliseconds. */
export async function storedUpdate(
  { name, old, next, isTaken = false }: DefinitionUpdate,
  milliseconds: number,
  context: AssessContext,
  scans: StoredScans,
): Promise<Finding[]> {
  const migration = [
    ...migrationFindings(old, next),
    ...(await unprovenFindings({ old, next }, subjectOf(old, name), 'spec', context)),
  ];
  const left = (context.until ?? Infinity) - performance.now() - marginMilliseconds;
  if (context.policy.budgets.storedObjectsSeconds <= 0) return migration;
  const subject = subjectOf(old, name);
  if (storedResource(old) !== undefined && storedResource(next) === undefined) {
    return [...migration, ...unreachableFindings(subject, await countStored(old, context))];
  }
  const plan = planStored(old, next);
  if (plan === undefined) return migration;
  const { objectsWithheld, isProven, isBlind } = await context.standing();
  if (objectsWithheld !== undefined) {
    const isNoRight = isBlind === true && (await mayNotList(context.view, storedResource(old)));
    return [
      ...migration,
      isNoRight ? noRightFinding(subject) : unchecked(subject, objectsWithheld),
    ];
  }
  if (plan.notJudged.length > 0) {
    // A webhook converts these only after the upgrade; of no objects there is nothing to convert.
    const counted = await countStored(old, context);
    if ('objects' in counted && counted.objects === 0) return migration;
  }
  const pair = { old, next, isTaken, release: releaseFor(context.policy.kubernetes) };
  const time = context.isHurried === true ? 0 : Math.max(0, Math.min(milliseconds, left));
  const [outcome, reading] = await Promise.all([
    outcomeOf(scans, plan, pair, { time, context }),
    // An unauthenticated caller must not learn either whether there are findings.
    isProven ? undefined : context.mayRead(plan),
  ]);
  if ('done' in outcome && outcome.done.forbidden !== undefined) {
    return [...migration, noRightFinding(subject)];
  }
  if (reading !== undefined && reading.may !== true) {
    const fix = `ask somebody who may list ${subject.name} to make this change, or to show what it does: olm-guard check crd cluster:${subject.name} FILE --objects cluster`;
    return [...migration, { ...unchecked(subject, reading.why), fix }];
  }
  const findings = [...outcomeFindings(outcome, subject), ...laterVersionFindings(subject, plan)];
  const isDisclosed =
    (findings.length === 0 && migration.length === 0) ||
    !isProven ||
    (await context.mayRead(plan)).may !== false;
  // Read in one version, each object is counted once.
  const counted =
    isDisclosed &&
    plan.reads.length === 1 &&
    'done' in outcome &&
    outcome.done.isProven !== true &&
    !outcome.done.isUnfinished;
  const isEmpty = counted && findings.length === 0 && outcome.done.tally.checked === 0;
  const none = isEmpty ? [noneStoredFinding(subject)] : [];
  const ways = counted
    ? [
        ...migrationFindings(old, next, outcome.done.tally.checked),
        ...migration.filter(({ rule }) => rule === storedVersionUnproven.id),
      ]
    : migration;
  return [...ways, ...none, ...(isDisclosed ? findings : withoutObjects(findings, subject))];
}

/** A gate without any rights says which it would need first. */
async function mayNotList(
  view: ClusterView,
  resource: VersionedResource | undefined,
): Promise<boolean> {
  if (resource === undefined) return false;
  try {
    const pages = objectPages(view, resource, readPage, { first: 1 });
    await pages.next();
    await pages.return();
    return false;
  } catch (error) {
    return error instanceof ClusterError && error.isForbidden;
  }
}

async function outcomeOf(
  scans: StoredScans,
  plan: StoredPlan,
  pair: ScannedPair,
  { time, context }: { readonly time: number; readonly context: AssessContext },
): Promise<ScanOutcome> {
  try {
    return await scans.scan(plan, pair, time, context);
  } catch (error) {
    // The profile's findings are worth an answer, whatever became of the objects.
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { done: { tally: emptyTally, unchecked: [reason], isUnfinished: true } };
  }
}

function outcomeFindings(outcome: ScanOutcome, subject: StoredSubject): Finding[] {
  if ('busy' in outcome) {
    return [uncheckedFinding(subject, { id: 'busy', data: { name: subject.name } })];
  }
  if ('underWay' in outcome) {
    const { checked, remaining } = outcome.underWay;
    const all = remaining === undefined ? '' : ` of ${checked + remaining}`;
    const data = { name: subject.name, progress: `${checked}${all}` };
    return [uncheckedFinding(subject, { id: 'late', data })];
  }
  const { tally, unchecked: reasons } = outcome.done;
  return [...storedFindings(subject, tally), ...reasons.map((why) => unchecked(subject, why))];
}

function unchecked(subject: StoredSubject, why: string): Finding {
  return uncheckedFinding(subject, { id: 'failed', data: { name: subject.name, why } });
}

/** A definition that was deleted while it had no objects can have some when its last finalizer is removed. */
function isDeletion({ operation, object, oldObject }: AdmissionRequest): boolean {
  if (operation === 'DELETE') return true;
  return !!object && !!oldObject && isDeletedByWrite({ object, oldObject });
}

async function assessDeletion(
  request: AdmissionRequest,
  context: AssessContext,
): Promise<Assessment | undefined> {
  const old = request.oldObject;
  if (!old || context.policy.budgets.storedObjectsSeconds <= 0) return undefined;
  const subject = subjectOf(old, subjectName(request));
  return {
    findings: [
      ...deletionFindings(subject, await countStored(old, context)),
      ...(request.operation === 'DELETE' ? heldFindings(old) : []),
    ],
    previous: () => [],
    groups: groupsOf(old),
    command: `kubectl delete customresourcedefinition ${shortName(subject.name)} --dry-run=server`,
    message: (denied) => denied.map(({ message }) => message).join('\n'),
  };
}

/** Tells the user that the definition stays, and that it can have objects again until it goes. */
function heldFindings(definition: JsonObject): Finding[] {
  const foreign = foreignFinalizers(definition);
  if (foreign.length === 0) return [];
  const { name } = metaOf(definition);
  const data = { name, finalizers: formatFinalizers(foreign) };
  return [deletionPending.finding({ id: 'held', data, object: referenceTo(definition) })];
}

/** How many objects a definition has, as far as the gate can see and the requester may know. */
async function countStored(definition: JsonObject, context: AssessContext): Promise<Counted> {
  const { policy, view } = context;
  const unseen = (why: string): Counted => ({ unseen: why, isDenied: policy.unjudged === 'deny' });
  const found = storedResource(definition);
  if (found === undefined) return unseen('no version of it is served');
  const { objectsWithheld, isProven } = await context.standing();
  if (objectsWithheld !== undefined) return unseen(objectsWithheld);
  const signal = AbortSignal.timeout(timerMilliseconds(policy.budgets.storedObjectsSeconds));
  try {
    // The cluster counts: one object, and how many remain.
    const pages = objectPages(view, found, readPage, { signal, first: 1 });
    const page = (await pages.next()).value;
    // The next page has been requested by now; it is not needed.
    await pages.return();
    const objects = page ? page.count + (page.remaining ?? 0) : 0;
    const { may, why } = isProven && objects === 0 ? mayAll : await context.mayRead(found);
    if (!isProven && may !== true) return unseen(why);
    return { objects, isDisclosed: may !== false };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    const { resource, group } = found;
    return unseen(error.isForbidden ? `no right to list ${resource}.${group}` : error.message);
  }
}

/** Every caller may learn that there is nothing. */
const mayAll = { may: true, why: '' } as const;

/** A line for each of ours, one where no object is stored, and then the profile's own text for its findings. */
function message(
  { message: inner }: Assessment,
  told: readonly Finding[],
  denied: readonly Finding[],
): string {
  const isTaken = !denied.some(({ rule }) => isRefusedByServer(rule));
  const none = told.filter(({ rule, id }) => rule === storedObjectsRefused.id && id === 'none');
  const theirs = denied.filter(({ family }) => family !== 'stored-objects');
  const ours = denied.filter(({ family }) => family === 'stored-objects');
  return [
    ...ours.map((each) => each.message),
    ...(isTaken ? none.map((each) => each.message) : []),
    ...(theirs.length === 0 ? [] : [inner(theirs)]),
  ].join('\n');
}

function subjectOf(definition: JsonObject, name: string): StoredSubject {
  return { name, kind: textAt(definition, 'spec', 'names', 'kind') ?? name };
}
