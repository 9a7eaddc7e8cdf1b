/** Names the line and column of a value inside a document, for findings. */
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Document } from './documents.js';
import type { Place } from './error.js';

/** Object keys and list indexes from the document's root. */
export type Path = readonly (string | number)[];

// Most runs find nothing to place: the parser with positions is loaded when it is first needed.
let library: typeof Yaml | undefined;

/**
 * The place of the value at `path` (of its key, where it has one) by reading that one document
 * again. What is not there gets the place of the nearest parent.
 */
export function locate(document: Pick<Document, 'text' | 'line' | 'file'>, path: Path): Place {
  const file = document.file === undefined ? {} : { file: document.file };
  library ??= createRequire(import.meta.url)('yaml') as typeof Yaml;
  let start: number;
  let lineCounter: Yaml.LineCounter;
  try {
    const parsed = parse(library, document.text);
    lineCounter = parsed.lineCounter;
    start = offsetOf(library, parsed.tree, path);
  } catch {
    return { ...file, line: document.line };
  }
  const position = lineCounter.linePos(start);
  return {
    ...file,
    line: document.line + Math.max(position.line, 1) - 1,
    column: Math.max(position.col, 1),
  };
}

interface Parsed {
  readonly tree: Yaml.Document.Parsed;
  readonly lineCounter: Yaml.LineCounter;
}

// The findings of one document come one after the other.
let last: { readonly text: string; readonly parsed: Parsed } | undefined;

function parse({ LineCounter, parseDocument }: typeof Yaml, text: string): Parsed {
  if (last?.text === text) return last.parsed;
  const lineCounter = new LineCounter();
  const tree = parseDocument(text, {
    lineCounter,
    version: '1.1',
    uniqueKeys: false,
    strict: false,
    keepSourceTokens: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const parsed = { tree, lineCounter };
  last = { text, parsed };
  return parsed;
}

function offsetOf(yaml: typeof Yaml, tree: Yaml.Document.Parsed, path: Path): number {
  let node: unknown = tree.contents;
  let offset = yaml.isNode(tree.contents) ? (tree.contents.range?.[0] ?? 0) : 0;
  for (const step of path) {
    if (yaml.isAlias(node)) node = node.resolve(tree);
    let next: unknown;
    let key: unknown;
    if (yaml.isMap(node)) {
      // The last of several equal keys is the one that counts.
      const pair = node.items.findLast(
        (item) =>
          yaml.isScalar(item.key) && String(item.key.source ?? item.key.value) === String(step),
      );
      key = pair?.key;
      next = pair?.value;
    } else if (yaml.isSeq(node)) {
      next = node.items[Number(step)];
      key = next;
    }
    if (key === undefined) return offset;
    if (yaml.isNode(key)) offset = key.range?.[0] ?? offset;
    node = next;
  }
  return offset;
}

/** `$.spec.versions[0]["a.b"]`, as places and findings print paths. */
export function formatPath(path: Path): string {
  return path
    .map((step) =>
      typeof step === 'number'
        ? `[${step}]`
        : /^[A-Za-z_$][\w$-]*$/.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .reduce((all, step) => all + step, '$');
}
