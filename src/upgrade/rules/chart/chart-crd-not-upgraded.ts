import { from } from '../../../rule/index.js';
import { defineChartRule } from './rule.js';

export const chartCrdNotUpgraded = defineChartRule({
  id: 'ChartCrdNotUpgraded',
  severity: 'warning',
  checks: 'Definitions in crds/ that differ between two releases of a chart.',
  why: 'Helm installs crds/ once: helm upgrade neither changes what is there nor adds what is new, and says nothing.',
  instead:
    'Apply the definitions before the upgrade (kubectl apply --server-side -f crds/), or have the chart render them from templates that are kept.',
  source: from.helm('pkg/action/install.go', 'installCRDs'),
  messages: {
    changed: 'crds/ has another {name}, and helm upgrade leaves the installed one as it is',
    added: 'crds/ has a new {name}, and helm upgrade does not install it',
  },
  example: {
    before: 'crds: [{ schema: { properties: { size: { type: integer } } } }]',
    after:
      'crds: [{ schema: { properties: { size: { type: integer }, color: { type: string } } } }]',
    says: 'helm upgrade leaves the installed one as it is',
    accepted: 'crds: [{ schema: { properties: { size: { type: integer } } } }]',
  },
});
