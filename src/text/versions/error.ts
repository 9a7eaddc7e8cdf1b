/** Thrown for an invalid version or range; commands and operations turn it into E_VERSION and E_RANGE. */

/** `message` is the text that the reference library prints. */
export class InvalidVersionError extends Error {
  override readonly name = 'InvalidVersionError';
}

/** `message` is the text that the reference library prints, or ours where the library crashes. */
export class InvalidRangeError extends Error {
  override readonly name = 'InvalidRangeError';
}
