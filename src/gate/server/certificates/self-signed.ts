/** A certificate authority of this process alone, for tests and clusters that have none. */
import { createAuthority, day, isDue, issueCertificate } from './authority.js';
import type { CertificateSource } from './certificate.js';

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
      // Timers hold 24.8 days at most, so the age is looked at daily.
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
