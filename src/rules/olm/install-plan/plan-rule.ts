import { objectsAt } from '../../../olm/fields.js';
import { isApproved } from '../../../olm/install-plan.js';
import { defineOlmRule, type OlmRule, type RuleContext } from '../rule.js';

/**
 * Whether the request lets the plan run: then, and only then, it is looked at. A plan that OLM
 * approves itself is created without steps; they come with its first status.
 */
function letsRun({ object, oldObject }: RuleContext): boolean {
  if (!isApproved(object)) return false;
  if (oldObject === null || !isApproved(oldObject)) return true;
  return (
    objectsAt(oldObject, 'status', 'plan').length === 0 &&
    objectsAt(object, 'status', 'plan').length > 0
  );
}

export function planRule(
  row: Omit<Parameters<typeof defineOlmRule>[0], 'subject' | 'requests'>,
): OlmRule {
  return defineOlmRule({
    ...row,
    subject: 'InstallPlan',
    requests: ['CREATE', 'UPDATE'],
    judge: (context) => (letsRun(context) ? row.judge(context) : []),
  });
}

export const checkedKinds = ['CustomResourceDefinition', 'ClusterServiceVersion'];

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
