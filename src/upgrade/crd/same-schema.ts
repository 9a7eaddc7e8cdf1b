/**
 * Quick tests whether two schemas are the same, so that nothing is read where an upgrade changes
 * nothing. All answer no when in doubt: null, empty lists and objects, and numbers that keep
 * their text may be read differently on both sides.
 */
import { schemaKeywords, childKeywords, keywordKinds } from './keywords.js';
import {
  isObject,
  NumberText,
  type JsonObject,
  type JsonValue,
  own,
} from '../../text/documents/index.js';
import type { TypedText } from './typed-text.js';

/** Schemas without schemas below them whose keywords are texts, numbers and flags. */
export function sameLeaf(left: JsonObject, right: JsonObject): boolean {
  let keywords = 0;
  for (const keyword in left) {
    if (schemaKeywords.has(keyword)) return false;
    const value = left[keyword];
    // Inherited members are never texts, numbers or flags.
    if (typeof value === 'object' || right[keyword] !== value) return false;
    keywords++;
  }
  return keywords === Object.keys(right).length;
}

interface Open {
  readonly left: JsonObject | readonly JsonValue[];
  readonly right: JsonObject | readonly JsonValue[];
  readonly keys: readonly string[] | undefined;
  next: number;
}

/**
 * Remembers what was compared, so that each schema is compared once, however deep they nest.
 */
export class SameValues {
  readonly #known = new Map<JsonObject, { readonly other: JsonObject; readonly same: boolean }>();

  same(left: JsonValue, right: JsonValue): boolean {
    const open: Open[] = [];
    if (!this.#begin(left, right, open)) return false;
    for (let pair = open.at(-1); pair !== undefined; pair = open.at(-1)) {
      const { left: a, right: b, keys } = pair;
      if (pair.next === (keys ?? (a as readonly JsonValue[])).length) {
        open.pop();
        this.#remember(pair, true);
        continue;
      }
      const index = pair.next++;
      const key = keys === undefined ? index : keys[index];
      if (this.#begin(at(a, key), at(b, key), open)) continue;
      for (const around of open) this.#remember(around, false);
      return false;
    }
    return true;
  }

  /** Fields of any shape, without the fields below them: all keywords but `properties` and `items`. */
  sameField(left: JsonObject, right: JsonObject): boolean {
    let keywords = 0;
    for (const keyword in left) {
      if (!Object.hasOwn(right, keyword)) return false;
      keywords++;
      if (keyword === 'properties' || keyword === 'items') continue;
      if (!this.same(left[keyword] ?? null, right[keyword] ?? null)) return false;
    }
    return keywords === Object.keys(right).length;
  }

  #begin(left: JsonValue, right: JsonValue, open: Open[]): boolean {
    if (typeof left !== 'object' || typeof right !== 'object') return left === right;
    if (left === null || right === null) return false;
    if (left instanceof NumberText || right instanceof NumberText) return false;
    if (Array.isArray(left)) {
      if (!Array.isArray(right) || left.length === 0 || left.length !== right.length) return false;
      open.push({ left, right, keys: undefined, next: 0 });
      return true;
    }
    if (!isObject(right)) return false;
    const known = this.#known.get(left);
    if (known?.other === right) return known.same;
    const keys = Object.keys(left);
    if (keys.length === 0 || keys.length !== Object.keys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      // The API reads items that are no schema as empty ones, and leaves these out when it stores.
      if (key === 'items' && typeof right[key] !== 'object') return false;
    }
    open.push({ left, right, keys, next: 0 });
    return true;
  }

  #remember({ left, right, keys }: Open, same: boolean): void {
    if (keys !== undefined)
      this.#known.set(left as JsonObject, { other: right as JsonObject, same });
  }
}

function at(holder: Open['left'], key: string | number | undefined): JsonValue {
  return (holder as JsonObject)[key ?? ''] ?? null;
}

/** Compares keywords of single schemas; what is the same JSON on both sides is not read at all. */
export class KeywordComparison {
  constructor(
    readonly oldText: TypedText,
    readonly newText: TypedText,
    readonly values: SameValues,
  ) {}

  /** `properties` and `items` apart; nothing when none does. @throws InvalidInputError `E_INPUT` */
  differing(old: JsonObject, other: JsonObject): Set<string> | undefined {
    let keywords: Set<string> | undefined;
    for (const keyword in old) {
      const value = old[keyword];
      if (Object.hasOwn(other, keyword)) {
        const next = other[keyword];
        if (value === next && typeof value !== 'object') continue;
        if (!this.#isCompared(keyword)) continue;
        if (value !== undefined && next !== undefined && this.values.same(value, next)) continue;
      } else if (!this.#isCompared(keyword)) {
        continue;
      }
      if (!this.#sameText(keyword, old, other)) keywords = withKeyword(keywords, keyword);
    }
    for (const keyword in other) {
      if (Object.hasOwn(old, keyword) || !this.#isCompared(keyword)) continue;
      if (!this.#sameText(keyword, old, other)) keywords = withKeyword(keywords, keyword);
    }
    return keywords;
  }

  #isCompared(keyword: string): boolean {
    return !childKeywords.has(keyword) && keywordKinds.has(keyword);
  }

  #sameText(keyword: string, old: JsonObject, other: JsonObject): boolean {
    const [text, next] = [own(old, keyword), own(other, keyword)];
    if (typeof text === 'string' && typeof next === 'string' && isText(keyword)) {
      return text === next;
    }
    return this.oldText.keyword(old, keyword) === this.newText.keyword(other, keyword);
  }
}

function isText(keyword: string): boolean {
  const kind = keywordKinds.get(keyword);
  return kind === 'text' || kind === 'pointer-to-text';
}

function withKeyword(keywords: Set<string> | undefined, keyword: string): Set<string> {
  return (keywords ?? new Set<string>()).add(keyword);
}
