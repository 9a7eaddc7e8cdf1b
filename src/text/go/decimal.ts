const maxDigits = 20;

/**
 * An integer in decimal digits, with or without a sign; undefined where it has more digits than 64 bits
 * hold. They are counted before they are read, because reading a million takes a second.
 */
export function decimalOf(text: string): bigint | undefined {
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > maxDigits) return undefined;
  return BigInt(text.startsWith('-') ? `-${digits || '0'}` : digits || '0');
}
