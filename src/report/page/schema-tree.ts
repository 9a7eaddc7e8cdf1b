/** Two schemas as one tree, folded to where they differ. */
import { isObject, own, stringifyJson, type JsonObject } from '../../text/documents/index.js';
import { objectAt, objectsAt, textAt } from '../../text/documents/fields.js';
import { shortened } from '../../text/shortened.js';

export interface SchemaBranch {
  /** The field's name, `items` or `additionalProperties`. */
  readonly name: string;
  /** Whether the field is on both sides. */
  readonly state: 'both' | 'added' | 'removed';
  /** Keywords that only one side has, or that differ, as `keyword: value`. */
  readonly old: readonly string[];
  readonly next: readonly string[];
  readonly children: readonly SchemaBranch[];
  /** Names of fields in it that are the same on both sides. */
  readonly same: readonly string[];
}

/** More than any definition nests; what is below is not drawn. */
const deepest = 60;
const longestValue = 160;
const wholeDepth = 2;

/** The tree from the root; undefined when nothing differs. */
export function schemaTree(old: JsonObject, next: JsonObject): SchemaBranch | undefined {
  return branchOf('^', old, next, 0);
}

function branchOf(
  name: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  depth: number,
): SchemaBranch | undefined {
  if (before === after || depth > deepest) return undefined;
  const [left, right] = [ownKeywords(before), ownKeywords(after)];
  const [inOld, inNext] = [childrenOf(before), childrenOf(after)];
  const children: SchemaBranch[] = [];
  const same: string[] = [];
  const isWhole = before === undefined || after === undefined;
  const below = isWhole ? Math.max(depth + 1, deepest - wholeDepth) : depth + 1;
  for (const child of new Set([...inOld.keys(), ...inNext.keys()])) {
    const found = branchOf(child, inOld.get(child), inNext.get(child), below);
    if (found === undefined) same.push(child);
    else children.push(found);
  }
  const onlyLeft = left.filter((line) => !right.includes(line));
  const onlyRight = right.filter((line) => !left.includes(line));
  const isSame = !isWhole && onlyLeft.length === 0 && onlyRight.length === 0;
  if (isSame && children.length === 0) return undefined;
  const state = before === undefined ? 'added' : after === undefined ? 'removed' : 'both';
  return { name, state, old: onlyLeft, next: onlyRight, children, same };
}

export function schemasOf(definition: JsonObject): Map<string, JsonObject> {
  const schemas = new Map<string, JsonObject>();
  for (const version of objectsAt(definition, 'spec', 'versions')) {
    const name = textAt(version, 'name');
    const schema = objectAt(version, 'schema', 'openAPIV3Schema');
    if (name !== undefined && schema !== undefined) schemas.set(name, schema);
  }
  return schemas;
}

const containers = ['items', 'additionalProperties'] as const;

export function childrenOf(schema: JsonObject | undefined): Map<string, JsonObject> {
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

export function ownKeywords(schema: JsonObject | undefined): string[] {
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
