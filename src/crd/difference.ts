/**
 * What two schemas differ in, field by field: one walk over both at once. Where paths can meet (see
 * {@link Field}) the fields of both sides are gathered first, everywhere else schema meets schema.
 */
import { InvalidInputError, isObject, type JsonObject } from '../text/documents/index.js';
import { KeywordComparison } from './keyword-differences.js';
import {
  maxSchemaDepth,
  placed,
  readFields,
  type Field,
  type Notation,
  type SchemaPlace,
} from './schema.js';
import { layoutOf, type Element } from './schema-layout.js';
import { sameLeaf, sameSchema } from './same-schema.js';
import { readSchema } from './typed-values.js';
import type { TypedText } from './typed-text.js';

/** Where a schema stands in its version: keys from the root, and then a place below them. */
export interface SchemaSpot {
  readonly keys: readonly (string | number)[];
  readonly below?: SchemaPlace | undefined;
}

/** A field that is on both sides and whose keywords differ. */
export interface ChangedField {
  readonly path: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
  /** In the new version. */
  readonly spot: SchemaSpot;
  /** Keywords that differ, `properties` and `items` apart. */
  readonly keywords: ReadonlySet<string>;
}

export interface RemovedField {
  readonly path: string;
  readonly old: JsonObject;
  /** In the old version. */
  readonly spot: SchemaSpot;
}

export interface Differences {
  /** In no order. */
  readonly removed: readonly RemovedField[];
  /** In no order. */
  readonly changed: readonly ChangedField[];
}

/** Fields that were gathered below a schema, for each version is compared more than once. */
export class GatheredFields {
  readonly #known = new Map<JsonObject, Field>();

  constructor(readonly notation: Notation) {}

  below(schema: JsonObject | undefined, path: string, depth: number): Field {
    const known = schema === undefined ? undefined : this.#known.get(schema);
    // One object may stand at two places of a document that was read with aliases.
    if (known?.path === path) return known;
    const fields = readFields(schema, this.notation, path, depth);
    if (schema !== undefined) this.#known.set(schema, fields);
    return fields;
  }
}

/**
 * Compares the fields of one schema with those of another. A version without schema has no fields.
 *
 * @throws InvalidInputError `E_INPUT` for a keyword with a value it cannot have, `E_LIMIT` for a schema
 * that nests too deep.
 */
export function compareSchemas(
  old: JsonObject | undefined,
  next: JsonObject | undefined,
  gathered: GatheredFields,
  texts: { readonly old: TypedText; readonly new: TypedText },
): Differences {
  const walk = new ParallelWalk(gathered, new KeywordComparison(texts.old, texts.new));
  if (old !== undefined) walk.compare(old, next);
  return { removed: walk.removed, changed: walk.changed };
}

/** Of thousands of places few are ever looked at, so their keys are written on demand. */
class Spot implements SchemaSpot {
  readonly #keys: () => string[];

  constructor(
    keys: () => string[],
    readonly below?: SchemaPlace,
  ) {
    this.#keys = keys;
  }

  get keys(): string[] {
    return this.#keys();
  }
}

function documentKeys(steps: readonly string[], keywords: readonly string[]): string[] {
  return keywords.flatMap((keyword, index) =>
    keyword === 'properties' ? [keyword, steps[index] ?? ''] : [keyword],
  );
}

class ParallelWalk {
  readonly removed: RemovedField[] = [];
  readonly changed: ChangedField[] = [];
  /** Where the walk is; what stands past the depth is left over from deeper schemas. */
  readonly #steps: string[] = [];
  readonly #oldKeywords: string[] = [];
  readonly #newKeywords: string[] = [];
  #depth = 0;

  constructor(
    readonly gathered: GatheredFields,
    readonly keywords: KeywordComparison,
  ) {}

  compare(old: JsonObject, next: JsonObject | undefined): void {
    if (next === undefined) {
      this.#gather(old, undefined);
      return;
    }
    if (sameLeaf(old, next)) return;
    const left = layoutOf(old, this.gathered.notation);
    const right = layoutOf(next, this.gathered.notation);
    if (
      left === undefined ||
      right === undefined ||
      (left.properties !== undefined && right.element !== undefined) ||
      (left.element !== undefined && right.properties !== undefined)
    ) {
      this.#gather(old, next);
      return;
    }
    if (this.#depth >= maxSchemaDepth) throw tooDeep();
    this.#compareKeywords(old, next);
    if (left.element !== undefined) this.#compareElement(left.element, right.element);
    if (left.properties !== undefined) this.#compareProperties(left.properties, right.properties);
  }

  #compareElement(old: Element, next: Element | undefined): void {
    const other = next?.step === old.step ? next : undefined;
    this.#enter(old.step, old.keyword, other?.keyword ?? old.keyword);
    this.compare(old.schema, other?.schema);
    this.#depth--;
  }

  #compareProperties(old: JsonObject, next: JsonObject | undefined): void {
    for (const name in old) {
      const isKept = next !== undefined && Object.hasOwn(next, name);
      const schema = this.#schema(old, name);
      const other = isKept ? this.#schema(next, name) : undefined;
      this.#enter(name, 'properties', 'properties');
      this.compare(schema, other);
      this.#depth--;
    }
  }

  #enter(step: string, oldKeyword: string, newKeyword: string): void {
    this.#steps[this.#depth] = step;
    this.#oldKeywords[this.#depth] = oldKeyword;
    this.#newKeywords[this.#depth] = newKeyword;
    this.#depth++;
  }

  /** Names are plain here, so that they never look like a step of the notation. */
  get #path(): string {
    const steps = this.#steps.slice(0, this.#depth);
    return `^${steps.map((step) => (/^[.[]/.test(step) ? step : `.${step}`)).join('')}`;
  }

  #keysTo(keywords: readonly string[]): () => string[] {
    const steps = this.#steps.slice(0, this.#depth);
    const taken = keywords.slice(0, this.#depth);
    return () => documentKeys(steps, taken);
  }

  #schema(properties: JsonObject, name: string): JsonObject {
    const value = properties[name];
    if (isObject(value)) return value;
    try {
      return readSchema(value);
    } catch (error) {
      throw placed(error, `${this.#path}.${name}`);
    }
  }

  #compareKeywords(old: JsonObject, next: JsonObject): void {
    try {
      const keywords = this.keywords.differing(old, next);
      if (keywords === undefined) return;
      const path = this.#path;
      const spot = new Spot(this.#keysTo(this.#newKeywords));
      this.changed.push({ path, old, new: next, spot, keywords });
    } catch (error) {
      throw placed(error, this.#path);
    }
  }

  /** Compares by path: the general way, and the only one where several schemas share a path. */
  #gather(old: JsonObject, next: JsonObject | undefined): void {
    if (next !== undefined && sameSchema(old, next)) return;
    const path = this.#path;
    const depth = this.#depth;
    const newFields = this.gathered.below(next, path, depth);
    const pending: [old: Field, other: Field | undefined][] = [
      [this.gathered.below(old, path, depth), newFields],
    ];
    const oldKeys = this.#keysTo(this.#oldKeywords);
    const newKeys = this.#keysTo(this.#newKeywords);
    for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
      const [oldField, newField] = pair;
      if (oldField.schema !== undefined) {
        if (newField?.schema === undefined) {
          const spot = new Spot(oldKeys, oldField.place);
          this.removed.push({ path: oldField.path, old: oldField.schema, spot });
        } else {
          this.#compareFields(oldField, oldField.schema, newField, newField.schema, newKeys);
        }
      }
      for (const [step, child] of oldField.children ?? []) {
        pending.push([child, newField?.children?.get(step)]);
      }
    }
  }

  #compareFields(
    field: Field,
    old: JsonObject,
    newField: Field,
    next: JsonObject,
    keys: () => string[],
  ): void {
    try {
      const keywords = this.keywords.differing(old, next);
      if (keywords === undefined) return;
      const spot = new Spot(keys, newField.place);
      this.changed.push({ path: field.path, old, new: next, spot, keywords });
    } catch (error) {
      throw placed(error, field.path);
    }
  }
}

const tooDeep = (): InvalidInputError =>
  new InvalidInputError('E_LIMIT', `a schema nests more than ${maxSchemaDepth} levels deep`);
