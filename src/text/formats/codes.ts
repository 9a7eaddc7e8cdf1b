/** Formats that are one pattern, with a check digit where the format has one. */

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
