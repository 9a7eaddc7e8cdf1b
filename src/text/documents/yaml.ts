/** One YAML document in, as sigs.k8s.io/yaml reads it (`kubernetes`) or as YAML 1.2 core (`core`). */
import {
  InvalidInputError,
  type Place,
  defaultLimits,
  type Limits,
  placeAt,
  LineStarts,
  columnAt,
} from './error.js';
import { type JsonValue, defineOwn, isObject, own, type JsonObject } from './value.js';
import { type Dialect, valueOf, isMerge, keyOf } from './yaml-decoder.js';
import {
  firstNodeOf,
  onlyNodeOf,
  type YamlNode,
  membersOfPart,
  type MappingNode,
  type ScalarNode,
  type SequenceNode,
} from './yaml-nodes.js';
import { yamlDefect, YamlScanner } from './yaml-scanner.js';
import { changedPart } from './text-edits.js';

export type { Dialect };

export interface YamlOptions extends Partial<Limits> {
  readonly file?: string;
  readonly dialect?: Dialect;
  /** For `kubernetes`: a text as it was read before an edit. */
  readonly before?: Parameters<typeof rereadYaml>[0] | undefined;
}

/** A document's value, and the tree it was made of. */
export interface ReadYaml {
  readonly value: JsonValue;
  readonly root?: YamlNode | undefined;
}

export function parseYaml(text: string, options: YamlOptions = {}): JsonValue {
  return readYaml(text, options).value;
}

/** Content behind it is ignored in `kubernetes`, as by the reference, refused in `core`. @throws `E_YAML`, `E_LIMIT` */
export function readYaml(text: string, options: YamlOptions = {}): ReadYaml {
  const limits = { ...defaultLimits, ...options };
  const where: Place = { file: options.file };
  if (text.length > limits.maxBytes) {
    throw new InvalidInputError(
      'E_LIMIT',
      `is ${text.length} bytes long; at most ${limits.maxBytes} are read`,
      where,
    );
  }
  if (limits.maxValues < Infinity && mayHoldMore(text, limits.maxValues)) {
    throw new InvalidInputError('E_LIMIT', `holds more than ${limits.maxValues} values`, where);
  }
  try {
    // Go cannot hold half a surrogate pair: it reads U+FFFD.
    const whole = /[\ud800-\udfff]/.test(text)
      ? text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
      : text;
    demandVisible(whole);
    const { dialect, before } = options;
    const reread = before && rereadYaml(before, whole, limits);
    if (reread !== undefined) return reread;
    const root = (dialect === 'core' ? onlyNodeOf : firstNodeOf)(whole, limits.maxDepth);
    return { value: root === undefined ? null : valueOf(root, limits, dialect), root };
  } catch (error) {
    if (error instanceof InvalidInputError) {
      if (error.code !== 'E_YAML') throw error.at(where);
      throw notYaml(error.message, text, Number(error.details['index']), where);
    }
    if (!(error instanceof RangeError)) throw error;
    throw new InvalidInputError('E_LIMIT', 'nests too deep to be read', where);
  }
}

const betweenValues = /[\n\r,:?\u0085\u2028\u2029]/g;

function mayHoldMore(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let count = 0;
  betweenValues.lastIndex = 0;
  while (betweenValues.test(text)) if (++count > most) return true;
  return false;
}

// eslint-disable-next-line no-control-regex -- these are what is looked for
const controlCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** Control characters, line breaks of YAML 1.1, and the byte order mark, behind which the reference loses characters. */
const hiddenCharacter = new RegExp(`${controlCharacter.source}|[\\u2028\\u2029]|(?!^)\\ufeff`);

function demandVisible(text: string): void {
  const index = text.search(hiddenCharacter);
  if (index === -1) return;
  const code = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0');
  throw yamlDefect(
    controlCharacter.test(text[index] ?? '')
      ? 'control characters are not allowed'
      : `U+${code} stands here, unseen: remove it, or write \\u${code} in double quotes`,
    index,
  );
}

/** Places an error at the end of the text on its last line, not behind it. */
function notYaml(reason: string, text: string, index: number, where: Place): InvalidInputError {
  const place = placeAt(text, Math.min(index, text.trimEnd().length));
  return new InvalidInputError('E_YAML', `is not YAML: ${reason}${templateHint(text)}`, {
    ...where,
    ...place,
  });
}

const template = /\{\{-?\s*(?:[.$]|(?:if|range|with|end|include|define|template)\b)/;

/** Charts are mostly taken for manifests by mistake. */
function templateHint(text: string): string {
  return template.test(text)
    ? '; it holds templates such as {{ .x }}: render it first, with helm template'
    : '';
}

interface Comment {
  /** With its `#`. */
  readonly text: string;
  readonly line: number;
  /** Whether nothing else is on its line. */
  readonly isAlone: boolean;
}

/** In order. Invalid YAML yields those before the error, JSON none. */
export function commentsIn(text: string): Comment[] {
  const scanner = new YamlScanner(text);
  try {
    while (scanner.peek().kind !== 'stream-end') scanner.skip();
  } catch (error) {
    if (!(error instanceof InvalidInputError) && !(error instanceof RangeError)) throw error;
  }
  const lines = new LineStarts(text);
  return scanner.comments.map(({ start, end }) => {
    const { line, column } = lines.placeAt(start);
    const isAlone = text.slice(start - column + 1, start).trim() === '';
    return { text: text.slice(start, end), line, isAlone };
  });
}

interface Reread {
  readonly root: YamlNode;
  readonly value: JsonValue;
}

// An edited text, of which only the smallest members around the edit are read again. Its scanner begins at
// their first key, in the state that a whole reading has there; where it arrives at what is behind them in
// the state that it had there before the edit, a whole reading goes on as it did: all else keeps its values,
// and its nodes but for where they stand.

/** A whole reading is tried before ever larger parts of the text. */
const mostAttempts = 4;

/** Roots of texts that can be read again in parts. */
const usual = new WeakSet<YamlNode>();

/** Undefined where the whole text must be read. */
export function rereadYaml(
  before: Reread & { readonly text: string },
  text: string,
  limits: Limits,
): Reread | undefined {
  const { root } = before;
  if (before.text === text) return before;
  if (isUnusual(text)) return undefined;
  try {
    if (!usual.has(root) && (isUnusual(before.text) || holdsAlias(root))) return undefined;
    const reread = new Rereading(before.text, text, limits).node(root, before.value, 1);
    if (reread !== undefined) usual.add(reread.root);
    return reread;
  } catch (error) {
    // A whole reading finds it too, and says where.
    if (error instanceof InvalidInputError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The scanner counts columns from these line breaks too, and directives change what tags mean. */
function isUnusual(text: string): boolean {
  return (
    text.includes('\r') ||
    text.includes('\u0085') ||
    text.startsWith('%') ||
    text.includes('\n%') ||
    text.startsWith('\ufeff')
  );
}

/** An alias stands for what may be anywhere, and all aliases together are bounded. */
function holdsAlias(node: YamlNode): boolean {
  if (node.kind === 'mapping') return node.members.some(holdsAlias);
  return node.kind === 'alias' || (node.kind === 'sequence' && node.items.some(holdsAlias));
}

function nameOf(key: ScalarNode): string {
  return keyOf(key).name;
}

function moved(node: YamlNode, by: number): YamlNode {
  const place = { start: node.start + by, end: node.end + by };
  if (node.kind === 'scalar') {
    const { text, tag, isImplicit } = node;
    return { kind: 'scalar', ...place, text, tag, isImplicit };
  }
  if (node.kind === 'alias') return { ...node, ...place };
  if (!(node instanceof MovedNode)) return new MovedNode(node, by);
  return node.moved(by);
}

/** A list or map whose parts are shifted once they are asked for: most never are. */
class MovedNode {
  readonly kind: 'sequence' | 'mapping';
  readonly start: number;
  readonly end: number;
  readonly behind?: number;
  #from: SequenceNode | MappingNode | undefined;
  #nodes: YamlNode[] = [];

  constructor(
    from: SequenceNode | MappingNode,
    private readonly by: number,
  ) {
    this.#from = from;
    this.kind = from.kind;
    this.start = from.start + by;
    this.end = from.end + by;
    if (from.kind === 'mapping' && from.behind !== undefined) this.behind = from.behind + by;
  }

  moved(by: number): YamlNode {
    const from = this.#from ?? (this as YamlNode as MappingNode);
    return new MovedNode(from, this.#from === undefined ? by : this.by + by);
  }

  get items(): YamlNode[] {
    return this.members;
  }

  get members(): YamlNode[] {
    const from = this.#from;
    if (from !== undefined) {
      const nodes = from.kind === 'sequence' ? from.items : from.members;
      this.#nodes = nodes.map((node) => moved(node, this.by));
      this.#from = undefined;
    }
    return this.#nodes;
  }
}

class Rereading {
  readonly #start: number;
  readonly #end: number;
  readonly #by: number;
  #attempts = 0;

  constructor(
    private readonly before: string,
    private readonly text: string,
    private readonly limits: Limits,
  ) {
    const { start, end } = changedPart(before, text);
    this.#start = start;
    this.#end = end;
    this.#by = text.length - before.length;
  }

  node(node: YamlNode, value: JsonValue | undefined, depth: number): Reread | undefined {
    if (node.kind === 'sequence') {
      const at = this.#lastBefore(node.items, 1);
      const item = node.items[at];
      const list = Array.isArray(value) ? value : [];
      const reread = item && this.node(item, list[at], depth + 1);
      if (reread === undefined) return undefined;
      const items = this.#withParts(node.items, at, 1, [reread.root]);
      const end = items.at(-1)?.end ?? node.end;
      return { root: { ...node, end, items }, value: list.with(at, reread.value) };
    }
    if (node.kind !== 'mapping' || node.behind === undefined || !isObject(value)) return undefined;
    const at = this.#lastBefore(node.members, 2);
    const [key, inner] = [node.members[at], node.members[at + 1]];
    if (key?.kind !== 'scalar' || inner === undefined) return undefined;
    if (inner.start < this.#start) {
      const reread = this.node(inner, own(value, nameOf(key)), depth + 1);
      if (reread !== undefined)
        return this.#withMembers(node, value, at, [key, reread.root], reread);
    }
    const members = this.#membersAgain(node, at, depth);
    return members && this.#withMembers(node, value, at, members);
  }

  /** Of nodes in steps, the last whose beginning the edit leaves as it is. */
  #lastBefore(nodes: readonly YamlNode[], step: number): number {
    let [low, high] = [-1, nodes.length / step - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((nodes[middle * step] as YamlNode).start < this.#start) low = middle;
      else high = middle - 1;
    }
    return low * step;
  }

  #membersAgain(node: MappingNode, at: number, depth: number): YamlNode[] | undefined {
    const [first, key, next] = [0, at, at + 2].map((index) => node.members[index]);
    if (first === undefined || key === undefined) return undefined;
    const { start } = key;
    const end = next?.start ?? node.behind ?? NaN;
    // A key behind a question mark on a line before it has another column, or the map another beginning.
    const column = columnAt(this.before, first.start) - 1;
    const isKey = first.start === node.start && this.#indentAt(start) === column;
    // The edit leaves the line of what is behind it as it was.
    const line = end - (this.#indentAt(end) ?? Infinity);
    if (!isKey || this.#end > line || this.text[line + this.#by - 1] !== '\n') return undefined;
    if (++this.#attempts > mostAttempts) return undefined;
    const part = { start, column, depth, isLast: next === undefined, end: end + this.#by };
    try {
      const members = membersOfPart(this.text, part, this.limits.maxDepth);
      return members?.some(holdsAlias) === true ? undefined : members;
    } catch (error) {
      if (error instanceof InvalidInputError) return undefined;
      throw error;
    }
  }

  /** Undefined where something else is before it on its line. */
  #indentAt(index: number): number | undefined {
    const indent = columnAt(this.before, index) - 1;
    return /^ *$/.test(this.before.slice(index - indent, index)) ? indent : undefined;
  }

  /** Undefined where equal keys or merged maps make values depend on each other. */
  #withMembers(
    node: MappingNode,
    value: JsonObject,
    at: number,
    changed: readonly YamlNode[],
    known?: Reread,
  ): Reread | undefined {
    const hasAll = Object.keys(value).length === node.members.length / 2;
    const members = this.#withParts(node.members, at, 2, changed);
    const object: JsonObject = {};
    for (let index = 0; index < members.length; index += 2) {
      const [key, inner] = [members[index] as YamlNode, members[index + 1] as YamlNode];
      if (key.kind !== 'scalar' || isMerge(key) || !hasAll) return undefined;
      const isChanged = index >= at && index < at + changed.length;
      const name = nameOf(key);
      if (!isChanged) defineOwn(object, name, own(value, name) as JsonValue);
      else defineOwn(object, name, known?.value ?? valueOf(inner, this.limits));
    }
    if (Object.keys(object).length !== members.length / 2) return undefined;
    const end = members.at(-1)?.end ?? node.end;
    const behind = (node.behind as number) + this.#by;
    return { root: { ...node, end, behind, members }, value: object };
  }

  #withParts(
    nodes: readonly YamlNode[],
    at: number,
    count: number,
    changed: readonly YamlNode[],
  ): YamlNode[] {
    const behind = nodes.slice(at + count).map((node) => moved(node, this.#by));
    return [...nodes.slice(0, at), ...changed, ...behind];
  }
}
