import { metaOf, type JsonObject } from '../../../text/documents/index.js';
import { from } from '../../../rule/index.js';
import { numberAt, objectsAt, textAt, textsAt } from '../../../text/documents/fields.js';
import { reportedConditions, sinceText } from './reported-condition.js';
import { defineScanRule } from './rule.js';

const plan = (name: string, generation: number, status: string): string => `
      apiVersion: operators.coreos.com/v1alpha1
      kind: InstallPlan
      metadata: { name: ${name}, namespace: pets }
      spec: { approved: true, generation: ${generation}, clusterServiceVersionNames: [cats.v1] }
      status: ${status}`;
const failed = plan(
  'install-a',
  1,
  "{ phase: Failed, conditions: [{ type: Installed, status: 'False', reason: InstallComponentFailed, message: no space }] }",
);

export const installPlanFailed = defineScanRule({
  id: 'InstallPlanFailed',
  severity: 'error',
  family: 'install-plans',
  kinds: ['InstallPlan'],
  otherwise: 'phase Failed',
  source: from.olm('pkg/controller/operators/catalog/operator.go', 'transitionInstallPlanState'),
  checks: 'InstallPlans that have failed, while no later plan of their namespace is complete.',
  why: 'OLM classic does not try a failed plan again: what it was to install or update stays as it is.',
  instead:
    'Remove what the message names, then delete the InstallPlan, and the ClusterServiceVersion of the new version where there is one, so that OLM makes a new plan.',
  messages: { failed: 'failed{why}{since}{said}; it was to install {csvs}' },
  example: {
    after: failed,
    says: 'failed with reason InstallComponentFailed: no space',
    accepted: `${failed}
      ---${plan('install-b', 2, '{ phase: Complete }')}`,
  },
  *judge({ objects, now }) {
    const completed = new Map<string, number>();
    for (const object of objects('InstallPlan')) {
      if (textAt(object, 'status', 'phase') !== 'Complete') continue;
      const { namespace } = metaOf(object);
      const latest = completed.get(namespace) ?? -1;
      completed.set(namespace, Math.max(latest, generationOf(object)));
    }
    for (const object of objects('InstallPlan')) {
      if (textAt(object, 'status', 'phase') !== 'Failed') continue;
      const { name, namespace } = metaOf(object);
      if ((completed.get(namespace) ?? -1) > generationOf(object)) continue;
      const { reason, message, since } = failureOf(object);
      const why = reason === '' ? '' : ` with reason ${reason}`;
      const said = message === '' ? '' : `: ${message}`;
      const csvs = textsAt(object, 'spec', 'clusterServiceVersionNames');
      yield {
        object,
        id: 'failed',
        data: { why, since: sinceText(since, now), said, csvs },
        cause: reason,
        fix: `Remove what the message names, then run: kubectl delete installplan ${name} -n ${namespace}`,
      };
    }
  },
});

const generationOf = (plan: JsonObject): number => numberAt(plan, 'spec', 'generation') ?? 0;

function failureOf(plan: JsonObject) {
  const failures = [
    ...[...reportedConditions(plan).values()].filter(({ status }) => status === 'False'),
    ...objectsAt(plan, 'status', 'bundleLookups')
      .flatMap((lookup) => [...reportedConditions({ status: lookup }).values()])
      .filter(({ type, status }) => type === 'BundleLookupFailed' && status === 'True'),
  ];
  const message = textAt(plan, 'status', 'message') ?? '';
  return failures[0] ?? { reason: '', message, since: undefined };
}
