import { own, type JsonObject } from '../../text/documents/index.js';
import { childKeywords, keywordKinds } from './keywords.js';
import type { SameValues } from './same-schema.js';
import type { TypedText } from './typed-text.js';

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
