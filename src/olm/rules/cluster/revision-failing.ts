import { metaOf } from '../../../text/documents/index.js';
import { from } from '../../../rule/index.js';
import { textAt } from '../../objects/fields.js';
import { conditionText, reportedConditions } from './reported-condition.js';
import { isSettling } from './since.js';
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
  blocksUpgrade: false,
  family: 'catalogs',
  kinds: [],
  otherwise: 'Revision has not rolled out for 10 minute(s).',
  source: from.operatorController(
    'internal/operator-controller/controllers/clusterobjectset_controller.go',
  ),
  checks:
    'Revisions of OLM v1 (ClusterObjectSets, once ClusterExtensionRevisions) that are past their deadline, blocked, refused or not available.',
  why: 'The update stops between two versions: some objects are of the new one, some of the old.',
  instead:
    'Correct what OLM’s message names, or let the ClusterExtension return to the old version.',
  messages: {
    stuck: '{report}',
    ofExtension: '{report}; it belongs to ClusterExtension {extension}',
  },
  example: {
    after: revision(
      "{ type: Progressing, status: 'False', reason: ProgressDeadlineExceeded, message: Revision has not rolled out for 10 minute(s). }",
    ),
    says: 'Progressing is False with reason ProgressDeadlineExceeded: Revision has not rolled out',
    accepted: revision("{ type: Progressing, status: 'True', reason: Succeeded }"),
  },
  *judge({ objects, now }) {
    for (const kind of ['ClusterObjectSet', 'ClusterExtensionRevision']) {
      for (const object of objects(kind)) {
        if (textAt(object, 'spec', 'lifecycleState') === 'Archived') continue;
        for (const condition of reportedConditions(object).values()) {
          const { type, status, reason, since } = condition;
          const isStuck = type === 'Progressing' && (status === 'False' || reason === 'Retrying');
          const isDown = type === 'Available' && status === 'False' && reason !== 'RollingOut';
          if (!isStuck && !isDown) continue;
          const passes = reason === 'Retrying' || reason === 'ProbeFailure';
          if (passes && isSettling(since, now)) continue;
          const report = conditionText(condition, now);
          const extension = metaOf(object).label('olm.operatorframework.io/owner-name');
          yield {
            object,
            ...(extension === undefined
              ? { id: 'stuck', data: { report } }
              : { id: 'ofExtension', data: { report, extension } }),
            cause: `${type} ${reason}`,
            fix: `See its objects: kubectl describe ${kind.toLowerCase()} ${metaOf(object).name}`,
          };
        }
      }
    }
  },
});
