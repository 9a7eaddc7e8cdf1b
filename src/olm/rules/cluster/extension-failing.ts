import type { JsonObject } from '../../../text/documents/index.js';
import { from, sources } from '../../../rule/index.js';
import { installedBundle } from '../../objects/cluster-extension.js';
import { metaOf } from '../../../text/documents/index.js';
import { objectsAt, textAt } from '../../../text/documents/fields.js';
import { conditionText, failuresOfRevision, isSettling, type ReportedCondition, reportedConditions, revisionKinds } from './reported-condition.js';
import { defineScanRule } from './rule.js';

const extension = (conditions: string): string => `
      apiVersion: olm.operatorframework.io/v1
      kind: ClusterExtension
      metadata: { name: queue }
      status: { conditions: [${conditions}] }`;

export const extensionFailing = defineScanRule({
  id: 'ExtensionFailing',
  severity: 'error',
  family: 'catalogs',
  kinds: ['ClusterExtension'],
  otherwise: 'Progressing is True with reason Retrying',
  source: sources(
    from.operatorController('api/v1/clusterextension_types.go', 'ClusterExtensionStatus'),
    from.operatorController('internal/operator-controller/controllers/common_controller.go'),
    from.operatorController(
      'internal/operator-controller/controllers/boxcutter_reconcile_steps.go',
      'ApplyBundleWithBoxcutter',
    ),
  ),
  checks:
    'ClusterExtensions that OLM v1 cannot install, update or keep available, or whose package, channel or bundle is deprecated.',
  why: 'OLM v1 reports a refused update as Progressing with reason Retrying, for ever: what is installed looks well.',
  instead: 'Correct what OLM’s message names; the finding says where to look.',
  messages: {
    nothing: '{report}; nothing is installed',
    stays: '{report}; {installed} stays installed',
    revision: 'its active revision {revision}: {report}',
    deprecated: '{report}',
  },
  example: {
    after: extension(
      "{ type: Progressing, status: 'True', reason: Retrying, message: 'no bundles found for package \"queue\"' }",
    ),
    says: 'Progressing is True with reason Retrying: no bundles found for package "queue"; nothing is installed',
    accepted: extension("{ type: Progressing, status: 'True', reason: Succeeded }"),
  },
  *judge({ objects, now }) {
    const revisions = new Set(
      revisionKinds.flatMap((kind) => [...objects(kind)].map((each) => metaOf(each).name)),
    );
    for (const object of objects('ClusterExtension')) {
      const conditions = reportedConditions(object);
      const bundle = installedBundle(object);
      for (const condition of failures(conditions)) {
        if (condition.reason === 'Retrying' && isSettling(condition.since, now)) continue;
        const report = conditionText(condition, now);
        yield {
          object,
          ...(bundle === undefined
            ? { id: 'nothing', data: { report } }
            : { id: 'stays', data: { report, installed: bundle.name } }),
          cause: `${condition.type} ${condition.reason}`,
          fix: remedy(object, condition),
        };
      }
      for (const active of objectsAt(object, 'status', 'activeRevisions')) {
        const revision = textAt(active, 'name') ?? '';
        // A revision that can be read says it by itself, in RevisionFailing.
        if (revisions.has(revision)) continue;
        for (const condition of failuresOfRevision(reportedConditions({ status: active }), now)) {
          if (isRepeated(condition, conditions)) continue;
          yield {
            object,
            id: 'revision',
            data: { revision, report: conditionText(condition, now) },
            cause: `${condition.type} ${condition.reason}`,
            fix: `See its objects: kubectl describe clusterobjectset ${revision}`,
          };
        }
      }
      const deprecated = conditions.get('Deprecated');
      if (deprecated?.status !== 'True') continue;
      yield {
        object,
        id: 'deprecated',
        data: { report: conditionText(deprecated, now) },
        severity: 'warning',
        cause: 'Deprecated',
        fix: 'Choose a channel, a version or a package that is not deprecated, in spec.source.catalog.',
      };
    }
  },
});

/** OLM copies what the last revision says into the extension's own conditions. */
function isRepeated(
  { type, reason, message }: ReportedCondition,
  conditions: ReadonlyMap<string, ReportedCondition>,
): boolean {
  const own = conditions.get(type);
  return own?.reason === reason && own.message === message;
}

/** Installed repeats what Progressing says, where that is a failure. */
function failures(conditions: ReadonlyMap<string, ReportedCondition>): ReportedCondition[] {
  const [progressing, installed, available] = ['Progressing', 'Installed', 'Available'].map(
    (type) => conditions.get(type),
  );
  const isStuck =
    progressing?.status === 'False' ||
    (progressing?.status === 'True' && progressing.reason === 'Retrying');
  const found: ReportedCondition[] = [];
  if (progressing !== undefined && isStuck) found.push(progressing);
  const isLost = installed?.reason === 'Failed' && installed.status !== 'True';
  if (installed !== undefined && isLost && !isStuck) found.push(installed);
  if (available?.status === 'False' && available.reason !== 'RollingOut') found.push(available);
  return found;
}

function remedy(object: JsonObject, { type, reason, message }: ReportedCondition): string {
  const { name } = metaOf(object);
  if (reason === 'InvalidConfiguration') {
    return 'Correct spec.config.inline of the ClusterExtension; OLM v1 does not try again before it changes.';
  }
  if (reason === 'ProgressDeadlineExceeded' || type === 'Available') {
    return `See which objects are not ready: kubectl get clusterobjectsets -l olm.operatorframework.io/owner-name=${name} -o yaml`;
  }
  if (message.includes('validating upgrade for CRD')) {
    return `See whom the change of the definition affects: olm-guard check crd; the operator's author can keep it compatible.`;
  }
  if (/no bundles found for package|in multiple catalogs with the same priority/.test(message)) {
    return 'Correct packageName, version, channels or selector in spec.source.catalog, or make the catalog that has the package available: kubectl get clustercatalogs';
  }
  if (reason === 'Blocked') {
    return 'OLM v1 does not try again by itself: correct what the message names, in the ClusterExtension.';
  }
  return `Correct what the message names; OLM v1 tries again by itself: kubectl describe clusterextension ${name}`;
}
