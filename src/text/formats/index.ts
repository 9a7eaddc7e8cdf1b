/**
 * The string formats that Kubernetes 1.35 enforces in CRD schemas, and no others: int32, int64,
 * float, double, date-time under other names and unknown ones are dropped before validation.
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go and kube-openapi's
 * strfmt registry. Dashes in the name are ignored, case is not.
 */
import {
  colorPatterns,
  isBase64,
  isBSONObjectID,
  isCreditCard,
  isHostname,
  isISBN10,
  isISBN13,
  isLongName,
  isShortName,
  isSSN,
  uuidPatterns,
} from './codes.js';
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
