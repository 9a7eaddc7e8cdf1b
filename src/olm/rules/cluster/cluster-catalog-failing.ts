import { from } from '../../../rule/index.js';
import { metaOf } from '../../../text/documents/index.js';
import { conditionText, isSettling, reportedConditions } from './reported-condition.js';
import { defineScanRule } from './rule.js';

const catalog = (conditions: string): string => `
      apiVersion: olm.operatorframework.io/v1
      kind: ClusterCatalog
      metadata: { name: community }
      status: { conditions: [${conditions}] }`;

export const clusterCatalogFailing = defineScanRule({
  id: 'ClusterCatalogFailing',
  severity: 'error',
  family: 'catalogs',
  kinds: [],
  otherwise: 'Serving is False with reason Unavailable',
  source: from.operatorController('api/v1/clustercatalog_types.go', 'ClusterCatalogStatus'),
  checks: 'ClusterCatalogs that are not served, or whose new content cannot be unpacked.',
  why: 'While one that an extension selects is not served, OLM v1 resolves that extension from no catalog at all.',
  instead:
    'Correct spec.source.image, or give the cluster access to the registry; set availabilityMode: Unavailable for a catalog that is not to be used.',
  messages: {
    notServed: 'it is not served: {report}',
    stale: 'its old content is served: {report}',
    switchedOff: '{report}; extensions do not see what it holds',
  },
  example: {
    after: catalog(
      "{ type: Serving, status: 'False', reason: Unavailable }, { type: Progressing, status: 'True', reason: Retrying, message: 'source catalog content: unauthorized' }",
    ),
    says: 'it is not served: Progressing is True with reason Retrying: source catalog content: unauthorized',
    accepted: catalog("{ type: Serving, status: 'True', reason: Available }"),
  },
  *judge({ objects, now }) {
    for (const object of objects('ClusterCatalog')) {
      const conditions = reportedConditions(object);
      const [serving, progressing] = ['Serving', 'Progressing'].map((type) => conditions.get(type));
      if (serving?.reason === 'UserSpecifiedUnavailable') {
        yield {
          object,
          id: 'switchedOff',
          data: { report: conditionText(serving, now) },
          severity: 'info',
          cause: serving.reason,
        };
        continue;
      }
      const isStuck = progressing?.reason === 'Retrying' || progressing?.reason === 'Blocked';
      const isServed = serving?.status === 'True';
      if (isServed && !isStuck) continue;
      const condition = isStuck ? progressing : serving;
      if (condition === undefined || isSettling(condition.since, now)) continue;
      yield {
        object,
        id: isServed ? 'stale' : 'notServed',
        data: { report: conditionText(condition, now) },
        severity: isServed ? 'warning' : 'error',
        cause: condition.reason,
        fix: `The catalog's owner: correct spec.source.image of the ClusterCatalog, or the access to its registry: kubectl describe clustercatalog ${metaOf(object).name}`,
      };
    }
  },
});
