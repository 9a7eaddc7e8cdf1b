/** Diffs in their place: of a schema's node, of a fix, and the value of an object that is meant. */
import type { Finding } from '../../rule/index.js';
import {
  isObject,
  own,
  parseDocuments,
  writeYaml,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { shortened } from '../../text/shortened.js';
import { childrenOf, ownKeywords, schemasOf } from './schema-tree.js';
import { readPointer } from '../../text/json-pointer.js';

export interface DiffLine {
  readonly kind: 'same' | 'old' | 'new';
  readonly text: string;
}

const maxLines = 40;
const longestLine = 160;

/** Keywords of the node that the finding is about, before and after, below the fields above it. */
export function diffOfNode(old: JsonObject, next: JsonObject, finding: Finding): DiffLine[] {
  const { version, path, exactPath } = finding;
  // A name that holds a separator looks like two names.
  if (version === undefined || path === undefined || exactPath !== undefined) return [];
  const names = fieldsOf(path);
  const before = nodeAt(schemasOf(old).get(version), names);
  const after = nodeAt(schemasOf(next).get(version), names);
  const [left, right] = [ownKeywords(before), ownKeywords(after)];
  const gone = left.filter((line) => !right.includes(line));
  const come = right.filter((line) => !left.includes(line));
  if (gone.length + come.length === 0) return [];
  const indent = '  '.repeat(names.length);
  const state = before === undefined ? 'new' : after === undefined ? 'old' : 'same';
  return bounded([
    ...names.map((name, depth): DiffLine => ({
      kind: depth === names.length - 1 ? state : 'same',
      text: `${'  '.repeat(depth)}${name}:`,
    })),
    ...gone.map((text): DiffLine => ({ kind: 'old', text: `${indent}${text}` })),
    ...come.map((text): DiffLine => ({ kind: 'new', text: `${indent}${text}` })),
  ]);
}

function nodeAt(schema: JsonObject | undefined, names: readonly string[]): JsonObject | undefined {
  return names.reduce<JsonObject | undefined>((node, name) => {
    const children = childrenOf(node);
    return name === each
      ? (children.get('items') ?? children.get('additionalProperties'))
      : children.get(name);
  }, schema);
}

/** Stands for the items of a list or the values of a map. */
const each = '[*]';

/** `^.spec.list[*].name` is spec, list, each, name. */
function fieldsOf(path: string): string[] {
  return path.match(/\[\*\]|[^.[\]^]+/g) ?? [];
}

/** Parts that an RFC 6902 patch takes from the document and puts there, each change under its last names. */
export function diffOfFix(document: JsonObject, patch: readonly unknown[]): DiffLine[] {
  return bounded(
    (patch as { op?: string; path?: string; value?: JsonValue }[]).flatMap(
      ({ op, path = '', value }) => {
        const steps = readPointer(path);
        const last = steps.at(-1) ?? '';
        const above = steps.slice(-3, -1);
        const known = valueAt(document, steps);
        const head: DiffLine = { kind: 'same', text: `${above.join('.')}:` };
        return [
          head,
          ...(op === 'add' || known === undefined ? [] : memberLines(last, known, 'old')),
          ...(op === 'remove' || value === undefined ? [] : memberLines(last, value, 'new')),
        ];
      },
    ),
  );
}

function memberLines(key: string, value: JsonValue, kind: 'old' | 'new'): DiffLine[] {
  const isItem = /^(\d+|-)$/.test(key);
  const text = writeYaml(isItem ? [value] : { [key]: value }).trimEnd();
  return text.split('\n').map((line) => ({ kind, text: `  ${line}` }));
}

function valueAt(document: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const step of steps) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isObject(value) ? own(value, step) : undefined;
  }
  return value;
}

function bounded(lines: readonly DiffLine[]): DiffLine[] {
  const shown = lines
    .slice(0, maxLines)
    .map(({ kind, text }): DiffLine => ({ kind, text: shortened(text, longestLine) }));
  const left = lines.length - maxLines;
  return left > 0 ? [...shown, { kind: 'same', text: `and ${left} more lines` }] : shown;
}

const longestObject = 4_000;
/** Longest text in which a value is looked for. */
const longestSearched = 100_000;
const maxPaths = 100;

/** The object as YAML, with those lines marked that the finding is about. */
export function markedObject(
  witness: unknown,
  { path, exactPath, effect }: Finding,
): { readonly text: string; readonly isMarked: boolean }[] {
  const yaml = writeYaml(witness).trimEnd();
  const lines = shortened(yaml, longestObject).split('\n');
  const marked = new Set<number>();
  if (
    path?.startsWith('^.') === true &&
    exactPath === undefined &&
    yaml.length <= longestSearched &&
    isObject(witness)
  ) {
    const [document] = parseDocuments(Buffer.from(yaml), {});
    for (const found of pathsTo(witness, fieldsOf(path))) {
      const { line } = document?.placeOf(found) ?? {};
      if (line === undefined) continue;
      marked.add(line - 1);
      if (effect !== 'data-loss') continue;
      const depth = indentOf(lines[line - 1] ?? '');
      for (let at = line; at < lines.length && indentOf(lines[at] ?? '') > depth; at++)
        marked.add(at);
    }
  }
  return lines.map((text, index) => ({ text, isMarked: marked.has(index) }));
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The values of an object for which a node of its schema speaks, as far as they are there. */
function pathsTo(object: JsonObject, names: readonly string[]): (string | number)[][] {
  let found: { path: (string | number)[]; value: JsonValue }[] = [{ path: [], value: object }];
  for (const name of names) {
    const below = found.flatMap(({ path, value }) => {
      if (Array.isArray(value)) {
        if (name !== each) return [];
        return value.map((item, index) => ({ path: [...path, index], value: item }));
      }
      if (!isObject(value)) return [];
      const member = own(value, name);
      if (member !== undefined) return [{ path: [...path, name], value: member }];
      if (name !== each) return [];
      return Object.entries(value).map(([key, below]) => ({ path: [...path, key], value: below }));
    });
    if (below.length === 0) break;
    found = below.slice(0, maxPaths);
  }
  return found.flatMap(({ path }) => (path.length === 0 ? [] : [path]));
}
