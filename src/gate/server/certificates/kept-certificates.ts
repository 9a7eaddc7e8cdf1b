/** The gate's own certificates in a Secret, and the next step of their rotation. */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { objectAt } from '../../../text/documents/fields.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { certificateOf, certificatesOf, datedBack, isDue, type Authority } from './authority.js';
import type { Certificate } from './certificate.js';

/** Authorities that stood in a `caBundle` before ours and are valid still. */
const maxOthers = 3;

/** Contents of the Secret; a part that cannot be read or used is not there. */
export interface StoredCertificates {
  readonly authority?: Authority;
  readonly next?: Authority;
  readonly serving?: Certificate;
}

export type Step = 'none' | 'publish' | 'prepare' | 'promote' | 'issue';

/** A hand-over is over when every replica has long taken up what the new authority issued. */
const overlapMilliseconds = 3_600_000;
/** The certificates that should be in a `caBundle`, in place of those that do. */
export function wantedBundle(
  { authority, next, serving }: StoredCertificates,
  present: readonly string[],
  now: number,
): string[] {
  const ours = [authority, next].flatMap((each) => (each === undefined ? [] : [each.cert.trim()]));
  const issued = serving === undefined ? now : serving.begins.getTime() + datedBack;
  if (next === undefined && now - issued > overlapMilliseconds) return ours;
  const others = present.filter((cert) => !ours.includes(cert) && isValidAt(cert, now));
  return [...ours, ...others.slice(0, maxOthers)];
}

/** @param bundles PEM, of each webhook @param hasSettled whether the next authority has stood there long enough */
export function nextStep(
  kept: StoredCertificates,
  bundles: readonly (readonly string[])[],
  names: readonly string[],
  now: number,
  hasSettled: () => boolean,
): Step {
  const { authority, next, serving } = kept;
  const isCurrent = (bundle: readonly string[]): boolean =>
    wantedBundle(kept, bundle, now).join() === bundle.join();
  if (authority === undefined && next === undefined) return 'prepare';
  if (!bundles.every(isCurrent)) return 'publish';
  if (next !== undefined) return hasSettled() ? 'promote' : 'none';
  if (authority === undefined || isAuthorityDue(authority, now)) return 'prepare';
  const isGood =
    serving !== undefined &&
    serving.begins.getTime() <= now &&
    !isDue(serving, now) &&
    isFor(serving, names) &&
    new X509Certificate(serving.cert).checkIssued(new X509Certificate(authority.cert));
  return isGood ? 'none' : 'issue';
}

/** Contents of a Secret, and a sentence for each authority in it that cannot be used. */
export function keptIn(secret: JsonObject): {
  readonly kept: StoredCertificates;
  readonly problems: readonly string[];
} {
  const data = objectAt(secret, 'data') ?? {};
  const text = (key: string): string => {
    const value = own(data, key);
    return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : '';
  };
  const problems: string[] = [];
  const authorityIn = (prefix: string): Authority | undefined => {
    const [cert, key] = [text(`${prefix}.crt`), text(`${prefix}.key`)];
    if (cert === '' && key === '') return undefined;
    const problem = unusable(cert, key);
    if (problem === undefined) return { cert, key };
    problems.push(`${prefix}.crt ${problem}`);
    return undefined;
  };
  const [authority, next] = [authorityIn('ca'), authorityIn('next-ca')];
  const serving = certificateOf(text('tls.crt'), text('tls.key'));
  return {
    kept: {
      ...(authority === undefined ? {} : { authority }),
      ...(next === undefined ? {} : { next }),
      ...(serving === undefined ? {} : { serving }),
    },
    problems,
  };
}

/** Why nothing can be issued by these two, or no client would believe it; undefined when all is well. */
function unusable(cert: string, key: string): string | undefined {
  const several = certificatesOf(cert).length;
  if (several > 1) return `holds ${several} certificates`;
  if (certificateOf(cert, key) === undefined)
    return 'is no certificate, or its key is that of another';
  const { ca, publicKey } = new X509Certificate(cert);
  if (!ca) return 'is no authority (CA:TRUE)';
  const { asymmetricKeyType: type = '', asymmetricKeyDetails } = publicKey;
  const curve = asymmetricKeyDetails?.namedCurve ?? '';
  return type === 'ec' && curve === 'prime256v1'
    ? undefined
    : `has a key of type ${[type, curve].filter(Boolean).join(' ')}, where olm-guard signs with P-256`;
}

export function dataOf({ authority, next, serving }: StoredCertificates): Record<string, string> {
  const texts = {
    'ca.crt': authority?.cert,
    'ca.key': authority?.key,
    'next-ca.crt': next?.cert,
    'next-ca.key': next?.key,
    // A Secret of type kubernetes.io/tls has both, if only empty.
    'tls.crt': serving?.cert ?? '',
    'tls.key': serving?.key ?? '',
  };
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) =>
      text === undefined ? [] : [[key, Buffer.from(text).toString('base64')]],
    ),
  );
}

function isAuthorityDue({ cert, key }: Authority, now: number): boolean {
  const certificate = certificateOf(cert, key);
  return certificate === undefined || isDue(certificate, now);
}

function isFor({ cert }: Certificate, names: readonly string[]): boolean {
  const certificate = new X509Certificate(cert);
  return names.every(
    (name) =>
      (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined,
  );
}

function isValidAt(cert: string, now: number): boolean {
  try {
    return Date.parse(new X509Certificate(cert).validTo) > now;
  } catch {
    return false;
  }
}
