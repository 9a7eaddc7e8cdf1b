/** A certificate from two files, read again when they change. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { InvalidInputError } from '../../../text/documents/index.js';
import { unreadable } from '../../../text/documents/sources.js';
import type { Logger } from '../../log.js';
import type { ChangeWatch } from '../../../facts/changes.js';
import { watchFiles, type WatchOptions } from '../watched-files.js';
import type { Certificate, CertificateSource } from './certificate.js';

/** @throws InvalidInputError `E_INPUT`: a file is missing, unreadable, or the two do not match. */
export async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const [cert, key] = await Promise.all([read(certFile), read(keyFile)]);
  const parsed = parse(certFile, 'a PEM certificate', () => new X509Certificate(cert));
  const privateKey: KeyObject = parse(keyFile, 'a PEM private key without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!parsed.checkPrivateKey(privateKey)) {
    const message = `does not hold the private key of the certificate in ${certFile}`;
    throw new InvalidInputError('E_INPUT', message, { file: keyFile });
  }
  return { cert, key, expires: new Date(parsed.validTo) };
}

/**
 * A new pair that does not work is logged and the one in use is kept.
 *
 * @throws InvalidInputError when the first pair does not work.
 */
export async function certificateFromFiles(
  certFile: string,
  keyFile: string,
  log: Logger,
  options: WatchOptions = {},
): Promise<CertificateSource> {
  const current = await readCertificate(certFile, keyFile);
  let watching: ChangeWatch | undefined;
  return {
    current,
    async onRenewal(use) {
      watching = await watchFiles(
        [certFile, keyFile],
        async () => {
          try {
            const renewed = await readCertificate(certFile, keyFile);
            use(renewed);
            log.info({ expires: renewed.expires }, 'serving certificate reloaded');
          } catch (error) {
            const reason = error instanceof InvalidInputError ? error.describe() : String(error);
            log.error({ reason }, 'serving certificate not reloaded; the one in use is kept');
          }
        },
        options,
      );
    },
    close: () => watching?.close(),
  };
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

function parse<Parsed>(file: string, what: string, make: () => Parsed): Parsed {
  try {
    return make();
  } catch {
    throw new InvalidInputError('E_INPUT', `is not ${what}`, { file });
  }
}
