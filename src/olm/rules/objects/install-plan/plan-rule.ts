import { hasNewSteps, isApproved } from '../../../objects/install-plan.js';
import {
  defineOlmRule,
  type OlmRule,
  type NoMessages,
  type OlmRuleBody,
  type RuleContext,
} from '../rule.js';
import type { Messages } from '../../../../rule/index.js';

/** The steps of a plan that OLM approves itself come with a later status, one after the other. */
function letsRun({ object, oldObject }: RuleContext): boolean {
  if (!isApproved(object)) return false;
  return oldObject === null || !isApproved(oldObject) || hasNewSteps(object, oldObject);
}

export function planRule<const Of extends Messages = NoMessages>(row: OlmRuleBody<Of>): OlmRule {
  return defineOlmRule({
    ...row,
    subject: 'InstallPlan',
    judge: (context) => (context.fact(letsRun) ? row.judge(context) : []),
  });
}

export const checkedKinds = ['CustomResourceDefinition', 'ClusterServiceVersion'];

/** A plan with a ClusterServiceVersion of one install mode; without one its manifest is in a ConfigMap. */
export function examplePlanOfCsv(mode?: string): string {
  const manifest =
    mode === undefined
      ? '{"kind":"ConfigMap","name":"unpacked","namespace":"olm","catalogSourceName":"community","catalogSourceNamespace":"olm"}'
      : `{"kind":"ClusterServiceVersion","metadata":{"name":"cats.v1"},"spec":{"installModes":[{"type":"${mode}","supported":true}]}}`;
  return examplePlan('ClusterServiceVersion', 'cats.v1', manifest);
}

/** An approved plan in namespace pets of one step. */
export function examplePlan(kind: string, name: string, manifest: string): string {
  return `
      kind: InstallPlan
      metadata: { name: install-1, namespace: pets }
      spec: { approved: true }
      status:
        plan:
          - status: Unknown
            resource:
              kind: ${kind}
              name: ${name}
              manifest: '${manifest}'`;
}
