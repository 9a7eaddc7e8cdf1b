import { from } from '../../../rule/index.js';
import { defineChartRule } from './rule.js';

export const chartCannotAdoptCrd = defineChartRule({
  id: 'ChartCannotAdoptCrd',
  severity: 'error',
  checks: 'Definitions that move from crds/ to the templates of a chart.',
  why: 'What Helm installed from crds/ does not carry its labels, and an upgrade takes over nothing without them.',
  otherwise: 'exists and cannot be imported into the current release: invalid ownership metadata',
  instead:
    'Have users label and annotate the installed definition first, or upgrade with helm upgrade --take-ownership.',
  source: from.helm('pkg/action/validate.go', 'existingResourceConflict'),
  messages: {
    moved:
      '{name} has moved from crds/ to the templates: helm upgrade refuses to import the installed one without --take-ownership',
  },
  example: {
    before: 'crds: [{ schema: { properties: { size: { type: integer } } } }]',
    after: 'templates: [{ schema: { properties: { size: { type: integer } } } }]',
    says: 'helm upgrade refuses to import the installed one',
    accepted: 'crds: [{ schema: { properties: { size: { type: integer } } } }]',
  },
});
