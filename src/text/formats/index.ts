/**
 * The string formats that Kubernetes 1.35 enforces in CRD schemas, and no others: int32, int64,
 * float, double, date-time under other names and unknown ones are dropped before validation.
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go and kube-openapi's
 * strfmt registry. Dashes in the name are ignored, case is not.
 */
import { isCIDR, isMAC, parseIP, parseRequestURI } from './network.js';
import { isDate, isDateTime, parseDuration } from './time.js';

export type FormatCheck = (text: string) => boolean;

const sloppy = { leadingZeros: true };

const formats = new Map<string, FormatCheck>([
  ['bsonobjectid', (text) => /^[0-9a-fA-F]{24}$/.test(text)],
  ['uri', (text) => typeof parseRequestURI(text) !== 'string'],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', (text) => text.includes('.') && parseIP(text, sloppy) !== undefined],
  ['ipv6', (text) => text.includes(':') && parseIP(text) !== undefined],
  ['cidr', isCIDR],
  ['mac', isMAC],
  ['uuid', (text) => uuidPatterns.uuid.test(text)],
  ['uuid3', (text) => uuidPatterns.uuid3.test(text)],
  ['uuid4', (text) => uuidPatterns.uuid4.test(text)],
  ['uuid5', (text) => uuidPatterns.uuid5.test(text)],
  ['isbn', (text) => isISBN10(text) || isISBN13(text)],
  ['isbn10', isISBN10],
  ['isbn13', isISBN13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', (text) => colorPatterns.hex.test(text)],
  ['rgbcolor', (text) => colorPatterns.rgb.test(text)],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', (text) => parseDuration(text) !== undefined],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && shortName.test(text)],
  ['k8slongname', (text) => text.length <= 253 && longName.test(text)],
]);

/** Their names without dashes. */
export const enforcedFormats: readonly string[] = [...formats.keys()];

/** The check behind a format name, or undefined where the API server ignores the format. */
export function formatCheck(name: string): FormatCheck | undefined {
  return formats.get(name.replaceAll('-', ''));
}

const uuid = '[0-9a-f]{8}-?[0-9a-f]{4}-?';

export const uuidPatterns = {
  uuid: new RegExp(`^${uuid}[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'),
  uuid3: new RegExp(`^${uuid}3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'),
  uuid4: new RegExp(`^${uuid}4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'),
  uuid5: new RegExp(`^${uuid}5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'),
};

const colorPatterns = {
  hex: /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
  rgb: /^rgb\([\t\n\f\r ]*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*,[\t\n\f\r ]*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*,[\t\n\f\r ]*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*\)$/,
};

/** Standard alphabet with padding; the empty text is refused. */
export function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

function isISBN10(text: string): boolean {
  const digits = text.replaceAll(/[\t\n\f\r -]+/g, '');
  if (!/^([0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 10; index++) {
    sum += (index + 1) * (digits[index] === 'X' ? 10 : Number(digits[index]));
  }
  return sum % 11 === 0;
}

function isISBN13(text: string): boolean {
  const digits = text.replaceAll(/[\t\n\f\r -]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += (index % 2 === 0 ? 1 : 3) * Number(digits[index]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const cards =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Digits of a known issuer with a correct Luhn sum; other characters are ignored. */
function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, '');
  if (!cards.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

function isHostname(text: string): boolean {
  // Lengths first: they bound the pattern's backtracking.
  if (Buffer.byteLength(text) > 255) return false;
  if (text.split('.').some((label) => Buffer.byteLength(label) > 63)) return false;
  return hostname.test(text);
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const shortName = new RegExp(`^${label}$`);
const longName = new RegExp(`^${label}(\\.${label})*$`);

/** Whether `net/mail.ParseAddress` finds exactly one address with a name (RFC 5322). */
function isEmail(text: string): boolean {
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
