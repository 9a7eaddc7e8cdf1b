/** platform.browser.ts answers the same: `npm run build` puts it here where a browser is meant. */
import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import type * as Re2 from 're2js';

export { isAscii, isUtf8 } from 'node:buffer';

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function sha224(text: string): Buffer {
  return createHash('sha224').update(text).digest();
}

/** Unguessable hexadecimal digits. */
export function randomText(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** @throws RangeError for more than `most` bytes; another error for what is not gzipped */
export function gunzip(bytes: Uint8Array, most: number): Buffer {
  return gunzipSync(bytes, { maxOutputLength: most });
}

export function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** Most runs meet no pattern: the engine is loaded when it is first needed. */
export function loadRe2(): typeof Re2 {
  return createRequire(import.meta.url)('re2js') as typeof Re2;
}
