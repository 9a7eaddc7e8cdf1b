/**
 * The string formats that Kubernetes 1.35 enforces in CRD schemas, and no others: int32, int64,
 * float, double, date-time under other names and unknown ones are dropped before validation.
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go and kube-openapi's
 * strfmt registry. Dashes in the name are ignored, case is not.
 */
import { isEmail } from './email.js';
import { isCIDR, isMAC, parseIP } from './network.js';
import { isDate, isDateTime, parseDuration } from './time.js';
import { parseRequestURI } from './uri.js';

export type FormatCheck = (text: string) => boolean;

const sloppy = { leadingZeros: true };

const formats = new Map<string, FormatCheck>([
  ['bsonobjectid', isBSONObjectID],
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
  ['ssn', isSSN],
  ['hexcolor', (text) => colorPatterns.hex.test(text)],
  ['rgbcolor', (text) => colorPatterns.rgb.test(text)],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', (text) => parseDuration(text) !== undefined],
  ['datetime', isDateTime],
  ['k8sshortname', isShortName],
  ['k8slongname', isLongName],
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

export const colorPatterns = {
  hex: /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
  rgb: /^rgb\([\t\n\f\r ]*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*,[\t\n\f\r ]*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*,[\t\n\f\r ]*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*\)$/,
};

/** Standard alphabet with padding; the empty text is refused. */
export function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

export function isSSN(text: string): boolean {
  return text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text);
}

export function isISBN10(text: string): boolean {
  const digits = text.replaceAll(/[\t\n\f\r -]+/g, '');
  if (!/^([0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 10; index++) {
    sum += (index + 1) * (digits[index] === 'X' ? 10 : Number(digits[index]));
  }
  return sum % 11 === 0;
}

export function isISBN13(text: string): boolean {
  const digits = text.replaceAll(/[\t\n\f\r -]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += (index % 2 === 0 ? 1 : 3) * Number(digits[index]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const cards =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Digits of a known issuer with a correct Luhn sum; other characters are ignored. */
export function isCreditCard(text: string): boolean {
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

export function isBSONObjectID(text: string): boolean {
  return /^[0-9a-fA-F]{24}$/.test(text);
}

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

export function isHostname(text: string): boolean {
  // Lengths first: they bound the pattern's backtracking.
  if (Buffer.byteLength(text) > 255) return false;
  if (text.split('.').some((label) => Buffer.byteLength(label) > 63)) return false;
  return hostname.test(text);
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const shortName = new RegExp(`^${label}$`);
const longName = new RegExp(`^${label}(\\.${label})*$`);

export function isShortName(text: string): boolean {
  return text.length <= 63 && shortName.test(text);
}

export function isLongName(text: string): boolean {
  return text.length <= 253 && longName.test(text);
}
