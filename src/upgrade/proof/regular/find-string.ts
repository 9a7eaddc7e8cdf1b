/** The shortest string that some patterns match and another does not; or the proof that there is none. */
import { Automaton, type Standing } from './automaton.js';
import { lastCodePoint, parsePattern, type CharacterSet } from './syntax.js';

export interface StringQuestion {
  /** Patterns that the string must match. */
  readonly matches: readonly string[];
  /** A pattern that it must not match. */
  readonly misses?: string;
  /** Code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
}

export type StringAnswer =
  | { readonly kind: 'found'; readonly text: string }
  /** Proven: there is no such string. */
  | { readonly kind: 'none' }
  /** A pattern has no automaton, or the search took too many steps. */
  | { readonly kind: 'unknown' };

interface Node {
  readonly standings: readonly Standing[];
  readonly missing: Standing | undefined;
  readonly length: number;
  readonly parent: Node | undefined;
  readonly codePoint: number;
}

/** Standings times characters that are tried before the search gives up. */
const maxSteps = 60_000;
/** Steps that cost as much as one value of an object. */
const stepsPerValue = 8;
/** Steps after which one looks whether anybody still waits: the slowest take milliseconds. */
const stepsPerLook = 256;

/** Where the cost of looking is noted; `left` bounds it. */
export interface SharedBudget {
  readonly left: number;
  spend(values: number): void;
  /** Throws when nobody waits any more. */
  check(): void;
}

interface Answered {
  readonly answer: StringAnswer;
  readonly steps: number;
}

/** The same question comes again for every object that is made. */
const answered = new Map<string, Answered>();
const maxAnswered = 2_000;

/** Breadth first, so that the first string found is a shortest one. */
export function findString(question: StringQuestion, shared?: SharedBudget): StringAnswer {
  const { matches, misses, minLength, maxLength } = question;
  const key = JSON.stringify([matches, misses, minLength, maxLength]);
  const most = Math.min(maxSteps, (shared?.left ?? Infinity) * stepsPerValue);
  let known = answered.get(key);
  if (known === undefined || known.steps > most) {
    known = search(question, most, shared);
    if (most === maxSteps) {
      if (answered.size >= maxAnswered) answered.clear();
      answered.set(key, known);
    }
  }
  // What is remembered costs the same, or answers would depend on what was asked before.
  shared?.spend(1 + known.steps / stepsPerValue);
  return known.answer;
}

function search(question: StringQuestion, budget: number, shared?: SharedBudget): Answered {
  const { minLength = 0, maxLength = Infinity } = question;
  const isOfLength = question.matches.length === 0 && question.misses === undefined;
  if (isOfLength && minLength <= maxSteps) {
    const text = preferred.slice(0, 1).repeat(minLength);
    return { answer: minLength > maxLength ? { kind: 'none' } : { kind: 'found', text }, steps: 0 };
  }
  const matching = question.matches.map(automatonOf);
  const missing = question.misses === undefined ? undefined : automatonOf(question.misses);
  if (matching.includes(undefined) || (missing === undefined && question.misses !== undefined)) {
    return { answer: { kind: 'unknown' }, steps: 0 };
  }
  const automata = matching.filter((automaton) => automaton !== undefined);
  const characters = representatives([...automata, ...(missing === undefined ? [] : [missing])]);

  const seen = new Set<string>();
  let level: Node[] = [
    {
      standings: automata.map((automaton) => automaton.start()),
      missing: missing?.start(),
      length: 0,
      parent: undefined,
      codePoint: 0,
    },
  ];
  let steps = 0;
  while (level.length > 0) {
    const next: Node[] = [];
    for (const node of level) {
      if (node.length >= minLength && isFound(node, automata, missing)) {
        return { answer: { kind: 'found', text: textOf(node) }, steps };
      }
      if (node.length >= maxLength || node.missing?.settled === true) continue;
      for (const codePoint of characters) {
        if (++steps > budget) return { answer: { kind: 'unknown' }, steps };
        if (steps % stepsPerLook === 0) shared?.check();
        const standings = automata.map((automaton, index) =>
          automaton.step(node.standings[index] as Standing, codePoint),
        );
        const after =
          node.missing === undefined ? undefined : missing?.step(node.missing, codePoint);
        const length = node.length + 1;
        // Past the least length only the standing counts; before it, how far it still is.
        const key = [
          Math.min(length, minLength),
          ...standings.map((each) => each.key),
          after?.key,
        ].join(';');
        if (seen.has(key)) continue;
        seen.add(key);
        next.push({ standings, missing: after, length, parent: node, codePoint });
      }
    }
    level = next;
  }
  return { answer: { kind: 'none' }, steps };
}

function isFound(
  node: Node,
  automata: readonly Automaton[],
  missing: Automaton | undefined,
): boolean {
  const isEmpty = node.length === 0;
  return (
    automata.every((automaton, index) =>
      automaton.accepts(node.standings[index] as Standing, isEmpty),
    ) &&
    (missing === undefined || node.missing === undefined || !missing.accepts(node.missing, isEmpty))
  );
}

function textOf(node: Node): string {
  const characters: string[] = [];
  for (let at: Node | undefined = node; at?.parent !== undefined; at = at.parent)
    characters.push(String.fromCodePoint(at.codePoint));
  return characters.reverse().join('');
}

const automata = new Map<string, Automaton | undefined>();
const maxAutomata = 200;

function automatonOf(source: string): Automaton | undefined {
  if (automata.has(source)) {
    const known = automata.get(source);
    known?.tidy();
    return known;
  }
  if (automata.size >= maxAutomata) automata.clear();
  const pattern = parsePattern(source);
  let automaton: Automaton | undefined;
  try {
    automaton = pattern === undefined ? undefined : new Automaton(pattern);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  automata.set(source, automaton);
  return automaton;
}

const [firstSurrogate, lastSurrogate] = [0xd800, 0xdfff];

/** One character for each way in which the automata can tell characters apart; readable ones first. */
function representatives(all: readonly Automaton[]): number[] {
  const starts = new Set<number>([0, firstSurrogate, lastSurrogate + 1]);
  const sets: CharacterSet[] = [];
  for (const automaton of all) {
    for (const set of automaton.sets()) {
      sets.push(set);
      for (const [from, to] of set) {
        starts.add(from);
        if (to < lastCodePoint) starts.add(to + 1);
      }
    }
  }
  const distinct = [...new Set(sets)];
  const classes = new Map<string, number>();
  const sorted = [...starts].sort((left, right) => left - right);
  for (const [index, from] of sorted.entries()) {
    // Half a surrogate pair is no character of a JSON string that Go reads: no string needs it.
    if (from >= firstSurrogate && from <= lastSurrogate) continue;
    const to = (sorted[index + 1] ?? lastCodePoint + 1) - 1;
    const signature = distinct
      .map((set) => (set.some(([low, high]) => low <= from && from <= high) ? '1' : '0'))
      .join('');
    const chosen = readable(from, to);
    const known = classes.get(signature);
    if (known === undefined || rank(chosen) < rank(known)) classes.set(signature, chosen);
  }
  return [...classes.values()].sort((left, right) => rank(left) - rank(right));
}

const preferred = 'a0A-._ /:!';
const preferredPoints = [...preferred].map((character) => character.charCodeAt(0));

function readable(from: number, to: number): number {
  const found = preferredPoints.find((point) => from <= point && point <= to);
  if (found !== undefined) return found;
  return from <= 0x7e && to >= 0x21 ? Math.max(from, 0x21) : from;
}

function rank(point: number): number {
  const index = preferredPoints.indexOf(point);
  if (index >= 0) return index;
  return point > 0x20 && point < 0x7f ? 100 + point : 10_000 + point;
}
