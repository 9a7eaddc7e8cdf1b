import {
  isObject,
  own,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import { formatName } from '../../crd/schema-keys.js';

const reasons = {
  alone: 'description only',
  beside: 'the description is another one, too',
} as const;

export function annotationReason(isAlone: boolean): string {
  return isAlone ? reasons.alone : reasons.beside;
}

export function isAboutAnnotations({ reason }: { readonly reason: string }): boolean {
  return reason === reasons.alone || reason === reasons.beside;
}

const annotations: ReadonlySet<string> = new Set(
  'description title example externalDocs $schema id'.split(' '),
);
const deepest = 500;

export function compareAnnotations(before: JsonValue, after: JsonValue): string[] {
  const paths: string[] = [];
  if (before !== after) compare(before, after, '^', 0, paths);
  return paths;
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  depth: number,
  paths: string[],
): void {
  if (depth > deepest) return;
  if (!isObject(before ?? null) || !isObject(after ?? null)) return;
  const [old, now] = [before as JsonObject, after as JsonObject];
  const changed = changedKeywords(old, now);
  if (changed.length === 0) return;
  const isAbout = (keyword: string): boolean =>
    keyword === 'x-kubernetes-validations' ? messagesDiffer(old, now) : annotations.has(keyword);
  if (changed.some(isAbout)) paths.push(path);
  if (changed.includes('properties')) {
    const [fields, fieldsNow] = [own(old, 'properties'), own(now, 'properties')];
    if (isObject(fields ?? null) && isObject(fieldsNow ?? null)) {
      for (const [name, field] of Object.entries(fields as JsonObject)) {
        const fieldNow = own(fieldsNow as JsonObject, name);
        if (field === fieldNow) continue;
        compare(field, fieldNow, `${path}.${formatName(name)}`, depth + 1, paths);
      }
    }
  }
  for (const keyword of ['items', 'additionalProperties']) {
    if (!changed.includes(keyword)) continue;
    compare(own(old, keyword), own(now, keyword), `${path}[*]`, depth + 1, paths);
  }
}

/** Keywords whose values may differ: nested schemas only where they are not the very same. */
function changedKeywords(old: JsonObject, now: JsonObject): string[] {
  const changed = Object.keys(old).filter((keyword) => mayDiffer(keyword, old, now));
  for (const keyword of Object.keys(now)) {
    if (!Object.hasOwn(old, keyword) && mayDiffer(keyword, old, now)) changed.push(keyword);
  }
  return changed;
}

function mayDiffer(keyword: string, old: JsonObject, now: JsonObject): boolean {
  const [was, is] = [own(old, keyword), own(now, keyword)];
  return annotations.has(keyword) ? differs(was, is) : was !== is;
}

function differs(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before === after) return false;
  return stringifyJson(before ?? null) !== stringifyJson(after ?? null);
}

/** A rule's message says the same no in other words. */
function messagesDiffer(before: JsonObject, after: JsonObject): boolean {
  const [old, now] = [
    own(before, 'x-kubernetes-validations'),
    own(after, 'x-kubernetes-validations'),
  ];
  if (!Array.isArray(old) || !Array.isArray(now)) return false;
  const wordings = new Map(
    old.filter(isObject).map((rule) => [own(rule, 'rule'), stringifyJson(rule)]),
  );
  return now.filter(isObject).some((rule) => {
    const known = wordings.get(own(rule, 'rule'));
    return known !== undefined && known !== stringifyJson(rule);
  });
}
