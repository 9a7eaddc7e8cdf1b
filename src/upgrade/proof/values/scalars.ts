/** Strings and numbers that several schemas accept at once. */
import type { SchemaNode } from '../../../kubernetes/index.js';
import type { Budget } from '../budget.js';
import { findString } from '../../../text/regular/find-string.js';
import { accepts } from '../shape.js';
import { largest, smallest } from '../../../text/long-lists.js';

/** Strings of each format that Kubernetes enforces, and common shapes for patterns no automaton follows. */
export const commonStrings: readonly string[] = [
  'a',
  'example',
  '1',
  '10Gi',
  '100m',
  '5m',
  '1h',
  '2024-01-01T00:00:00Z',
  '2024-01-01',
  '10.0.0.1',
  '::1',
  '10.0.0.0/24',
  'fd00::/64',
  'www.example.com',
  'https://example.com/a',
  'example.com',
  'a@example.com',
  'b7d3d5a1-3c3e-4b8a-9a67-1f1e2d3c4b5a',
  'b7d3d5a1-3c3e-5b8a-9a67-1f1e2d3c4b5a',
  'b7d3d5a1-3c3e-3b8a-9a67-1f1e2d3c4b5a',
  'aGVsbG8=',
  '00:11:22:33:44:55',
  'A',
  '0',
  '10.0.0',
  'v1',
  '#fff',
  'rgb(1,2,3)',
  '4111111111111111',
  '978-3-16-148410-0',
  '123-45-6789',
  '0306406152',
  '507f1f77bcf86cd799439011',
  '2031-01-01T00:00:00Z',
  '',
];

/** `salt` chooses among several; undefined when none was found. */
export function sampleString(
  nodes: readonly SchemaNode[],
  salt: number,
  budget: Budget,
): string | undefined {
  const { questions, matches, minLength, maxLength } = wantedOf(nodes);
  if (minLength > maxLength || minLength > 100_000) return undefined;
  budget.spend(minLength >> 6);
  if (matches.length === 0 && nodes.every((node) => node.format === '')) {
    const text = (salt === 0 ? 'a' : `a${salt}`).padEnd(minLength, 'a').slice(0, maxLength);
    if (fits(nodes, text)) return text;
  }
  const common = fittingStrings(nodes);
  if (common.length > salt || (common.length > 0 && matches.length === 0)) {
    return common[salt % common.length];
  }
  // Longer strings of the same shape are different ones.
  const longer = Math.max(minLength, Math.min(minLength + salt + 1, maxLength));
  for (const question of questions) {
    const shortest = findString({ ...question, minLength }, budget);
    if (shortest.kind !== 'found') continue;
    // Cheaper than a search of this length; and short, as rules are charged by the length of strings.
    const ended = salt === 0 ? [] : endings(salt).map((ending) => shortest.text + ending);
    const repeated = shortest.text.padEnd(longer, shortest.text.slice(-1));
    const made = [...ended, repeated].find((text) => fits(nodes, text));
    if (made !== undefined) return made;
    const answer = findString({ ...question, minLength: longer }, budget);
    for (const each of [answer, shortest]) {
      if (each.kind === 'found' && fits(nodes, each.text)) return each.text;
    }
  }
  return common[0];
}

const wantedOf = oncePerNodes((nodes) => {
  const demands = demandsOnText(nodes);
  const { matches, maxLength } = demands;
  const others = matches.map(edgeless);
  const ways = matches.join() === others.join() ? [matches] : [matches, others];
  const misses = forbiddenStrings(nodes);
  return { ...demands, questions: ways.map((each) => ({ matches: each, ...misses, maxLength })) };
});

/** An automaton knows no edges of words; whether a string has them is asked afterwards. */
export function edgeless(pattern: string): string {
  return pattern.replaceAll(/(?<!\\)\\b/g, '( |^|$)');
}

/** A number in letters and in digits. */
function endings(number: number): string[] {
  const letters = [...number.toString(26)].map((digit) => letterOf(parseInt(digit, 26)));
  return [letters.join(''), String(number)];
}

const letterOf = (index: number): string => String.fromCharCode(0x61 + index);

export function demandsOnText(nodes: readonly SchemaNode[]): {
  readonly matches: readonly string[];
  readonly minLength: number;
  readonly maxLength: number;
} {
  return {
    matches: [...new Set(nodes.map(({ pattern }) => pattern).filter((each) => each !== ''))],
    minLength: largest(
      nodes.map((node) => node.minLength ?? 0),
      0,
    ),
    maxLength: smallest(nodes.map((node) => node.maxLength ?? Infinity)),
  };
}

export function literalOf(text: string): string {
  return text.replaceAll(/[^\w\s]/g, '\\$&');
}

/** Strings that `not` forbids, where it lists texts or has a pattern. */
function forbiddenStrings(nodes: readonly SchemaNode[]): { readonly misses?: string } {
  for (const { not } of nodes) {
    if (not === undefined) continue;
    if (not.pattern !== '') return { misses: not.pattern };
    const texts = not.enum?.filter((value) => typeof value === 'string') ?? [];
    const escaped = texts.map(literalOf);
    if (texts.length > 0) return { misses: `^(?:${escaped.join('|')})$` };
  }
  return {};
}

export function sampleNumber(
  nodes: readonly SchemaNode[],
  integer: boolean,
  salt: number,
): number | undefined {
  const fitting = (integer ? fittingIntegers : fittingNumbers)(nodes);
  return fitting[salt % Math.max(fitting.length, 1)];
}

const fittingStrings = oncePerNodes((nodes) => commonStrings.filter((text) => fits(nodes, text)));
const fittingIntegers = oncePerNodes((nodes) => numbersNearBounds(nodes, true));
const fittingNumbers = oncePerNodes((nodes) => numbersNearBounds(nodes, false));

function numbersNearBounds(nodes: readonly SchemaNode[], integer: boolean): number[] {
  const bounds = nodes
    .flatMap((node) => [node.minimum, node.maximum])
    .filter((bound) => bound !== undefined);
  const factors = nodes.flatMap((node) => node.multipleOf ?? []);
  const steps = [0, 1, -1, 2, -2, 3, 10, 100, 443, 8080, 0.5, -0.5];
  const between = bounds.flatMap((one) => bounds.map((two) => (one + two) / 2));
  const near = [0, ...bounds, ...between].flatMap((bound) =>
    steps.flatMap((step) => [
      bound + step,
      ...factors.map((factor) => Math.ceil(bound / factor) * factor + step * factor),
    ]),
  );
  const candidates = [...new Set(near)]
    .map((value) => (integer ? Math.trunc(value) : value))
    .filter((value) => Number.isFinite(value) && Number.isSafeInteger(Math.trunc(value)));
  return [...new Set(candidates)].filter((value) => fits(nodes, value));
}

/** Computes something about the same schemas at most once: objects are sampled by the hundred. */
function oncePerNodes<Value>(
  compute: (nodes: readonly SchemaNode[]) => Value,
): (nodes: readonly SchemaNode[]) => Value {
  const known = new WeakMap<SchemaNode, { nodes: readonly SchemaNode[]; value: Value }[]>();
  return (nodes) => {
    const [head] = nodes;
    if (head === undefined) return compute(nodes);
    let entries = known.get(head);
    if (entries === undefined) known.set(head, (entries = []));
    const entry = entries.find((each) => isSameList(each.nodes, nodes));
    if (entry !== undefined) return entry.value;
    const value = compute(nodes);
    if (entries.length < maxCombinations) entries.push({ nodes, value });
    return value;
  };
}

/** Branches of logical operators combine in many ways; the first ones come most often. */
const maxCombinations = 32;

function isSameList(left: readonly SchemaNode[], right: readonly SchemaNode[]): boolean {
  return left.length === right.length && left.every((node, index) => node === right[index]);
}

function fits(nodes: readonly SchemaNode[], value: string | number): boolean {
  return nodes.every((node) => isShapeless(node) || accepts(node, value));
}

/** Branches of logical operators often say nothing about the value itself. */
function isShapeless(node: SchemaNode): boolean {
  return node.type === '' && !node.intOrString && node.properties !== undefined;
}
