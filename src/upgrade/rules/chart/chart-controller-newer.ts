import { from } from '../../../rule/index.js';
import { defineChartRule } from './rule.js';

export const chartControllerNewer = defineChartRule({
  id: 'ChartControllerNewer',
  severity: 'warning',
  checks: 'Workloads that get another image while definitions change in crds/.',
  why: 'helm upgrade starts the new controller beside the old definitions: it writes fields that are dropped, and watches versions that are not served.',
  instead: 'Apply the definitions of crds/ before the upgrade.',
  source: from.helm('pkg/action/install.go', 'installCRDs'),
  messages: {
    newer:
      'gets the image {image}, and runs with the installed {names}, which helm upgrade leaves as they are',
  },
  example: {
    before: `
      crds: [{ schema: { properties: { size: { type: integer } } } }]
      templates: [{ apiVersion: apps/v1, kind: Deployment, metadata: { name: c }, spec: { template: { spec: { containers: [{ name: c, image: "c:1" }] } } } }]`,
    after: `
      crds: [{ schema: { properties: { size: { type: integer }, color: { type: string } } } }]
      templates: [{ apiVersion: apps/v1, kind: Deployment, metadata: { name: c }, spec: { template: { spec: { containers: [{ name: c, image: "c:2" }] } } } }]`,
    says: 'gets the image c:2, and runs with the installed widgets.example.com',
    accepted: `
      crds: [{ schema: { properties: { size: { type: integer }, color: { type: string } } } }]
      templates: [{ apiVersion: apps/v1, kind: Deployment, metadata: { name: c }, spec: { template: { spec: { containers: [{ name: c, image: "c:1" }] } } } }]`,
  },
});
