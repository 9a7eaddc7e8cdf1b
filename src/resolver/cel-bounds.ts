/** Which functions OLM's CEL environment knows, and how many steps a rule can take at most. */
import type { ASTNode } from '@marcbachmann/cel-js';
import { NumberText, type JsonValue } from '../documents/index.js';
import type { CelProperty } from './cel.js';
import { CelError } from './cel-error.js';

const known = new Set([
  'all', 'exists', 'exists_one', 'map', 'filter', 'has', 'size', 'contains', 'startsWith', 'endsWith',
  'matches', 'matchesRe2', 'bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint',
  'semver_compare', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getFullYear', 'getHours',
  'getMilliseconds', 'getMinutes', 'getMonth', 'getSeconds',
]); // prettier-ignore

const comprehensions = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** The library knows more functions than OLM. @throws CelError for one that OLM does not know */
export function checkNames(node: ASTNode): void {
  if (node.op === 'call' || node.op === 'rcall') {
    const [name] = node.args;
    if (!known.has(name)) {
      throw new CelError(
        `ERROR: <input>:1:${node.pos + 1}: undeclared reference to '${name}' (in container '')`,
      );
    }
  }
  for (const child of childrenOf(node)) checkNames(child);
}

/** An upper bound of the steps: every comprehension runs as often as the largest list has elements. */
export function estimateCost(node: ASTNode, properties: readonly CelProperty[]): number {
  const size = properties.reduce(
    (largest, { value }) => Math.max(largest, largestList(value)),
    Math.max(properties.length, literalSize(node)),
  );
  return cost(node, size);
}

function cost(node: ASTNode, size: number): number {
  const children = childrenOf(node).map((child) => cost(child, size));
  const sum = children.reduce((total, child) => total + child, 1);
  return node.op === 'rcall' && comprehensions.has(node.args[0]) ? sum * Math.max(1, size) : sum;
}

function literalSize(node: ASTNode): number {
  const own = node.op === 'list' || node.op === 'map' ? node.args.length : 0;
  return childrenOf(node).reduce((largest, child) => Math.max(largest, literalSize(child)), own);
}

function largestList(value: JsonValue): number {
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return 0;
  const items = Object.values(value);
  return items.reduce<number>(
    (largest, item) => Math.max(largest, largestList(item)),
    items.length,
  );
}

function childrenOf(node: ASTNode): ASTNode[] {
  const found: ASTNode[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null && 'op' in value && 'args' in value) {
      found.push(value as ASTNode);
    }
  };
  collect(node.args);
  return found;
}
