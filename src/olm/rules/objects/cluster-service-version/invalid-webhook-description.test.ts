import { describeRule } from '../testing/harness.js';
import { invalidWebhookDescription } from './webhooks.js';
import { hook, withWebhooks } from './testing/objects.js';

describeRule(invalidWebhookDescription, [
  { when: 'fine', object: withWebhooks(hook('a', ['pets']), hook('b', ['pets'])), says: [] },
  {
    when: 'other objects of the admission group',
    object: withWebhooks(
      hook('a', ['admissionregistration.k8s.io'], ['ValidatingAdmissionPolicy']),
    ),
    says: [],
  },
  {
    when: 'one name twice',
    object: withWebhooks(hook('a', ['pets']), hook('a', ['pets'])),
    says: ['error: CSV contains repeated WebhookDescription name: a'],
  },
  {
    when: 'all groups',
    object: withWebhooks(hook('a', ['*'])),
    says: ['error: webhook rules cannot include all groups (a)'],
  },
  {
    when: 'OLM’s group',
    object: withWebhooks(hook('a', ['operators.coreos.com'])),
    says: ['error: webhook rules cannot include the OLM group (a)'],
  },
  {
    when: 'webhook configurations',
    object: withWebhooks(hook('a', ['admissionregistration.k8s.io'], ['*'])),
    says: [
      'error: webhook rules cannot include MutatingWebhookConfiguration or ValidatingWebhookConfiguration resources (a)',
    ],
  },
]);
