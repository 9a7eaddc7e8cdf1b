/** Two schemas as one tree, folded to where they differ. */
import { isObject, own, stringifyJson, type JsonObject } from '../../../text/documents/index.js';
import { shortened } from '../../../text/shortened.js';

export interface SchemaBranch {
  /** The field's name, `items` or `additionalProperties`. */
  readonly name: string;
  /** As findings name it: `^.spec.size`. */
  readonly path: string;
  /** Whether the field is on both sides. */
  readonly state: 'both' | 'added' | 'removed';
  /** Keywords that only one side has, or that differ, as `keyword: value`. */
  readonly old: readonly string[];
  readonly next: readonly string[];
  readonly children: readonly SchemaBranch[];
  /** Names of fields in it that are the same on both sides, and of which nothing is told. */
  readonly same: readonly string[];
}

/** More than any definition nests; what is below is not drawn. */
const deepest = 60;
const longestValue = 160;
/** Of a field that comes or goes, what is inside is told so far. */
const wholeDepth = 2;

/**
 * The tree from the root; undefined when there is nothing to tell.
 *
 * @param told paths that findings are about, which are kept though nothing differs there
 */
export function schemaTree(
  old: JsonObject,
  next: JsonObject,
  told: ReadonlySet<string>,
): SchemaBranch | undefined {
  const wanted = new Set([...told].flatMap(withParents));
  return branch('^', '^', old, next, 0);

  function branch(
    name: string,
    path: string,
    before: JsonObject | undefined,
    after: JsonObject | undefined,
    depth: number,
  ): SchemaBranch | undefined {
    if (depth > deepest) return undefined;
    const [left, right] = [ownKeywords(before), ownKeywords(after)];
    const names = new Set([...childrenOf(before).keys(), ...childrenOf(after).keys()]);
    const children: SchemaBranch[] = [];
    const same: string[] = [];
    const isWhole = before === undefined || after === undefined;
    for (const child of names) {
      const [one, other] = [childrenOf(before).get(child), childrenOf(after).get(child)];
      const below = isWhole ? Math.max(depth + 1, deepest - wholeDepth) : depth + 1;
      const found = branch(child, `${path}.${child}`, one, other, below);
      if (found === undefined) same.push(child);
      else children.push(found);
    }
    const onlyLeft = left.filter((line) => !right.includes(line));
    const onlyRight = right.filter((line) => !left.includes(line));
    const isQuiet = !isWhole && onlyLeft.length === 0 && onlyRight.length === 0;
    if (isQuiet && children.length === 0 && !wanted.has(path)) return undefined;
    const state = before === undefined ? 'added' : after === undefined ? 'removed' : 'both';
    return { name, path, state, old: onlyLeft, next: onlyRight, children, same };
  }
}

function withParents(path: string): string[] {
  const parts = path.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

const containers = ['items', 'additionalProperties'] as const;

function childrenOf(schema: JsonObject | undefined): Map<string, JsonObject> {
  const children = new Map<string, JsonObject>();
  if (schema === undefined) return children;
  const properties = own(schema, 'properties');
  if (isObject(properties)) {
    for (const [name, child] of Object.entries(properties)) {
      if (isObject(child)) children.set(name, child);
    }
  }
  for (const keyword of containers) {
    const child = own(schema, keyword);
    if (isObject(child)) children.set(keyword, child);
  }
  return children;
}

function ownKeywords(schema: JsonObject | undefined): string[] {
  if (schema === undefined) return [];
  return Object.entries(schema)
    .filter(
      ([keyword, value]) =>
        keyword !== 'properties' &&
        value !== undefined &&
        !(containers.some((each) => each === keyword) && isObject(value)),
    )
    .map(
      ([keyword, value]) => `${keyword}: ${shortened(stringifyJson(value ?? null), longestValue)}`,
    );
}
