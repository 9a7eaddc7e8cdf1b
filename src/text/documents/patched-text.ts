/** A document's text after a patch of its value, with its comments and its order kept. */
import type { Operation } from 'fast-json-patch';
import { dump } from 'js-yaml';
import { isMap, parseDocument, type ToStringOptions } from 'yaml';
import type { Document } from './documents.js';
import { parseDocuments } from './documents.js';
import { stringifyJson } from './json.js';
import type { JsonValue } from './value.js';

/**
 * YAML stays YAML and JSON stays JSON. Where the text cannot be patched so that it reads as
 * `patched`, it is written anew, without comments.
 *
 * @param patched the value after `patch`
 */
export function patchedText(
  { text, format }: Pick<Document, 'text' | 'format'>,
  patch: readonly Operation[],
  patched: JsonValue,
): string {
  if (format === 'json') return `${stringifyJson(patched, 2)}\n`;
  const kept = text === '' ? undefined : patchYaml(text, patch);
  if (kept !== undefined && readsAs(kept, patched)) return kept;
  return dump(JSON.parse(stringifyJson(patched)), { lineWidth: -1, noRefs: true });
}

function patchYaml(text: string, patch: readonly Operation[]): string | undefined {
  try {
    const tree = parseDocument(text, { version: '1.1', keepSourceTokens: false });
    if (tree.errors.length > 0) return undefined;
    for (const operation of patch) {
      const keys = operation.path.split('/').slice(1).map(unescape);
      if (operation.op === 'remove') tree.deleteIn(keys.map((key, at) => indexed(key, at, keys)));
      else if (operation.op === 'add' || operation.op === 'replace') {
        const value = tree.createNode(JSON.parse(stringifyJson(operation.value)) as unknown);
        const last = keys.at(-1);
        const parent = tree.getIn(keys.slice(0, -1).map((key, at) => indexed(key, at, keys)));
        if (last === '-') tree.addIn(keys.slice(0, -1), value);
        else if (isMap(parent)) parent.set(last, value);
        else
          tree.setIn(
            keys.map((key, at) => indexed(key, at, keys)),
            value,
          );
      } else return undefined;
    }
    return tree.toString(layoutLike(text));
  } catch {
    return undefined;
  }
}

/** How YAML is to be written that people have laid out: lines, lists and brackets as theirs. */
export function layoutLike(text: string): ToStringOptions {
  const isFlat = /^( *)[^\s#-][^\n]*:[ \t]*\n\1- /m.test(text);
  const flowCollectionPadding = /[[{] /.test(text) || !/[[{]\w/.test(text);
  return { lineWidth: 0, indentSeq: !isFlat, flowCollectionPadding };
}

/** Positions in lists are numbers; `spec.versions` is the only list on the way into a schema. */
function indexed(key: string, at: number, keys: readonly string[]): string | number {
  return keys[at - 1] === 'versions' && at === 2 && /^\d+$/.test(key) ? Number(key) : key;
}

function unescape(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

function readsAs(text: string, wanted: JsonValue): boolean {
  const [document, ...others] = parseDocuments(text);
  return document !== undefined && others.length === 0 && sorted(document.value) === sorted(wanted);
}

function sorted(value: JsonValue): string {
  return JSON.stringify(JSON.parse(stringifyJson(value)), (_, item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
      : item,
  );
}
