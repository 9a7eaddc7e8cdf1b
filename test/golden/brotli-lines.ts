import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** The lines of a file compressed with brotli, without empty ones. */
export function brotliLines(file: string | URL): string[] {
  return brotliDecompressSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
