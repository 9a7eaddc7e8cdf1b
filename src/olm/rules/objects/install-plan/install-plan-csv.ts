import { inNamespace, metaOf } from '../../../../text/documents/index.js';
import { pendingSteps } from '../../../objects/install-plan.js';
import { from, sources } from '../../../../rule/index.js';
import { csvRules } from '../cluster-service-version/table.js';
import { csvLimitAhead } from '../cluster-version/catalog-limit.js';
import { RuleContext } from '../rule.js';
import { examplePlanOfCsv, planRule } from './plan-rule.js';

/** Requirements are what the plan itself brings. */
const stepRules = csvRules.filter((rule) => rule.id !== 'RequirementsNotMet');

export const installPlanCsv = planRule({
  id: 'InstallPlanCSV',
  family: 'install-plans',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'Every ClusterServiceVersion of an approved InstallPlan passes the rules for ClusterServiceVersions, as if it were created now.',
  withoutNames: 'OLM would fail a ClusterServiceVersion that it brings',
  why: 'OLM completes the plan and fails the operator afterwards.',
  otherwise: 'the ClusterServiceVersion of a completed plan goes to Failed',
  instead: 'Do what the rule that the message names asks for, and approve the plan then.',
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'ExecutePlan'),
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
  ),
  messages: {
    refused: 'ClusterServiceVersion {csv}: {rule}: {message}',
    limits: 'ClusterServiceVersion {message}',
  },
  example: {
    before:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }',
    after: examplePlanOfCsv('AllNamespaces'),
    says: 'ClusterServiceVersion cats.v1: UnsupportedOperatorGroup: ',
    accepted: examplePlanOfCsv('OwnNamespace'),
  },
  *judge(context) {
    const { object, view } = context;
    const namespace = metaOf(object).namespace;
    for (const step of pendingSteps(object, ['ClusterServiceVersion'], view)) {
      if (step.object === null) continue;
      const csv = inNamespace(step.object, namespace);
      const stepContext = new RuleContext({
        view,
        crdSafety: context.crdSafety,
        request: 'CREATE',
        // A bundle holds no copied CSVs, even if OLM runs the plan.
        isByOlm: false,
        object: csv,
        oldObject: null,
      });
      const ahead = csvLimitAhead(csv, view);
      if (ahead !== undefined) {
        const rule = 'BlocksClusterUpgrade';
        const cause = `${step.name} ${rule}`;
        yield { id: 'limits', data: { message: ahead }, severity: 'warning', foundBy: rule, cause };
      }
      for (const rule of stepRules) {
        for (const finding of rule.judge(stepContext)) {
          if (finding.severity === 'info') continue;
          // OLM's reason, with which its message may begin, is the rule's id.
          const message = finding.message.replace(`${rule.id}: `, '');
          yield {
            id: 'refused',
            data: { csv: step.name, rule: rule.id, message },
            severity: finding.severity,
            foundBy: rule.id,
            cause: [step.name, rule.id, finding.cause ?? []].flat().join(' '),
            ...(typeof finding.fix === 'string' ? { fix: finding.fix } : {}),
          };
        }
      }
    }
  },
});
