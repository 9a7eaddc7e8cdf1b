/** Format `email`: whether `net/mail.ParseAddress` finds exactly one address with a name (RFC 5322). */
import { parseIP } from './network.js';

export function isEmail(text: string): boolean {
  const parser = new AddressParser(text);
  const count = parser.address(true);
  return count === 1 && parser.skipComments() && parser.rest === '';
}

const special = new Set('()<>[]:;@\\,"');

function isVisible(character: string): boolean {
  return (character >= '!' && character <= '~') || character > '\u007f';
}

class AddressParser {
  constructor(public rest: string) {}

  /** How many addresses were read; undefined when there is a mistake. */
  address(groupAllowed: boolean): number | undefined {
    this.skipSpace();
    if (this.rest === '') return undefined;
    if (this.attempt(() => this.mailbox())) {
      this.skipSpace();
      if (this.rest.startsWith('(') && !this.comment()) return undefined;
      return 1;
    }
    if (!this.rest.startsWith('<') && !this.phrase()) return undefined;
    this.skipSpace();
    if (groupAllowed && this.consume(':')) return this.group();
    return this.consume('<') && this.attempt(() => this.mailbox()) && this.consume('>')
      ? 1
      : undefined;
  }

  skipComments(): boolean {
    this.skipSpace();
    while (this.rest.startsWith('(')) {
      if (!this.comment()) return false;
      this.skipSpace();
    }
    return true;
  }

  private group(): number | undefined {
    this.skipSpace();
    if (this.consume(';')) return this.skipComments() ? 0 : undefined;
    for (let count = 0; ;) {
      this.skipSpace();
      const more = this.address(false);
      if (more === undefined || !this.skipComments()) return undefined;
      count += more;
      if (this.consume(';')) return this.skipComments() ? count : undefined;
      if (!this.consume(',')) return undefined;
    }
  }

  private mailbox(): boolean {
    this.skipSpace();
    const local = this.rest.startsWith('"') ? this.quotedString() : this.atom(false);
    if (local === undefined || local === '' || !this.consume('@')) return false;
    this.skipSpace();
    return this.rest.startsWith('[') ? this.domainLiteral() : this.atom(false) !== undefined;
  }

  /** One or more words; whatever cannot be read after the first word is left to the caller. */
  private phrase(): boolean {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.skipComments()) return false;
      this.skipSpace();
      if (this.rest === '') return true;
      const word = this.rest.startsWith('"') ? this.quotedString() : this.atom(true);
      if (word === undefined) return words > 0;
    }
  }

  private atom(permissive: boolean): string | undefined {
    let end = 0;
    for (const character of this.rest) {
      if (special.has(character) || !isVisible(character)) break;
      end += character.length;
    }
    const atom = this.rest.slice(0, end);
    if (end === 0) return undefined;
    this.rest = this.rest.slice(end);
    const dotted = atom.startsWith('.') || atom.endsWith('.') || atom.includes('..');
    return !permissive && dotted ? undefined : atom;
  }

  private quotedString(): string | undefined {
    let content = '';
    let escaped = false;
    let end = 1;
    for (const character of this.rest.slice(1)) {
      end += character.length;
      const blank = character === ' ' || character === '\t';
      if (!escaped && character === '"') {
        this.rest = this.rest.slice(end);
        return content;
      }
      if (!escaped && character === '\\') {
        escaped = true;
        continue;
      }
      if (!blank && !isVisible(character)) return undefined;
      content += character;
      escaped = false;
    }
    return undefined;
  }

  private domainLiteral(): boolean {
    const close = this.rest.indexOf(']');
    if (close < 0) return false;
    const literal = this.rest.slice(1, close);
    this.rest = this.rest.slice(close + 1);
    return parseIP(literal) !== undefined;
  }

  private comment(): boolean {
    let depth = 0;
    for (let index = 0; index < this.rest.length; index++) {
      const character = this.rest[index];
      if (character === '\\' && index + 1 < this.rest.length) index++;
      else if (character === '(') depth++;
      else if (character === ')' && --depth === 0) {
        this.rest = this.rest.slice(index + 1);
        return true;
      }
    }
    return false;
  }

  /** Runs a rule that must not move the parser when it fails. */
  private attempt(rule: () => boolean): boolean {
    const before = this.rest;
    if (rule()) return true;
    this.rest = before;
    return false;
  }

  private skipSpace(): void {
    this.rest = this.rest.replace(/^[ \t]+/, '');
  }

  private consume(character: string): boolean {
    if (!this.rest.startsWith(character)) return false;
    this.rest = this.rest.slice(1);
    return true;
  }
}
