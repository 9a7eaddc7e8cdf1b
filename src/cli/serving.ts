/** From the options of `serve` to a running gate; what belongs to other commands is not loaded. */
import { writeFile } from 'node:fs/promises';
import type { ClusterView } from '../cluster/view.js';
import { InvalidInputError } from '../documents/index.js';
import type { Logger } from '../log.js';
import type { GateMetrics } from '../metrics/gate.js';
import type { Policy } from '../policy/policy.js';
import type { CertificateSource } from '../server/certificates/certificate.js';
import type { Gate } from '../server/gate.js';
import type { Address } from '../server/listen.js';
import { version } from '../version.js';
import { openCluster, type ClusterOptions } from './cluster-option.js';

export interface ServeOptions extends ClusterOptions {
  readonly listen: string;
  readonly metricsListen: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly tlsCaOut?: string;
  readonly tlsName?: readonly string[];
  readonly policy?: string;
  readonly maxBodyBytes?: number;
  readonly logLevel: string;
}

/** A gate that answers. @throws InvalidInputError for options that cannot be served. */
export async function startServing(options: ServeOptions): Promise<{ gate: Gate; log: Logger }> {
  const [
    { startGate },
    { JudgePool },
    { parseAddress },
    { createLog },
    { createGateMetrics },
    prometheus,
  ] = await Promise.all([
    import('../server/gate.js'),
    import('../server/judge-pool.js'),
    import('../server/listen.js'),
    import('../log.js'),
    import('../metrics/gate.js'),
    import('prom-client'),
  ]);
  const { reviewers } = await import('../admission/reviewers.js');
  const address = parseAddress(options.listen);
  const log = createLog(options.logLevel);
  const registry = new prometheus.default.Registry();
  const metrics = createGateMetrics(registry, version);
  const policy = await policySource(options.policy, log, metrics);
  const gate = await startGate({
    listen: address,
    metricsListen: parseAddress(options.metricsListen),
    certificates: await certificateSource(options, address, log),
    policy,
    reviewers,
    view: await clusterView(options),
    pool: new JudgePool(),
    registry,
    metrics,
    log,
    ...(options.maxBodyBytes === undefined ? {} : { maxBodyBytes: options.maxBodyBytes }),
  });
  return { gate, log };
}

async function clusterView(options: ServeOptions): Promise<ClusterView> {
  const cluster = await openCluster(options);
  if (cluster !== undefined) return cluster.view;
  const { FolderCluster } = await import('../cluster/folder.js');
  return FolderCluster.of([]);
}

async function policySource(
  file: string | undefined,
  log: Logger,
  metrics: GateMetrics,
): Promise<() => Policy> {
  if (file === undefined) {
    const { defaultPolicy } = await import('../policy/policy.js');
    return () => defaultPolicy;
  }
  const [{ policyFromFile }, { ruleNames }] = await Promise.all([
    import('../server/policy-file.js'),
    import('../operations/rules.js'),
  ]);
  return (await policyFromFile(file, { rules: ruleNames, log, metrics })).current;
}

async function certificateSource(
  options: ServeOptions,
  { host }: Address,
  log: Logger,
): Promise<CertificateSource> {
  const { tlsCertFile, tlsPrivateKeyFile, tlsCaOut } = options;
  if (tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined) {
    const { certificateFromFiles } = await import('../server/certificates/files.js');
    return certificateFromFiles(tlsCertFile, tlsPrivateKeyFile, log);
  }
  if (tlsCertFile !== undefined || tlsPrivateKeyFile !== undefined) {
    throw new InvalidInputError(
      'E_INPUT',
      '--tls-cert-file and --tls-private-key-file belong together; give both or neither',
    );
  }
  const { selfSigned } = await import('../server/certificates/self-signed.js');
  const service = ['olm-guard', 'olm-guard.olm-guard', 'olm-guard.olm-guard.svc'];
  const loopback = ['localhost', '127.0.0.1', '::1'];
  const names = new Set([...loopback, ...service, host, ...(options.tlsName ?? [])]);
  // The unspecified addresses name no host that a client could ask for.
  for (const none of ['', '0.0.0.0', '::']) names.delete(none);
  const made = await selfSigned([...names]);
  if (tlsCaOut !== undefined) await writeAuthority(tlsCaOut, made.authority);
  return made;
}

async function writeAuthority(file: string, authority: string): Promise<void> {
  try {
    await writeFile(file, authority);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new InvalidInputError('E_INPUT', `the CA cannot be written (${reason})`, { file });
  }
}
