/** Certificates: self-signed, or from two files that are read again when they change. */
import { createAuthority, day, isDue, issueCertificate } from './authority.js';
import { type CertificateSource, notValidAt, type Certificate } from './certificate.js';
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { InvalidInputError, invalidInput } from '../../../text/documents/index.js';
import type { Logger } from '../../log.js';
import type { ServerMetrics } from '../../metrics/own-metrics.js';
import type { ChangeWatch } from '../../../text/documents/changes.js';
import { watchFiles, type WatchOptions } from '../watched-files.js';
import { readRegularFile } from '../../../text/documents/regular-file.js';

// A certificate authority of this process alone, for tests and clusters that have none.

const authorityDays = 3650;

export interface SelfSigned extends CertificateSource {
  /** PEM of the authority: the `caBundle` of a webhook registration. */
  readonly authority: string;
}

/** The serving certificate is renewed under the same authority long before it expires. */
export async function selfSigned(names: readonly string[]): Promise<SelfSigned> {
  const authority = await createAuthority(Date.now(), authorityDays);
  const current = await issueCertificate(authority, names, Date.now());
  let timer: NodeJS.Timeout | undefined;
  return {
    authority: authority.cert,
    current,
    onRenewal(use) {
      // Timers hold 24.8 days at most, so the age is checked daily.
      let latest = current;
      timer = setInterval(() => {
        if (!isDue(latest, Date.now())) return;
        void issueCertificate(authority, names, Date.now()).then((renewed) => {
          latest = renewed;
          use(renewed);
        });
      }, day);
      timer.unref();
      return Promise.resolve();
    },
    close: () => clearInterval(timer),
  };
}

/** @throws InvalidInputError `E_INPUT`: a file is missing, unreadable, or the two do not match. */
export async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const [cert, key] = await Promise.all([read(certFile), read(keyFile)]);
  const parsed = parse(certFile, 'a PEM certificate', () => new X509Certificate(cert));
  const privateKey: KeyObject = parse(keyFile, 'a PEM private key without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!parsed.checkPrivateKey(privateKey)) {
    const message = `does not hold the private key of the certificate in ${certFile}`;
    throw invalidInput(message, { file: keyFile });
  }
  return { cert, key, begins: new Date(parsed.validFrom), expires: new Date(parsed.validTo) };
}

export interface CertificateFileOptions {
  readonly log: Logger;
  readonly metrics: Pick<ServerMetrics, 'certificateReloads'>;
  readonly watch?: WatchOptions;
}

/** Timers hold no more milliseconds. */
const longestTimer = 2 ** 31 - 1;

/**
 * A later pair that does not work, or not today, is logged and not used. @throws InvalidInputError for the first
 */
export async function certificateFromFiles(
  certFile: string,
  keyFile: string,
  { log, metrics, watch = {} }: CertificateFileOptions,
): Promise<CertificateSource> {
  const current = await readCertificate(certFile, keyFile);
  const problem = notValidAt(new Date(), current);
  if (problem !== undefined) log.error({ file: certFile }, `the serving certificate ${problem}`);
  // Both series exist from the start, so that an alert on the second can be written.
  for (const outcome of ['success', 'failure']) metrics.certificateReloads.inc({ outcome }, 0);
  let watching: ChangeWatch | undefined;
  let later: NodeJS.Timeout | undefined;

  async function reload(use: (certificate: Certificate) => void): Promise<void> {
    clearTimeout(later);
    try {
      const renewed = await readCertificate(certFile, keyFile);
      const wait = renewed.begins.getTime() - Date.now();
      if (wait > 0) {
        later = setTimeout(() => void reload(use), Math.min(wait, longestTimer)).unref();
      }
      const problem = notValidAt(new Date(), renewed);
      if (problem !== undefined) {
        throw invalidInput(problem, { file: certFile });
      }
      use(renewed);
      metrics.certificateReloads.inc({ outcome: 'success' });
      log.info({ expires: renewed.expires }, 'serving certificate reloaded');
    } catch (error) {
      metrics.certificateReloads.inc({ outcome: 'failure' });
      const reason = error instanceof InvalidInputError ? error.describe() : String(error);
      log.error({ reason }, 'serving certificate not reloaded; the one in use is kept');
    }
  }

  return {
    current,
    async onRenewal(use) {
      watching = await watchFiles([certFile, keyFile], () => reload(use), watch);
    },
    close: () => {
      clearTimeout(later);
      watching?.close();
    },
  };
}

async function read(file: string): Promise<string> {
  return (await readRegularFile(file)).toString('utf8');
}

function parse<Parsed>(file: string, what: string, make: () => Parsed): Parsed {
  try {
    return make();
  } catch {
    throw invalidInput(`is not ${what}`, { file });
  }
}
