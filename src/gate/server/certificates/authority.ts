/** Certificate authorities of the gate's own, and the serving certificates they issue. */
import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Certificate } from './certificate.js';

export const day = 86_400_000;
/** Certificates begin so long before they are made: other machines' clocks differ. */
export const datedBack = 24 * 3_600_000;
const servingDays = 90;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface Authority {
  readonly cert: string;
  readonly key: string;
}

/** Imported here, for a gate with certificate files needs neither. */
async function loadX509() {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  return x509;
}

export async function createAuthority(now: number, days: number): Promise<Authority> {
  const x509 = await loadX509();
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=olm-guard self-signed',
    notBefore: new Date(now - datedBack),
    notAfter: new Date(now + days * day),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n`, key: await pemOf(keys.privateKey) };
}

export async function issueCertificate(
  authority: Authority,
  names: readonly string[],
  now: number,
): Promise<Certificate> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(authority.cert);
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(authority.key).export({ type: 'pkcs8', format: 'der' }),
    algorithm,
    false,
    ['sign'],
  );
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const begins = new Date(now - datedBack);
  const expires = new Date(Math.min(now + servingDays * day, issuer.notAfter.getTime()));
  const serving = await x509.X509CertificateGenerator.create({
    subject: 'CN=olm-guard',
    issuer: issuer.subject,
    notBefore: begins,
    notAfter: expires,
    signingKey,
    publicKey: keys.publicKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return {
    cert: `${serving.toString('pem')}\n${authority.cert}`,
    key: await pemOf(keys.privateKey),
    begins,
    expires,
  };
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return `-----BEGIN PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END PRIVATE KEY-----\n`;
}

/** When a certificate should be replaced: two thirds of its lifetime are over. */
export function isDue({ begins, expires }: Pick<Certificate, 'begins' | 'expires'>, now: number) {
  return now > begins.getTime() + ((expires.getTime() - begins.getTime()) * 2) / 3;
}

/** The certificate and its dates; `undefined` when the two are no pair that can be served. */
export function certificateOf(cert: string, key: string): Certificate | undefined {
  try {
    const parsed = new X509Certificate(cert);
    if (!parsed.checkPrivateKey(createPrivateKey(key))) return undefined;
    return { cert, key, begins: new Date(parsed.validFrom), expires: new Date(parsed.validTo) };
  } catch {
    return undefined;
  }
}

export function certificatesOf(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}
