import { from } from '../../../rule/index.js';
import { defineObjectRule } from './rule.js';

export const versionNotServed = defineObjectRule({
  id: 'VersionNotServed',
  severity: 'error',
  checks: 'Manifests in a version that their definition does not serve.',
  why: 'The API server does not know the resource in this version: applying the manifest fails, and so does every later read of it.',
  otherwise: 'no matches for kind "Widget" in version "example.com/v1beta1"',
  instead: 'Write the manifest in a version that is served.',
  source: from.apiextensions('pkg/apiserver/customresource_handler.go', 'ServeHTTP'),
  messages: {
    notServed: 'version {version} is not served (served: {served})',
    notServedBefore:
      'version {version} is not served (served: {served}), and was not by the old definition',
  },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: '{ apiVersion: example.com/v1beta1, kind: Widget, metadata: { name: big } }',
    says: 'version v1beta1 is not served (served: v1)',
    accepted: '{ kind: Widget, metadata: { name: big } }',
  },
});
