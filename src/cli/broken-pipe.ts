/** Whoever reads the output may stop early, as head(1) does. */

/** Whether a write failed because nobody reads any more. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
