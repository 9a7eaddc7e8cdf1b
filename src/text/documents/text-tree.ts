import { LineStarts } from './error.js';
import { isMerge, keyOf } from './yaml-decoder.js';
import type { MappingNode, ScalarNode, YamlNode } from './yaml-nodes.js';

/** Object keys and list indexes from the document's root. */
export type Path = readonly (string | number)[];

export interface Member {
  readonly key?: ScalarNode;
  readonly value: YamlNode;
}

/** The tree of a text that was read without an error. */
export class TextTree {
  readonly #members = new Map<MappingNode, ReadonlyMap<string, Member>>();
  #lines: LineStarts | undefined;

  constructor(
    readonly text: string,
    readonly root: YamlNode,
  ) {}

  /** The place of the key or value at `path`; if it does not exist, of its nearest parent. */
  placeOf(path: Path): { line: number; column: number } {
    const { key, value } = this.trace(path).at(-1) as Member;
    this.#lines ??= new LineStarts(this.text);
    return this.#lines.placeAt((key ?? value).start);
  }

  trace(path: Path): Member[] {
    let member: Member | undefined = { value: this.root };
    const members = [member];
    for (const step of path) {
      member = this.#memberOf(member.value, step);
      if (member === undefined) break;
      members.push(member);
    }
    return members;
  }

  #memberOf(parent: YamlNode, step: string | number): Member | undefined {
    let node = parent;
    while (node.kind === 'alias') node = node.target;
    if (node.kind === 'mapping') return this.#membersOf(node).get(String(step));
    const value = node.kind === 'sequence' ? node.items[Number(step)] : undefined;
    return value && { value };
  }

  #membersOf(map: MappingNode): ReadonlyMap<string, Member> {
    let members = this.#members.get(map);
    if (members === undefined) this.#members.set(map, (members = membersOf(map)));
    return members;
  }
}

/** By their names; of several equal ones the last, whether it is written here or merged. */
function membersOf(map: MappingNode): Map<string, Member> {
  const members = new Map<string, Member>();
  const merge = (node: YamlNode): void => {
    if (node.kind === 'alias') merge(node.target);
    else if (node.kind === 'sequence') node.items.toReversed().forEach(merge);
    else if (node.kind === 'mapping') for (const [n, m] of membersOf(node)) members.set(n, m);
  };
  for (let index = 0; index + 1 < map.members.length; index += 2) {
    let key = map.members[index] as YamlNode;
    const value = map.members[index + 1] as YamlNode;
    if (isMerge(key)) {
      merge(value);
      continue;
    }
    while (key.kind === 'alias') key = key.target;
    if (key.kind === 'scalar') members.set(keyOf(key).name, { key, value });
  }
  return members;
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

/** The keys of a path as {@link formatPath} writes it. */
export function parsePath(path: string): Path {
  return [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)].map(
    ([, key, index, quoted]) =>
      key ?? (quoted === undefined ? Number(index) : (JSON.parse(quoted) as string)),
  );
}
