/** Names the differences that no validation of `crdify` explains. */
import { type GoValue, GoReader } from '../../crd/go-values.js';
import { goText, goChange } from './go-value.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { childKeywords, keywordOrder } from '../../crd/keywords.js';
import type { PropertyRule } from './rule.js';
import type { TypedText } from '../../crd/typed-text.js';
import { marshalJson } from '../../../text/go/index.js';

// Renders a difference as github.com/google/go-cmp does. `crdify` takes two unhandled differences for the
// same when these reports are the same, and the reports leave things out: long texts are cut, nested
// values shortened, equal members only counted. The texts here are equal when the reports are.

/** How much is shown of a value that is on one side only; each nesting shows less. */
const oneSided = 3;
const beside = 1;
const contextMembers = 2;
const shownDifferences = 16;
/** Counted in characters; less is shown of a text. */
const longestDescription = 512;

const shownMembers = (level: number): number => ((1 << level) >> 1) << 2;
const shownBytes = (level: number): number => 32 << level;

function reportDifference(old: GoValue, next: GoValue): string {
  if (old.kind === 'pointer' && next.kind === 'pointer') {
    return `&${reportDifference(old.to, next.to)}`;
  }
  if (old.kind === 'struct' || old.kind === 'map') {
    if (next.kind === old.kind) return reportMembers(memberRows(old.members, next.members));
  }
  if (old.kind === 'list' && next.kind === 'list' && !isFlat(old) && !isFlat(next)) {
    return reportMembers(itemRows(old.items, next.items));
  }
  const limit = old.kind === next.kind ? undefined : oneSided;
  return `-${show(old, limit)} +${show(next, limit)}`;
}

interface Row {
  readonly key: string;
  readonly old: GoValue | undefined;
  readonly next: GoValue | undefined;
  readonly same: boolean;
}

function memberRows(
  old: readonly (readonly [string, GoValue])[],
  next: readonly (readonly [string, GoValue])[],
): Row[] {
  const left = new Map(old);
  const right = new Map(next);
  // Structs have the same members in the same order; maps are sorted by key.
  const keys = [...new Set([...left.keys(), ...right.keys()])];
  if (keys.length > left.size) keys.sort();
  return keys.map((key) => row(key, left.get(key), right.get(key)));
}

/** Equal items at both ends belong together, and what is between them in order. */
function itemRows(old: readonly GoValue[], next: readonly GoValue[]): Row[] {
  const shorter = Math.min(old.length, next.length);
  let start = 0;
  while (start < shorter && full(old[start]) === full(next[start])) start++;
  let end = 0;
  while (end < shorter - start && full(old.at(-1 - end)) === full(next.at(-1 - end))) end++;
  const pairs = (from: number, to: number): Row[] =>
    Array.from({ length: to - from }, (_, index) => row('', old[from + index], next[from + index]));
  const middle = Math.max(old.length, next.length) - start - end;
  return [
    ...pairs(0, start),
    ...Array.from({ length: middle }, (_, index) =>
      row(
        '',
        start + index < old.length - end ? old[start + index] : undefined,
        start + index < next.length - end ? next[start + index] : undefined,
      ),
    ),
    ...old.slice(old.length - end).map((item) => row('', item, item)),
  ];
}

function row(key: string, old: GoValue | undefined, next: GoValue | undefined): Row {
  return { key, old, next, same: full(old) === full(next) };
}

function reportMembers(rows: readonly Row[]): string {
  const groups = groupRows(rows);
  let differences = 0;
  const parts = groups.map((group, index) => {
    if (differences >= shownDifferences) return `${group.map(howDifferent).sort().join('')}`;
    if (group[0]?.same === true) return equalMembers(group, index > 0, index < groups.length - 1);
    differences += group.length;
    return group.map(reportRow).join(', ');
  });
  return `{${parts.join('; ')}}`;
}

function groupRows(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  for (const next of rows) {
    const last = groups.at(-1);
    if (last?.[0]?.same === next.same) last.push(next);
    else groups.push([next]);
  }
  return groups;
}

function howDifferent({ old, next, same }: Row): string {
  if (same) return '=';
  return old === undefined ? '+' : next === undefined ? '-' : '~';
}

/** Equal members: those next to a difference, and the number of the others. */
function equalMembers(group: readonly Row[], after: boolean, before: boolean): string {
  const first = after ? Math.min(contextMembers, group.length) : 0;
  let last = before ? Math.min(contextMembers, group.length - first) : 0;
  if (group.length - first - last === 1) last++;
  const texts = group.map(({ key, old }) => `${key}: ${showEqual(old)}`);
  return [
    ...texts.slice(0, first),
    `${group.length - first - last} equal`,
    ...texts.slice(group.length - last),
  ].join(', ');
}

function reportRow({ key, old, next }: Row): string {
  if (old === undefined || next === undefined) {
    return `${key}: ${old === undefined ? '' : `-${show(old, oneSided)}`}${next === undefined ? '' : `+${show(next, oneSided)}`}`;
  }
  return `${key}: ${reportDifference(old, next)}`;
}

function show(value: GoValue, level: number | undefined): string {
  const deeper = level === undefined ? undefined : Math.max(level - 1, 0);
  const most = level === undefined ? Infinity : shownMembers(level);
  switch (value.kind) {
    case 'nil':
      return 'nil';
    case 'leaf':
    case 'bytes':
      return cut(value.text, level);
    case 'pointer':
      return level !== undefined && value.hasMethod
        ? cut(goText(value, longestDescription), level)
        : `&${show(value.to, level)}`;
    case 'list':
      return shorten(
        value.items.map((item) => () => show(item, deeper)),
        most,
      );
    case 'struct':
    case 'map': {
      const members = value.members.filter(([, member]) => value.kind === 'map' || !isZero(member));
      return shorten(
        members.map(
          ([key, member]) =>
            () =>
              `${key}: ${show(member, deeper)}`,
        ),
        most,
      );
    }
  }
}

function shorten(texts: readonly (() => string)[], most: number): string {
  const shown = texts.slice(0, most).map((print) => print());
  return `{${shown.join(', ')}${texts.length > most ? ', ...' : ''}}`;
}

function showEqual(value: GoValue | undefined): string {
  if (value === undefined) return '';
  const most = shownMembers(beside);
  switch (value.kind) {
    case 'nil':
    case 'leaf':
    case 'bytes':
      return show(value, beside);
    case 'pointer':
      return `&${showEqual(value.to)}`;
    case 'list':
      return shorten(
        value.items.map((item) => () => showEqual(item)),
        most,
      );
    case 'map':
      return shorten(
        value.members.map(
          ([key, member]) =>
            () =>
              `${key}: ${showEqual(member)}`,
        ),
        most,
      );
    case 'struct': {
      const members = value.members.filter(([, member]) => !isZero(member));
      const last = members[most - 1]?.[0];
      // Members without value after the last one that is shown count as left out.
      const left = last !== undefined && last !== value.members.at(-1)?.[0];
      const shown = members.slice(0, most).map(([key, member]) => `${key}: ${showEqual(member)}`);
      return `{${shown.join(', ')}${left ? ', ...' : ''}}`;
    }
  }
}

function cut(text: string, level: number | undefined): string {
  if (level === undefined) return JSON.stringify(text);
  const bytes = Buffer.from(text);
  const most = shownBytes(level);
  return bytes.length > most + 3
    ? `${bytes.subarray(0, most).toString('latin1')}...`
    : JSON.stringify(text);
}

const full = (value: GoValue | undefined): string =>
  value === undefined ? 'none' : show(value, undefined);

function isFlat(value: GoValue & { kind: 'list' }): boolean {
  return value.items.every(
    (item) => item.kind === 'leaf' || (item.kind === 'struct' && item.members.length === 1),
  );
}

function isZero(value: GoValue): boolean {
  switch (value.kind) {
    case 'nil':
      return true;
    case 'leaf':
    case 'bytes':
      return value.zero;
    case 'struct':
      return value.members.every(([, member]) => isZero(member));
    default:
      return false;
  }
}

interface UnhandledDifference {
  /** `unhandled changes found (Format "a" -> "b"; …)`; changes inside of schemas and lists are in our words. */
  readonly message: () => string;
  /** Equal for equal differences. */
  readonly identity: () => string;
  /** Equal when the reference reports the differences in the same words. */
  readonly report: () => string;
}

interface ReadSchema {
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
