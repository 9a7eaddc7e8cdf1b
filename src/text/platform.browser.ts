/** platform.ts without Node: in a page, a worker, or another program that has no modules of Node. */
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';
import { sha224 as hash224, sha256 as hash256 } from '@noble/hashes/sha2.js';
import { Gunzip } from 'fflate';
import * as re2 from 're2js';

const decoder = new TextDecoder('utf-8', { fatal: true });

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 128);
}

export function sha256(text: string): Buffer {
  return Buffer.from(hash256(Buffer.from(text)));
}

export function sha224(text: string): Buffer {
  return Buffer.from(hash224(Buffer.from(text)));
}

export function randomText(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
}

export function gunzip(bytes: Uint8Array, most: number): Buffer {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Gunzip((part) => {
    length += part.length;
    if (length > most) throw new RangeError(`more than ${most} bytes`);
    parts.push(part);
  });
  stream.push(bytes, true);
  return Buffer.concat(parts);
}

export function isCertificate(pem: string): boolean {
  try {
    const [, base64 = ''] = /-----BEGIN CERTIFICATE-----([^-]*)-----END/.exec(pem) ?? [];
    const { tbsCertificate } = AsnConvert.parse(Buffer.from(base64, 'base64'), Certificate);
    return tbsCertificate.serialNumber.byteLength > 0;
  } catch {
    return false;
  }
}

export function loadRe2(): typeof re2 {
  return re2;
}
