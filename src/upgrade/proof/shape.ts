/** Small facts about a schema node that sampling and comparing both need. */
import type { JsonValue } from '../../text/documents/index.js';
import {
  compileSchema,
  readSchema,
  type Release,
  type SchemaError,
  type SchemaNode,
} from '../../kubernetes/index.js';
import { isNumber } from '../../text/go/index.js';

/** Stands for fields that are not declared. */
export const undeclared = '*';

export type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

const allTypes: readonly JsonType[] = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

/** The schema at a place where any value is preserved. */
export const anything: SchemaNode = readSchema(
  { 'x-kubernetes-preserve-unknown-fields': true },
  '$',
);

const typesByName: ReadonlyMap<string, ReadonlySet<JsonType>> = new Map([
  ...allTypes.map((type): [string, ReadonlySet<JsonType>] => [type, new Set([type])]),
  ['', new Set(allTypes)],
  ['number', new Set<JsonType>(['integer', 'number'])],
]);
const integerOrString: ReadonlySet<JsonType> = new Set<JsonType>(['integer', 'string']);

/** JSON types that the node's own `type` lets through; `number` comes with `integer`. */
export function typesOf(node: SchemaNode): ReadonlySet<JsonType> {
  if (node.intOrString) return integerOrString;
  return typesByName.get(node.type) ?? new Set([node.type as JsonType]);
}

/** The node and everything that its allOf demands too. */
export function conjuncts(node: SchemaNode): SchemaNode[] {
  if (node.allOf.length === 0) return [node];
  const all: SchemaNode[] = [];
  const visit = (each: SchemaNode): void => {
    all.push(each);
    each.allOf.forEach(visit);
  };
  visit(node);
  return all;
}

export function fieldOf(node: SchemaNode, name: string): SchemaNode | undefined {
  return node.properties?.get(name) ?? otherFieldsOf(node);
}

/** The schema of fields that are not declared by name; undefined where they are pruned. */
export function otherFieldsOf(node: SchemaNode): SchemaNode | undefined {
  const { additionalProperties } = node;
  if (additionalProperties !== undefined) return additionalProperties.schema ?? anything;
  return node.preserveUnknownFields || node === anything ? anything : undefined;
}

/** Whether OpenAPI validation of this node accepts the value; rules in CEL are not asked. */
export function accepts(node: SchemaNode, value: JsonValue, release?: Release): boolean {
  const errors: SchemaError[] = [];
  compileSchema(node, release)(value, '', errors, undefined);
  return errors.length === 0;
}

/** Whether the node, or its allOf, leaves only listed values; those that it accepts. */
export function listedValues(node: SchemaNode): readonly JsonValue[] | undefined {
  const listed = conjuncts(node).find((each) => each.enum !== undefined)?.enum;
  if (listed === undefined) {
    return node.type === 'boolean'
      ? [true, false].filter((value) => accepts(node, value))
      : undefined;
  }
  // A fraction passes where the integer that it is cut to is listed: there are more than these.
  if (node.type === 'number' && listed.some((value) => isNumber(value))) return undefined;
  return listed.filter((value) => value !== null && accepts(node, value));
}
