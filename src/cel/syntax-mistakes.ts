/**
 * What cel-go's parser says about text that is no CEL. The library that parses stops at the first fault with
 * words of its own; this walks the tokens again as cel-go's generated parser would, with its one-token
 * repairs. What comes after a fault that needs more than that is not looked at.
 */
import { CompileError } from './errors.js';

interface Token {
  readonly text: string;
  readonly position: number;
  readonly kind: 'name' | 'literal' | 'sign' | 'end';
}

/** What may begin an operand, with what else may stand at the place. */
const operand = "{'[', '{', '(', '.', '-', '!', ";
const operandInCall = "{'[', '{', '(', ')', '.', '-', '!', ";
const operandInIndex = "{'[', '{', '(', '.', '-', '!', '?', ";
const operandRest =
  "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const reserved = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const macros = new Set(['all', 'exists', 'exists_one', 'existsOne', 'map', 'filter']);
const binary = new Set('|| && == != < <= > >= in + - * / %'.split(' '));
const literals = new Set(['true', 'false', 'null']);

/** Ascending; empty where nothing can be said. */
export function syntaxMistakes(text: string): CompileError[] {
  const reader = new Reader(text);
  reader.read();
  return reader.mistakes.toSorted((a, b) => a.position - b.position);
}

class Stop extends Error {}

class Reader {
  readonly mistakes: CompileError[] = [];
  private readonly tokens: readonly Token[];
  private next = 0;
  /** How many parentheses of calls and brackets of lists are open. */
  private depth = 0;
  /** The place of a repair after which nothing has fitted yet: nothing more is said there. */
  private repaired = -1;

  constructor(text: string) {
    this.tokens = tokenize(text, (found, position) =>
      this.mistakes.push(mistake(`token recognition error at: '${found}'`, position)),
    );
  }

  read(): void {
    try {
      this.expression();
      this.expectEnd();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
  }

  private at(offset = 0): Token {
    return this.tokens[Math.min(this.next + offset, this.tokens.length - 1)] as Token;
  }

  private is(sign: string): boolean {
    return this.at().kind !== 'literal' && this.at().text === sign;
  }

  private take(sign: string): boolean {
    if (!this.is(sign)) return false;
    this.next++;
    return true;
  }

  private report(message: string, token = this.at()): void {
    this.mistakes.push(mistake(message, token.position));
  }

  private stop(message: string): never {
    this.report(message);
    throw new Stop();
  }

  private expression(begin = operand): void {
    this.chain(begin);
    if (!this.take('?')) return;
    this.chain();
    this.expect(':');
    this.expression();
  }

  private chain(begin = operand): void {
    this.unary(begin);
    while (this.isBinary()) {
      this.next++;
      this.unary();
    }
  }

  private unary(begin = operand): void {
    const isSigned = this.is('!') || this.is('-');
    while (this.take('!') || this.take('-'));
    if (!startsOperand(this.at())) {
      const canDrop = startsOperand(this.at(1)) || (isSigned && this.at().kind === 'end');
      const found = `input '${shown(this.at())}' expecting ${begin}${operandRest}`;
      if (!canDrop) this.stop(`mismatched ${found}`);
      this.report(`extraneous ${found}`);
      if (this.at().kind === 'end') throw new Stop();
      this.next++;
    }
    this.primary();
    while (this.is('.') || this.is('[')) this.member();
  }

  private primary(): void {
    if (this.take('(')) {
      this.expression();
      this.expect(')');
    } else if (this.take('[')) {
      this.list(']');
    } else if (this.take('{')) {
      this.list('}', () => {
        this.expression();
        this.expect(':');
        this.expression();
      });
    } else {
      this.take('.');
      const token = this.at();
      this.next++;
      if (token.kind === 'name' && this.take('(')) this.call();
      else if (reserved.has(token.text)) {
        const message = `reserved identifier: ${token.text}`;
        this.mistakes.push(new CompileError(message, token.position, 'parsing'));
      }
    }
  }

  private member(): void {
    if (this.take('[')) {
      this.expression(operandInIndex);
      this.expect(']');
      return;
    }
    this.next++;
    if (this.at().kind !== 'name') {
      this.stop(`no viable alternative at input '.${this.at().text}'`);
    }
    const { text } = this.at();
    this.next++;
    if (this.take('(')) this.call(macros.has(text));
  }

  private call(isMacro = false): void {
    if (this.take(')')) return;
    const first = this.next;
    this.depth++;
    this.expression(operandInCall);
    if (isMacro && this.is(',')) this.mustBeName(first);
    while (this.take(',')) this.expression();
    this.depth--;
    this.expect(')');
  }

  /** The variable of a comprehension, which ends before the token at hand. */
  private mustBeName(first: number): void {
    const tokens = this.tokens.slice(first, this.next);
    const place = tokens.findLast(({ text }) => text === '.') ?? tokens[0];
    if (place === undefined || (tokens.length === 1 && place.kind === 'name')) return;
    const message = 'argument must be a simple name';
    this.mistakes.push(new CompileError(message, place.position, 'parsing'));
  }

  /** A comma may come last. */
  private list(closing: string, entry = (): void => this.expression()): void {
    this.depth++;
    let afterComma = this.take(',');
    while (!this.is(closing)) {
      if (afterComma && !startsOperand(this.at())) break;
      entry();
      afterComma = this.take(',');
      if (!afterComma) break;
    }
    this.depth--;
    if (afterComma || this.is(closing)) {
      this.expect(closing);
      return;
    }
    const found = `input '${shown(this.at())}' expecting {'${closing}', ','}`;
    if (this.at(1).text !== closing) this.stop(`mismatched ${found}`);
    this.report(`extraneous ${found}`);
    this.next += 2;
  }

  /** Drops one token, or adds the one that is missing, where what follows then fits. */
  private expect(sign: string): void {
    if (this.take(sign)) return;
    const found = shown(this.at());
    if (this.at(1).text === sign && this.at(1).kind === 'sign') {
      this.report(`extraneous input '${found}' expecting '${sign}'`);
      this.next += 2;
    } else if (this.mayFollow(sign)) this.report(`missing '${sign}' at '${found}'`);
    else if (sign === ')') {
      this.report(`mismatched input '${found}' expecting ')'`);
      while (!this.endsOperand()) this.next++;
      this.repaired = this.next;
    } else this.stop(`mismatched input '${found}' expecting '${sign}'`);
  }

  private mayFollow(sign: string): boolean {
    if (sign === ':') return startsOperand(this.at());
    return this.at().kind === 'end' || this.is(',')
      ? this.depth > 0 || !this.is(',')
      : this.isBinary();
  }

  private isBinary(): boolean {
    return binary.has(this.at().text) && this.at().kind !== 'literal';
  }

  private endsOperand(): boolean {
    const closing = [')', ']', '}', ':', '?', '.', '[', ...(this.depth > 0 ? [','] : [])];
    return this.at().kind === 'end' || this.isBinary() || closing.some((sign) => this.is(sign));
  }

  private expectEnd(): void {
    if (this.at().kind === 'end' || this.repaired === this.next) return;
    const repair = this.at(1).kind === 'end' ? 'extraneous' : 'mismatched';
    this.report(`${repair} input '${shown(this.at())}' expecting <EOF>`);
  }
}

function startsOperand({ kind, text }: Token): boolean {
  if (kind === 'name' || kind === 'literal') return text !== 'in';
  return ['[', '{', '(', '.', '-', '!'].includes(text);
}

function shown({ text, kind }: Token): string {
  return kind === 'end' ? '<EOF>' : text;
}

function mistake(message: string, position: number): CompileError {
  return new CompileError(`Syntax error: ${message}`, position, 'parsing');
}

const lexeme =
  /(?<space>[\t\n\f\r ]+|\/\/[^\n]*)|(?<literal>[rR]?[bB]?(?:"""[\s\S]*?"""|'''[\s\S]*?''')|[bB]?[rR](?:"[^"\n]*"|'[^'\n]*')|[bB]?(?:"(?:\\[abfnrtv\\?"'`0-7xXuU]|[^"\\\n])*"|'(?:\\[abfnrtv\\?"'`0-7xXuU]|[^'\\\n])*')|0x[0-9a-fA-F]+u?|(?:\d+\.\d+|\d+(?=[eE][+-]?\d)|\.\d+)(?:[eE][+-]?\d+)?|\d+[uU]?)|(?<name>[A-Za-z_]\w*)|(?<sign>==|!=|<=|>=|\|\||&&|[-+*/%<>!?:.,()[\]{}])|(?<unknown>[=&|][\s\S]?|"(?:\\[abfnrtv\\?"'`0-7xXuU]|[^"\\\n])*(?:\\.)?|'(?:\\[abfnrtv\\?"'`0-7xXuU]|[^'\\\n])*(?:\\.)?|[\s\S])/gy;

function tokenize(text: string, unknown: (found: string, position: number) => void): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(lexeme)) {
    const { space, literal, name, unknown: strange } = match.groups ?? {};
    const [found] = match;
    if (space !== undefined) continue;
    if (strange !== undefined) unknown(found, match.index);
    else {
      const isLiteral = literal !== undefined || literals.has(found);
      const kind = isLiteral ? 'literal' : name !== undefined && found !== 'in' ? 'name' : 'sign';
      tokens.push({ text: found, position: match.index, kind });
    }
  }
  return [...tokens, { text: '', position: text.length, kind: 'end' }];
}
