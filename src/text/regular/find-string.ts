/** The shortest string that some patterns match and another does not; or the proof that there is none. */
import { Automaton, type Standing } from './automaton.js';
import { lastCodePoint, parsePattern, type CharacterSet } from './syntax.js';

export interface StringQuestion {
  readonly matches: readonly string[];
  readonly misses?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export type StringAnswer =
  | { readonly kind: 'found'; readonly text: string }
  /** Proven: there is no such string. */
  | { readonly kind: 'none' }
  /** A pattern has no automaton, or the search took too many steps. */
  | { readonly kind: 'unknown' };

/** Where all automata are. There is one for each combination of their standings. */
interface Place {
  readonly id: number;
  readonly standings: readonly Standing[];
  readonly missing: Standing | undefined;
  /** At least so many characters are missing to a match of all. */
  readonly distance: number;
  /** Places after one more character from which a match can follow, each with the first character that leads to it; the last comes first. */
  next?: readonly (readonly [Place, number])[];
}

interface Node {
  readonly place: Place;
  readonly length: number;
  readonly parent: Node | undefined;
  readonly codePoint: number;
}

/** A search gives up after so many steps. */
const maxSteps = 1_000_000;
/** Steps that cost as much as one value of an object. */
const stepsPerValue = 32;
/** Steps of one character from one node, beside what its automata visit for it. */
const stepsPerCharacter = 8;
/** Steps from one node to a place that is known. */
const stepsPerPlace = 4;
/** Steps for each character of a pattern, which is parsed. */
const stepsToParse = 16;
/** Steps between two looks whether the caller still waits: the slowest take milliseconds. */
const stepsPerLook = 20_000;
/** Longer texts are not made up where nothing but a length is asked. */
const longestText = 100_000;

/** Where the cost of looking is noted; `left` bounds it. */
export interface SharedBudget {
  readonly left: number;
  /** The same question comes again for every object that is made, and costs its search once. */
  readonly strings: Map<string, StringAnswer>;
  spend(values: number): void;
  /** Throws when the caller waits no longer. */
  check(): void;
}

/** Best first, by the length that a string must have at least: the first string found is a shortest one. */
export function findString(question: StringQuestion, shared?: SharedBudget): StringAnswer {
  const { matches, misses, minLength, maxLength } = question;
  const key = JSON.stringify([matches, misses, minLength, maxLength]);
  const known = shared?.strings.get(key);
  shared?.spend(1);
  if (known !== undefined) return known;
  const most = Math.min(maxSteps, (shared?.left ?? Infinity) * stepsPerValue);
  const { answer, steps } = search(question, most, shared);
  // With more of the budget left it may be known.
  if (most === maxSteps || answer.kind !== 'unknown') shared?.strings.set(key, answer);
  shared?.spend(steps / stepsPerValue);
  return answer;
}

class Steps {
  private own = 0;
  private looked = 0;
  private readonly automata: ReadonlySet<Automaton>;

  constructor(
    private readonly most: number,
    private readonly shared: SharedBudget | undefined,
    automata: readonly Automaton[],
  ) {
    this.automata = new Set(automata);
  }

  get taken(): number {
    let sum = this.own;
    for (const { work } of this.automata) sum += work;
    return sum;
  }

  /** False when they were too many. */
  take(steps: number): boolean {
    this.own += steps;
    const { taken } = this;
    if (taken - this.looked >= stepsPerLook) {
      this.looked = taken;
      this.shared?.check();
    }
    return taken <= this.most;
  }
}

function search(
  question: StringQuestion,
  most: number,
  shared?: SharedBudget,
): { readonly answer: StringAnswer; readonly steps: number } {
  const { matches, misses, maxLength = Infinity } = question;
  const minLength = Math.max(0, Math.ceil(question.minLength ?? 0));
  // A longer text takes more steps than there are; the empty one matches other patterns at the same place.
  const lengths = Math.max(1, Math.min(minLength, maxSteps));
  const unknown = (steps: number) => ({ answer: { kind: 'unknown' }, steps }) as const;
  if (matches.length === 0 && misses === undefined) {
    if (minLength > maxLength) return { answer: { kind: 'none' }, steps: 0 };
    if (minLength > longestText) return unknown(0);
    return { answer: { kind: 'found', text: preferred.slice(0, 1).repeat(minLength) }, steps: 0 };
  }
  const sources = misses === undefined ? matches : [...matches, misses];
  const toParse = sources.reduce((sum, { length }) => sum + length * stepsToParse, 0);
  if (toParse > most) return unknown(most);
  const built = sources.map(automatonOf);
  if (built.includes(undefined)) return unknown(toParse);
  const all = built.filter((automaton) => automaton !== undefined);
  const automata = all.slice(0, matches.length);
  const missing = misses === undefined ? undefined : all.at(-1);
  const start = automata.map((automaton) => automaton.start());
  const steps = new Steps(most, shared, all);
  const toBuild = all.reduce((sum, { size }) => sum + size, 0);
  if (!steps.take(toParse + toBuild)) return unknown(steps.taken);
  for (const source of matches) {
    const texts = listedTexts(source)?.filter((text) => {
      const { length } = [...text];
      return length >= minLength && length <= maxLength;
    });
    if (texts === undefined) continue;
    for (const text of texts) {
      if (!steps.take(stepsPerCharacter * text.length * all.length)) return unknown(steps.taken);
      const isMatched = automata.every((automaton) => isAccepted(automaton, text));
      if (isMatched && (missing === undefined || !isAccepted(missing, text)))
        return { answer: { kind: 'found', text }, steps: steps.taken };
    }
    return { answer: { kind: 'none' }, steps: steps.taken };
  }
  const characters = representatives(all, steps);
  if (characters === undefined) return unknown(steps.taken);

  const places = new Map<string, Place>();
  const placeOf = (standings: readonly Standing[], after: Standing | undefined): Place => {
    const key = [...standings, after].map((each) => each?.key).join(';');
    let place = places.get(key);
    if (place === undefined) {
      const distance = standings.reduce((most, each) => Math.max(most, each.missing), 0);
      places.set(key, (place = { id: places.size, standings, missing: after, distance }));
    }
    return place;
  };
  const order = automata.map((_, index) => index);
  /** Undefined where it takes too many steps. */
  const after = (place: Place): Place['next'] => {
    const next = new Map<Place, number>();
    for (const codePoint of characters) {
      if (!steps.take(stepsPerCharacter)) return undefined;
      const standings: Standing[] = [];
      let isOpen = true;
      for (const index of order) {
        const standing = automata[index]?.step(place.standings[index] as Standing, codePoint);
        if (standing === undefined || standing.missing === Infinity) {
          // The next character is mostly refused by the same pattern, which is asked first.
          isOpen = false;
          order.splice(0, Infinity, index, ...order.filter((each) => each !== index));
          break;
        }
        standings[index] = standing;
      }
      if (!isOpen) continue;
      const to = placeOf(standings, place.missing && missing?.step(place.missing, codePoint));
      if (to.missing?.settled !== true && !next.has(to)) next.set(to, codePoint);
    }
    return (place.next = [...next].reverse());
  };

  const seen = new Set<number>();
  const place = placeOf(start, missing?.start());
  const root: Node = { place, length: 0, codePoint: 0, parent: undefined };
  // Nodes by the length of the shortest string that may follow; among equals the newest comes first.
  const open = new Map<number, Node[]>([[minLength, [root]]]);
  for (let least = minLength, left = 1; left > 0; least++) {
    const nodes = open.get(least) ?? [];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      left--;
      const { place, length } = node;
      // Past the least length only the place counts; before it, how far it still is.
      const key = place.id * (lengths + 1) + Math.min(length, lengths);
      if (seen.has(key)) continue;
      seen.add(key);
      if (length >= minLength && isFound(node, automata, missing)) {
        return { answer: { kind: 'found', text: textOf(node) }, steps: steps.taken };
      }
      const next = place.next ?? after(place);
      if (next === undefined || !steps.take(next.length * stepsPerPlace))
        return unknown(steps.taken);
      for (const [to, codePoint] of next) {
        const shortest = Math.max(least, length + 1 + to.distance);
        if (shortest > maxLength) continue;
        const longer = open.get(shortest) ?? [];
        open.set(shortest, longer);
        longer.push({ place: to, length: length + 1, parent: node, codePoint });
        left++;
      }
    }
    open.delete(least);
  }
  return { answer: { kind: 'none' }, steps: steps.taken };
}

/** The texts of a pattern that lists them, the shortest first. */
export function listedTexts(source: string): readonly string[] | undefined {
  const [, listed] = /^\^\(\?:((?:[\w ]|\\\W|\|)*)\)\$$/.exec(source) ?? [];
  if (listed === undefined) return undefined;
  const texts = [''];
  for (const [token] of listed.matchAll(/\\\W|[\w |]/g)) {
    if (token === '|') texts.push('');
    else texts.push(`${texts.pop() ?? ''}${token.slice(-1)}`);
  }
  return texts.sort((left, right) => left.length - right.length);
}

function isAccepted(automaton: Automaton, text: string): boolean {
  let standing = automaton.start();
  for (const character of text)
    standing = automaton.step(standing, character.codePointAt(0) as number);
  return automaton.accepts(standing, text === '');
}

function isFound(
  { place, length }: Node,
  automata: readonly Automaton[],
  missing: Automaton | undefined,
): boolean {
  const isEmpty = length === 0;
  return (
    automata.every((automaton, index) =>
      automaton.accepts(place.standings[index] as Standing, isEmpty),
    ) &&
    (missing === undefined ||
      place.missing === undefined ||
      !missing.accepts(place.missing, isEmpty))
  );
}

function textOf(node: Node): string {
  const characters: string[] = [];
  for (let at: Node | undefined = node; at?.parent !== undefined; at = at.parent)
    characters.push(String.fromCodePoint(at.codePoint));
  return characters.reverse().join('');
}

const automata = new Map<string, Automaton | undefined>();
/** States of all automata that are kept, each of at least so many. */
const maxStates = 200_000;
const leastStates = 500;
let states = 0;

function automatonOf(source: string): Automaton | undefined {
  if (automata.has(source)) return automata.get(source);
  const pattern = parsePattern(source);
  let automaton: Automaton | undefined;
  try {
    automaton = pattern === undefined ? undefined : new Automaton(pattern);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const size = Math.max(leastStates, source.length, automaton?.size ?? 0);
  if (states + size > maxStates) {
    automata.clear();
    states = 0;
  }
  states += size;
  automata.set(source, automaton);
  return automaton;
}

const [firstSurrogate, lastSurrogate] = [0xd800, 0xdfff];

/** Readable ones first. Undefined where looking for them takes too many steps. */
function representatives(all: readonly Automaton[], steps: Steps): number[] | undefined {
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
  const ranges = distinct.reduce((sum, { length }) => sum + length, 0);
  const classes = new Map<string, number>();
  const sorted = [...starts].sort((left, right) => left - right);
  for (const [index, from] of sorted.entries()) {
    // Half a surrogate pair is no character of a JSON string that Go reads: no string needs it.
    if (from >= firstSurrogate && from <= lastSurrogate) continue;
    if (!steps.take(ranges)) return undefined;
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
