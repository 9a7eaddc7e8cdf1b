/** Rules about Helm charts: what an upgrade, a rollback or an uninstall does to definitions and their objects. */
import { from, rulesWith, type Rule } from '../../../rule/index.js';

const defineChartRule = rulesWith({
  family: 'stored-objects',
  subject: 'chart',
  audience: 'objects',
});

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

export const chartRules: readonly Rule[] = [
  chartCrdNotUpgraded,
  chartNeedsNewCrd,
  chartRemovesCrd,
  chartCannotAdoptCrd,
  chartDeletesCrd,
  chartHookOnCrd,
  chartControllerNewer,
];
