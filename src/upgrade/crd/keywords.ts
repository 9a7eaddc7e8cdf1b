/** In the order of `JSONSchemaProps` (apiextensions v1); a key that is not here is dropped by the decoder. */

/** How a keyword's value is read; `pointer` kinds tell absent from zero, the others do not. */
export type Kind =
  | 'text'
  | 'flag'
  | 'pointer-to-text'
  | 'pointer-to-flag'
  | 'float'
  | 'integer'
  | 'json'
  | 'json-list'
  | 'text-list'
  | 'schema'
  | 'schema-list'
  | 'schema-map'
  | 'schema-or-flag'
  | 'schema-or-list'
  | 'dependencies'
  | 'documentation'
  | 'validations';

export const keywordKinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['id', 'text'],
  ['$schema', 'text'],
  ['$ref', 'pointer-to-text'],
  ['description', 'text'],
  ['type', 'text'],
  ['format', 'text'],
  ['title', 'text'],
  ['default', 'json'],
  ['maximum', 'float'],
  ['exclusiveMaximum', 'flag'],
  ['minimum', 'float'],
  ['exclusiveMinimum', 'flag'],
  ['maxLength', 'integer'],
  ['minLength', 'integer'],
  ['pattern', 'text'],
  ['maxItems', 'integer'],
  ['minItems', 'integer'],
  ['uniqueItems', 'flag'],
  ['multipleOf', 'float'],
  ['enum', 'json-list'],
  ['maxProperties', 'integer'],
  ['minProperties', 'integer'],
  ['required', 'text-list'],
  ['items', 'schema-or-list'],
  ['allOf', 'schema-list'],
  ['oneOf', 'schema-list'],
  ['anyOf', 'schema-list'],
  ['not', 'schema'],
  ['properties', 'schema-map'],
  ['additionalProperties', 'schema-or-flag'],
  ['patternProperties', 'schema-map'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'schema-or-flag'],
  ['definitions', 'schema-map'],
  ['externalDocs', 'documentation'],
  ['example', 'json'],
  ['nullable', 'flag'],
  ['x-kubernetes-preserve-unknown-fields', 'pointer-to-flag'],
  ['x-kubernetes-embedded-resource', 'flag'],
  ['x-kubernetes-int-or-string', 'flag'],
  ['x-kubernetes-list-map-keys', 'text-list'],
  ['x-kubernetes-list-type', 'pointer-to-text'],
  ['x-kubernetes-map-type', 'pointer-to-text'],
  ['x-kubernetes-validations', 'validations'],
]);

/** The keywords in the reference's own order. */
export const keywordOrder: readonly string[] = [...keywordKinds.keys()];

/** Compared field by field on their own paths, never as a part of their parent. */
export const childKeywords: ReadonlySet<string> = new Set(['properties', 'items']);

/** Keywords with schemas in them that few definitions use: fields and elements are in the other three. */
export const rareSchemaKeywords: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'patternProperties', 'additionalItems'],
  ...['definitions', 'dependencies'],
]);

export const schemaKeywords: ReadonlySet<string> = new Set([
  ...['properties', 'items', 'additionalProperties'],
  ...rareSchemaKeywords,
]);
