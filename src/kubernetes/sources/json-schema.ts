/**
 * Makes a definition of a JSON schema from a catalog: one version of one kind. The schema does not tell
 * the scope, or which versions are served or deprecated.
 *
 * Source: kubeconform v0.8.0, `scripts/openapi2jsonschema.py`, which makes the schemas of the catalogs.
 */
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { defineOwn } from '../../text/documents/value.js';
import { refused } from './derived.js';
import { pluralOf } from './plural.js';

export interface KindVersion {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

export interface CatalogDefinition {
  readonly crd: JsonObject;
  /** Keywords of the schema that a definition cannot have, so no object is judged by them; sorted. */
  readonly unjudged: readonly string[];
}

/** @throws InvalidInputError for a value that is no JSON schema, or is nested too deep */
export function definitionOfJsonSchema(
  schema: JsonValue,
  { group, kind, version }: KindVersion,
): CatalogDefinition {
  if (!isObject(schema)) throw refused('is no JSON schema of an object', []);
  const unjudged = new Set<string>();
  const openAPIV3Schema = structuralNode(schema, { depth: 0, isRestriction: false, unjudged });
  const singular = kind.toLowerCase();
  const plural = pluralOf(singular);
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular, listKind: `${kind}List` },
      // The schema does not have the scope; no object is judged by it.
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
  return { crd, unjudged: [...unjudged].sort() };
}

/** Keywords that describe a schema and restrict no object. */
const annotations = new Set([
  ...['$schema', '$id', 'id', '$comment', 'title', 'description', 'example', 'examples'],
  ...['externalDocs', 'readOnly', 'writeOnly', 'deprecated', 'contentEncoding', 'contentMediaType'],
]);
/** Keywords that definitions have too, and that contain no schemas. */
const plainKeywords = new Set([
  ...['format', 'default', 'nullable', 'enum', 'required', 'pattern', 'multipleOf'],
  ...['maximum', 'minimum', 'maxLength', 'minLength', 'maxItems', 'minItems', 'uniqueItems'],
  ...['maxProperties', 'minProperties', 'x-kubernetes-preserve-unknown-fields'],
  ...['x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string', 'x-kubernetes-validations'],
  ...['x-kubernetes-list-map-keys', 'x-kubernetes-list-type', 'x-kubernetes-map-type'],
]);
const restrictions = new Set(['allOf', 'anyOf', 'oneOf', 'not']);
const maxDepth = 500;

interface Standing {
  readonly depth: number;
  /** Whether it only restricts a value, as schemas in `anyOf` do, and declares no fields. */
  readonly isRestriction: boolean;
  readonly unjudged: Set<string>;
}

function structuralNode(schema: JsonValue, standing: Standing): JsonObject {
  const { depth, unjudged } = standing;
  if (depth > maxDepth) throw refused(`is nested deeper than ${maxDepth} levels`, [], 'E_LIMIT');
  const node = isObject(schema) ? schema : {};
  // `false` is the schema that refuses every value.
  if (schema === false) unjudged.add('false');
  if (isIntOrString(node) && !standing.isRestriction) return { 'x-kubernetes-int-or-string': true };
  const made: JsonObject = {};
  let isWhole = true;
  for (const [keyword, value] of Object.entries(node)) {
    // A definition drops fields outside of `properties` without this keyword.
    const isClosing = keyword === 'additionalProperties' && value === false;
    if (annotations.has(keyword) || (isClosing && !standing.isRestriction)) continue;
    const given = keywordFor(keyword, value, standing);
    if (given === undefined) unjudged.add(keyword);
    isWhole &&= given !== undefined;
    Object.assign(made, given);
  }
  const isEmpty = ['type', 'properties', 'x-kubernetes-int-or-string'].every(
    (keyword) => own(made, keyword) === undefined,
  );
  // Where the schema says nothing, or uses keywords that are not judged, any field is accepted.
  if (!standing.isRestriction && (!isWhole || isEmpty)) {
    made['x-kubernetes-preserve-unknown-fields'] = true;
  }
  return made;
}

/** A keyword in the notation of definitions; undefined for one that they cannot have. */
function keywordFor(keyword: string, value: JsonValue, standing: Standing): JsonObject | undefined {
  const isRestriction = standing.isRestriction || restrictions.has(keyword);
  const inner = (schema: JsonValue, unjudged = standing.unjudged): JsonObject =>
    structuralNode(schema, { isRestriction, depth: standing.depth + 1, unjudged });
  /** Undefined unless all of it is judged: the less one of these says, the more the keyword would refuse. */
  const whole = (made: (unjudged: Set<string>) => JsonObject): JsonObject | undefined => {
    const unjudged = new Set<string>();
    const node = made(unjudged);
    for (const each of unjudged) standing.unjudged.add(each);
    return unjudged.size === 0 ? node : undefined;
  };
  if (plainKeywords.has(keyword)) return { [keyword]: value };
  switch (keyword) {
    case 'type':
      return typesOf(value);
    case 'properties':
      return isObject(value) ? { properties: mapped(value, (each) => inner(each)) } : undefined;
    case 'allOf':
    case 'anyOf':
      return Array.isArray(value) ? { [keyword]: value.map((each) => inner(each)) } : undefined;
    case 'oneOf':
      return Array.isArray(value)
        ? whole((unjudged) => ({ oneOf: value.map((each) => inner(each, unjudged)) }))
        : undefined;
    case 'not':
      return whole((unjudged) => ({ not: inner(value, unjudged) }));
    case 'additionalProperties':
      if (value === false) return undefined;
      return { additionalProperties: value === true ? true : inner(value) };
    case 'items':
      return isObject(value) ? { items: inner(value) } : undefined;
    case 'exclusiveMaximum':
    case 'exclusiveMinimum':
      // Newer drafts of JSON Schema have a number here.
      return typeof value === 'boolean' ? { [keyword]: value } : undefined;
    default:
      return undefined;
  }
}

function typesOf(type: JsonValue): JsonObject | undefined {
  const types = Array.isArray(type) ? type : [type];
  const named = types.filter((each) => each !== 'null');
  const [only] = named;
  const isEither = named.length === 2 && named.includes('integer') && named.includes('string');
  const made: JsonObject = {};
  if (named.length === 1 && typeof only === 'string') made['type'] = only;
  else if (isEither) made['x-kubernetes-int-or-string'] = true;
  else return undefined;
  if (named.length < types.length) made['nullable'] = true;
  return made;
}

/** `oneOf: [{ type: string }, { type: integer }]`: catalogs replace the whole schema of such a field by it. */
function isIntOrString(node: JsonObject): boolean {
  const oneOf = own(node, 'oneOf');
  if (!Array.isArray(oneOf) || oneOf.length !== 2 || Object.keys(node).length !== 1) return false;
  const types = oneOf.map((each) =>
    isObject(each) && Object.keys(each).length === 1 ? own(each, 'type') : undefined,
  );
  return types.includes('string') && types.includes('integer');
}

function mapped(schemas: JsonObject, inner: (value: JsonValue) => JsonObject): JsonObject {
  const made: JsonObject = {};
  for (const [name, schema] of Object.entries(schemas)) defineOwn(made, name, inner(schema));
  return made;
}
