/** `--tls-secret`: a serving certificate that the gate makes itself, written by one replica. */
import { LeaseHolder, type OlmState } from '../../cluster/index.js';
import {
  type Logger,
  type GateMetrics,
  type CertificateSource,
  certificateInSecret,
  type SecretCertificateOptions,
} from '../../gate/index.js';
import { ownRegistration } from './followed-registration.js';
import { identity } from './identity.js';
import { connectionOf } from '../options/olm-source.js';

const leaseName = 'olm-guard-certificates';

/** @throws InvalidInputError without a cluster, or without the right to read the Secret */
export async function keptCertificate(
  state: OlmState,
  place: Pick<SecretCertificateOptions, 'namespace' | 'name' | 'isAggregated'>,
  names: readonly string[],
  { log, metrics }: { readonly log: Logger; readonly metrics: GateMetrics },
): Promise<CertificateSource> {
  const connection = connectionOf(state, '--tls-secret');
  const lease = new LeaseHolder(connection, {
    namespace: place.namespace,
    name: leaseName,
    identity,
    onChange: (now, reason) =>
      log[now === 'impossible' ? 'error' : 'info'](
        { lease: `${place.namespace}/${leaseName}`, state: now, reason },
        'the Lease for the serving certificate',
      ),
  });
  lease.start();
  let source: CertificateSource;
  try {
    source = await certificateInSecret(connection, {
      ...place,
      registration: ownRegistration,
      names,
      isWriter: () => lease.state === 'held',
      log,
      metrics,
    });
  } catch (error) {
    await lease.stop();
    throw error;
  }
  return {
    ...source,
    close() {
      source.close();
      void lease.stop();
    },
  };
}
