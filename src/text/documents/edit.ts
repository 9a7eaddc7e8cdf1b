/** Changes the text of a document to give it another value, and keeps every line that need not change. */
import { append } from '../long-lists.js';
import { parseDocuments, type Document } from './documents.js';
import { InvalidInputError, defaultLimits } from './error.js';
import { stringifyJson } from './json.js';
import { treeOfJson } from './json-tree.js';
import {
  BlockEdits,
  FlowEdits,
  indented,
  lineEndOf,
  TextEdits,
  type Element,
  type Run,
} from './text-edits.js';
import { isObject, own, sameJson, type JsonObject, type JsonValue } from './value.js';
import { writeYaml, type YamlLayout } from './write-yaml.js';
import { isMerge, keyOf, valueOf } from './yaml-decoder.js';
import { firstNodeOf, type MappingNode, type SequenceNode, type YamlNode } from './yaml-nodes.js';
import type { Dialect } from './yaml.js';

export interface EditedText {
  readonly text: string;
  /** Whether the text had to be written anew, without the comments in it. */
  readonly isRewritten: boolean;
}

/** Comments, order, layout and format stay. The result is parsed to make sure that it has the value. */
export function editDocument(
  document: Document,
  wanted: JsonValue,
  dialect: Dialect = 'kubernetes',
): EditedText {
  const readsAsWanted = (text: string): boolean => {
    const [read, ...others] = parseDocuments(text, { dialect });
    return read !== undefined && others.length === 0 && sameJson(read.value, wanted);
  };
  try {
    const text = edited(document, wanted);
    if (text !== undefined && readsAsWanted(text)) return { text, isRewritten: false };
  } catch (error) {
    const isRefused = [InvalidInputError, RangeError].some((each) => error instanceof each);
    if (!isRefused) throw error;
  }
  const text = writtenAnew(document, wanted);
  return { text, isRewritten: true };
}

/** Nothing else in it changes. @param wanted of documents of one file */
export function editFile(wanted: ReadonlyMap<Document, JsonValue>): {
  readonly text: string;
  readonly rewritten: readonly Document[];
} {
  const rewritten: Document[] = [];
  const documents = [...wanted.keys()].toSorted((a, b) => a.offset - b.offset);
  let at = 0;
  let done = '';
  const whole = documents[0]?.fileText ?? '';
  for (const document of documents) {
    const { text, isRewritten } = editDocument(document, wanted.get(document) as JsonValue);
    if (isRewritten) rewritten.push(document);
    done += whole.slice(at, document.offset) + text;
    at = document.offset + document.text.length;
  }
  return { text: done + whole.slice(at), rewritten };
}

/** @throws InvalidInputError, RangeError */
function edited(document: Document, wanted: JsonValue): string | undefined {
  const { format, value } = document;
  if (document.text === '') return undefined;
  if (format === 'json') {
    const root = treeOfJson(document.text);
    return root && new Editor(document.text, root, true).run(value, wanted);
  }
  // The last line gets a line end, as when the text is parsed.
  const isEnded = document.text.endsWith('\n');
  const text = document.text + (isEnded ? '' : lineEndOf(document.text));
  // The document's own tree was made of the text without carriage returns, so its offsets do not fit.
  const root = text.includes('\r')
    ? firstNodeOf(text, defaultLimits.maxDepth)
    : document.tree?.root;
  const done = root && new Editor(text, root, false).run(value, wanted);
  return isEnded ? done : done?.replace(/\r?\n$/, '');
}

/** Writes the value anew; comments before its first line and the document's `---` stay. */
function writtenAnew({ format, text, tree }: Document, wanted: JsonValue): string {
  if (format === 'json') return stringifyJson(wanted, 2);
  const root = text.includes('\r') ? undefined : tree?.root;
  const head =
    root === undefined ? '' : text.slice(0, new TextEdits(text).lineStart(startOf(text, root)));
  return head + writeYaml(wanted, undefined, root && layoutOf(text, root));
}

interface Part extends Element {
  readonly name: string | undefined;
  readonly value: YamlNode;
}

interface Addition {
  /** The index of the part after which it is inserted; -1 for the beginning. */
  readonly after: number;
  readonly name?: string;
  readonly value: JsonValue;
}

/** Writes a member or an item in flow style, as between commas. */
type WriteFlow = (part: Pick<Addition, 'name' | 'value'>) => string;

class Editor {
  readonly #edits: TextEdits;
  readonly #layout: YamlLayout;
  readonly #targets: ReadonlySet<YamlNode>;
  readonly #becomes = new Map<YamlNode, JsonValue>();

  constructor(
    private readonly text: string,
    private readonly root: YamlNode,
    private readonly isJson: boolean,
  ) {
    this.#edits = new TextEdits(text);
    this.#layout = layoutOf(text, root);
    this.#targets = isJson ? new Set() : targetsIn(root);
  }

  /** @throws RangeError where nothing of the text would stay */
  run(before: JsonValue, wanted: JsonValue): string {
    this.#change(this.root, before, wanted, () => {
      throw new RangeError('the root is replaced');
    });
    return this.#edits.apply();
  }

  #change(node: YamlNode, before: JsonValue, wanted: JsonValue, replace: () => void): void {
    const isSame = sameJson(before, wanted);
    if (node.kind === 'alias') {
      if (!sameJson(this.#becomes.get(node.target), wanted)) replace();
      return;
    }
    if (isSame && this.#targets.size === 0) return;
    if (this.#targets.has(node)) this.#becomes.set(node, wanted);
    if (node.kind === 'mapping' && isObject(before) && isObject(wanted)) {
      this.#changeMap(node, before, wanted, replace);
    } else if (node.kind === 'sequence' && Array.isArray(before) && Array.isArray(wanted)) {
      this.#changeList(node, before, wanted, replace);
    } else if (!isSame) replace();
  }

  #changeMap(node: MappingNode, before: JsonObject, wanted: JsonObject, replace: () => void): void {
    const members = this.#membersOf(node);
    const merged = this.#mergedInto(members);
    const renamed =
      merged.size > 0 ? new Map<string, string>() : this.#rename(node, members, before, wanted);
    const isGone = ({ name }: Part): boolean =>
      name !== undefined && !Object.hasOwn(wanted, name) && !renamed.has(name);
    const isLost = [...merged.keys()].some((name) => !Object.hasOwn(wanted, name));
    if (isLost || members.every(isGone)) {
      if (!sameJson(before, wanted)) replace();
      return;
    }
    const written = new Map(members.map((member, index) => [member.name, index]));
    const added: string[] = [];
    const newNames = new Set(renamed.values());
    for (const name of Object.keys(wanted).filter((each) => !newNames.has(each))) {
      const index = written.get(name);
      const value = wanted[name] as JsonValue;
      if (merged.has(name) ? !sameJson(merged.get(name), value) : index === undefined) {
        added.push(name);
      } else if (index !== undefined && !merged.has(name)) {
        const member = members[index] as Part;
        this.#change(member.value, own(before, name) ?? null, value, () =>
          this.#replace(node, members, member, value),
        );
      }
    }
    // The top level of a manifest has an order of its own, and the order of merges has a meaning.
    const isSorted = node !== this.root && merged.size === 0;
    const stays = members.map((member) => !isGone(member));
    const additions = placesFor(added, members, stays, isSorted).map(({ after, name }) => ({
      after,
      name,
      value: wanted[name] as JsonValue,
    }));
    this.#arrange(node, members, stays, additions);
  }

  /** Renames keys where only the name is another one. @returns the new names by the old ones */
  #rename(
    node: MappingNode,
    members: readonly Part[],
    before: JsonObject,
    wanted: JsonObject,
  ): ReadonlyMap<string, string> {
    const renamed = new Map<string, string>();
    const written = new Set(members.map(({ name }) => name));
    const added = Object.keys(wanted).filter((name) => !written.has(name));
    if (added.length === 0) return renamed;
    for (const [index, { name }] of members.entries()) {
      const key = node.members[2 * index];
      const isGone = name !== undefined && !Object.hasOwn(wanted, name);
      if (!isGone || key?.kind !== 'scalar' || this.text.startsWith('&', key.start)) continue;
      const at = added.findIndex((each) => sameJson(before[name], wanted[each]));
      if (at === -1) continue;
      const [newName = ''] = added.splice(at, 1);
      renamed.set(name, newName);
      const isQuoted = this.isJson || this.text[key.start] === '"';
      const text = isQuoted ? JSON.stringify(newName) : writeYaml({ [newName]: 0 }).slice(0, -4);
      this.#edits.replace(key.start, key.end, text);
    }
    return renamed;
  }

  #changeList(
    node: SequenceNode,
    before: readonly JsonValue[],
    wanted: readonly JsonValue[],
    replace: () => void,
  ): void {
    const { kept, added } = alignLists(before, wanted);
    if (kept.size === 0) {
      if (before.length + wanted.length > 0) replace();
      return;
    }
    const items = this.#itemsOf(node);
    for (const [index, at] of kept) {
      const item = items[index] as Part;
      const value = wanted[at] as JsonValue;
      this.#change(item.value, before[index] as JsonValue, value, () =>
        this.#replace(node, items, item, value),
      );
    }
    const stays = items.map((_, index) => kept.has(index));
    const additions = added.map(({ after, at }) => ({ after, value: wanted[at] as JsonValue }));
    this.#arrange(node, items, stays, additions);
  }

  #replace(
    parent: MappingNode | SequenceNode,
    parts: readonly Part[],
    part: Part,
    wanted: JsonValue,
  ): void {
    const { value } = part;
    const start = startOf(this.text, value);
    const anchor = this.#targets.has(value)
      ? (/&[\w-]+/.exec(this.text.slice(value.start, start))?.[0] ?? '')
      : '';
    if (this.#isFlow(parent)) {
      const text = this.#flowWriter(parent, parts)({ value: wanted });
      return this.#edits.replace(value.start, value.end, `${anchor} ${text}`.trimStart());
    }
    // The value is written with a dash or a key before it, which is then cut off.
    const lines =
      part.name === undefined
        ? this.#lines({ value: wanted }).slice('-'.length)
        : this.#lines({ name: 'k', value: wanted }).slice('k:'.length);
    new BlockEdits(this.#edits, parts).replaceValue(part, value.start, lines, anchor);
  }

  #arrange(
    node: MappingNode | SequenceNode,
    parts: readonly Part[],
    stays: readonly boolean[],
    additions: readonly Addition[],
  ): void {
    if (additions.length === 0 && !stays.includes(false)) return;
    const isFlow = this.#isFlow(node);
    const edits = isFlow
      ? new FlowEdits(this.#edits, parts, startOf(this.text, node))
      : new BlockEdits(this.#edits, parts);
    const write = isFlow ? this.#flowWriter(node, parts) : (part: Addition) => this.#lines(part);
    for (const addition of additions) {
      const { after } = addition;
      edits.insert(after, stays.indexOf(true, after + 1), write(addition));
    }
    for (const run of runsOf(stays)) edits.remove(run);
  }

  #lines({ name, value }: Pick<Addition, 'name' | 'value'>): string {
    return writeYaml(name === undefined ? [value] : { [name]: value }, undefined, this.#layout);
  }

  #flowWriter(node: YamlNode, parts: readonly Part[]): WriteFlow {
    const { separator } = new FlowEdits(this.#edits, parts, startOf(this.text, node));
    if (!this.isJson && this.text[parts[0]?.start ?? 0] !== '"') {
      return ({ name, value }) => {
        const part = name === undefined ? [value] : { [name]: value };
        return writeYaml(part, undefined, { isFlow: true }).trimEnd().slice(1, -1);
      };
    }
    const line = separator.lastIndexOf('\n');
    const columns = separator.length - line - 1;
    return ({ name, value }) => {
      const text =
        line === -1
          ? stringifyJson(value)
          : indented(stringifyJson(value, this.#layout.indent), columns).trimStart();
      return name === undefined ? text : `${JSON.stringify(name)}: ${text}`;
    };
  }

  #isFlow(node: MappingNode | SequenceNode): boolean {
    return this.isJson || '[{'.includes(this.text[startOf(this.text, node)] ?? ' ');
  }

  #membersOf(node: MappingNode): Part[] {
    const isFlow = this.#isFlow(node);
    const members: Part[] = [];
    for (let index = 0; index + 1 < node.members.length; index += 2) {
      const key = node.members[index] as YamlNode;
      const value = node.members[index + 1] as YamlNode;
      members.push({
        name: isMerge(key) ? undefined : nameOf(key),
        value,
        start: key.start,
        valueFrom: isFlow ? value.start : this.text.indexOf(':', key.end) + 1,
        end: isFlow ? value.end : endOf(this.text, value),
      });
    }
    return members;
  }

  #itemsOf(node: SequenceNode): Part[] {
    if (this.#isFlow(node)) {
      return node.items.map((value) => {
        const { start, end } = value;
        return { name: undefined, value, start, valueFrom: start, end };
      });
    }
    let dash = startOf(this.text, node);
    const column = this.#edits.column(dash);
    return node.items.map((value, index) => {
      if (index > 0)
        dash = this.#dashBelow(endOf(this.text, node.items[index - 1] as YamlNode), column);
      const end = endOf(this.text, value);
      return { name: undefined, value, start: dash, valueFrom: dash + 1, end };
    });
  }

  #dashBelow(end: number, column: number): number {
    const edits = this.#edits;
    for (let line = edits.nextLine(end); line < this.text.length; line = edits.nextLine(line)) {
      const at = line + column;
      if (this.text[at] === '-' && edits.isFirstOnLine(at)) return at;
    }
    throw new RangeError('an item without a dash');
  }

  /** The values that merges (`<<`) give to a map after the edit, without those that later members replace. */
  #mergedInto(members: readonly Part[]): Map<string, JsonValue> {
    const merged = new Map<string, JsonValue>();
    const merge = (node: YamlNode): void => {
      if (node.kind === 'sequence') return node.items.toReversed().forEach(merge);
      const value =
        node.kind === 'alias' ? this.#becomes.get(node.target) : valueOf(node, defaultLimits);
      if (!isObject(value)) throw new RangeError('what is merged is no map any more');
      for (const [name, each] of Object.entries(value)) merged.set(name, each);
    };
    for (const { name, value } of members) {
      if (name === undefined) merge(value);
      else merged.delete(name);
    }
    return merged;
  }
}

/** Where to insert names: in alphabetical order if the others are sorted, else at the end. */
function placesFor(
  added: readonly string[],
  members: readonly Part[],
  stays: readonly boolean[],
  mayBeSorted: boolean,
): { readonly after: number; readonly name: string }[] {
  const names = members.map(({ name }) => name ?? '');
  const isSorted =
    mayBeSorted && names.every((name, at) => at === 0 || (names[at - 1] ?? '') < name);
  const end = stays.lastIndexOf(true);
  if (!isSorted) return added.map((name) => ({ after: end, name }));
  return added
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => ({
      after: names.findLastIndex((each, at) => stays[at] === true && each < name),
      name,
    }));
}

/** `kept`: from old index to new index; `added`: the new items; old items in neither are removed. */
function alignLists(
  before: readonly JsonValue[],
  wanted: readonly JsonValue[],
): {
  readonly kept: ReadonlyMap<number, number>;
  readonly added: readonly { readonly after: number; readonly at: number }[];
} {
  const kept = new Map<number, number>();
  const added: { after: number; at: number }[] = [];
  const isSame = (index: number, at: number): boolean => sameJson(before[index], wanted[at]);
  const longest = Math.min(before.length, wanted.length);
  let from = 0;
  while (from < longest && isSame(from, from)) kept.set(from, from++);
  const grown = wanted.length - before.length;
  let end = before.length;
  while (end > from && end + grown > from && isSame(end - 1, end + grown - 1)) {
    kept.set(--end, end + grown);
  }
  const texts = before.slice(0, end).map((item) => stringifyJson(item));
  let others: number[] = [];
  /** Pairs items that are gone with those in their place, in order. */
  const pass = (to: number): void => {
    for (const at of others) {
      if (from < to) kept.set(from++, at);
      else added.push({ after: from - 1, at });
    }
    others = [];
    from = to;
  };
  for (let at = from; at < end + grown; at++) {
    const index = texts.indexOf(stringifyJson(wanted[at]), from);
    if (index === -1) others.push(at);
    else {
      pass(index);
      kept.set(index, at);
      from = index + 1;
    }
  }
  pass(end);
  return { kept, added };
}

function runsOf(stays: readonly boolean[]): Run[] {
  const runs: Run[] = [];
  for (let from = stays.indexOf(false); from !== -1;) {
    const next = stays.indexOf(true, from);
    const to = next === -1 ? stays.length : next;
    runs.push({ from, to });
    from = stays.indexOf(false, to);
  }
  return runs;
}

function nameOf(key: YamlNode): string {
  let node = key;
  while (node.kind === 'alias') node = node.target;
  if (node.kind !== 'scalar') throw new RangeError('a key that is no text');
  return keyOf(node).name;
}

function startOf(text: string, { start }: YamlNode): number {
  const properties = /(?:[&!]\S*(?:\s+#.*|\s)*)*/y;
  properties.lastIndex = start;
  return start + (properties.exec(text)?.[0].length ?? 0);
}

/** Where a node ends, with the empty lines that a block scalar with `+` keeps. */
function endOf(text: string, node: YamlNode): number {
  let last = node;
  for (let next: YamlNode | undefined = node; next !== undefined;) {
    last = next;
    next = '[{'.includes(text[startOf(text, last)] ?? ' ') ? undefined : lastOf(last);
  }
  if (last.kind !== 'scalar' || !/^[|>]\d?\+/.test(text.slice(startOf(text, last))))
    return last.end;
  const kept = /(?:\r?\n[ \t]*(?=\r?\n))*/y;
  kept.lastIndex = last.end;
  return last.end + (kept.exec(text)?.[0].length ?? 0);
}

function lastOf(node: YamlNode): YamlNode | undefined {
  if (node.kind === 'mapping') return node.members.at(-1);
  return node.kind === 'sequence' ? node.items.at(-1) : undefined;
}

function targetsIn(root: YamlNode): Set<YamlNode> {
  const targets = new Set<YamlNode>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'alias') targets.add(node.target);
    else if (node.kind === 'mapping') append(open, node.members);
    else if (node.kind === 'sequence') append(open, node.items);
  }
  return targets;
}

/** The indentation of the text, from the first map and the first list that show it. */
function layoutOf(text: string, root: YamlNode): YamlLayout {
  const edits = new TextEdits(text);
  let indent: number | undefined;
  let isFlat: boolean | undefined;
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'sequence') append(open, node.items.toReversed());
    if (node.kind !== 'mapping') continue;
    const { members } = node;
    append(open, members.toReversed());
    for (let index = 0; index + 1 < members.length; index += 2) {
      const value = members[index + 1] as YamlNode;
      const first = value.kind === 'mapping' ? value.members[0]?.start : startOf(text, value);
      if (first === undefined || !edits.isFirstOnLine(first)) continue;
      const deeper = edits.column(first) - edits.column((members[index] as YamlNode).start);
      if (value.kind === 'mapping') indent ??= deeper;
      else if (value.kind === 'sequence' && text[first] === '-') isFlat ??= deeper === 0;
    }
    if (indent !== undefined && isFlat !== undefined) break;
  }
  return { indent: Math.max(indent ?? 2, 1), isFlat: isFlat ?? false };
}
