import { from } from '../../../rule/index.js';
import { defineObjectRule } from './rule.js';

export const versionDeprecated = defineObjectRule({
  id: 'VersionDeprecated',
  severity: 'warning',
  checks: 'Manifests in a version that their definition marks as deprecated.',
  why: 'A later release stops serving the version, and the manifest can no longer be applied.',
  instead: 'Write the manifest in a version that is not deprecated.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: { deprecated: 'version {version} is deprecated: {warning}' },
  example: {
    before: 'spec: { versions: [{ name: v1, served: true, storage: true, deprecated: true }] }',
    after: '{ kind: Widget, metadata: { name: big } }',
    says: 'version v1 is deprecated',
  },
});
