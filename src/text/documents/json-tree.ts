/** JSON text as the tree that YAML is read into: every value with its place, and no limit of depth. */
import { JsonLexer, kinds } from './json-lexer.js';
import type { MappingNode, ScalarNode, SequenceNode, YamlNode } from './yaml-nodes.js';

/** Keys have their text, other scalars their source; read on demand. @param json without a defect */
export function treeOfJson(json: string): YamlNode | undefined {
  const lexer = new JsonLexer(json);
  const kind = lexer.next();
  if (kind === kinds.end) return undefined;
  if (isOpening(kind)) return new JsonTree(json).node(0);
  return scalar(lexer.start, lexer.end, json.slice(lexer.start, lexer.end));
}

class JsonTree {
  readonly #lexer: JsonLexer;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** The first one that begins behind it. */
  readonly #followers: number[] = [];

  constructor(private readonly json: string) {
    const lexer = new JsonLexer(json);
    this.#lexer = lexer;
    const open: number[] = [];
    for (let kind = lexer.skim(); kind !== kinds.end; kind = lexer.skim()) {
      if (isOpening(kind)) open.push(this.#starts.push(lexer.start) - 1);
      else if (kind !== kinds.number) {
        const closed = open.pop() ?? 0;
        this.#ends[closed] = lexer.end;
        this.#followers[closed] = this.#starts.length;
      }
    }
  }

  node(index: number): SequenceNode | MappingNode {
    const [start, end] = [this.#starts[index] as number, this.#ends[index] as number];
    const read = (): YamlNode[] => this.#read(index);
    let inner: YamlNode[] | undefined;
    return this.json[start] === '['
      ? {
          ...{ kind: 'sequence', start, end },
          get items(): YamlNode[] {
            return (inner ??= read());
          },
        }
      : {
          ...{ kind: 'mapping', start, end },
          get members(): YamlNode[] {
            return (inner ??= read());
          },
        };
  }

  #read(index: number): YamlNode[] {
    const lexer = this.#lexer;
    const isObject = this.json[this.#starts[index] as number] === '{';
    const nodes: YamlNode[] = [];
    let inner = index + 1;
    lexer.moveTo((this.#starts[index] as number) + 1);
    for (let kind = lexer.next(); !isClosing(kind); kind = lexer.next()) {
      if (isOpening(kind)) {
        nodes.push(this.node(inner));
        lexer.moveTo(this.#ends[inner] as number);
        inner = this.#followers[inner] as number;
      } else if (kind !== kinds.comma && kind !== kinds.colon) {
        const { start, end } = lexer;
        const raw = this.json.slice(start, end);
        const isKey = isObject && nodes.length % 2 === 0;
        nodes.push(scalar(start, end, isKey ? (JSON.parse(raw) as string) : raw));
      }
    }
    return nodes;
  }
}

function isOpening(kind: number): boolean {
  return kind === kinds.openList || kind === kinds.openObject;
}

function isClosing(kind: number): boolean {
  return kind === kinds.closeList || kind === kinds.closeObject || kind === kinds.end;
}

function scalar(start: number, end: number, text: string): ScalarNode {
  return { kind: 'scalar', start, end, text, tag: '', isImplicit: false };
}
