/** Names the line and column of a value inside a document, for findings. */
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Document } from './documents.js';
import type { Place } from './error.js';
import { findDefect } from './json-defect.js';
import { partsByOffset, type JsonPart } from './json-parts.js';
import { LineStarts } from './place.js';

/** Object keys and list indexes from the document's root. */
export type Path = readonly (string | number)[];

// Most runs find nothing to place: the parser with positions is loaded when it is first needed.
let library: typeof Yaml | undefined;

/** The lexer's own marks of where documents and scalars begin. */
const lexerMarks = new Set(['\u0002', '\u001f']);

/** The two sides of a comparison; older trees would only take memory. */
const recent: { text: string; tree: Positions | undefined }[] = [];
const recentTrees = 2;

/**
 * The place of the value at `path` (of its key, where it has one) by reading that one document
 * again. What is not there gets the place of the nearest parent.
 */
export function locate(document: Pick<Document, 'text' | 'line' | 'file'>, path: Path): Place {
  const file = document.file === undefined ? {} : { file: document.file };
  const position = positionsIn(document.text)?.find(path);
  if (position === undefined) return { ...file, line: document.line };
  return { ...file, line: document.line + position.line - 1, column: position.column };
}

/** Comments of YAML, by the line of the text, counted from one; JSON has none. */
export function commentsIn(
  text: string,
): { readonly text: string; readonly line: number; readonly isAlone: boolean }[] {
  const comments = [];
  let line = 1;
  let isAlone = true;
  for (const token of new (yamlLibrary().Lexer)().lex(text)) {
    if (token.startsWith('#')) comments.push({ text: token, line, isAlone });
    const breaks = token.split('\n').length - 1;
    if (breaks > 0) isAlone = true;
    else if (token.trim() !== '' && !lexerMarks.has(token)) isAlone = false;
    line += breaks;
  }
  return comments;
}

function yamlLibrary(): typeof Yaml {
  library ??= createRequire(import.meta.url)('yaml') as typeof Yaml;
  return library;
}

interface Positions {
  find(path: Path): { line: number; column: number } | undefined;
}

function positionsIn(text: string): Positions | undefined {
  const known = recent.find((each) => each.text === text);
  if (known !== undefined) return known.tree;
  let tree: Positions | undefined;
  if (/^\s*[[{]/.test(text) && findDefect(text) === undefined) {
    tree = new JsonPositions(text);
  } else {
    try {
      tree = new YamlPositions(yamlLibrary(), text);
    } catch {
      // What the other parser took is no error here: the document's first line has to do.
    }
  }
  recent.push({ text, tree });
  if (recent.length > recentTrees) recent.shift();
  return tree;
}

class JsonPositions implements Positions {
  readonly #parts: ReadonlyMap<number, readonly JsonPart[]>;
  readonly #members = new Map<number, ReadonlyMap<string, JsonPart>>();
  readonly #lines: LineStarts;

  constructor(private readonly text: string) {
    this.#parts = partsByOffset(text);
    this.#lines = new LineStarts(text);
  }

  find(path: Path): { line: number; column: number } {
    let value = this.text.search(/\S/);
    let offset = value;
    for (const step of path) {
      const part =
        this.text[value] === '['
          ? this.#parts.get(value)?.[Number(step)]
          : this.#membersOf(value).get(String(step));
      if (part === undefined) break;
      offset = part.key?.offset ?? part.start;
      value = part.start;
    }
    return this.#lines.placeAt(offset);
  }

  /** The last of several equal keys is the one that counts. */
  #membersOf(object: number): ReadonlyMap<string, JsonPart> {
    let members = this.#members.get(object);
    if (members === undefined) {
      const parts = this.#parts.get(object) ?? [];
      members = new Map(parts.flatMap((part) => (part.key ? [[part.key.text, part]] : [])));
      this.#members.set(object, members);
    }
    return members;
  }
}

class YamlPositions implements Positions {
  readonly #lines: Yaml.LineCounter;
  readonly #tree: Yaml.Document.Parsed;
  readonly #pairs = new Map<Yaml.YAMLMap, ReadonlyMap<string, Yaml.Pair>>();

  constructor(
    private readonly yaml: typeof Yaml,
    text: string,
  ) {
    this.#lines = new yaml.LineCounter();
    this.#tree = yaml.parseDocument(text, {
      lineCounter: this.#lines,
      version: '1.1',
      uniqueKeys: false,
      strict: false,
      keepSourceTokens: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
  }

  find(path: Path): { line: number; column: number } | undefined {
    try {
      const { line, col } = this.#lines.linePos(this.#offset(path));
      return { line: Math.max(line, 1), column: Math.max(col, 1) };
    } catch {
      // An alias without an anchor.
      return undefined;
    }
  }

  #offset(path: Path): number {
    const { yaml } = this;
    const tree = this.#tree;
    let node: unknown = tree.contents;
    let offset = yaml.isNode(tree.contents) ? (tree.contents.range?.[0] ?? 0) : 0;
    for (const step of path) {
      if (yaml.isAlias(node)) node = node.resolve(tree);
      let next: unknown;
      let key: unknown;
      if (yaml.isMap(node)) {
        const pair = this.#pairsOf(node).get(String(step));
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

  /** The last of several equal keys is the one that counts. */
  #pairsOf(map: Yaml.YAMLMap): ReadonlyMap<string, Yaml.Pair> {
    let pairs = this.#pairs.get(map);
    if (pairs === undefined) {
      const scalars = map.items.filter(({ key }) => this.yaml.isScalar(key));
      pairs = new Map(scalars.map((pair) => [keyText(pair.key as Yaml.Scalar), pair]));
      this.#pairs.set(map, pairs);
    }
    return pairs;
  }
}

function keyText({ source, value }: Yaml.Scalar): string {
  return String(source ?? value);
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
