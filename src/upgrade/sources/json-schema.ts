/**
 * The definition that a JSON schema of a catalog was made from, as far as the schema tells: its group, its
 * kind and one version. It tells no scope, and not which versions are served or deprecated.
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
  /** Keywords of the schema by which no object is judged here, in order. */
  readonly unjudged: readonly string[];
}

/** @throws InvalidInputError for what is no schema of an object, or is nested too deep */
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
      // Nothing is judged by it: an object is taken as its scope would have it.
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
  return { crd, unjudged: [...unjudged].sort() };
}

/** Said of a schema, and nothing of an object. */
const annotations = new Set([
  ...['$schema', '$id', 'id', '$comment', 'title', 'description', 'example', 'examples'],
  ...['externalDocs', 'readOnly', 'writeOnly', 'deprecated', 'contentEncoding', 'contentMediaType'],
]);
/** Keywords of definitions without schemas in them. */
const plainKeywords = new Set([
  ...['format', 'default', 'nullable', 'enum', 'required', 'pattern', 'multipleOf'],
  ...['maximum', 'minimum', 'maxLength', 'minLength', 'maxItems', 'minItems', 'uniqueItems'],
  ...['maxProperties', 'minProperties', 'x-kubernetes-preserve-unknown-fields'],
  ...['x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string', 'x-kubernetes-validations'],
  ...['x-kubernetes-list-map-keys', 'x-kubernetes-list-type', 'x-kubernetes-map-type'],
]);
/** Keywords whose schemas only restrict a value. */
const restrictions = new Set(['allOf', 'anyOf', 'oneOf', 'not']);
/** As deep as the schema of a definition may be. */
const maxDepth = 500;

/** Where a schema stands in another one. */
interface Standing {
  readonly depth: number;
  /** Whether it only restricts a value, as those in `anyOf` do, and says nothing of its fields. */
  readonly isRestriction: boolean;
  readonly unjudged: Set<string>;
}

function structuralNode(schema: JsonValue, standing: Standing): JsonObject {
  const { depth, unjudged } = standing;
  if (depth > maxDepth) throw refused(`is nested deeper than ${maxDepth} levels`, [], 'E_LIMIT');
  const node = isObject(schema) ? schema : {};
  // The schema that nothing fits.
  if (schema === false) unjudged.add('false');
  if (isIntOrString(node) && !standing.isRestriction) return { 'x-kubernetes-int-or-string': true };
  const made: JsonObject = {};
  let isWhole = true;
  for (const [keyword, value] of Object.entries(node)) {
    // Fields beside `properties` are unknown in any definition.
    if (annotations.has(keyword) || (keyword === 'additionalProperties' && value === false))
      continue;
    const given = keywordFor(keyword, value, standing);
    if (given === undefined) unjudged.add(keyword);
    isWhole &&= given !== undefined;
    Object.assign(made, given);
  }
  const isEmpty = ['type', 'properties', 'x-kubernetes-int-or-string'].every(
    (keyword) => own(made, keyword) === undefined,
  );
  // What the schema does not say, or says in words that are not judged, may be there.
  if (!standing.isRestriction && (!isWhole || isEmpty)) {
    made['x-kubernetes-preserve-unknown-fields'] = true;
  }
  return made;
}

/** A keyword as a definition has it; undefined for one that it cannot have. */
function keywordFor(keyword: string, value: JsonValue, standing: Standing): JsonObject | undefined {
  const isRestriction = standing.isRestriction || restrictions.has(keyword);
  const inner = (schema: JsonValue): JsonObject =>
    structuralNode(schema, { ...standing, isRestriction, depth: standing.depth + 1 });
  if (plainKeywords.has(keyword)) return { [keyword]: value };
  switch (keyword) {
    case 'type':
      return typesOf(value);
    case 'properties':
      return isObject(value) ? { properties: mapped(value, inner) } : undefined;
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(value) ? { [keyword]: value.map(inner) } : undefined;
    case 'not':
      return { not: inner(value) };
    case 'additionalProperties':
      return { additionalProperties: value === true ? true : inner(value) };
    case 'items':
      return isObject(value) ? { items: inner(value) } : undefined;
    case 'exclusiveMaximum':
    case 'exclusiveMinimum':
      // A number in newer drafts.
      return typeof value === 'boolean' ? { [keyword]: value } : undefined;
    default:
      return undefined;
  }
}

/** The keywords of a node for its `type`; undefined where they cannot say it. */
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

/** `oneOf: [{ type: string }, { type: integer }]`, which stands in place of all that such a field says. */
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
