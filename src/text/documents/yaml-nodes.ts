/**
 * The first document of a YAML 1.1 text as a tree, as kubectl's parser makes it: go.yaml.in/yaml/v2
 * `parserc.go` and the first half of `decode.go`. What follows the document is not looked at.
 */
import type { InvalidInputError } from './error.js';
import { yamlDefect, YamlScanner, type Token, type TokenKind } from './yaml-scanner.js';

interface AnyNode {
  /** Indexes into the text: its first character, and the one behind its last. */
  readonly start: number;
  readonly end: number;
}

export interface ScalarNode extends AnyNode {
  readonly kind: 'scalar';
  readonly text: string;
  readonly tag: string;
  /** Whether its text decides what it is. */
  readonly isImplicit: boolean;
}

export interface SequenceNode extends AnyNode {
  readonly kind: 'sequence';
  end: number;
  readonly items: YamlNode[];
}

export interface MappingNode extends AnyNode {
  readonly kind: 'mapping';
  end: number;
  /** Key, value, key, value. */
  readonly members: YamlNode[];
  /** Where what is behind it begins; undefined where it is written in braces or brackets. */
  behind?: number;
}

export interface AliasNode extends AnyNode {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: YamlNode;
}

export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

/** Undefined where the text has no document. @throws InvalidInputError, RangeError */
export function firstNodeOf(text: string, maxDepth: number): YamlNode | undefined {
  return new NodeReader(new YamlScanner(text), maxDepth).document();
}

/** A part of a block map: from one of its keys on, up to what is behind one of its values. */
export interface PartOfMap {
  readonly start: number;
  readonly end: number;
  /** The indentation of the map's keys. */
  readonly column: number;
  /** How many lists and maps it is in, itself included. */
  readonly depth: number;
  /** Whether the map ends with it. */
  readonly isLast: boolean;
}

/**
 * The members in a part of a text without directives, as the whole text would be read; undefined where
 * what is behind the part would then be read in another way. @throws InvalidInputError, RangeError
 */
export function membersOfPart(
  text: string,
  part: PartOfMap,
  maxDepth: number,
): YamlNode[] | undefined {
  const tokens = new YamlScanner(text, part);
  return new NodeReader(tokens, maxDepth).membersOf(part);
}

/** The same for YAML 1.2 too, and refuses what follows the document. @throws InvalidInputError, RangeError */
export function onlyNodeOf(text: string, maxDepth: number): YamlNode | undefined {
  const tokens = new YamlScanner(text);
  const root = new NodeReader(tokens, maxDepth, ['1.1', '1.2']).document();
  let token = tokens.peek();
  while (token.kind === 'document-end') token = tokens.next();
  if (token.kind !== 'stream-end') throw defect('has more than one document', token);
  return root;
}

const endsOfDocument: ReadonlySet<TokenKind> = new Set([
  'version-directive',
  'tag-directive',
  'document-start',
  'document-end',
  'stream-end',
]);

class NodeReader {
  readonly #anchors = new Map<string, YamlNode>();
  readonly #tagPrefixes = new Map<string, string>();
  #depth = 0;

  constructor(
    private readonly tokens: YamlScanner,
    private readonly maxDepth: number,
    private readonly versions: readonly string[] = ['1.1'],
  ) {}

  document(): YamlNode | undefined {
    let token = this.tokens.peek();
    if (token.kind === 'stream-end') return undefined;
    let root: YamlNode;
    const isExplicit = endsOfDocument.has(token.kind) && token.kind !== 'document-end';
    if (isExplicit) this.#directives();
    this.#knowUsualTags();
    if (isExplicit) {
      token = this.tokens.next();
      root = endsOfDocument.has(token.kind) ? nothingAt(token) : this.#node(true, false);
    } else {
      root = this.#node(true, false);
    }
    // The reference reads one token further, and refuses what is none.
    this.tokens.peek();
    return root;
  }

  membersOf({ end, depth, isLast }: PartOfMap): YamlNode[] | undefined {
    this.#depth = depth;
    this.#knowUsualTags();
    const members: YamlNode[] = [];
    const behind = this.#blockMembers(members, end);
    const isAlike = behind.start === end && behind.kind === (isLast ? 'block-end' : 'key');
    return isAlike && members.length > 0 ? members : undefined;
  }

  #knowUsualTags(): void {
    for (const [handle, prefix] of [
      ['!', '!'],
      ['!!', 'tag:yaml.org,2002:'],
    ] as const) {
      if (!this.#tagPrefixes.has(handle)) this.#tagPrefixes.set(handle, prefix);
    }
  }

  #directives(): void {
    let isVersionSaid = false;
    let token = this.tokens.peek();
    for (; token.kind !== 'document-start'; token = this.tokens.next()) {
      if (token.kind === 'version-directive') {
        if (isVersionSaid) throw defect('found duplicate %YAML directive', token);
        if (!this.versions.includes(token.value.split('.').map(Number).join('.'))) {
          throw defect('found incompatible YAML document: only %YAML 1.1 is read', token);
        }
        isVersionSaid = true;
      } else if (token.kind === 'tag-directive') {
        if (this.#tagPrefixes.has(token.value)) {
          throw defect('found duplicate %TAG directive', token);
        }
        this.#tagPrefixes.set(token.value, token.suffix);
      } else {
        throw defect('did not find expected <document start>', token);
      }
    }
  }

  #node(isBlock: boolean, mayBeIndentless: boolean): YamlNode {
    let token = this.tokens.peek();
    const { start } = token;
    let { end } = token;
    if (token.kind === 'alias') {
      const target = this.#anchors.get(token.value);
      if (target === undefined) throw defect(`unknown anchor '${token.value}' referenced`, token);
      this.tokens.skip();
      return { kind: 'alias', start, end, name: token.value, target };
    }
    let anchor = '';
    let tag = '';
    const first = token.kind;
    for (let count = 0; count < 2; count++) {
      if (token.kind === 'anchor' && anchor === '') anchor = token.value;
      else if (token.kind === 'tag' && tag === '') tag = this.#tagOf(token);
      else break;
      ({ end } = token);
      token = this.tokens.next();
      if (token.kind === first) break;
    }
    const keep = <Node extends YamlNode>(node: Node): Node => {
      if (anchor !== '') this.#anchors.set(anchor, node);
      return node;
    };
    if (token.kind === 'scalar') {
      this.tokens.skip();
      const isImplicit = (tag === '' && token.isPlain) || tag === '!';
      return keep({ kind: 'scalar', start, end: token.end, text: token.value, tag, isImplicit });
    }
    if (++this.#depth > this.maxDepth) throw new RangeError('too deep');
    const { kind } = token;
    let node: SequenceNode | MappingNode | undefined;
    if (mayBeIndentless && kind === 'block-entry') {
      node = this.#sequence(false, keep({ kind: 'sequence', start, end, items: [] }));
    } else if (kind === 'flow-sequence-start') {
      node = this.#flowSequence(keep({ kind: 'sequence', start, end, items: [] }));
    } else if (kind === 'flow-mapping-start') {
      node = this.#flowMapping(keep({ kind: 'mapping', start, end, members: [] }));
    } else if (isBlock && kind === 'block-sequence-start') {
      node = this.#sequence(true, keep({ kind: 'sequence', start, end, items: [] }));
    } else if (isBlock && kind === 'block-mapping-start') {
      node = this.#blockMapping(keep({ kind: 'mapping', start, end, members: [] }));
    }
    this.#depth--;
    if (node !== undefined) return node;
    if (anchor !== '' || tag !== '') {
      return keep({ kind: 'scalar', start, end, text: '', tag, isImplicit: tag === '' });
    }
    throw defect('did not find expected node content', token);
  }

  #tagOf(token: Token): string {
    if (token.value === '') return token.suffix;
    const prefix = this.#tagPrefixes.get(token.value);
    if (prefix === undefined) throw defect('found undefined tag handle', token);
    return prefix + token.suffix;
  }

  #sequence(isIndented: boolean, node: SequenceNode): SequenceNode {
    let token = isIndented ? this.tokens.next() : this.tokens.peek();
    for (; token.kind === 'block-entry'; token = this.tokens.peek()) {
      const entry = token;
      const { kind } = this.tokens.next();
      const isNextKey = !isIndented && (kind === 'key' || kind === 'value');
      const isEmpty = isNextKey || kind === 'block-entry' || kind === 'block-end';
      node.items.push(isEmpty ? nothingAt(entry) : this.#node(true, false));
    }
    if (isIndented) {
      if (token.kind !== 'block-end') throw defect("did not find expected '-' indicator", token);
      this.tokens.skip();
    }
    node.end = node.items.at(-1)?.end ?? node.end;
    return node;
  }

  #blockMapping(node: MappingNode): MappingNode {
    const { members } = node;
    this.tokens.skip();
    const behind = this.#blockMembers(members);
    if (behind.kind !== 'block-end') throw defect('did not find expected key', behind);
    this.tokens.skip();
    node.end = members.at(-1)?.end ?? node.end;
    node.behind = behind.start;
    return node;
  }

  /** Adds those that begin before a place. @returns the token behind them */
  #blockMembers(members: YamlNode[], end = Infinity): Token {
    const valueOrNothing = (before: Token): YamlNode => {
      const { kind } = this.tokens.next();
      const isEmpty = kind === 'key' || kind === 'value' || kind === 'block-end';
      return isEmpty ? nothingAt(before) : this.#node(true, true);
    };
    let token = this.tokens.peek();
    for (; token.kind === 'key' && token.start < end; token = this.tokens.peek()) {
      members.push(valueOrNothing(token));
      const behind = this.tokens.peek();
      members.push(behind.kind === 'value' ? valueOrNothing(behind) : nothingAt(behind));
    }
    return token;
  }

  #flowSequence(node: SequenceNode): SequenceNode {
    let token = this.tokens.next();
    while (token.kind !== 'flow-sequence-end') {
      if (token.kind === 'key') {
        this.tokens.skip();
        node.items.push(this.#pair(token));
      } else {
        node.items.push(this.#node(false, false));
      }
      token = this.tokens.peek();
      if (token.kind === 'flow-sequence-end') break;
      if (token.kind !== 'flow-entry') throw defect("did not find expected ',' or ']'", token);
      token = this.tokens.next();
    }
    this.tokens.skip();
    node.end = token.end;
    return node;
  }

  /** A map of one member without braces. */
  #pair({ start }: Token): MappingNode {
    const isEnd = ({ kind }: Token): boolean =>
      kind === 'flow-entry' || kind === 'flow-sequence-end';
    const members: YamlNode[] = [];
    const token = this.tokens.peek();
    if (token.kind !== 'value' && !isEnd(token)) members.push(this.#node(false, false));
    else {
      // As there: the colon is lost, or the comma.
      this.tokens.skip();
      members.push(nothingAt(token));
    }
    const value = this.#flowValue(isEnd);
    members.push(value);
    return { kind: 'mapping', start, end: value.end, members };
  }

  /** The value behind the colon of a key in brackets. */
  #flowValue(isEnd: (token: Token) => boolean): YamlNode {
    let token = this.tokens.peek();
    const hasValue = token.kind === 'value' && !isEnd((token = this.tokens.next()));
    return hasValue ? this.#node(false, false) : nothingAt(token);
  }

  #flowMapping(node: MappingNode): MappingNode {
    const { members } = node;
    const isEnd = ({ kind }: Token): boolean =>
      kind === 'flow-entry' || kind === 'flow-mapping-end';
    let token = this.tokens.next();
    while (token.kind !== 'flow-mapping-end') {
      if (token.kind === 'key') {
        token = this.tokens.next();
        const hasKey = token.kind !== 'value' && !isEnd(token);
        members.push(hasKey ? this.#node(false, false) : nothingAt(token));
        members.push(this.#flowValue(isEnd));
      } else {
        members.push(this.#node(false, false), nothingAt(token));
      }
      token = this.tokens.peek();
      if (token.kind === 'flow-mapping-end') break;
      if (token.kind !== 'flow-entry') throw defect("did not find expected ',' or '}'", token);
      token = this.tokens.next();
    }
    this.tokens.skip();
    node.end = token.end;
    return node;
  }
}

function nothingAt({ start, end }: Token): ScalarNode {
  return { kind: 'scalar', start, end, text: '', tag: '', isImplicit: true };
}

function defect(reason: string, { start }: Token): InvalidInputError {
  return yamlDefect(reason, start);
}
