import { from } from '../../../rule/index.js';
import { defineChartRule } from './rule.js';

export const chartDeletesCrd = defineChartRule({
  id: 'ChartDeletesCrd',
  severity: 'warning',
  checks:
    'Definitions in templates that are not kept when a release is uninstalled or rolled back.',
  why: 'helm uninstall deletes what the templates have, helm rollback what the older release did not have, and with a definition all its objects go, those of other releases too.',
  instead: 'Annotate the definition with helm.sh/resource-policy: keep.',
  source: from.helm('pkg/action/resource_policy.go', 'filterManifestsToKeep'),
  messages: {
    uninstall: 'helm uninstall deletes {name}, with all its objects',
    rollback:
      'helm rollback to the old release deletes {name}, with all its objects; so does helm uninstall',
  },
  example: {
    before: 'templates: []',
    after: 'templates: [{ schema: { properties: { size: { type: integer } } } }]',
    says: 'helm rollback to the old release deletes widgets.example.com',
    accepted: `
      templates:
        - schema: { properties: { size: { type: integer } } }
          annotations: { helm.sh/resource-policy: keep }`,
  },
});
