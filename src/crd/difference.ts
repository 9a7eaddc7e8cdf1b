/** What two schemas differ in, field by field. */
import { isObject, NumberText, own, type JsonObject, type JsonValue } from '../documents/index.js';
import { childKeywords, keywordKinds, type Kind } from './keywords.js';
import { placed, type Field, type SchemaPlace } from './schema.js';
import type { TypedText } from './typed-text.js';

/** A field that is on both sides and whose keywords differ. */
export interface ChangedField {
  readonly path: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
  /** Where the new schema stands in its version. */
  readonly place: SchemaPlace | undefined;
  /** Keywords that differ, `properties` and `items` apart. */
  readonly keywords: ReadonlySet<string>;
}

export interface RemovedField {
  readonly path: string;
  readonly old: JsonObject;
  /** Where the old schema stands in its version. */
  readonly place: SchemaPlace | undefined;
}

export interface Differences {
  /** In no order. */
  readonly removed: readonly RemovedField[];
  /** In no order. */
  readonly changed: readonly ChangedField[];
}

/** Compares the fields of one schema with those of another, both sides at once. */
export class Comparison {
  // Remembered so that schemas inside schemas inside schemas are compared once each.
  readonly #same = new Map<JsonObject, { other: JsonObject; same: boolean }>();

  constructor(
    readonly oldText: TypedText,
    readonly newText: TypedText,
  ) {}

  /** @throws InvalidInputError `E_INPUT` for a keyword with a value it cannot have. */
  compare(oldRoot: Field, newRoot: Field): Differences {
    const removed: RemovedField[] = [];
    const changed: ChangedField[] = [];
    const pending: [old: Field, other: Field | undefined][] = [[oldRoot, newRoot]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [oldField, newField] = next;
      const { schema } = oldField;
      if (schema !== undefined) {
        if (newField?.schema === undefined) {
          removed.push({ path: oldField.path, old: schema, place: oldField.place });
        } else {
          const keywords = this.#keywords(oldField, schema, newField.schema);
          if (keywords !== undefined) {
            changed.push({
              path: oldField.path,
              old: schema,
              new: newField.schema,
              place: newField.place,
              keywords,
            });
          }
        }
      }
      if (oldField.children === undefined) continue;
      for (const [step, child] of oldField.children) {
        pending.push([child, newField?.children?.get(step)]);
      }
    }
    return { removed, changed };
  }

  /** The keywords in which two schemas differ. */
  differing(old: JsonObject, other: JsonObject): Set<string> | undefined {
    let keywords: Set<string> | undefined;
    const note = (keyword: string): void => {
      keywords ??= new Set();
      keywords.add(keyword);
    };
    for (const keyword of Object.keys(old)) {
      const kind = keywordKinds.get(keyword);
      if (kind === undefined || childKeywords.has(keyword)) continue;
      if (!this.#sameKeyword(keyword, kind, old, other)) note(keyword);
    }
    for (const keyword of Object.keys(other)) {
      const kind = keywordKinds.get(keyword);
      if (kind === undefined || childKeywords.has(keyword) || Object.hasOwn(old, keyword)) continue;
      if (!this.#sameKeyword(keyword, kind, old, other)) note(keyword);
    }
    return keywords;
  }

  #keywords(field: Field, old: JsonObject, other: JsonObject): Set<string> | undefined {
    try {
      return this.differing(old, other);
    } catch (error) {
      throw placed(error, field);
    }
  }

  #sameKeyword(keyword: string, kind: Kind, old: JsonObject, other: JsonObject): boolean {
    const left = own(old, keyword);
    const right = own(other, keyword);
    if (left === right && typeof left === kindOfPlainValue(kind)) return true;
    if (left !== undefined && right !== undefined && this.#sameJson(left, right)) return true;
    return this.oldText.keyword(old, keyword) === this.newText.keyword(other, keyword);
  }

  /** Equal JSON without null, empty lists and empty objects, which both sides may read differently. */
  #sameJson(left: JsonValue, right: JsonValue): boolean {
    if (typeof left !== 'object' || typeof right !== 'object') return left === right;
    if (left === null || right === null) return false;
    if (left instanceof NumberText || right instanceof NumberText) return false;
    if (Array.isArray(left)) {
      return (
        Array.isArray(right) &&
        left.length > 0 &&
        left.length === right.length &&
        left.every((item, index) => this.#sameJson(item, right[index] ?? null))
      );
    }
    return isObject(right) && this.#sameObject(left, right);
  }

  #sameObject(left: JsonObject, right: JsonObject): boolean {
    const known = this.#same.get(left);
    if (known !== undefined && known.other === right) return known.same;
    const keys = Object.keys(left);
    const same =
      keys.length > 0 &&
      keys.length === Object.keys(right).length &&
      keys.every((key) => {
        const item = own(right, key);
        // The API reads items that are no schema as empty ones, and leaves these out when it stores.
        if (item === undefined || (key === 'items' && typeof item !== 'object')) return false;
        return this.#sameJson(own(left, key) ?? null, item);
      });
    this.#same.set(left, { other: right, same });
    return same;
  }
}

/** The kinds whose JSON value, when it is this primitive, needs no reading to be compared. */
function kindOfPlainValue(kind: Kind): 'string' | 'boolean' | 'number' | undefined {
  switch (kind) {
    case 'text':
    case 'pointer-to-text':
      return 'string';
    case 'flag':
    case 'pointer-to-flag':
    case 'schema-or-flag':
      return 'boolean';
    case 'float':
    case 'integer':
      return 'number';
    default:
      return undefined;
  }
}
