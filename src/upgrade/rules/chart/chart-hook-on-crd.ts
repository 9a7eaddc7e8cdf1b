import { from } from '../../../rule/index.js';
import { defineChartRule } from './rule.js';

export const chartHookOnCrd = defineChartRule({
  id: 'ChartHookOnCrd',
  severity: 'error',
  checks: 'Hooks that are definitions, or that delete definitions.',
  why: 'Helm neither updates nor deletes a definition that is a hook: the run after the first one creates it again, and the upgrade fails. What a job deletes takes all objects along.',
  instead: 'Keep definitions out of hooks: in crds/, or in templates that are kept.',
  source: from.helm('pkg/action/hooks.go', 'deleteHookByPolicy'),
  messages: {
    definition:
      '{name} is a hook ({hook}): Helm neither updates nor deletes it, and each further run fails, as it exists already',
    job: 'the hook {hook} deletes definitions, with all their objects: {command}',
  },
  example: {
    before: 'crds: []',
    after: `
      templates:
        - schema: { properties: { size: { type: integer } } }
          annotations: { helm.sh/hook: pre-upgrade }`,
    says: 'Helm neither updates nor deletes it, and each further run fails',
    accepted: `
      templates:
        - schema: { properties: { size: { type: integer } } }
          annotations: { helm.sh/resource-policy: keep }`,
  },
});
