import { from } from '../../../rule/index.js';
import { defineChartRule } from './rule.js';

export const chartNeedsNewCrd = defineChartRule({
  id: 'ChartNeedsNewCrd',
  severity: 'error',
  checks: 'Objects of templates that only the new definitions in crds/ accept in full.',
  why: 'helm upgrade applies them under the definition that is installed: the API server refuses them, or drops the fields that it does not know.',
  otherwise:
    'resource mapping not found for name: "a" namespace: "" … ensure CRDs are installed first',
  instead: 'Apply the definitions of crds/ before the upgrade, and say so in its notes.',
  source: from.helm('pkg/action/install.go', 'installCRDs'),
  messages: {
    installed: 'under the installed {name}, which helm upgrade leaves as it is: {problem}',
    missing: 'helm upgrade does not install {name}, which is new in crds/',
  },
  example: {
    before: 'crds: [{ schema: { properties: { size: { type: integer } } } }]',
    after: `
      crds: [{ schema: { properties: { size: { type: integer }, color: { type: string } } } }]
      templates: [{ kind: Widget, metadata: { name: big }, spec: { color: red } }]`,
    says: 'under the installed widgets.example.com, which helm upgrade leaves as it is: unknown field "spec.color"',
    accepted: `
      crds: [{ schema: { properties: { size: { type: integer }, color: { type: string } } } }]
      templates: [{ kind: Widget, metadata: { name: big }, spec: { size: 3 } }]`,
  },
});
