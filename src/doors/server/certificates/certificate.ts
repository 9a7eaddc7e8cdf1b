/** A serving certificate and where it comes from. */

export interface Certificate {
  /** PEM: the certificate and its chain. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  readonly expires: Date;
}

/** Where certificates come from: files that somebody renews, or the gate itself. */
export interface CertificateSource {
  readonly current: Certificate;
  /** Calls `use` with every later certificate, until closed. */
  onRenewal(use: (certificate: Certificate) => void): Promise<void>;
  close(): void;
}

/** TLS 1.2 at least: what API servers speak. */
export function secureContext({ cert, key }: Certificate): {
  cert: string;
  key: string;
  minVersion: 'TLSv1.2';
} {
  return { cert, key, minVersion: 'TLSv1.2' };
}
