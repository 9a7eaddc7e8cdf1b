import { from } from '../../../rule/index.js';
import { defineScanRule } from './rule.js';

const switchable = [
  'CustomResourceDefinition',
  'ClusterExtension',
  'Subscription',
  'ClusterServiceVersion',
];

export const bypassInForce = defineScanRule({
  id: 'BypassInForce',
  severity: 'info',
  family: 'operator-groups',
  kinds: switchable,
  otherwise: 'nothing is said: what is switched off is not denied',
  source: from.us('docs/operations.md'),
  checks: 'Annotations and fields that switch checks off for an object.',
  why: 'What is switched off is not denied, also long after the reason for it is gone.',
  instead: 'Remove it once it is no longer needed; olm-guard.io/disable-until does so by itself.',
  messages: {
    all: 'every check switched off by {description}',
    families: '{families} switched off by {description}',
    ignored: '{problem}',
  },
  example: {
    after: `
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: cats.example.com, annotations: { olm-guard.io/disable: all } }`,
    says: 'every check switched off by annotation',
    accepted: `
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: cats.example.com }`,
  },
  *judge({ objects, switchOffs }) {
    for (const kind of switchable) {
      for (const object of objects(kind)) {
        const { bypasses, problems } = switchOffs(object);
        for (const { description, families } of bypasses) {
          yield {
            object,
            ...(families === 'all'
              ? { id: 'all', data: { description } }
              : { id: 'families', data: { families, description } }),
            cause: description,
          };
        }
        for (const problem of problems) {
          yield { object, id: 'ignored', data: { problem }, severity: 'warning' };
        }
      }
    }
  },
});
