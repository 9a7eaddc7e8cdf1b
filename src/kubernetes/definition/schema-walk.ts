import type { JsonValue } from '../../text/documents/index.js';
import { sameValue } from '../apiserver/equality.js';
import { SchemaNode, type UnjudgedKeywords } from '../apiserver/schema.js';

export const schemaTypes: ReadonlySet<string> = new Set(
  'string number integer boolean array object'.split(' '),
);

/** Every schema right below another, in whatever keyword. */
export function schemasBelow(schema: SchemaNode): readonly SchemaNode[] {
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
