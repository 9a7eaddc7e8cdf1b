/**
 * The schema of an instance's status, which kro infers from the expressions that fill it.
 *
 * Source: kro v0.9.4, `pkg/graph/parser` and `pkg/graph/schema`.
 */
import {
  CelMistakes,
  checkExpression,
  CompilerPanic,
  kubernetes,
  listOfType,
  NotEvaluable,
  types,
  type CelType,
} from '../../cel/index.js';
import { readSchema, typeOfSchema } from '../../kubernetes/index.js';
import {
  isObject,
  own,
  type JsonObject,
  type JsonValue,
  type Path,
} from '../../text/documents/index.js';
import { refused } from './derived.js';

/** The schemas of the resources that an expression names are known to the cluster alone. */
const unknown: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

export class StatusReader {
  /** From the schema of the status: fields whose type is not known here. */
  readonly unknown: Path[] = [];
  readonly #variables: Map<string, CelType>;

  /**
   * @param instance the schema of an instance without its status
   * @param resources ids of resources, and whether each is a collection
   */
  constructor(instance: JsonObject, resources: ReadonlyMap<string, boolean>) {
    const self = typeOfSchema(readSchema(instance, '$'), true, 'schema') ?? types.dyn;
    this.#variables = new Map([['schema', self]]);
    for (const [id, isCollection] of resources) {
      this.#variables.set(id, isCollection ? listOfType(types.dyn) : types.dyn);
    }
  }

  /**
   * Undefined for what holds no expression.
   *
   * @throws InvalidInputError with the path of what kro refuses
   */
  read(value: JsonValue, keys: Path, inSchema: Path = []): JsonObject | undefined {
    if (Array.isArray(value)) {
      const items = value
        .map((item, index) => this.read(item, [...keys, index], [...inSchema, 'items']))
        .filter((item) => item !== undefined);
      return items.length === 0 ? undefined : { type: 'array', items: merged(items) };
    }
    if (isObject(value)) {
      const properties = Object.entries(value).flatMap(([name, field]) => {
        const schema = this.read(field, [...keys, name], [...inSchema, 'properties', name]);
        return schema === undefined ? [] : [[name, schema] as const];
      });
      return properties.length === 0
        ? undefined
        : { type: 'object', properties: Object.fromEntries(properties) };
    }
    if (typeof value !== 'string' || !value.includes('${')) {
      throw refused('is no expression: write ${…}', keys);
    }
    const expression = standalone(value);
    const schema = expression === undefined ? { type: 'string' } : this.#schemaOf(expression);
    if (isUnknown(schema)) this.unknown.push(inSchema);
    return schema;
  }

  #schemaOf(expression: string): JsonObject {
    try {
      return schemaOfType(checkExpression(expression, this.#variables, kubernetes).type);
    } catch (error) {
      const isNotKnown =
        error instanceof CelMistakes ||
        error instanceof NotEvaluable ||
        error instanceof CompilerPanic;
      if (isNotKnown) return unknown;
      throw error;
    }
  }
}

/** Merges the fields of several items; the last of equal fields counts. */
function merged(items: readonly JsonObject[]): JsonObject {
  const properties = items.map((item) => own(item, 'properties'));
  if (!properties.every((each) => each !== undefined && isObject(each))) return items.at(-1) ?? {};
  return { type: 'object', properties: Object.assign({}, ...properties) as JsonObject };
}

/** Undefined where a text has other parts, which make a string of it. */
function standalone(text: string): string | undefined {
  if (!text.startsWith('${') || !text.endsWith('}')) return undefined;
  let depth = 0;
  for (let at = 1, isQuoted = false; at < text.length; at++) {
    const char = text[at];
    if (isQuoted && char === '\\') at++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && char === '{') depth++;
    else if (!isQuoted && char === '}' && --depth === 0 && at < text.length - 1) return undefined;
  }
  return text.slice(2, -1);
}

/** Whether any part of it is. */
function isUnknown(schema: JsonObject): boolean {
  return Object.values(schema).some(
    (value) => value === true || (isObject(value) && isUnknown(value)),
  );
}

function schemaOfType({ kind, parameters, fields }: CelType): JsonObject {
  const [first = types.dyn, second = types.dyn] = parameters;
  switch (kind) {
    case 'bool':
      return { type: 'boolean' };
    case 'int':
    case 'uint':
      return { type: 'integer' };
    case 'double':
      return { type: 'number' };
    case 'string':
      return { type: 'string' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'list':
      return { type: 'array', items: schemaOfType(first) };
    case 'map':
      return { type: 'object', additionalProperties: schemaOfType(second) };
    case 'object':
      return fields === undefined
        ? unknown
        : {
            type: 'object',
            properties: Object.fromEntries(
              [...fields].map(([name, field]) => [name, schemaOfType(field)]),
            ),
          };
    default:
      return unknown;
  }
}
