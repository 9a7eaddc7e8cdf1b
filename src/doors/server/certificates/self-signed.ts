/** A certificate authority of the gate's own, for clusters and tests that have none. */
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import type { Certificate, CertificateSource } from './certificate.js';

const day = 86_400_000;
const authorityDays = 3650;
const servingDays = 90;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface SelfSigned extends CertificateSource {
  /** PEM of the authority: the `caBundle` of a webhook registration. */
  readonly authority: string;
}

/**
 * Makes an authority and a serving certificate for the names and addresses given. The serving
 * certificate is renewed under the same authority long before it expires.
 */
export async function selfSigned(names: readonly string[]): Promise<SelfSigned> {
  // Imported here, for a gate with certificate files needs neither.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  const authorityKeys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=olm-guard self-signed',
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + authorityDays * day),
    keys: authorityKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });

  async function issue(): Promise<Certificate> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const begins = new Date(Date.now() - day);
    const expires = new Date(Date.now() + servingDays * day);
    const serving = await x509.X509CertificateGenerator.create({
      subject: 'CN=olm-guard',
      issuer: authority.subject,
      notBefore: begins,
      notAfter: expires,
      signingKey: authorityKeys.privateKey,
      publicKey: keys.publicKey,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
        ),
        await x509.AuthorityKeyIdentifierExtension.create(authority),
      ],
    });
    const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
    return {
      cert: `${serving.toString('pem')}\n${authority.toString('pem')}\n`,
      key: `-----BEGIN PRIVATE KEY-----\n${key.toString('base64')}\n-----END PRIVATE KEY-----\n`,
      begins,
      expires,
    };
  }

  const current = await issue();
  let timer: NodeJS.Timeout | undefined;
  return {
    authority: `${authority.toString('pem')}\n`,
    current,
    onRenewal(use) {
      // Timers hold 24.8 days at most, so the age is looked at daily.
      let expires = current.expires;
      timer = setInterval(() => {
        if (expires.getTime() - Date.now() > (servingDays / 3) * day) return;
        void issue().then((renewed) => {
          expires = renewed.expires;
          use(renewed);
        });
      }, day);
      timer.unref();
      return Promise.resolve();
    },
    close: () => clearInterval(timer),
  };
}
