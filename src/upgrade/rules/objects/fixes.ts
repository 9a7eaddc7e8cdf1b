/** Changes of a manifest that end what was found in it. Each is judged before it is offered. */
import type { Operation } from 'fast-json-patch';
import type { FieldError, SchemaNode } from '../../../kubernetes/index.js';
import { endedBy, type Finding, type Remedy } from '../../../rule/index.js';
import {
  isObject,
  NumberText,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  type Path,
} from '../../../text/documents/index.js';
import { flagAt, textAt, valueAt } from '../../../text/documents/fields.js';
import { shortened } from '../../../text/shortened.js';
import { formatPointer } from '../../../text/json-pointer.js';
import { isSlipOf } from '../../../text/nearest.js';
import { servedVersions, versionsOf } from '../../crd/named-versions.js';
import { addTo } from '../../../text/group.js';

/** A scalar as it is written; undefined where there is no text that can be changed. */
export type WrittenAt = (keys: Path) => { readonly scalar?: string } | undefined;

export type ManifestFix = Required<Remedy>;

export function manifestFixOf({ [endedBy]: fix }: Finding): ManifestFix | undefined {
  const { keys, change } = fix ?? {};
  return fix && keys && change && { title: fix.title, keys, change };
}

const mostTried = 20;

/** Keeps a fix only where it ends the finding, does no other harm, and can be written. */
export function withSoundFixes(
  object: JsonObject,
  findings: readonly Finding[],
  written: WrittenAt | undefined,
  judge: (object: JsonObject) => readonly Finding[],
): readonly Finding[] {
  let tried = 0;
  const before = new Set(findings.map(identityOf));
  const names = new Map<string, number>();
  for (const finding of findings) {
    const fix = manifestFixOf(finding);
    const name = fix && newNameOf(fix);
    if (name !== undefined) names.set(name, (names.get(name) ?? 0) + 1);
  }
  return findings.map((finding) => {
    const fix = manifestFixOf(finding);
    if (fix === undefined) return finding;
    const unfixed = { ...finding, [endedBy]: undefined };
    if (written?.(fix.keys) === undefined || tried >= mostTried) return unfixed;
    // Which of two fields was meant is a guess, and the other one would be lost.
    if ((names.get(newNameOf(fix) ?? '') ?? 0) > 1) return unfixed;
    tried++;
    const changed = withFixes(object, [{ path: fix.keys, change: fix.change }]);
    const after = judge(changed as JsonObject).map(identityOf);
    const isNew = finding.rule !== 'VersionNotServed' && after.some((each) => !before.has(each));
    const isSound = !isNew && !after.includes(identityOf(finding));
    return isSound ? { ...finding, fix: patchOf(fix) } : unfixed;
  });
}

function identityOf({ rule, path, message }: Finding): string {
  return JSON.stringify([rule, path, message]);
}

function newNameOf({ keys, change }: ManifestFix): string | undefined {
  return 'name' in change ? formatPointer([...keys.slice(0, -1), change.name]) : undefined;
}

function patchOf(fix: ManifestFix): Operation[] {
  const path = formatPointer(fix.keys);
  const moved = newNameOf(fix);
  if (moved !== undefined) return [{ op: 'move', from: path, path: moved }];
  return 'value' in fix.change ? [{ op: 'replace', path, value: fix.change.value }] : [];
}

/** Renames an unknown field; undefined if the known name may not be meant, or is in use. */
export function renamed(
  object: JsonObject,
  keys: Path,
  name: string | undefined,
): ManifestFix | undefined {
  const last = keys.at(-1);
  if (name === undefined || typeof last !== 'string') return undefined;
  if (valueAt(object, ...keys.slice(0, -1), name) !== undefined || !isMeant(last, name)) {
    return undefined;
  }
  return { title: `rename "${shortened(last, 60)}" to "${name}"`, keys, change: { name } };
}

/** Two short words are near each other by chance. */
function isMeant(word: string, name: string): boolean {
  if (word.toLowerCase() === name.toLowerCase() || word.length >= 6) return true;
  return word.length >= 4 && isSlipOf(word, name);
}

/** The value in the type, or with the spelling, that the schema has; undefined where that is a guess. */
export function rewritten(
  object: JsonObject,
  keys: Path,
  { type }: FieldError,
  node: SchemaNode | undefined,
  written: WrittenAt | undefined,
): ManifestFix | undefined {
  const value = valueAt(object, ...keys);
  if (node === undefined || value === undefined) return undefined;
  const wanted =
    type === 'FieldValueNotSupported'
      ? spelt(value, node.enum ?? [])
      : type === 'FieldValueTypeInvalid'
        ? inType(value, node.type, () => written?.(keys)?.scalar)
        : undefined;
  if (wanted === undefined) return undefined;
  const from = typeof value === 'string' ? undefined : written?.(keys)?.scalar;
  return {
    title: `write ${shortText(wanted)} in place of ${from === undefined ? shortText(value) : shortened(from, 60)}`,
    ...{ keys, change: { value: wanted } },
  };
}

function shortText(value: JsonValue): string {
  return shortened(stringifyJson(value), 60);
}

function spelt(value: JsonValue, allowed: readonly JsonValue[]): JsonValue | undefined {
  if (typeof value !== 'string') return undefined;
  const meant = allowed.filter((each) => typeof each === 'string' && isMeantValue(value, each));
  return meant.length === 1 ? meant[0] : undefined;
}

function isMeantValue(word: string, name: string): boolean {
  if (word.toLowerCase() === name.toLowerCase()) return true;
  return word.length >= 4 && isSlipOf(word, name);
}

/** @param scalar what is written: `0644` and `1.10` are other numbers, `yes` is a boolean */
function inType(
  value: JsonValue,
  type: string,
  scalar: () => string | undefined,
): JsonValue | undefined {
  if (typeof value === 'string') {
    if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
    if (type === 'integer' && /^-?(?:0|[1-9]\d{0,14})$/.test(value)) return Number(value);
    const isNumber = type === 'number' && /^-?(?:0|[1-9]\d{0,9})(?:\.\d{1,5})?$/.test(value);
    return isNumber ? Number(value) : undefined;
  }
  const isPlain =
    typeof value === 'number' || typeof value === 'boolean' || value instanceof NumberText;
  return type === 'string' && isPlain ? scalar() : undefined;
}

/** Another version with the same schema: what is stored already, else the first that is served. */
export function inOtherVersion(
  object: JsonObject,
  version: string,
  crd: JsonObject,
  old: JsonObject | undefined,
): ManifestFix | undefined {
  const own = versionsOf(crd).get(version) ?? (old && versionsOf(old).get(version));
  const group = textAt(crd, 'spec', 'group');
  if (own === undefined || group === undefined) return undefined;
  const schema = textOfSchema(own);
  const served = [...servedVersions(crd)].filter(
    ([name, entry]) => name !== version && !flagAt(entry, 'deprecated'),
  );
  const same = served.filter(([, entry]) => textOfSchema(entry) === schema);
  const [name] = same.find(([, entry]) => flagAt(entry, 'storage')) ?? same[0] ?? [];
  if (name === undefined) return undefined;
  const value = `${group}/${name}`;
  const from = textAt(object, 'apiVersion') ?? '';
  return { title: `write ${value} in place of ${from}`, keys: ['apiVersion'], change: { value } };
}

function textOfSchema(entry: JsonObject): string {
  return JSON.stringify(
    valueAt(entry, 'schema', 'openAPIV3Schema') ?? null,
    (key, value: unknown) =>
      key === 'description' && typeof value === 'string' ? undefined : value,
  );
}

export function nodeAt(schema: SchemaNode, keys: Path): SchemaNode | undefined {
  let node: SchemaNode | undefined = schema;
  for (const key of keys) {
    node =
      typeof key === 'number'
        ? node?.items
        : (node?.properties?.get(key) ?? node?.additionalProperties?.schema);
  }
  return node;
}

export interface PlacedChange {
  readonly path: Path;
  readonly change: ManifestFix['change'];
}

/** If two changes are about one value, the first counts. A name in use is never given again. */
export function withFixes(root: JsonValue, changes: readonly PlacedChange[]): JsonValue {
  const here = changes.find(({ path }) => path.length === 0)?.change;
  if (here !== undefined && 'value' in here) return here.value;
  const below = new Map<Path[number], PlacedChange[]>();
  for (const { path, change } of changes) {
    const [step, ...rest] = path;
    if (step === undefined) continue;
    addTo(below, step, { path: rest, change });
  }
  if (below.size === 0) return root;
  if (Array.isArray(root)) {
    return root.map((item, index) => {
      const inner = below.get(index);
      return inner === undefined ? item : withFixes(item, inner);
    });
  }
  if (!isObject(root)) return root;
  const names = new Set(Object.keys(root));
  const entries = Object.entries(root).map(([key, value]): [string, JsonValue] => {
    const inner = below.get(key);
    if (inner === undefined) return [key, value];
    const name =
      inner
        .map(({ path, change }) =>
          path.length === 0 && 'name' in change ? change.name : undefined,
        )
        .find((given) => given !== undefined) ?? key;
    const isFree = !names.has(name);
    names.add(name);
    return [isFree ? name : key, withFixes(value, inner)];
  });
  return Object.fromEntries(entries);
}
