import { defineRule, from, sameInBothVersions, sources } from '../../../rule/index.js';

export const conversionContract = defineRule({
  id: 'ConversionContract',
  family: 'conversion',
  subject: 'conversion',
  audience: 'clients',
  severity: 'error',
  checks:
    'An answer that API servers refuse: another uid, version, kind, number or order of objects than was asked for, or another name, namespace or uid of an object.',
  why: 'API servers refuse the whole answer, and with it the list or the write.',
  otherwise:
    'conversion webhook for example.com/v1, Kind=Widget failed: webhook returned 1 objects, expected 2',
  instead:
    'Answer with the uid of the request and as many objects, in the same order; change apiVersion and contents, and of metadata labels and annotations alone.',
  source: sources(
    from.apiextensions(
      'pkg/apiserver/conversion/webhook_converter.go',
      'getConvertedObjectsFromResponse',
      'validateConvertedObject',
      'restoreObjectMeta',
    ),
    from.kubernetesPages('Versions in CustomResourceDefinitions'),
  ),
  messages: {
    wrongUid: 'the converter answers with another uid than the request has{detail}',
    wrongCount: 'another number of objects comes back from {from} to {to}{detail}',
    wrongOrder: 'objects come back in another order from {from} to {to}{detail}',
    notAnObject: 'what comes back is no object from {from} to {to}{detail}',
    wrongVersion: 'objects come back in another version than {to}{detail}',
    wrongKind: 'objects come back as another kind from {from} to {to}{detail}',
    changedIdentity: '{field} is changed from {from} to {to}{detail}',
    changedMetadata: '{field} is changed from {from} to {to}, which API servers undo{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `response: { uid: forgotten }`,
    says: 'answers with another uid than the request has',
  },
});
