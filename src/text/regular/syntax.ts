/** RE2 patterns as trees, as far as they describe regular languages over code points. */
import { append, smallest } from '../long-lists.js';

/** Inclusive ranges of code points, sorted and apart. */
export type CharacterSet = readonly (readonly [from: number, to: number])[];

export type Pattern =
  | { readonly kind: 'empty' | 'start' | 'end' }
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Pattern[] }
  | {
      readonly kind: 'repeat';
      readonly part: Pattern;
      readonly min: number;
      readonly max: number | undefined;
    };

export const lastCodePoint = 0x10ffff;
const digits: CharacterSet = [[0x30, 0x39]];
const upper: CharacterSet = [[0x41, 0x5a]];
const lower: CharacterSet = [[0x61, 0x7a]];
const word: CharacterSet = [...digits, ...upper, [0x5f, 0x5f], ...lower];
const space: CharacterSet = [
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
];
const newline: CharacterSet = [[0x0a, 0x0a]];

const perlClasses = new Map<string, CharacterSet>([
  ['d', digits],
  ['w', word],
  ['s', space],
  ['D', complement(digits)],
  ['W', complement(word)],
  ['S', complement(space)],
]);

const posixClasses = new Map<string, CharacterSet>([
  ['alnum', union([...digits, ...upper, ...lower])],
  ['alpha', union([...upper, ...lower])],
  ['digit', digits],
  ['lower', lower],
  ['upper', upper],
  ['word', word],
  [
    'space',
    [
      [0x09, 0x0d],
      [0x20, 0x20],
    ],
  ],
  ['xdigit', union([...digits, [0x41, 0x46], [0x61, 0x66]])],
  ['print', [[0x20, 0x7e]]],
  ['graph', [[0x21, 0x7e]]],
]);

const escapes = new Map<string, number>([
  ['n', 0x0a],
  ['t', 0x09],
  ['r', 0x0d],
  ['f', 0x0c],
  ['v', 0x0b],
  ['a', 0x07],
]);

/** Larger counted repetitions are refused by RE2 itself. */
const maxRepetitions = 1000;

function union(ranges: CharacterSet): CharacterSet {
  const sorted = [...ranges].sort(([left], [right]) => left - right);
  const joined: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

function complement(ranges: CharacterSet): CharacterSet {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [from, to] of union(ranges)) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= lastCodePoint) gaps.push([next, lastCodePoint]);
  return gaps;
}

const unsupported = (): RangeError => new RangeError('not supported');

/** RE2 syntax; undefined for word boundaries, Unicode classes, multi-line mode and what RE2 refuses. */
export function parsePattern(source: string): Pattern | undefined {
  try {
    return new Parser([...source]).parse();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Characters of the shortest text that it can match. */
export function leastLength(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'set':
      return 1;
    case 'sequence':
      return pattern.parts.reduce((sum, part) => sum + leastLength(part), 0);
    case 'choice':
      return smallest(pattern.parts.map(leastLength));
    case 'repeat':
      return pattern.min * leastLength(pattern.part);
    default:
      return 0;
  }
}

interface Flags {
  readonly ignoreCase: boolean;
  readonly dotMatchesNewline: boolean;
}

class Parser {
  private at = 0;

  constructor(private readonly source: readonly string[]) {}

  parse(): Pattern {
    const pattern = this.choice({ ignoreCase: false, dotMatchesNewline: false });
    if (this.at < this.source.length) throw unsupported();
    return pattern;
  }

  private choice(outer: Flags): Pattern {
    const parts: Pattern[] = [];
    let flags = outer;
    do {
      const sequence: Pattern[] = [];
      while (this.at < this.source.length && this.peek() !== '|' && this.peek() !== ')') {
        const changed = this.flagGroup(flags);
        if (changed !== undefined) flags = changed;
        else sequence.push(this.repeated(this.atom(flags)));
      }
      parts.push(joined(sequence));
    } while (this.take('|'));
    return parts.length === 1 ? (parts[0] as Pattern) : { kind: 'choice', parts };
  }

  /** `(?i)`: flags for the rest of the group, its other alternatives among it. */
  private flagGroup(flags: Flags): Flags | undefined {
    const text = this.source.slice(this.at, this.at + 8).join('');
    const match = /^\(\?([is]*)\)/.exec(text);
    if (match === null) return undefined;
    this.at += match[0].length;
    this.refuseQuantifier();
    return withFlags(flags, match[1] ?? '');
  }

  /** RE2 has nothing to repeat at a start; after flags or `\Q…\E` it repeats what it has read last. */
  private refuseQuantifier(): void {
    if (this.quantifier() !== undefined) throw unsupported();
  }

  private atom(flags: Flags): Pattern {
    this.refuseQuantifier();
    const character = this.next();
    switch (character) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return set(flags.dotMatchesNewline ? [[0, lastCodePoint]] : complement(newline));
      case '(':
        return this.group(flags);
      case '[':
        return set(this.bracket(flags));
      case '\\':
        return this.escape(flags);
      default:
        return set(withCase([[code(character), code(character)]], flags));
    }
  }

  private group(flags: Flags): Pattern {
    let inner = flags;
    if (this.take('?')) {
      const text = this.source.slice(this.at, this.at + 64).join('');
      const named = /^P?<\w+>/.exec(text) ?? /^([is]*):/.exec(text);
      if (named === null) throw unsupported();
      this.at += named[0].length;
      inner = withFlags(flags, named[1] ?? '');
    }
    const pattern = this.choice(inner);
    if (!this.take(')')) throw unsupported();
    return pattern;
  }

  private repeated(part: Pattern): Pattern {
    let pattern = part;
    for (;;) {
      const bounds = this.quantifier();
      if (bounds === undefined) return pattern;
      // A lazy repetition matches the same strings.
      this.take('?');
      pattern = { kind: 'repeat', part: pattern, ...bounds };
    }
  }

  private quantifier(): { min: number; max: number | undefined } | undefined {
    if (this.take('*')) return { min: 0, max: undefined };
    if (this.take('+')) return { min: 1, max: undefined };
    if (this.take('?')) return { min: 0, max: 1 };
    // With a zero in front it is no repetition, but text.
    const counted = /^\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/.exec(
      this.source.slice(this.at, this.at + 16).join(''),
    );
    if (counted === null) return undefined;
    this.at += counted[0].length;
    const min = Number(counted[1]);
    const max =
      counted[2] === undefined ? min : counted[3] === undefined ? undefined : Number(counted[3]);
    if (min > maxRepetitions || (max ?? 0) > maxRepetitions || (max ?? min) < min) {
      throw unsupported();
    }
    return { min, max };
  }

  private escape(flags: Flags): Pattern {
    const character = this.next();
    if (character === 'A') return { kind: 'start' };
    if (character === 'z') return { kind: 'end' };
    if (character === 'Q') {
      const parts: Pattern[] = [];
      while (this.at < this.source.length) {
        if (this.peek() === '\\' && this.source[this.at + 1] === 'E') {
          this.at += 2;
          break;
        }
        const literal = code(this.next());
        parts.push(set(withCase([[literal, literal]], flags)));
      }
      this.refuseQuantifier();
      return { kind: 'sequence', parts };
    }
    const known = perlClasses.get(character);
    // Both cases of these have letters beyond ASCII, which RE2 folds.
    if (flags.ignoreCase && (character === 'w' || character === 'W')) throw unsupported();
    return set(known ?? withCase(single(this.escaped(character)), flags));
  }

  /** The code point of an escape that stands for one character. */
  private escaped(character: string): number {
    const control = escapes.get(character);
    if (control !== undefined) return control;
    if (character === 'x') return this.hexadecimal();
    if (/[A-Za-z0-9]/.test(character)) throw unsupported();
    return code(character);
  }

  private hexadecimal(): number {
    const rest = this.source.slice(this.at, this.at + 12).join('');
    const match = /^\{([0-9A-Fa-f]{1,6})\}/.exec(rest) ?? /^([0-9A-Fa-f]{2})/.exec(rest);
    if (match === null) throw unsupported();
    this.at += match[0].length;
    return Number.parseInt(match[1] ?? '', 16);
  }

  private bracket(flags: Flags): CharacterSet {
    const negated = this.take('^');
    const ranges: (readonly [number, number])[] = [];
    for (let first = true; first || this.peek() !== ']'; first = false) {
      append(ranges, this.bracketItem());
      if (this.at >= this.source.length) throw unsupported();
    }
    this.at++;
    const chosen = union(withCase(ranges, flags));
    return negated ? complement(chosen) : chosen;
  }

  private bracketItem(): CharacterSet {
    const posix = /^\[:(\^?)(\w+):\]/.exec(this.source.slice(this.at, this.at + 14).join(''));
    if (posix !== null) {
      const known = posixClasses.get(posix[2] ?? '');
      if (known === undefined) throw unsupported();
      this.at += posix[0].length;
      return posix[1] === '^' ? complement(known) : known;
    }
    if (this.peek() === '\\') {
      const known = perlClasses.get(this.source[this.at + 1] ?? '');
      if (known !== undefined) {
        this.at += 2;
        return known;
      }
    }
    const from = this.bracketCharacter();
    if (this.peek() !== '-' || (this.source[this.at + 1] ?? ']') === ']') return single(from);
    this.at++;
    const to = this.bracketCharacter();
    if (to < from) throw unsupported();
    return [[from, to]];
  }

  private bracketCharacter(): number {
    const character = this.next();
    return character === '\\' ? this.escaped(this.next()) : code(character);
  }

  private peek(): string | undefined {
    return this.source[this.at];
  }

  private next(): string {
    const character = this.source[this.at++];
    if (character === undefined) throw unsupported();
    return character;
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at++;
    return true;
  }
}

function joined(parts: readonly Pattern[]): Pattern {
  if (parts.length === 1) return parts[0] as Pattern;
  return parts.length === 0 ? { kind: 'empty' } : { kind: 'sequence', parts };
}

function set(ranges: CharacterSet): Pattern {
  return { kind: 'set', set: ranges };
}

function single(codePoint: number): CharacterSet {
  return [[codePoint, codePoint]];
}

function code(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function withFlags(flags: Flags, letters: string): Flags {
  return {
    ignoreCase: flags.ignoreCase || letters.includes('i'),
    dotMatchesNewline: flags.dotMatchesNewline || letters.includes('s'),
  };
}

/** ASCII letters match both cases; a set with others is not followed under (?i). */
function withCase(ranges: CharacterSet, { ignoreCase }: Flags): CharacterSet {
  if (!ignoreCase) return ranges;
  const both: (readonly [number, number])[] = [...ranges];
  for (const [from, to] of ranges) {
    if (to > 0x7f) throw unsupported();
    for (let point = from; point <= to; point++) {
      const isUpper = point >= 0x41 && point <= 0x5a;
      const isLower = point >= 0x61 && point <= 0x7a;
      if (isUpper || isLower) append(both, single(isUpper ? point + 0x20 : point - 0x20));
    }
  }
  // The Kelvin sign and the long s fold to k and s in RE2.
  if (both.some(([from, to]) => from <= 0x6b && to >= 0x6b)) append(both, single(0x212a));
  if (both.some(([from, to]) => from <= 0x73 && to >= 0x73)) append(both, single(0x17f));
  return union(both);
}
