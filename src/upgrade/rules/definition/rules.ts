/** Rules about what API servers refuse in a CustomResourceDefinition: each knows which refusals are its. */
import type { Refusal } from '../../../kubernetes/index.js';
import { defineRule, from, type Rule, type RuleDescription } from '../../../rule/index.js';

const common = {
  subject: 'CustomResourceDefinition',
  family: 'definition',
  severity: 'error',
  refusedByServer: true,
} as const;

interface Described extends Omit<RuleDescription, keyof typeof common> {
  /** Whether a refusal is of this rule, unless a rule before it in the table has it. */
  readonly covers: (refusal: Refusal) => boolean;
}

export type RefusalRule = Rule<Described & typeof common>;

function defineRefusalRule(definition: Described): RefusalRule {
  return defineRule({ ...definition, ...common });
}

/** The validation of definitions, which most of these rules come from. */
const validation = (...functions: string[]): string =>
  from.apiextensions('pkg/apis/apiextensions/validation/validation.go', ...functions);

const notDecodable = defineRefusalRule({
  id: 'NotDecodable',
  checks: 'Fields of a type that no API server can decode.',
  why: 'The server answers 400 before it judges anything.',
  instead: 'Give the field the type that the API reference names.',
  source: from.apiextensions('pkg/apis/apiextensions/v1/marshal.go'),
  example: {
    after: '{ properties: { size: { type: 5 } } }',
    says: 'cannot unmarshal number',
    accepted: '{ properties: { size: { type: integer } } }',
  },
  covers: ({ type }) => type === 'Decode',
});

const storageVersions = defineRefusalRule({
  id: 'StorageVersions',
  checks:
    'Not exactly one storage version, version names that are wrong or not unique, or a stored version that is gone.',
  why: 'The server cannot tell in which version objects are stored, or could not read those that are.',
  instead:
    'Mark exactly one version as storage version, and keep every version that status.storedVersions names.',
  source: validation(
    'validateCustomResourceDefinitionSpec',
    'ValidateCustomResourceDefinitionStoredVersions',
  ),
  example: {
    after:
      'spec: { versions: [{ name: v1, served: true, storage: false, schema: { openAPIV3Schema: { type: object } } }] }',
    says: 'must have exactly one version marked as storage version',
    accepted:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }',
  },
  covers: ({ field }) =>
    /^(?:spec\.versions(?:\[\d+\]\.name)?$|spec\.version$|status\.storedVersions)/.test(field),
});

const definitionNames = defineRefusalRule({
  id: 'DefinitionNames',
  checks:
    'A name, group, scope or approval that no API server takes, or one that cannot change any more.',
  why: 'The definition is refused as a whole.',
  instead:
    'Name the definition PLURAL.GROUP with names of lower case letters, digits and dashes, and leave group, plural, kind and scope as they are stored.',
  source: validation('ValidateCustomResourceDefinitionNames', 'validateAPIApproval'),
  example: {
    after:
      'spec: { group: example, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }',
    says: 'should be a domain with at least one dot',
    accepted:
      'spec: { group: example.com, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }',
  },
  covers: ({ field }) =>
    /^(?:metadata|spec\.(?:group|names|scope)|status\.acceptedNames)/.test(field),
});

const conversionSettings = defineRefusalRule({
  id: 'ConversionSettings',
  checks: 'Conversion settings that no API server takes.',
  why: 'The definition is refused as a whole.',
  instead:
    'With strategy Webhook give exactly one of url and service, and conversionReviewVersions with v1; with None give neither.',
  source: validation('validateCustomResourceConversion'),
  example: {
    after:
      'spec: { conversion: { strategy: Webhook }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }',
    says: 'required when strategy is set to Webhook',
    accepted:
      'spec: { conversion: { strategy: None }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }',
  },
  covers: ({ field }) =>
    field.startsWith('spec.conversion') || field === 'spec.preserveUnknownFields',
});

const printerColumns = defineRefusalRule({
  id: 'PrinterColumns',
  checks: 'Columns of kubectl get without a name, of an unknown type or with no JSON path.',
  why: 'The definition is refused as a whole.',
  instead:
    'Give each column a name, one of the types boolean, date, integer, number and string, and a jsonPath that begins with a dot.',
  source: validation('ValidateCustomResourceColumnDefinition'),
  example: {
    after:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } }, additionalPrinterColumns: [{ name: Age, type: text, jsonPath: .metadata.creationTimestamp }] }] }',
    says: 'must be one of boolean,date,integer,number,string',
    accepted:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } }, additionalPrinterColumns: [{ name: Age, type: date, jsonPath: .metadata.creationTimestamp }] }] }',
  },
  covers: ({ field }) => field.includes('additionalPrinterColumns['),
});

const scalePaths = defineRefusalRule({
  id: 'ScalePaths',
  checks: 'Paths of the scale subresource that lead elsewhere than to spec and status.',
  why: 'The definition is refused as a whole.',
  instead: 'Let specReplicasPath begin with .spec. and statusReplicasPath with .status.',
  source: validation('ValidateCustomResourceDefinitionSubresources'),
  example: {
    after:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } }, subresources: { scale: { specReplicasPath: .replicas, statusReplicasPath: .status.replicas } } }] }',
    says: 'should be a json path under .spec',
    accepted:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } }, subresources: { scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas } } }] }',
  },
  covers: ({ field }) => field.includes('subresources.scale.'),
});

const selectableFields = defineRefusalRule({
  id: 'SelectableFields',
  checks:
    'Selectable fields that are not strings, integers or booleans of the schema, or more than eight of them.',
  why: 'The definition is refused as a whole; before 1.31 such fields are dropped silently.',
  instead: 'Name fields of type string, integer or boolean by a path such as .spec.color.',
  source: validation('ValidateCustomResourceSelectableFields'),
  example: {
    after:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } }, selectableFields: [{ jsonPath: .spec.color }] }] }',
    says: 'is an invalid path',
    accepted:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { color: { type: string } } } } } }, selectableFields: [{ jsonPath: .spec.color }] }] }',
  },
  covers: ({ field }) => field.includes('selectableFields'),
});

export const celCost = defineRefusalRule({
  id: 'CelCost',
  checks: 'A validation rule that can cost more than a server spends on it.',
  why: 'The server estimates the cost from maxItems, maxProperties and maxLength before it takes the definition; where a list or string has none, the largest that fits a request counts.',
  instead: 'Bound the lists, maps and strings that the rule goes through, and the lists around it.',
  source: validation('getCostErrorMessage'),
  messages: { near: '{field}: near its limit: {cost} (Kubernetes {minors})' },
  example: {
    after:
      "{ properties: { routes: { type: array, items: { type: string } } }, x-kubernetes-validations: [{ rule: 'self.routes.all(a, self.routes.exists(b, a == b))' }] }",
    says: 'exceeds budget by factor of',
    accepted:
      "{ properties: { routes: { type: array, maxItems: 10, items: { type: string, maxLength: 63 } } }, x-kubernetes-validations: [{ rule: 'self.routes.all(a, self.routes.exists(b, a == b))' }] }",
  },
  covers: ({ field, type }) =>
    type === 'FieldValueForbidden' &&
    /(?:x-kubernetes-validations\[\d+\]\.(?:rule|messageExpression)|openAPIV3Schema)$/.test(field),
});

const celCompile = defineRefusalRule({
  id: 'CelCompile',
  checks: 'A validation rule or message that a server cannot compile.',
  why: 'Fields that are not declared, types that do not match, and functions that came with a later minor: an older cluster refuses what a newer one takes.',
  instead: 'Use what the oldest cluster knows, and declare the fields that the rule reads.',
  source: from.apiextensions('pkg/apiserver/schema/cel/compilation.go', 'compileRule'),
  example: {
    after:
      '{ properties: { size: { type: integer } }, x-kubernetes-validations: [{ rule: self.sise > 0 }] }',
    says: "undefined field 'sise'",
    accepted:
      '{ properties: { size: { type: integer } }, x-kubernetes-validations: [{ rule: self.size > 0 }] }',
  },
  covers: ({ field }) =>
    /x-kubernetes-validations(?:\[\d+\]\.(?:rule|messageExpression))?$/.test(field),
});

const celSettings = defineRefusalRule({
  id: 'CelSettings',
  checks:
    'A message, reason, fieldPath or optionalOldSelf of a validation rule that no server takes.',
  why: 'The definition is refused as a whole.',
  instead:
    'Give a message of one line, a reason that the API reference names, a fieldPath to a declared field, and optionalOldSelf only where the rule reads oldSelf.',
  source: validation('ValidateCustomResourceDefinitionOpenAPISchema'),
  example: {
    after:
      '{ properties: { size: { type: integer } }, x-kubernetes-validations: [{ rule: self.size > 0, fieldPath: .sise }] }',
    says: 'must be a valid path',
    accepted:
      '{ properties: { size: { type: integer } }, x-kubernetes-validations: [{ rule: self.size > 0, fieldPath: .size }] }',
  },
  covers: ({ field }) => /x-kubernetes-validations\[\d+\]\./.test(field),
});

const invalidDefault = defineRefusalRule({
  id: 'InvalidDefault',
  checks:
    'A default that its own schema refuses, that has unknown fields, or that stands where none may.',
  why: 'Objects would be stored with a value that is then refused.',
  instead: 'Give a default that the schema around it takes.',
  source: from.apiextensions('pkg/apiserver/schema/defaulting/validation.go', 'ValidateDefaults'),
  example: {
    after: '{ properties: { size: { type: integer, default: small } } }',
    says: 'must be of type integer',
    accepted: '{ properties: { size: { type: integer, default: 3 } } }',
  },
  covers: ({ field }) => /\.default(?:[.[]|$)/.test(field),
});

const invalidPattern = defineRefusalRule({
  id: 'InvalidPattern',
  checks: 'A pattern that is not a valid RE2 regular expression.',
  why: 'Go has no look-around, no back references and no counts over 1000.',
  instead: 'Write the pattern without them, or several patterns under allOf.',
  source: from.apiextensions('pkg/apiserver/schema/validation.go', 'validateValueValidation'),
  example: {
    after: "{ properties: { name: { type: string, pattern: '^(?!x)' } } }",
    says: 'must be a valid regular expression',
    accepted: "{ properties: { name: { type: string, pattern: '^[^x]' } } }",
  },
  covers: ({ field }) => field.endsWith('.pattern'),
});

export const notStructural = defineRefusalRule({
  id: 'NotStructural',
  checks: 'A schema that is not structural, or with a keyword that definitions may not use.',
  why: 'Servers could neither prune objects nor default them, so they refuse the definition.',
  instead:
    'Give every field a type outside of anyOf, allOf, oneOf and not, and write only value validation inside of them.',
  source: from.apiextensions('pkg/apiserver/schema/validation.go', 'ValidateStructural'),
  example: {
    after: '{ properties: { size: { description: how large } } }',
    says: 'must not be empty for specified object fields',
    accepted: '{ properties: { size: { type: integer } } }',
  },
  covers: () => true,
});

export const unknownDefinitionField = defineRule({
  id: 'UnknownDefinitionField',
  family: 'definition',
  subject: 'CustomResourceDefinition',
  severity: 'error',
  // kubectl refuses the file even where it changes nothing.
  about: 'bookkeeping',
  checks: 'Fields of a definition that CustomResourceDefinitions do not have.',
  why: 'kubectl apply refuses the definition, unless the field is below items or additionalProperties. Every other client has it dropped without an error, so that a bound that was meant to be there is not.',
  otherwise: 'strict decoding error: unknown field "spec.versions[0].schema.openAPIV3Schema…"',
  instead: 'Write the field as the API has it, or take it out.',
  source: from.apiextensions('pkg/apis/apiextensions/v1/types_jsonschema.go', 'JSONSchemaProps'),
  messages: {
    unknown: 'unknown field "{field}"{meant}{versions}: API servers drop it',
    more: 'and more unknown fields (report limit reached)',
  },
  example: {
    after: 'properties: { name: { type: string, minLenght: 3 } }',
    says: 'minLenght" (did you mean "minLength"?): API servers drop it',
    accepted: 'properties: { name: { type: string, minLength: 3 } }',
  },
});

export const tooLargeToApply = defineRule({
  id: 'TooLargeToApply',
  family: 'definition',
  subject: 'CustomResourceDefinition',
  severity: 'warning',
  checks: 'A definition that is too large for kubectl apply.',
  why: 'kubectl keeps the whole definition in an annotation, and annotations have 262,144 bytes: "metadata.annotations: Too long".',
  instead:
    'Apply with kubectl apply --server-side, or use kubectl create and replace; or take descriptions out.',
  source: from.kubernetesPages('Server-Side Apply'),
  messages: {
    annotation:
      'too large for kubectl apply{already}: its annotations would have {size}, and at most {limit} may be; use kubectl apply --server-side or kubectl replace',
    near: 'near what kubectl apply takes: its annotations would have {size}, and at most {limit} may be; labels and annotations that Argo CD, Helm or Kustomize add are counted too',
  },
  example: {
    // No example of this size helps a reader: the test of the findings makes one.
    after: 'properties: { text: { type: string } }',
    says: '',
  },
});

export const tooLargeToStore = defineRule({
  id: 'TooLargeToStore',
  family: 'definition',
  subject: 'CustomResourceDefinition',
  severity: 'error',
  checks: 'A definition that is larger than etcd, a request, or a Secret or ConfigMap may be.',
  why: 'etcd takes requests of up to 1.5 MiB, and the API server of up to 3 MiB. Secrets and ConfigMaps hold 1 MiB, which is a warning: Helm and OLM compress what they keep there.',
  instead: 'Take descriptions out, or move parts of the kind into another one.',
  source: from.kubernetesPages('Operating etcd clusters for Kubernetes'),
  messages: {
    secret:
      'larger than a Secret or ConfigMap, in which Helm keeps its releases and OLM what it unpacks{already}: {size}, and at most {limit} may be; both only fit what they can compress',
    request: 'larger than {taker} takes: {size}, and at most {limit} may be',
  },
  example: {
    // No example of this size helps a reader: the test of the findings makes one.
    after: 'properties: { text: { type: string } }',
    says: '',
  },
});

export const refusalRules: readonly RefusalRule[] = [
  notDecodable,
  storageVersions,
  definitionNames,
  conversionSettings,
  printerColumns,
  scalePaths,
  selectableFields,
  celCost,
  celCompile,
  celSettings,
  invalidDefault,
  invalidPattern,
  notStructural,
];

export const definitionRules: readonly Rule[] = [
  ...refusalRules,
  unknownDefinitionField,
  tooLargeToApply,
  tooLargeToStore,
];
