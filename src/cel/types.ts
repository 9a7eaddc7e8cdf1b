/** Types that rules are checked against: k8s.io/apiserver/pkg/cel/common/schemas.go for schemas. */
import type { SchemaNode } from '../apiserver/schema.js';
import { escapeName } from './escaping.js';
import { withTypeAndMeta } from './from-json.js';
import { CelList } from './lists.js';
import { CelMap } from './maps.js';
import { Duration, Optional, Timestamp, TypeValue, Uint, type CelValue } from './values.js';

/** `name` is what CEL calls the type; a parameter such as A or B stands for any type. */
export interface CelType {
  readonly name: string;
  /** The item of a list, key and value of a map, the content of an optional or a type. */
  readonly parameters: readonly CelType[];
  /** Fields of an object, by escaped name. */
  readonly fields?: ReadonlyMap<string, CelType>;
  /** How mistakes print the type, where that is not its name. */
  readonly printed?: string;
}

export function type(name: string, ...parameters: CelType[]): CelType {
  return { name, parameters };
}

export const types = {
  dyn: type('dyn'),
  /** google.protobuf.Any: like dyn, but no comprehension ranges over it. */
  any: { ...type('dyn'), printed: 'any' },
  /** Of an expression with a mistake, which fits everywhere so that the mistake is named once. */
  mistaken: { ...type('dyn'), printed: '!error!' },
  bool: type('bool'),
  int: type('int'),
  uint: type('uint'),
  double: type('double'),
  string: type('string'),
  bytes: type('bytes'),
  null: type('null'),
  timestamp: type('timestamp'),
  duration: type('duration'),
};

export const listOfType = (item: CelType): CelType => type('list', item);
export const mapOfType = (key: CelType, value: CelType): CelType => type('map', key, value);
export const optionalOf = (content: CelType): CelType => type('optional_type', content);

/** A value's type name as `type(x)` prints it, by the short name used here. */
export const runtimeNames: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/** The type of a schema's values; undefined where rules cannot see them. */
export function typeOfSchema(schema: SchemaNode, isResource: boolean): CelType | undefined {
  if (schema.intOrString) return types.dyn;
  const node = isResource ? withTypeAndMeta(schema) : schema;
  switch (node.type) {
    case 'array': {
      const item = node.items && typeOfSchema(node.items, node.items.embeddedResource);
      return item && listOfType(item);
    }
    case 'object':
      return typeOfObject(node);
    case 'string':
      return textTypes[node.format] ?? types.string;
    case 'boolean':
      return types.bool;
    case 'number':
      return types.double;
    case 'integer':
      return types.int;
    default:
      return undefined;
  }
}

const textTypes: Readonly<Record<string, CelType>> = {
  byte: types.bytes,
  duration: types.duration,
  date: types.timestamp,
  'date-time': types.timestamp,
};

function typeOfObject(schema: SchemaNode): CelType | undefined {
  const additional = schema.additionalProperties?.schema;
  if (additional !== undefined) {
    const value = typeOfSchema(additional, additional.embeddedResource);
    return value && mapOfType(types.string, value);
  }
  const fields = new Map<string, CelType>();
  for (const [name, property] of schema.properties ?? []) {
    const identifier = escapeName(name);
    const field = typeOfSchema(property, property.embeddedResource);
    if (identifier !== undefined && field !== undefined) fields.set(identifier, field);
  }
  return { name: 'object', parameters: [], fields };
}

/** The type of a value at run time, by the short name used here. */
export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      break;
  }
  if (value === null) return 'null';
  if (value instanceof CelList) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Duration) return 'duration';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof Optional) return 'optional_type';
  return value.typeName;
}

export function isParameter(candidate: CelType): boolean {
  return /^[A-Z]$/.test(candidate.name);
}

/** How cel-go prints a type in its errors. */
export function typeText(of: CelType): string {
  if (of.printed !== undefined) return of.printed;
  if (of.name === 'null') return 'null';
  if (isParameter(of)) return 'dyn';
  if (of.name === 'duration' || of.name === 'timestamp') return of.name;
  if (of.parameters.length === 0) return runtimeNames[of.name] ?? of.name;
  return `${of.name}(${of.parameters.map(typeText).join(', ')})`;
}

/**
 * Whether a value of the actual type may stand where the formal one is declared. Parameters are
 * bound on their first meeting; dyn fits everything.
 */
export function fits(formal: CelType, actual: CelType, bound: Map<string, CelType>): boolean {
  // What an empty literal holds, or nothing, fits everything.
  if (isParameter(actual)) return true;
  if (isParameter(formal)) {
    const known = bound.get(formal.name);
    if (known === undefined || known.name === 'dyn') {
      bound.set(formal.name, actual);
      return true;
    }
    return fits(known, actual, bound);
  }
  if (formal.name === 'dyn' || actual.name === 'dyn') return true;
  if (formal.name === 'null') return isNullable(actual);
  if (actual.name === 'null') return isNullable(formal);
  if (formal.name !== actual.name) return false;
  if (formal.name === 'type') return true;
  if (formal.fields !== undefined && actual.fields !== undefined)
    return formal.fields === actual.fields;
  return formal.parameters.every((parameter, index) =>
    fits(parameter, actual.parameters[index] ?? types.dyn, bound),
  );
}

/** Objects, times and Kubernetes' own types may be compared with null; scalars, lists and maps not. */
function isNullable({ name }: CelType): boolean {
  const named = ['null', 'object', 'timestamp', 'duration', 'optional_type'];
  return named.includes(name) || name.includes('.');
}

/** Replaces parameters by what they were bound to, dyn where nothing was. */
export function substitute(formal: CelType, bound: ReadonlyMap<string, CelType>): CelType {
  if (isParameter(formal)) return bound.get(formal.name) ?? types.dyn;
  if (formal.parameters.length === 0) return formal;
  return { ...formal, parameters: formal.parameters.map((part) => substitute(part, bound)) };
}
