/** What an update or a deletion of a CustomResourceDefinition does to the objects that are stored. */
import { objectPages, readPage } from '../../facts/cluster/object-pages.js';
import { ClusterError } from '../../facts/cluster/view.js';
import {
  deletionFinding,
  migrationFindings,
  noRightFinding,
  storedFindings,
  storedResource,
  uncheckedFinding,
  type StoredSubject,
} from '../../crd/stored/index.js';
import { isObject, own, type JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../finding.js';
import type { AdmissionRequest } from './admission-review.js';
import type { Assessment, ReviewContext, Reviewer } from './reviewer.js';
import { StoredScans, type ScanOutcome } from './stored-scan.js';
import { wholeTurn } from './turn.js';

/** Left of the review's time for deciding and answering once the scan has used its share. */
const marginMilliseconds = 250;

/** The reviewer of CustomResourceDefinitions, and the stored objects beside its own findings. */
export function withStoredObjects(inner: Reviewer, scans = new StoredScans()): Reviewer {
  return {
    ...inner,
    async assess(request, context) {
      if (request.operation === 'DELETE') return assessDeletion(request, context);
      const [assessment, stored] = await Promise.all([
        inner.assess(request, context),
        assessUpdate(request, context, scans),
      ]);
      if (assessment === undefined || stored.length === 0) return assessment;
      return {
        ...assessment,
        findings: [...assessment.findings, ...stored],
        message: (denied) => message(assessment, denied, request),
      };
    },
  };
}

async function assessUpdate(
  { oldObject: old, object: next, operation, name = '' }: AdmissionRequest,
  context: ReviewContext,
  scans: StoredScans,
): Promise<Finding[]> {
  if (operation !== 'UPDATE' || !old || !next) return [];
  // The profile's comparison has had its turn of the event loop; this one takes another.
  await wholeTurn();
  const { storedObjectsSeconds } = context.policy.budgets;
  return storedUpdate({ name, old, next }, storedObjectsSeconds * 1000, context, scans);
}

export interface DefinitionUpdate {
  readonly name: string;
  readonly old: JsonObject;
  readonly next: JsonObject;
}

/** What one update does to the stored objects, as far as they can be read in these milliseconds. */
export async function storedUpdate(
  { name, old, next }: DefinitionUpdate,
  milliseconds: number,
  context: ReviewContext,
  scans: StoredScans,
): Promise<Finding[]> {
  const migration = migrationFindings(old, next);
  const left = (context.until ?? Infinity) - performance.now() - marginMilliseconds;
  if (context.policy.budgets.storedObjectsSeconds <= 0) return migration;
  const subject = subjectOf(old, name);
  let outcome: ScanOutcome | undefined;
  try {
    outcome = await scans.scan(old, next, Math.max(0, Math.min(milliseconds, left)), context);
  } catch (error) {
    // What the profile finds is worth its answer, whatever became of the objects.
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return [
      ...migration,
      uncheckedFinding(subject, `stored ${subject.name} not checked: ${reason}`),
    ];
  }
  return [...migration, ...(outcome === undefined ? [] : outcomeFindings(outcome, subject))];
}

function outcomeFindings(outcome: ScanOutcome, subject: StoredSubject): Finding[] {
  if ('busy' in outcome) {
    return [
      uncheckedFinding(subject, 'stored objects were not checked: other scans are under way'),
    ];
  }
  if ('underWay' in outcome) {
    const { checked, remaining } = outcome.underWay;
    const all = remaining === undefined ? '' : ` of ${checked + remaining}`;
    const sentence = `stored ${subject.name} were not checked in time (${checked}${all} so far); the check goes on, and the next attempt gets its answer`;
    return [uncheckedFinding(subject, sentence)];
  }
  const { tally, unchecked, forbidden } = outcome.done;
  if (forbidden !== undefined) return [noRightFinding(subject, forbidden)];
  return [
    ...storedFindings(subject, tally),
    ...unchecked.map((why) =>
      uncheckedFinding(subject, `stored ${subject.name} not checked: ${why}`),
    ),
  ];
}

async function assessDeletion(
  request: AdmissionRequest,
  { view, policy }: ReviewContext,
): Promise<Assessment | undefined> {
  const old = request.oldObject;
  const found = old ? storedResource(old) : undefined;
  if (!old || found === undefined || policy.budgets.storedObjectsSeconds <= 0) return undefined;
  const subject = subjectOf(old, request.name);
  const findings = await countStored(subject, found, view, policy.budgets.storedObjectsSeconds);
  return {
    findings,
    previous: () => [],
    groups: [found.group],
    refusedByKubernetes: new Set(),
    command: `kubectl get ${subject.name} --all-namespaces`,
    message: (denied) => denied.map(({ message }) => message).join('\n'),
  };
}

async function countStored(
  subject: StoredSubject,
  { group, version, resource }: { group: string; version: string; resource: string },
  view: ReviewContext['view'],
  seconds: number,
): Promise<Finding[]> {
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    // The cluster counts: one object, and how many remain.
    const options = { signal, first: 1 };
    const pages = objectPages(view, { group, version, resource }, readPage, options);
    const page = (await pages.next()).value;
    // The next page has been asked for by now; nobody will look at it.
    await pages.return();
    const objects = page ? page.count + (page.remaining ?? 0) : 0;
    return objects === 0 ? [] : [deletionFinding(subject, objects)];
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    if (error.isForbidden) return [noRightFinding(subject, `${resource}.${group}`)];
    return [uncheckedFinding(subject, `stored ${subject.name} not counted: ${error.message}`)];
  }
}

/** The profile's own text for its findings, and a line for each of ours. */
function message(
  { message: inner }: Assessment,
  denied: readonly Finding[],
  { name = '' }: AdmissionRequest,
): string {
  const theirs = denied.filter(({ family }) => family !== 'stored-objects');
  const ours = denied
    .filter(({ family }) => family === 'stored-objects')
    .map((each) => each.message);
  if (theirs.length === 0) return [`upgrade of CRD "${name}" refused`, ...ours].join(': ');
  return [inner(theirs), ...ours].join('\n');
}

function subjectOf(definition: JsonObject, name = ''): StoredSubject {
  return { name, kind: storedResource(definition)?.kind ?? metadataName(definition) };
}

function metadataName(definition: JsonObject): string {
  const metadata = own(definition, 'metadata');
  const name = isObject(metadata) ? own(metadata, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}
