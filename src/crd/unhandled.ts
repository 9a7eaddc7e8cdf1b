/** Names the differences that no validation of `crdify` explains. */
import { own, stringifyJson, type JsonObject } from '../documents/index.js';
import { childKeywords, keywordOrder } from './keywords.js';
import { crdifyPropertyRules } from './rules/table.js';
import type { TypedText } from './typed-text.js';

export interface UnhandledDifference {
  /** `unhandled changes found (format "a" -> "b"; …)`; the reference prints Go's own values there. */
  readonly message: string;
  /** Equal when the reference's own text would be equal. */
  readonly identity: string;
}

export interface ReadSchema {
  readonly schema: JsonObject;
  readonly text: TypedText;
}

const longestValue = 80;
// The reference prints two equal keywords on each side of a difference, and compares what it prints.
const context = 2;
const explained: ReadonlySet<string> = new Set([
  ...childKeywords,
  ...crdifyPropertyRules.map((rule) => rule.keyword),
]);

/** @param keywords the keywords that differ and are not explained, at least one. */
export function unhandledDifference(
  old: ReadSchema,
  next: ReadSchema,
  keywords: ReadonlySet<string>,
): UnhandledDifference {
  const changes = keywordOrder
    .filter((keyword) => keywords.has(keyword))
    .map((keyword) => `${keyword} ${print(old.schema, keyword)} -> ${print(next.schema, keyword)}`);
  return {
    message: `unhandled changes found (${changes.join('; ')})`,
    identity: identityOf(old, next),
  };
}

function identityOf(old: ReadSchema, next: ReadSchema): string {
  const rows = keywordOrder.map((keyword) => {
    if (explained.has(keyword)) return { before: '', after: '' };
    return {
      before: old.text.keyword(old.schema, keyword),
      after: next.text.keyword(next.schema, keyword),
    };
  });
  const shown = new Set<number>();
  rows.forEach(({ before, after }, index) => {
    if (before === after) return;
    for (let near = index - context; near <= index + context; near++) shown.add(near);
  });
  return rows
    .map(({ before, after }, index) =>
      shown.has(index) ? `${keywordOrder[index]} ${before} -> ${after}` : '',
    )
    .filter((row) => row !== '')
    .join('; ');
}

function print(schema: JsonObject, keyword: string): string {
  const value = own(schema, keyword);
  if (value === undefined || value === null) return 'none';
  const text = stringifyJson(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
