import { defineRule, from } from '../../../rule/index.js';

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
