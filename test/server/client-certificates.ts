/** Certificates of clients under an authority of the test's own. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
export const hour = 3_600_000;

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  readonly pem: string;
  readonly issue: (name: string, until?: number) => Promise<Pair>;
}

export async function authority(title: string): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${title}`,
    notBefore: new Date(Date.now() - 24 * hour),
    notAfter: new Date(Date.now() + hour),
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const issue = async (name: string, until = Date.now() + hour): Promise<Pair> => {
    const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: own.subject,
      notBefore: new Date(Date.now() - 24 * hour),
      notAfter: new Date(until),
      signingKey: keys.privateKey,
      publicKey: pair.publicKey,
      signingAlgorithm: algorithm,
      extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
    });
    const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', pair.privateKey));
    const key = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
    return { cert: certificate.toString('pem'), key };
  };
  return { pem: `${own.toString('pem')}\n`, issue };
}
