/** One more than 64 bits take. */
const mostDigits = 20;

/**
 * An integer of at most 64 bits in decimal digits, with or without a sign. Undefined past that before it
 * is read: reading a million digits takes a second.
 */
export function decimalOf(text: string): bigint | undefined {
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > mostDigits) return undefined;
  return BigInt(text.startsWith('-') ? `-${digits || '0'}` : digits || '0');
}
