/** Rules about objects before they are written: manifests against the definition of their kind. */
import { from, rulesWith, type Rule } from '../../../rule/index.js';

const defineObjectRule = rulesWith({
  family: 'stored-objects',
  subject: 'manifests',
  audience: 'objects',
});

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

export const unknownField = defineObjectRule({
  id: 'UnknownField',
  severity: 'warning',
  checks: 'Fields of manifests that their definition does not have.',
  why: 'kubectl refuses to apply the manifest (--validate=strict is its default); every other tool applies it, and the API server drops the field without an error.',
  otherwise: 'strict decoding error: unknown field "spec.sise"',
  instead: 'Write the field as the definition has it, or take it out.',
  source: from.apiextensions('pkg/apiserver/schema/pruning/algorithm.go', 'PruneWithOptions'),
  messages: {
    unknown: 'unknown field "{field}"{meant}',
    lost: 'field "{field}" is dropped: the old definition has it, and the new one does not{meant}',
  },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: '{ kind: Widget, metadata: { name: big }, spec: { sise: 12 } }',
    says: 'unknown field "spec.sise" (did you mean "size"?)',
    accepted: '{ kind: Widget, metadata: { name: big }, spec: { size: 12 } }',
  },
});

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

export const objectRules: readonly Rule[] = [
  objectRefused,
  unknownField,
  versionNotServed,
  versionDeprecated,
];
