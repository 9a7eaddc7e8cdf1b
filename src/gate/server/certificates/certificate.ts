export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly begins: Date;
  readonly expires: Date;
}

/** Where certificates come from: files that another program renews, or the gate itself. */
export interface CertificateSource {
  readonly current: Certificate;
  /** Calls `use` with every later certificate, until closed. */
  onRenewal(use: (certificate: Certificate) => void): Promise<void>;
  close(): void;
}

/** TLS 1.2 at least: what API servers speak. @param clientAuthority PEM */
export function secureContext(
  { cert, key }: Certificate,
  clientAuthority?: string,
): { cert: string; key: string; ca?: string; minVersion: 'TLSv1.2' } {
  return { cert, key, ca: clientAuthority, minVersion: 'TLSv1.2' };
}

/** Why an API server would not trust the certificate now, as far as its dates say. */
export function notValidAt(now: Date, { begins, expires }: Certificate): string | undefined {
  if (now < begins) return `is not valid before ${begins.toISOString()}`;
  return now > expires ? `expired at ${expires.toISOString()}` : undefined;
}
