const maxDigits = 20;

/** Undefined past 64 bits. Digits are counted before they are read: reading a million takes a second. */
export function decimalOf(text: string): bigint | undefined {
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > maxDigits) return undefined;
  return BigInt(text.startsWith('-') ? `-${digits || '0'}` : digits || '0');
}
