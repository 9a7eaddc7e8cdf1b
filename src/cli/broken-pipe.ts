/** Readers of the output may stop early, as head(1) does. */

/** Whether a write failed because its reader is gone. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
