/** How ANTLR's parsers go on after a mistake. Source: antlr4-go's DefaultErrorStrategy, cel-go/parser/parser.go. */
import { expectation, Fault, kinds, Lexer, orAfter, type Token } from './lexer.js';

export interface Mistake {
  readonly message: string;
  readonly position: number;
}

export const nowhere = -2;
/** The position of nodes that the parser added, which cel-go shows before the first character. */
export const beforeText = -1;

const maxShown = 100;
const longestShownLine = 16_384;

/** All mistakes in the order of their places, each with its line and a mark beneath. */
export function showMistakes(text: string, mistakes: readonly Mistake[]): string {
  const shown = mistakes
    .slice(0, maxShown)
    .toSorted((a, b) => a.position - b.position)
    .map((mistake) => showMistake(text, mistake));
  const hidden = mistakes.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`${hidden} more errors were truncated`] : [])].join('\n');
}

function showMistake(text: string, { message, position }: Mistake): string {
  if (position === nowhere) return `ERROR: <input>:-1:0: ${message}`;
  if (text === '') return `ERROR: <input>:1:0: ${message}`;
  const lineStart = text.lastIndexOf('\n', position - 1) + 1;
  const line = text.slice(0, Math.max(lineStart, 0)).split('\n').length;
  const before = [...text.slice(lineStart, Math.max(position, lineStart))];
  const column = position === beforeText ? 0 : before.length + 1;
  const place = `ERROR: <input>:${line}:${column}: ${message}`;
  const [source = ''] = text.slice(lineStart).split('\n', 1);
  if (Buffer.byteLength(source) > longestShownLine) return place;
  const dots = before.map((character) => (isWide(character) ? '．' : '.')).join('');
  const mark = isWide([...source][before.length]) ? '＾' : '^';
  return `${place}\n | ${source.replaceAll('\t', ' ')}\n | ${dots}${mark}`;
}

function isWide(character: string | undefined): boolean {
  return character !== undefined && (character.codePointAt(0) ?? 0) > 0x7f;
}

/** Ends the rule in which it is thrown. `state` is the place in cel-go's grammar. */
abstract class ParseFailure extends Error {
  constructor(readonly state: number) {
    super();
  }
}

class UnexpectedToken extends ParseFailure {
  constructor(
    state: number,
    readonly expected: number,
  ) {
    super(state);
  }
}

/** No rule of the grammar fits the tokens from one to the other. */
export class NoViableAlternative extends ParseFailure {
  constructor(
    state: number,
    readonly from: Token,
    readonly offending: Token,
  ) {
    super(state);
  }
}

const maxReports = 100;
const maxAttempts = 30;
const maxSkipped = 256;

/** The tokens of a text, and how its parser goes on among them after a mistake. */
export class Recovery {
  readonly mistakes: Mistake[] = [];
  private readonly follows: number[] = [];
  /** After a mistake: no other one is reported until a token fits. */
  private isMending = false;
  private lastIndex = -1;
  private readonly lastStates = new Set<number>();
  private attempts = 0;
  private readonly lexer: Lexer;
  private readonly tokens: Token[] = [];
  private index = 0;

  constructor(private readonly text: string) {
    this.lexer = new Lexer(text, (message, position) => this.report(message, position));
  }

  at(offset: number): Token {
    while (this.tokens.length <= this.index + offset) this.tokens.push(this.lexer.next());
    return this.tokens[this.index + offset] as Token;
  }

  take(): Token {
    const token = this.at(0);
    this.matched();
    if (token.kind !== kinds.end) this.index++;
    return token;
  }

  textOf({ start, end, kind }: Token): string {
    return kind === kinds.end ? '<EOF>' : this.text.slice(start, end);
  }

  push(follow: number): void {
    this.follows.push(follow);
  }

  pop(): void {
    this.follows.pop();
  }

  private matched(): void {
    this.isMending = false;
    this.lastIndex = -1;
    if (this.lastStates.size > 0) this.lastStates.clear();
  }

  report(message: string, position: number): void {
    const isLast = this.mistakes.length >= maxReports;
    const words = isLast ? `More than ${maxReports} syntax errors` : message;
    this.mistakes.push({ message: `Syntax error: ${words}`, position });
    if (isLast) throw new Fault('');
  }

  /** Before a choice that the token cannot begin: drops the token if the next one can. */
  sync(expected: number, state: number): void {
    if ((this.at(0).kind & expected) !== 0 || this.isMending) return;
    if (this.dropOne(expected)) return;
    throw new UnexpectedToken(state, expected);
  }

  /** Before the next round of a loop: skips to a token that continues the loop or follows it. */
  syncLoop(expected: number): void {
    if (this.isMending) return;
    this.reportUnwanted(expected);
    this.skipTo(expected | this.allFollows());
  }

  /**
   * Replaces a token that is missing, or drops one before it. @param next what may follow it @throws UnexpectedToken
   */
  inline(kind: number, state: number, next: number): Token {
    this.countAttempt();
    if (this.dropOne(kind)) {
      const token = this.at(0);
      this.index++;
      return token;
    }
    const found = this.at(0);
    if ((found.kind & this.inContext(next)) !== 0) {
      if (!this.isMending) {
        this.isMending = true;
        const words = `missing ${expectation(kind)} at ${this.quoted(found)}`;
        this.report(words, found.start);
      }
      return { kind, start: found.start, end: found.start };
    }
    throw new UnexpectedToken(state, kind);
  }

  /** Skips to a token that may follow one of the open rules. @throws what is no ParseFailure */
  recover(failure: unknown): void {
    if (!(failure instanceof ParseFailure)) throw failure;
    this.reportFailure(failure);
    this.countAttempt();
    let budget = maxSkipped;
    const skip = (): void => {
      if (budget-- <= 0) {
        throw new Fault(`error recovery token lookahead limit exceeded: ${maxSkipped}`);
      }
      if (this.at(0).kind !== kinds.end) this.index++;
    };
    if (this.lastIndex === this.index && this.lastStates.has(failure.state)) skip();
    this.lastIndex = this.index;
    this.lastStates.add(failure.state);
    const set = this.allFollows();
    while ((this.at(0).kind & (set | kinds.end)) === 0) skip();
  }

  private reportFailure(failure: ParseFailure): void {
    if (this.isMending) return;
    this.isMending = true;
    if (failure instanceof NoViableAlternative) {
      const { from, offending } = failure;
      const input = from.kind === kinds.end ? '<EOF>' : this.textBetween(from, offending);
      const word = /^.(true|false|null)$/s.exec(input)?.[1];
      this.report(
        word === undefined
          ? `no viable alternative at input '${escaped(input)}'`
          : `mismatched input '${word}' expecting IDENTIFIER`,
        offending.start,
      );
    } else if (failure instanceof UnexpectedToken) {
      const found = this.at(0);
      const words = `mismatched input ${this.quoted(found)} expecting ${expectation(failure.expected)}`;
      this.report(words, found.start);
    }
  }

  private reportUnwanted(expected: number): void {
    if (this.isMending) return;
    this.isMending = true;
    const found = this.at(0);
    this.report(
      `extraneous input ${this.quoted(found)} expecting ${expectation(expected)}`,
      found.start,
    );
  }

  private dropOne(expected: number): boolean {
    if (this.at(0).kind === kinds.end) return false;
    if ((this.at(1).kind & expected) === 0) return false;
    this.reportUnwanted(expected);
    this.index++;
    this.matched();
    return true;
  }

  private skipTo(set: number): void {
    while ((this.at(0).kind & (set | kinds.end)) === 0) this.index++;
  }

  private countAttempt(): void {
    if (this.attempts++ < maxAttempts) return;
    this.report(`error recovery attempt limit exceeded: ${maxAttempts}`, this.at(0).start);
    throw new Fault('');
  }

  private allFollows(): number {
    let set = 0;
    for (const follow of this.follows) set |= follow;
    return set & ~orAfter;
  }

  private inContext(next: number): number {
    let set = next;
    for (let index = this.follows.length - 1; index >= 0 && (set & orAfter) !== 0; index--) {
      set = (set & ~orAfter) | (this.follows[index] as number);
    }
    return set;
  }

  private textBetween(from: Token, to: Token): string {
    let text = '';
    let position = from.start;
    for (const { start, end } of this.lexer.skipped) {
      if (start < from.start || end > to.end) continue;
      text += this.text.slice(position, start);
      position = end;
    }
    return text + this.text.slice(position, to.end);
  }

  private quoted(token: Token): string {
    return `'${escaped(this.textOf(token))}'`;
  }
}

function escaped(text: string): string {
  return text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}
