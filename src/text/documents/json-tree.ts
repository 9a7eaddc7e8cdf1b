/** JSON text as the tree that YAML is read into: every value with its place, and no limit of depth. */
import { JsonLexer, kinds } from './json-lexer.js';
import type { MappingNode, ScalarNode, SequenceNode, YamlNode } from './yaml-nodes.js';

/**
 * Keys have their text, other scalars what is written.
 *
 * @param json without a defect
 */
export function treeOfJson(json: string): YamlNode | undefined {
  const lexer = new JsonLexer(json);
  const open: (SequenceNode | MappingNode)[] = [];
  let root: YamlNode | undefined;
  const add = (node: YamlNode): void => {
    const parent = open.at(-1);
    root ??= node;
    if (parent?.kind === 'sequence') parent.items.push(node);
    else parent?.members.push(node);
  };
  for (let kind = lexer.next(); kind !== kinds.end; kind = lexer.next()) {
    const { start, end } = lexer;
    const parent = open.at(-1);
    if (kind === kinds.openList || kind === kinds.openObject) {
      const node: SequenceNode | MappingNode =
        kind === kinds.openList
          ? { kind: 'sequence', start, end, items: [] }
          : { kind: 'mapping', start, end, members: [] };
      add(node);
      open.push(node);
    } else if (kind === kinds.closeList || kind === kinds.closeObject) {
      if (parent !== undefined) parent.end = end;
      open.pop();
    } else if (kind !== kinds.comma && kind !== kinds.colon) {
      const isKey = parent?.kind === 'mapping' && parent.members.length % 2 === 0;
      const raw = json.slice(start, end);
      add(scalar(start, end, isKey ? (JSON.parse(raw) as string) : raw));
    }
  }
  return root;
}

function scalar(start: number, end: number, text: string): ScalarNode {
  return { kind: 'scalar', start, end, text, tag: '', isImplicit: false };
}
