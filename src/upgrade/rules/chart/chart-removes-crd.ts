import { from } from '../../../rule/index.js';
import { defineChartRule } from './rule.js';

export const chartRemovesCrd = defineChartRule({
  id: 'ChartRemovesCrd',
  severity: 'error',
  checks: 'Definitions that the templates of the old release have and those of the new one do not.',
  why: 'helm upgrade deletes what is in the old release alone, and with a definition all its objects go.',
  instead:
    'Release once with the annotation helm.sh/resource-policy: keep on the definition, and take it out after that.',
  source: from.helm('pkg/kube/client.go', 'Update'),
  messages: {
    removed:
      'helm upgrade deletes {name}, which the templates no longer have, with all its objects',
    moved:
      'helm upgrade deletes {name}, which has moved from the templates to crds/, with all its objects, and does not install it again',
  },
  example: {
    before: 'templates: [{ schema: { properties: { size: { type: integer } } } }]',
    after: 'crds: [{ schema: { properties: { size: { type: integer } } } }]',
    says: 'which has moved from the templates to crds/',
    accepted: 'templates: [{ schema: { properties: { size: { type: integer } } } }]',
  },
});
