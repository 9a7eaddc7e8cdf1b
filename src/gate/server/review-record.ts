/** Records a review in metrics and log: rules and paths, never an object's contents. */
import { storedObjectsRefused } from '../../upgrade/index.js';
import { shortPath } from '../admission/bounds.js';
import type { AdmissionRequest } from '../admission/admission-review.js';
import type { Caller } from '../admission/disclosure.js';
import type { Reviewed } from '../admission/review.js';
import type { Logger } from '../log.js';
import type { FindingDecision, GateMetrics } from '../metrics/own-metrics.js';

/** Records per review; the line of the review itself counts the rest. */
const findingRecords = 20;

export interface ReviewRecord {
  readonly request: Pick<AdmissionRequest, 'uid' | 'namespace' | 'name' | 'userInfo' | 'dryRun'> & {
    readonly operation: string;
    readonly resource: { readonly group: string; readonly resource: string };
  };
  readonly reviewed: Reviewed;
  readonly seconds: number;
  readonly caller: Caller;
  /** Whether some reviewer knows the resource; label values of the others would be unbounded. */
  readonly known: boolean;
}

export function recordReview(record: ReviewRecord, metrics: GateMetrics, log: Logger): void {
  const { request, reviewed, seconds, caller } = record;
  const { decision, bypassed, newSwitchOffs, unjudged, failure } = reviewed;
  const decided = reviewed.decided.filter((each) => !isNote(each));
  const { resource } = request;
  // Any client may have invented the review, and could raise and silence alerts with it.
  if (caller === 'unauthenticated') metrics.unauthenticated.inc({ decision });
  else count(record, metrics);

  const { uid, namespace, name, operation, userInfo, dryRun } = request;
  const common = { uid, namespace, name, user: userInfo?.username };
  const line = {
    uid,
    resource: resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`,
    ...{ operation, namespace, name, user: userInfo?.username },
    dryRun: dryRun === true ? true : undefined,
    caller: caller === 'unauthenticated' ? caller : undefined,
    decision,
    rules: [...new Set(decided.map(({ finding }) => finding.rule))],
    findings: decided.length,
    bypassedBy:
      bypassed.length === 0
        ? undefined
        : [...new Set(bypassed.map(({ bypass }) => bypass.description))],
    newSwitchOffs:
      newSwitchOffs.length === 0 ? undefined : newSwitchOffs.map(({ description }) => description),
    unjudged,
    duration: Number(seconds.toFixed(6)),
  };
  if (failure === undefined) log.info(line, 'review');
  else log.error({ ...line, err: failure }, 'review');
  for (const { finding, disposition, wouldDeny, because } of decided.slice(0, findingRecords)) {
    log.info(
      {
        ...common,
        ...{ rule: finding.rule, version: finding.version },
        path: finding.path === undefined ? undefined : shortPath(finding.path),
        effect: finding.effect,
        decision: disposition,
        wouldDeny: disposition === 'denied' ? undefined : wouldDeny,
        because,
      },
      'finding',
    );
  }
}

function count({ request, reviewed, seconds, known }: ReviewRecord, metrics: GateMetrics): void {
  const { decision, decided, bypassed, newSwitchOffs } = reviewed;
  const isSpared = decided.some(wouldBeDenied);
  metrics.reviews.inc({
    resource: known ? request.resource.resource : 'other',
    operation: request.operation,
    decision: isSpared && passed.has(decision) ? 'would-deny' : decision,
  });
  metrics.duration.observe(seconds);
  for (const { rule, decision, count } of countFindings(decided)) {
    metrics.findings.inc({ rule, decision }, count);
  }
  for (const { finding, isExempt } of decided) {
    if (isExempt === true) metrics.exempted.inc({ rule: finding.rule });
  }
  for (const { bypass, family } of bypassed) metrics.bypasses.inc({ by: bypass.by, family });
  for (const { by, counts } of newSwitchOffs)
    metrics.newSwitchOffs.inc({ by, counts: String(counts) });
}

const passed: ReadonlySet<Reviewed['decision']> = new Set(['allowed', 'warned']);

function wouldBeDenied({ disposition, wouldDeny }: Reviewed['decided'][number]): boolean {
  return disposition !== 'denied' && wouldDeny;
}

/** That no object is stored comforts the reader of the answer: it is no finding. */
function isNote({ finding }: Reviewed['decided'][number]): boolean {
  return finding.rule === storedObjectsRefused.id && finding.id === 'none';
}

/** A definition may have a hundred thousand findings of three rules. */
export function countFindings(
  decided: Reviewed['decided'],
): Iterable<{ readonly rule: string; readonly decision: FindingDecision; readonly count: number }> {
  const counts = new Map<string, { rule: string; decision: FindingDecision; count: number }>();
  for (const each of decided) {
    const { finding } = each;
    if (isNote(each)) continue;
    const disposition = wouldBeDenied(each) ? 'would-deny' : each.disposition;
    const key = `${disposition} ${finding.rule}`;
    const known = counts.get(key);
    if (known === undefined) {
      counts.set(key, { rule: finding.rule, decision: disposition, count: 1 });
    } else known.count++;
  }
  return counts.values();
}
