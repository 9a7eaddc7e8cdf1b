import { from, rulesWith, sameInBothVersions, sources, type Rule } from '../../../rule/index.js';

const defineConversionRule = rulesWith({
  family: 'conversion',
  subject: 'conversion',
  audience: 'clients',
});

export const converterUnreachable = defineConversionRule({
  id: 'ConverterUnreachable',
  severity: 'error',
  checks:
    'A conversion webhook whose service, endpoints, port or certificate an API server cannot use.',
  why: 'Every read and write in another version than the stored one fails, the deletion of the namespace among them, for as long as the webhook is away.',
  otherwise:
    'conversion webhook for example.com/v1, Kind=Widget failed: Post "https://…": x509: certificate signed by unknown authority',
  instead:
    'Bring up the service, its endpoints and a certificate for SERVICE.NAMESPACE.svc first, with its authority in caBundle, and name the webhook in the definition after that.',
  source: sources(
    from.apiextensions('pkg/apiserver/conversion/webhook_converter.go', 'Convert'),
    from.issue('operator-framework/operator-lifecycle-manager', 3892),
  ),
  messages: {
    unreachable: 'the converter cannot be reached{detail}',
    certificate: 'the certificate of the converter is not accepted{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `failure: { clause: certificate, reason: 'CERT_HAS_EXPIRED' }`,
    says: 'the certificate of the converter is not accepted',
  },
});

export const converterFails = defineConversionRule({
  id: 'ConverterFails',
  severity: 'error',
  checks:
    'A conversion webhook that answers with an error, with nothing that can be read, too late, or only now and then.',
  why: 'Whatever an API server reads or writes in the other version fails with it: lists as a whole, for a single object that cannot be converted.',
  otherwise:
    'conversion webhook for example.com/v1, Kind=Widget failed: the server could not find the requested resource',
  instead:
    'Convert every object that the schema accepts, the empty one too; answer within a second, for all objects of a review.',
  source: from.apiextensions('pkg/apiserver/conversion/webhook_converter.go', 'Convert'),
  messages: {
    status:
      'the converter answers with an HTTP status that is no success from {from} to {to}{detail}',
    late: 'the converter does not answer in time from {from} to {to}{detail}',
    slow: 'the converter is slow from {from} to {to}: every read of a list waits for it{detail}',
    tooLarge: 'the converter answers with more than can be read from {from} to {to}{detail}',
    unreadable: 'the converter answers with no ConversionReview from {from} to {to}{detail}',
    intermittent: 'the converter fails now and then from {from} to {to}{detail}',
    refused: 'the converter refuses to convert from {from} to {to}{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `failure: { clause: status, reason: 'HTTP status 500' }`,
    says: 'answers with an HTTP status that is no success',
  },
});

export const conversionContract = defineConversionRule({
  id: 'ConversionContract',
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

export const convertedObjectRefused = defineConversionRule({
  id: 'ConvertedObjectRefused',
  severity: 'error',
  checks:
    'An object that one version accepts, and that the other version’s schema refuses once it is converted.',
  why: 'The object can be read in the other version, and never be written in it again: controllers that update what they have read fail, and so does a migration.',
  instead:
    'Have the conversion make only what the other schema accepts, or let both versions accept the same.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: {
    refusedBySchema: 'the schema of {to} refuses what is converted from {from}, at {field}{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `converted: { v2: { spec: { size: many } } }`,
    says: 'the schema of v2 refuses what is converted from v1',
  },
});

export const roundTripLoss = defineConversionRule({
  id: 'RoundTripLoss',
  severity: 'error',
  checks:
    'A field that is lost, changed or added when an object is converted to another version and back.',
  why: 'A client that reads and updates an object in the other version destroys what it never saw; a change of the storage version does so for every object.',
  instead:
    'Keep in an annotation what the other version has no field for, and restore it from there; use types that hold every value that the schema accepts.',
  source: sources(
    from.us('docs/commands.md'),
    from.kubernetesPages('Versions in CustomResourceDefinitions'),
  ),
  messages: {
    lost: '{field} is lost from {from} to {to} and back{detail}',
    changed: '{field} is changed from {from} to {to} and back{detail}',
    added: '{field} is added from {from} to {to} and back{detail}',
    emptied: 'an empty {field} comes or goes from {from} to {to} and back{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `converted: { v1: { spec: {} } }`,
    says: 'is lost from v1 to v2 and back',
  },
});

export const conversionUnstable = defineConversionRule({
  id: 'ConversionUnstable',
  severity: 'error',
  checks:
    'A conversion that gives something else the second time, in company of other objects, or for the version that the object has already.',
  why: 'Objects change although nobody wrote them: controllers see differences that are none, and write for ever.',
  instead: 'Let the answer depend on the object and the asked version alone.',
  source: from.us('docs/commands.md'),
  messages: {
    unstable: '{field} is converted otherwise the second time from {from} to {to}{detail}',
    batch:
      '{field} is converted otherwise beside other objects than alone from {from} to {to}{detail}',
    ownVersion: '{field} is changed by a conversion to {to}, which the object has already{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `converted: { v2: [{ spec: { size: 1 } }, { spec: { size: 2 } }, { spec: { size: 3 } }] }`,
    says: 'is converted otherwise',
  },
});

export const conversionPrunesFields = defineConversionRule({
  id: 'ConversionPrunesFields',
  severity: 'error',
  checks:
    'Conversion strategy None between served versions whose schemas have different fields; also where a webhook is given up for it.',
  why: 'With None only the apiVersion changes, and the API server prunes what the other version does not declare: who updates an object in that version deletes those fields.',
  instead: 'Give both versions the same fields, or convert by a webhook.',
  source: sources(
    from.apiextensions('pkg/apiserver/conversion/nop_converter.go', 'Convert'),
    from.kubernetesPages('Versions in CustomResourceDefinitions'),
  ),
  messages: {
    prunes: '{to} does not have {fields} of {from}: an update in {to} deletes it',
    webhookGone:
      'no webhook converts any more, and {to} does not have {fields} of {from}: an update in {to} deletes it',
  },
  example: {
    after: `
      spec:
        versions:
          - name: v1
            served: true
            storage: true
            schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer }, color: { type: string } } } } } }
          - name: v2
            served: true
            storage: false
            schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer } } } } } }`,
    accepted: sameInBothVersions,
    says: 'v2 does not have ^.spec.color of v1',
  },
});

export const conversionUnchecked = defineConversionRule({
  id: 'ConversionUnchecked',
  severity: 'warning',
  checks: 'A conversion webhook that was not asked, with the reason.',
  why: 'Nothing is known about it: that no fault was found says nothing.',
  instead:
    'Let the gate ask it (manifests/components/conversion), or ask it from where it can be reached: olm-guard roundtrip. Under `unjudged: deny` an update whose converter is not asked is denied, unless the policy says `modes: {ConversionUnchecked: warn}`.',
  source: from.us('docs/threat-model.md'),
  messages: { unasked: 'the converter was not asked{detail}' },
  example: {
    before: sameInBothVersions,
    after: `failure: { clause: unasked, reason: it is named by a url }`,
    says: 'was not asked',
  },
});

export const conversionRules: readonly Rule[] = [
  converterUnreachable,
  converterFails,
  conversionContract,
  convertedObjectRefused,
  roundTripLoss,
  conversionUnstable,
  conversionPrunesFields,
  conversionUnchecked,
];
