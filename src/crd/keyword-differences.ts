/** In which keywords two schemas differ. */
import {
  isObject,
  NumberText,
  own,
  type JsonObject,
  type JsonValue,
} from '../text/documents/index.js';
import { childKeywords, keywordKinds } from './keywords.js';
import type { TypedText } from './typed-text.js';

/** Compares keywords of single schemas; what is the same JSON on both sides is not read at all. */
export class KeywordComparison {
  // Remembered so that schemas inside schemas inside schemas are compared once each.
  readonly #same = new Map<JsonObject, { other: JsonObject; same: boolean }>();

  constructor(
    readonly oldText: TypedText,
    readonly newText: TypedText,
  ) {}

  /**
   * The keywords that differ, `properties` and `items` apart; nothing when none does.
   *
   * @throws InvalidInputError `E_INPUT` for a keyword with a value it cannot have.
   */
  differing(old: JsonObject, other: JsonObject): Set<string> | undefined {
    let keywords: Set<string> | undefined;
    for (const keyword in old) {
      const value = old[keyword];
      if (Object.hasOwn(other, keyword)) {
        const next = other[keyword];
        if (value === next && typeof value !== 'object') continue;
        if (!this.#isCompared(keyword)) continue;
        if (value !== undefined && next !== undefined && this.#sameJson(value, next)) continue;
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

/** A keyword that holds nothing but text needs no reading to be compared. */
function isText(keyword: string): boolean {
  const kind = keywordKinds.get(keyword);
  return kind === 'text' || kind === 'pointer-to-text';
}

function withKeyword(keywords: Set<string> | undefined, keyword: string): Set<string> {
  return (keywords ?? new Set<string>()).add(keyword);
}
