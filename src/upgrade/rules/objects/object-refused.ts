import { from } from '../../../rule/index.js';
import { defineObjectRule } from './rule.js';

export const objectRefused = defineObjectRule({
  id: 'ObjectRefused',
  severity: 'error',
  checks: 'Manifests of custom resources that the API server would refuse under their definition.',
  why: 'Applying the manifest fails, mostly after the definition has changed already: a release that is applied in one go stops half way.',
  instead: 'Change the manifest so that it passes, or ship a definition that accepts it.',
  source: from.apiextensions('pkg/registry/customresource/validator.go', 'Validate'),
  messages: {
    refused: '{field}: {reason}',
    refusedAsWritten: '{field}: {reason} (as written; an overlay may complete it)',
    refusedBefore: '{field}: {reason} (refused by the old definition too)',
    statusApplied:
      '{field}: {reason} (server-side apply refuses it; other writes drop the status, which has its own subresource)',
    statusDropped:
      '{field}: {reason} (nothing refuses it: writes of the object drop the status, which has its own subresource)',
  },
  example: {
    before: 'properties: { size: { type: integer, maximum: 10 } }',
    after: '{ kind: Widget, metadata: { name: big }, spec: { size: 12 } }',
    says: 'spec.size: Invalid value',
    accepted: '{ kind: Widget, metadata: { name: big }, spec: { size: 10 } }',
  },
});
