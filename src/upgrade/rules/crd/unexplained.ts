/** Names the differences that no validation of `crdify` explains. */
import { own, type JsonObject } from '../../../text/documents/index.js';
import { childKeywords, keywordOrder } from '../../crd/keywords.js';
import { GoReader, type GoValue } from './go-value.js';
import { goChange } from './go-change.js';
import { reportDifference } from './reported-difference.js';
import type { PropertyRule } from './rule.js';
import type { TypedText } from '../../crd/typed-text.js';
import { marshalJson } from '../../../text/go/index.js';

export interface UnhandledDifference {
  /**
   * `unhandled changes found (Format "a" -> "b"; …)`, as operator-controller shortens the reference's
   * report; changes inside of schemas and lists, of which it shows lines without their place, are in our words.
   */
  readonly message: () => string;
  /** Equal for equal differences. */
  readonly identity: () => string;
  /** Equal when the reference reports the differences in the same words. */
  readonly report: () => string;
}

export interface ReadSchema {
  readonly schema: JsonObject;
  readonly text: TypedText;
}

const longestValue = 80;

/** @param keywords that are not explained, at least one @param rules those that explain the others */
export function unhandledDifference(
  old: ReadSchema,
  next: ReadSchema,
  keywords: ReadonlySet<string>,
  rules: readonly PropertyRule[],
): UnhandledDifference {
  const goValue = ({ schema, text }: ReadSchema): GoValue => {
    const explained = new Set([...childKeywords, ...rules.map(({ keyword }) => keyword)]);
    return new GoReader(text.reading.stored).schema(schema, explained);
  };
  return {
    message: () => messageOf(old.schema, next.schema, keywords),
    identity: () => identityOf(old, next, keywords),
    report: () => reportDifference(goValue(old), goValue(next)),
  };
}

function messageOf(old: JsonObject, next: JsonObject, keywords: ReadonlySet<string>): string {
  const changes = keywordOrder
    .filter((keyword) => keywords.has(keyword))
    .map((keyword) => goChange(keyword, old, next) ?? ownChange(keyword, old, next));
  return `unhandled changes found (${changes.join('; ')})`;
}

function ownChange(keyword: string, old: JsonObject, next: JsonObject): string {
  return `${keyword} ${print(old, keyword)} -> ${print(next, keyword)}`;
}

function identityOf(old: ReadSchema, next: ReadSchema, keywords: ReadonlySet<string>): string {
  return [...keywords]
    .sort()
    .map(
      (keyword) =>
        `${keyword} ${old.text.keyword(old.schema, keyword)} -> ${next.text.keyword(next.schema, keyword)}`,
    )
    .join('; ');
}

function print(schema: JsonObject, keyword: string): string {
  const value = own(schema, keyword);
  if (value === undefined || value === null) return 'none';
  const text = marshalJson(value, longestValue);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
