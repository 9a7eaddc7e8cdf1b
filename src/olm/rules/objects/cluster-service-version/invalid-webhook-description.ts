import { objectsAt, textAt, textsAt } from '../../../../text/documents/fields.js';
import type { JsonObject } from '../../../../text/documents/index.js';
import { from, sources } from '../../../../rule/index.js';
import { defineOlmRule } from '../rule.js';
import { reviewedCsv } from './csv-review.js';
import { webhooksOf } from './conversion-webhook.js';
import { exampleOperator } from '../example-operator.js';

export const invalidWebhookDescription = defineOlmRule({
  id: 'InvalidWebhookDescription',
  subject: 'ClusterServiceVersion',
  family: 'operator-groups',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'The webhooks of a ClusterServiceVersion have names of their own and do not intercept every group, OLM’s objects or webhook configurations.',
  why: 'OLM fails the ClusterServiceVersion otherwise.',
  otherwise: 'webhook rules cannot include …; CSV contains repeated WebhookDescription name',
  instead:
    'Name the groups and resources that the webhook is about, and give each description its own generateName.',
  source: sources(
    from.olm('pkg/controller/install/webhook.go', 'ValidWebhookRules'),
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
  ),
  example: {
    before:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }',
    after: exampleOperator({
      more: "webhookdefinitions: [{ generateName: cats.example.com, rules: [{ apiGroups: ['*'], resources: [cats] }] }]",
    }),
    says: 'webhook rules cannot include all groups',
    accepted: exampleOperator({
      more: 'webhookdefinitions: [{ generateName: cats.example.com, rules: [{ apiGroups: [example.com], resources: [cats] }] }]',
    }),
  },
  *judge(context) {
    const csv = context.fact(reviewedCsv);
    if (csv === null) return;
    const names = new Set<string>();
    for (const [index, webhook] of webhooksOf(csv).entries()) {
      const path = `$.spec.webhookdefinitions[${index}]`;
      const name = textAt(webhook, 'generateName') ?? '';
      if (names.has(name)) {
        yield {
          message: `CSV contains repeated WebhookDescription name: ${name}`,
          path,
          cause: name,
        };
      }
      names.add(name);
      for (const rule of objectsAt(webhook, 'rules')) {
        const message = forbidden(rule);
        if (message === null) continue;
        yield {
          message: `${message} (${name})`,
          path: `${path}.rules`,
          cause: `${name} ${message}`,
        };
      }
    }
  },
});

const configurations = ['*', 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

function forbidden(rule: JsonObject): string | null {
  const groups = textsAt(rule, 'apiGroups');
  if (groups.includes('*')) return 'webhook rules cannot include all groups';
  if (groups.includes('operators.coreos.com')) return 'webhook rules cannot include the OLM group';
  const guards = textsAt(rule, 'resources').some((resource) => configurations.includes(resource));
  if (groups.includes('admissionregistration.k8s.io') && guards) {
    return 'webhook rules cannot include MutatingWebhookConfiguration or ValidatingWebhookConfiguration resources';
  }
  return null;
}
