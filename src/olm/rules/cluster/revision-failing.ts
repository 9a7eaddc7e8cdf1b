import { metaOf, type JsonObject } from '../../../text/documents/index.js';
import { from, sources } from '../../../rule/index.js';
import { numberAt, textAt } from '../../../text/documents/fields.js';
import { conditionText, failuresOfRevision, type ReportedCondition, reportedConditions, revisionKinds, sinceText } from './reported-condition.js';
import { defineScanRule } from './rule.js';

const revision = (conditions: string): string => `
      apiVersion: olm.operatorframework.io/v1
      kind: ClusterObjectSet
      metadata: { name: queue-2, labels: { olm.operatorframework.io/owner-name: queue } }
      spec: { lifecycleState: Active, revision: 2 }
      status: { conditions: [${conditions}] }`;

export const revisionFailing = defineScanRule({
  id: 'RevisionFailing',
  severity: 'error',
  family: 'catalogs',
  kinds: [],
  otherwise: 'Revision has not rolled out for 10 minute(s).',
  source: sources(
    from.operatorController(
      'internal/operator-controller/controllers/clusterobjectset_controller.go',
    ),
    from.operatorController(
      'internal/operator-controller/controllers/progress_deadline.go',
      'durationUntilDeadline',
    ),
  ),
  checks:
    'Revisions of OLM v1 (ClusterObjectSets, once ClusterExtensionRevisions) that are past their deadline (whether OLM says so or not), blocked, refused or not available.',
  why: 'The update stops between two versions: some objects are of the new one, some of the old.',
  instead:
    'Correct what OLM’s message names, or let the ClusterExtension return to the old version.',
  messages: {
    stuck: '{report}',
    ofExtension: '{report}; it belongs to ClusterExtension {extension}',
    overdue:
      'not rolled out{since}, past its progressDeadlineMinutes of {minutes}, which OLM has not reported',
    overdueOfExtension:
      'not rolled out{since}, past its progressDeadlineMinutes of {minutes}, which OLM has not reported; it belongs to ClusterExtension {extension}',
  },
  example: {
    after: revision(
      "{ type: Progressing, status: 'False', reason: ProgressDeadlineExceeded, message: Revision has not rolled out for 10 minute(s). }",
    ),
    says: 'Progressing is False with reason ProgressDeadlineExceeded: Revision has not rolled out',
    accepted: revision("{ type: Progressing, status: 'True', reason: Succeeded }"),
  },
  *judge({ objects, now }) {
    for (const kind of revisionKinds) {
      for (const object of objects(kind)) {
        if (textAt(object, 'spec', 'lifecycleState') === 'Archived') continue;
        const conditions = reportedConditions(object);
        const overdue = overrun(object, conditions, now);
        const { name } = metaOf(object);
        const extension = metaOf(object).label('olm.operatorframework.io/owner-name');
        const seeObjects = `kubectl describe ${kind.toLowerCase()} ${name}`;
        if (overdue !== undefined) {
          yield {
            object,
            ...(extension === undefined
              ? { id: 'overdue', data: overdue }
              : { id: 'overdueOfExtension', data: { ...overdue, extension } }),
            cause: 'Progressing ProgressDeadlineExceeded',
            fix: `See whether operator-controller runs, and what the revision waits for: ${seeObjects}`,
          };
        }
        for (const condition of failuresOfRevision(conditions, now)) {
          const { type, reason } = condition;
          if (overdue !== undefined && type === 'Progressing') continue;
          const report = conditionText(condition, now);
          yield {
            object,
            ...(extension === undefined
              ? { id: 'stuck', data: { report } }
              : { id: 'ofExtension', data: { report, extension } }),
            cause: `${type} ${reason}`,
            fix: `See its objects: ${seeObjects}`,
          };
        }
      }
    }
  },
});

/** A deadline that has passed while OLM still reports progress. It counts from the creation, and ends with success. */
function overrun(
  object: JsonObject,
  conditions: ReadonlyMap<string, ReportedCondition>,
  now: Date,
): { readonly since: string; readonly minutes: number } | undefined {
  const minutes = numberAt(object, 'spec', 'progressDeadlineMinutes') ?? 0;
  const created = textAt(object, 'metadata', 'creationTimestamp') ?? '';
  const isOver = now.getTime() > Date.parse(created) + minutes * 60_000;
  if (minutes <= 0 || !isOver || metaOf(object).deletionTimestamp !== undefined) return undefined;
  const progressing = conditions.get('Progressing');
  const isSettled = progressing?.status === 'False' || progressing?.reason === 'Succeeded';
  if (isSettled || conditions.get('Succeeded')?.status === 'True') return undefined;
  return { since: sinceText(created, now), minutes };
}
