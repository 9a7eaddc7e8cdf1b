/** Which places of a value a rule reads: what changes elsewhere cannot change its answer. */
import { childrenOf, type Node } from '../../../cel/index.js';
import { type Place, stepsTo } from '../pin.js';

/** Stands for every item of a list, and for every field whose name is not known. */
export const any = '[]';

interface Read {
  readonly steps: readonly string[];
  /** Whether what is inside counts, and not only that it is there and, of a list, how long it is. */
  readonly isDeep: boolean;
  /** Only whether it is there. */
  readonly isTest?: boolean;
}

/** The places of `self` and `oldSelf` that an expression reads. */
export function readsOf(tree: Node): readonly Read[] {
  const reads: Read[] = [];
  visit(tree, rootPaths, reads);
  return reads;
}

export const rootPaths: Paths = new Map([
  ['self', []],
  ['oldSelf', []],
]);

/**
 * @param place inside the value that the rule is about, which is at `root`
 * @param isOfType whether the value there is only one of another type to rules
 */
export function isRead(
  reads: readonly Read[],
  place: Place,
  root: Place | undefined,
  isOfType = false,
): boolean {
  const depth = depthOf(place, root);
  return readsAt(reads, place, root).some(
    ({ steps, isDeep, isTest }) =>
      !(isOfType && isTest === true && depth === steps.length) && (isDeep || depth <= steps.length),
  );
}

/** Whether they read the place itself, and not only a value around it. */
export function isNamed(reads: readonly Read[], place: Place, root: Place | undefined): boolean {
  return readsAt(reads, place, root).some(({ steps }) => depthOf(place, root) <= steps.length);
}

function depthOf(place: Place, root: Place | undefined): number {
  return stepsTo(place).length - stepsTo(root).length;
}

/** The reads that go the same way as far as both go. */
function readsAt(reads: readonly Read[], place: Place, root: Place | undefined): readonly Read[] {
  const from = stepsTo(root).length;
  const changed = stepsTo(place)
    .slice(from)
    .map((step) => (step.kind === 'property' ? step.name : any));
  return reads.filter(({ steps }) => {
    const shared = Math.min(steps.length, changed.length);
    for (let index = 0; index < shared; index++) {
      const [one, other] = [steps[index], changed[index]];
      if (one !== other && one !== any && other !== any) return false;
    }
    return true;
  });
}

export type Paths = ReadonlyMap<string, readonly string[]>;

function visit(node: Node, paths: Paths, reads: Read[]): void {
  const path = pathOf(node, paths, reads);
  if (path !== undefined) {
    reads.push({ steps: path, isDeep: true });
    return;
  }
  if (node.kind === 'select') {
    const around = pathOf(node.operand, paths, reads);
    if (around === undefined) visit(node.operand, paths, reads);
    else reads.push({ steps: [...around, stepOf(node.field)], isDeep: false, isTest: node.isTest });
  } else if (node.kind === 'fold') {
    const inner = pathsOfFold(node, paths, reads);
    visit(node.initial, paths, reads);
    for (const each of [node.condition, node.step, node.result]) visit(each, inner, reads);
  } else if (node.kind === 'call' && node.name === 'size') {
    const [list] = childrenOf(node);
    if (list !== undefined) lookedOver(list, paths, reads);
  } else for (const child of childrenOf(node)) visit(child, paths, reads);
}

/** With its variable, where that stands for the items of a list. */
export function pathsOfFold(node: Node & { kind: 'fold' }, paths: Paths, reads: Read[]): Paths {
  const inner = new Map(paths);
  for (const name of [node.variable, node.secondVariable, node.accumulator])
    if (name !== undefined) inner.delete(name);
  const list = lookedOver(node.range, paths, reads);
  if (list !== undefined) inner.set(node.secondVariable ?? node.variable, [...list, any]);
  return inner;
}

/** The path of a list of which only the length counts so far; the rest is noted as read. */
function lookedOver(node: Node, paths: Paths, reads: Read[]): readonly string[] | undefined {
  const path = node.type?.kind === 'list' ? pathOf(node, paths, reads) : undefined;
  if (path === undefined) visit(node, paths, reads);
  else reads.push({ steps: path, isDeep: false });
  return path;
}

/** Undefined for what is no place of the value. */
export function pathOf(node: Node, paths: Paths, reads: Read[]): readonly string[] | undefined {
  if (node.kind === 'identifier') return paths.get(node.name);
  if (node.kind === 'select' && !node.isTest) {
    const around = pathOf(node.operand, paths, reads);
    return around && [...around, stepOf(node.field)];
  }
  if (node.kind !== 'call') return undefined;
  const [whole, index] = childrenOf(node);
  if (whole === undefined || index === undefined) return undefined;
  if (node.name === '_?._' && index.kind === 'literal' && typeof index.value === 'string') {
    const around = pathOf(whole, paths, reads);
    return around && [...around, stepOf(index.value)];
  }
  if (node.name !== '_[_]' || whole.type?.kind !== 'list') return undefined;
  const list = pathOf(whole, paths, reads);
  if (list !== undefined) visit(index, paths, reads);
  return list && [...list, any];
}

function stepOf(field: string): string {
  return field.includes('__') ? any : field;
}
