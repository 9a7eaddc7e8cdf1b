import { type JsonObject, metaOf } from '../../../text/documents/index.js';
import { from, sources } from '../../../rule/index.js';
import { installedBundle } from '../../objects/cluster-extension.js';
import { numberAt, objectsAt, textAt } from '../../../text/documents/fields.js';
import {
  conditionText,
  failuresOfRevision,
  isSettling,
  type ReportedCondition,
  reportedConditions,
  revisionKinds,
  sinceText,
} from './reported-condition.js';
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

const catalog = (conditions: string): string => `
      apiVersion: olm.operatorframework.io/v1
      kind: ClusterCatalog
      metadata: { name: community }
      status: { conditions: [${conditions}] }`;

const clusterCatalogFailing = defineScanRule({
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

export const v1FailingRules = [extensionFailing, clusterCatalogFailing, revisionFailing];
