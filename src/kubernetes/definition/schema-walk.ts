/** Walks over the schemas of a definition, and the bounds and cost limits of their rules. */
import type { JsonValue } from '../../text/documents/index.js';
import { sameValue } from '../apiserver/equality.js';
import { SchemaNode, type UnjudgedKeywords, type SchemaKeywords } from '../apiserver/schema.js';
import environment from './cel-environment.json' with { type: 'json' };

export const schemaTypes: ReadonlySet<string> = new Set(
  'string number integer boolean array object'.split(' '),
);

/** Every schema right below another, in whatever keyword. */
function schemasBelow(schema: SchemaNode): readonly SchemaNode[] {
  const below: SchemaNode[] = [];
  someBelow(schema, (each) => below.push(each) < 0);
  return below;
}

/** Whether a schema, or one anywhere below it, is such. */
export function holds(
  schema: SchemaNode | undefined,
  isSuch: (schema: SchemaNode) => boolean,
): boolean {
  if (schema === undefined) return false;
  return isSuch(schema) || someBelow(schema, (each) => holds(each, isSuch));
}

const nothing: UnjudgedKeywords = {};

function someBelow(schema: SchemaNode, isSuch: (schema: SchemaNode) => boolean): boolean {
  const { items, allOf, anyOf, oneOf, not, properties, additionalProperties } = schema;
  const { itemList, patternProperties, additionalItems, definitions, dependencies } =
    schema.unjudged ?? nothing;
  for (const one of [items, additionalProperties?.schema, additionalItems?.schema, not])
    if (one !== undefined && isSuch(one)) return true;
  for (const list of [itemList?.schemas, allOf, anyOf, oneOf])
    if (list?.some(isSuch) === true) return true;
  for (const map of [properties, patternProperties, definitions, dependencies])
    if (map !== undefined)
      for (const each of map.values()) if (each !== undefined && isSuch(each)) return true;
  return false;
}

/** The schema with `optionalOldSelf` unset in all rules; itself where no rule sets it. */
export function withoutOptionalOldSelf(schema: SchemaNode): SchemaNode {
  if (!setsOptionalOldSelf(schema)) return schema;
  const { items, properties, additionalProperties, rules } = schema;
  const values = additionalProperties?.schema;
  return new SchemaNode({
    ...schema,
    rules: rules.map((rule) => ({ ...rule, optionalOldSelf: undefined })),
    items: items && withoutOptionalOldSelf(items),
    additionalProperties: values
      ? { allows: true, schema: withoutOptionalOldSelf(values) }
      : additionalProperties,
    properties:
      properties &&
      new Map([...properties].map(([name, each]) => [name, withoutOptionalOldSelf(each)] as const)),
  });
}

function setsOptionalOldSelf(schema: SchemaNode): boolean {
  if (!schema.holds('rules')) return false;
  const { items, properties, additionalProperties, rules } = schema;
  return (
    rules.some(({ optionalOldSelf }) => optionalOldSelf !== undefined) ||
    [items, additionalProperties?.schema, ...(properties?.values() ?? [])].some(
      (each) => each !== undefined && setsOptionalOldSelf(each),
    )
  );
}

/** Equality as apimachinery's `Semantic.DeepEqual` has it: an empty list or map is like none. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right || (isEmpty(left) && isEmpty(right))) return true;
  if (left instanceof Map && right instanceof Map) {
    if (left.size !== right.size) return false;
    for (const [key, value] of left)
      if (!right.has(key) || !isSame(value, right.get(key))) return false;
    return true;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return false;
  }
  if (left instanceof Map || right instanceof Map) return false;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [one, other] = [(left as never)[key], (right as never)[key]] as [unknown, unknown];
    const same = jsonKeywords.has(key)
      ? (key === 'enum' && isEmpty(one) && isEmpty(other)) ||
        (one !== undefined && other !== undefined
          ? sameValue(one as JsonValue, other as JsonValue)
          : one === other)
      : isSame(one, other);
    if (!same) return false;
  }
  return true;
}

/** Keywords that hold any JSON. */
const jsonKeywords: ReadonlySet<string> = new Set(['default', 'example', 'enum', 'externalDocs']);

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  if (value instanceof Map) return value.size === 0;
  return Array.isArray(value) && value.length === 0;
}

export interface Multiplier {
  readonly schema: SchemaNode;
  readonly path: string;
  readonly outer: Multiplier | undefined;
}

/** Limit for all evaluations of one rule in one object, and for those of its message. */
export const ruleLimit = BigInt(environment.limits.rule);
export const schemaLimit = BigInt(environment.limits.schema);

const most = 2n ** 64n - 1n;

export function saturated(value: bigint): bigint {
  return value > most ? most : value;
}

/** How many bound a list, map or text; some in place of what the schema says. */
export type Bounds = ReadonlyMap<SchemaNode, number>;
export const noBounds: Bounds = new Map();

export function boundKeyword({ type }: SchemaNode): 'maxItems' | 'maxProperties' | 'maxLength' {
  if (type === 'array') return 'maxItems';
  return type === 'object' ? 'maxProperties' : 'maxLength';
}

/** How often a value can be in one object; undefined where any list or map around it has no bound. */
export function cardinality(around: Multiplier | undefined, bounds: Bounds): bigint | undefined {
  let product = 1n;
  for (let each = around; each !== undefined; each = each.outer) {
    const most = bounds.get(each.schema) ?? each.schema[boundKeyword(each.schema)];
    if (most === undefined) return undefined;
    product = saturated(product * BigInt(Math.max(most, 0)));
  }
  return product;
}

/** Rule: `getCostErrorMessage`. */
export function costMessage(what: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  let text = `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  if (factor > 100) text = 'more than 100x';
  return `${what} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

export class SchemaFacts {
  readonly #unsupported = new Map<SchemaNode, string | undefined>();
  readonly #sizes = new Map<SchemaNode, number>();

  /** Why no structural schema can be made of a schema; undefined where one can. */
  readonly unsupported = (schema: SchemaNode): string | undefined => {
    if (!schema.holds('unstructured')) return undefined;
    if (!this.#unsupported.has(schema)) {
      this.#unsupported.set(schema, findUnsupported(schema, this.unsupported));
    }
    return this.#unsupported.get(schema);
  };

  readonly size = (schema: SchemaNode): number => {
    let size = this.#sizes.get(schema);
    if (size === undefined) this.#sizes.set(schema, (size = sizeOf(schema, this.size)));
    return size;
  };
}

type Writable<Of> = { -readonly [Key in keyof Of]: Of[Key] };

/** The schema with other bounds; schemas without a changed bound are shared. */
export function withBounds(schema: SchemaNode, bounds: Bounds): SchemaNode {
  const { items, properties, additionalProperties } = schema;
  const own = bounds.get(schema);
  const changed: Partial<Writable<SchemaKeywords>> = own === undefined ? {} : { [boundKeyword(schema)]: own }; // prettier-ignore
  const inItems = items && withBounds(items, bounds);
  if (inItems !== items) changed.items = inItems;
  const values = additionalProperties?.schema;
  const inValues = values && withBounds(values, bounds);
  if (inValues !== values) changed.additionalProperties = { allows: true, schema: inValues };
  let fields: Map<string, SchemaNode> | undefined;
  for (const [name, property] of properties ?? []) {
    const bounded = withBounds(property, bounds);
    if (bounded === property) continue;
    fields ??= new Map(properties);
    fields.set(name, bounded);
  }
  if (fields !== undefined) changed.properties = fields;
  return Object.keys(changed).length === 0 ? schema : new SchemaNode({ ...schema, ...changed });
}

function sizeOf(
  { items, additionalProperties, properties }: SchemaNode,
  sizeBelow: (schema: SchemaNode) => number,
): number {
  const below = [items, additionalProperties?.schema, ...(properties?.values() ?? [])];
  return below.reduce((sum, each) => sum + (each === undefined ? 0 : sizeBelow(each)), 1);
}

function findUnsupported(
  schema: SchemaNode,
  reasonBelow: (schema: SchemaNode) => string | undefined,
): string | undefined {
  const keyword = unsupportedKeyword(schema);
  if (keyword !== undefined) return `OpenAPIV3Schema '${keyword}' is not supported`;
  if (schema.preserveUnknownFields === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if ((schema.unjudged?.itemList?.schemas.length ?? 0) > 0) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  for (const below of schemasBelow(schema)) {
    const reason = reasonBelow(below);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function unsupportedKeyword({ unjudged }: SchemaNode): string | undefined {
  if (unjudged === undefined) return undefined;
  if (unjudged.id !== undefined) return 'id';
  if (unjudged.schemaUrl !== undefined) return 'schema';
  if (unjudged.ref !== undefined && unjudged.ref !== '') return '$ref';
  if ((unjudged.patternProperties?.size ?? 0) > 0) return 'patternProperties';
  if ((unjudged.dependencies?.size ?? 0) > 0) return 'dependencies';
  if (unjudged.additionalItems !== undefined) return 'additionalItems';
  return (unjudged.definitions?.size ?? 0) > 0 ? 'definitions' : undefined;
}
