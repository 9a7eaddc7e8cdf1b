/** One walk over a structural schema, and the notations in which rules name its fields. */
import {
  InvalidInputError,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { rareSchemaKeywords } from './keywords.js';
import { named, readList, readObject, readSchema, readSchemaOrFlag } from './typed-values.js';
import { compareBytes } from '../../text/go/index.js';

/** `undefined`: the schema behind the edge shares its parent's path, and replaces what is compared there. */
export interface Notation {
  readonly items: string;
  readonly itemsAt: (index: number) => string;
  readonly additionalProperties: string;
  readonly not: string | undefined;
  readonly additionalItems: string | undefined;
  readonly listed: (keyword: string, index: number) => string | undefined;
  readonly mapped: (keyword: string, key: string) => string | undefined;
}

const shares = (): undefined => undefined;

/** openshift/crd-schema-checker's `SchemaHas`: `^.spec.list[*]`. */
export const schemaCheckerNotation: Notation = {
  items: '[*]',
  itemsAt: (index) => `[${index}]`,
  additionalProperties: '[*]',
  not: undefined,
  additionalItems: undefined,
  listed: shares,
  mapped: shares,
};

/** crdify's `SchemaHas`: `^.spec.list.items`. */
export const crdifyNotation: Notation = {
  items: '.items',
  itemsAt: (index) => `.items[${index}]`,
  additionalProperties: '.additionalProperties',
  not: '.not',
  additionalItems: '.additionalItems',
  listed: (keyword, index) => `.${keyword}[${index}]`,
  mapped: (keyword, key) => `.${keyword}[${key}]`,
};

/** The JSON keys that lead to a schema, from its root: a list that shares its beginnings. */
export interface SchemaPlace {
  readonly parent?: SchemaPlace;
  readonly keyword: string;
  /** Name in a map of schemas, or position in a list. */
  readonly key?: string | number;
}

/** Schemas whose paths read the same, `a.b` and `b` of `a`, are one node: the one visited last is its schema. */
export class Field {
  schema: JsonObject | undefined;
  place: SchemaPlace | undefined;
  children: Map<string, Field> | undefined;
  readonly length: number;

  constructor(
    readonly step: string,
    readonly parent?: Field,
  ) {
    this.length = (parent?.length ?? 0) + this.#written.length;
  }

  get path(): string {
    const steps = [this.#written];
    for (let field = this.parent; field !== undefined; field = field.parent) {
      steps.push(field.#written);
    }
    return steps.reverse().join('');
  }

  get #written(): string {
    return this.parent === undefined || this.step.startsWith('[') ? this.step : `.${this.step}`;
  }

  child(step: string): Field {
    this.children ??= new Map();
    let child = this.children.get(step);
    if (child === undefined) {
      child = new Field(step, this);
      this.children.set(step, child);
    }
    return child;
  }

  follow(text: string): Field {
    if (text === '.') return this.child('[]');
    const steps = text.match(/[.[][^.[]*/g) ?? [];
    return steps.reduce<Field>(
      (field, step) => field.child(step.startsWith('.') ? step.slice(1) : step),
      this,
    );
  }
}

/**
 * Reads the fields of a schema, however deep it nests. A version without schema has no field at all,
 * not even the root.
 *
 * @param root the path of the schema itself: `^`, or nothing when it is a part of another
 * @param above in errors: the path of that part
 * @throws InvalidInputError `E_INPUT` for what is no schema.
 */
export function readFields(
  schema: JsonObject | undefined,
  notation: Notation,
  root = '^',
  above: () => string = () => '',
): Field {
  const field = new Field(root);
  if (schema !== undefined) new Walk(notation, above).read({ schema, field, place: undefined });
  return field;
}

const plainName = /^[^.[]+$/;

interface Visit {
  readonly schema: JsonObject;
  readonly field: Field;
  readonly place: SchemaPlace | undefined;
}

class Walk {
  /** Schemas directly below the one being visited, in the references' order. */
  #below: Visit[] = [];

  constructor(
    readonly notation: Notation,
    readonly above: () => string,
  ) {}

  /** The order is that of both references: it decides which of two schemas on one path is compared. */
  read(root: Visit): void {
    const ahead = [root];
    for (let visit = ahead.pop(); visit !== undefined; visit = ahead.pop()) {
      this.#below = [];
      this.#visit(visit);
      for (let index = this.#below.length - 1; index >= 0; index--) {
        ahead.push(this.#below[index] as Visit);
      }
    }
  }

  #visit({ schema, field, place }: Visit): void {
    field.schema = schema;
    field.place = place;
    const rare = hasRareEdges(schema);
    const items = own(schema, 'items');
    if (items !== undefined) this.#items(items, field, place);
    if (rare) this.#composed(schema, field, place);
    const properties = own(schema, 'properties');
    if (properties !== undefined) this.#properties(properties, field, place);
    const additional = own(schema, 'additionalProperties');
    if (additional !== undefined) {
      this.#schemaOrFlag(additional, 'additionalProperties', field, place);
    }
    if (rare) this.#legacy(schema, field, place);
  }

  #items(items: JsonValue, field: Field, parent: SchemaPlace | undefined): void {
    if (isObject(items)) {
      const child = field.follow(this.notation.items);
      this.#enter(items, child, { parent, keyword: 'items' });
    } else if (Array.isArray(items)) {
      items.forEach((item, key) => {
        const child = field.follow(this.notation.itemsAt(key));
        this.#enter(item, child, { parent, keyword: 'items', key });
      });
    }
  }

  #properties(value: JsonValue, field: Field, parent: SchemaPlace | undefined): void {
    const keyword = 'properties';
    const properties = this.#value(value, keyword, field, readObject);
    if (properties === undefined) return;
    const names = Object.keys(properties);
    const plain = names.every((name) => plainName.test(name));
    // Only names with dots or brackets can meet on one path: then the order must not be the document's.
    if (!plain) names.sort(compareBytes);
    for (const key of names) {
      const child = plain ? field.child(key) : field.follow(`.${key}`);
      this.#enter(own(properties, key) ?? null, child, { parent, keyword, key });
    }
  }

  #composed(schema: JsonObject, field: Field, parent: SchemaPlace | undefined): void {
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const list = this.#value(own(schema, keyword), keyword, field, readList);
      list?.forEach((item, key) => {
        const child = shared(field, this.notation.listed(keyword, key));
        this.#enter(item, child, { parent, keyword, key });
      });
    }
    const keyword = 'not';
    const not = this.#value(own(schema, keyword), keyword, field, readObject);
    if (not !== undefined) this.#enter(not, shared(field, this.notation.not), { parent, keyword });
  }

  #legacy(schema: JsonObject, field: Field, parent: SchemaPlace | undefined): void {
    this.#mapped(schema, 'patternProperties', field, parent);
    const additional = own(schema, 'additionalItems');
    if (additional !== undefined) {
      this.#schemaOrFlag(additional, 'additionalItems', field, parent);
    }
    this.#mapped(schema, 'definitions', field, parent);
    this.#mapped(schema, 'dependencies', field, parent);
  }

  #mapped(
    schema: JsonObject,
    keyword: string,
    field: Field,
    parent: SchemaPlace | undefined,
  ): void {
    const map = this.#value(own(schema, keyword), keyword, field, readObject);
    if (map === undefined) return;
    // The reference visits a map in random order; by name, the answer is the same every time.
    for (const key of Object.keys(map).sort(compareBytes)) {
      const value = own(map, key) ?? null;
      if (keyword === 'dependencies' && !isObject(value)) continue;
      const child = shared(field, this.notation.mapped(keyword, key));
      this.#enter(value, child, { parent, keyword, key });
    }
  }

  #schemaOrFlag(
    value: JsonValue,
    keyword: 'additionalProperties' | 'additionalItems',
    field: Field,
    parent: SchemaPlace | undefined,
  ): void {
    const schema = this.#value(value, keyword, field, readSchemaOrFlag);
    if (!isObject(schema)) return;
    this.#enter(schema, shared(field, this.notation[keyword]), { parent, keyword });
  }

  #enter(value: JsonValue, field: Field, place: SchemaPlace): void {
    const schema = isObject(value) ? value : this.#value(value, 'schema', field, readSchema);
    this.#below.push({ schema, field, place });
  }

  #value<T>(
    value: JsonValue | undefined,
    keyword: string,
    field: Field,
    reader: (value: JsonValue | undefined) => T,
  ): T {
    try {
      return reader(value);
    } catch (error) {
      throw placed(named(error, keyword), this.above() + field.path);
    }
  }
}

function shared(field: Field, text: string | undefined): Field {
  return text === undefined ? field : field.follow(text);
}

/** Names the field of a keyword that cannot be read. */
export function placed(error: unknown, path: string): unknown {
  if (!(error instanceof InvalidInputError)) return error;
  return new InvalidInputError(error.code, `in the field ${path}, ${error.message}`);
}

function hasRareEdges(schema: JsonObject): boolean {
  for (const keyword in schema) if (rareSchemaKeywords.has(keyword)) return true;
  return false;
}
