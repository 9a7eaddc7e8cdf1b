/** `olm-guard serve`: the admission webhook. */
import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { ClusterView } from '../cluster/view.js';
import { InvalidInputError } from '../documents/index.js';
import type { CertificateSource } from '../server/certificates/certificate.js';
import type { Address } from '../server/listen.js';
import type { Logger } from '../log.js';
import type { GateMetrics } from '../metrics/gate.js';
import type { Policy } from '../policy/policy.js';
import { version } from '../version.js';

interface ServeOptions {
  readonly state?: string;
  readonly kubeconfig?: string;
  readonly inCluster?: boolean;
  readonly listen: string;
  readonly metricsListen: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly tlsCaOut?: string;
  readonly tlsName: readonly string[];
  readonly policy?: string;
  readonly maxBodyBytes: number;
  readonly shutdownDelay: number;
  readonly shutdownGrace: number;
  readonly logLevel: string;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('review what the API server asks: the admission webhook, over HTTPS')
    .option('--state <folder>', 'the cluster as YAML files, as kubectl get -o yaml writes it')
    .option('--kubeconfig <file>', 'ask the cluster of its current context')
    .option('--in-cluster', 'ask the cluster this pod runs in')
    .option('--listen <address>', 'HOST:PORT of POST /validate', '127.0.0.1:8443')
    .option('--metrics-listen <address>', 'HOST:PORT of probes and /metrics', '127.0.0.1:8080')
    .option('--tls-cert-file <file>', 'serving certificate and chain, PEM; read again on change')
    .option('--tls-private-key-file <file>', 'its private key, PEM; read again on change')
    .option('--tls-ca-out <file>', 'where to write the CA of the self-signed certificate')
    .option('--tls-name <name>', 'one more name of the self-signed certificate', collect, [])
    .option('--policy <file>', 'what to deny, warn about and exempt; read again on change')
    .option('--max-body-bytes <bytes>', 'largest review that is read', positive, 16 * 1024 * 1024)
    .option(
      '--shutdown-delay <seconds>',
      'not ready for so long before the door closes',
      positive,
      0,
    )
    .option('--shutdown-grace <seconds>', 'time for reviews under way to finish', positive, 30)
    .addOption(
      new Option('--log-level <level>', 'least level that is logged')
        .choices(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
        .default('info'),
    )
    .action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  // Loaded here, so that no other command waits for a web server it does not start.
  const [{ startGate }, { parseAddress }, { createLog }, { createGateMetrics }, prometheus] =
    await Promise.all([
      import('../server/gate.js'),
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
    registry,
    metrics,
    log,
    maxBodyBytes: options.maxBodyBytes,
  });
  process.stdout.write(`olm-guard ready ${gate.url} metrics ${gate.metricsUrl}\n`);
  const signal = await terminationSignal();
  log.info({ signal }, 'stopping');
  await gate.close({ delay: options.shutdownDelay * 1000, grace: options.shutdownGrace * 1000 });
  process.exit(0);
}

async function clusterView({ state, kubeconfig, inCluster }: ServeOptions): Promise<ClusterView> {
  const given = [state, kubeconfig, inCluster].filter((each) => each !== undefined);
  if (given.length > 1) {
    throw new InvalidInputError(
      'E_INPUT',
      '--state, --kubeconfig and --in-cluster each name the cluster; give one',
    );
  }
  if (kubeconfig === undefined && inCluster === undefined) {
    const { FolderCluster } = await import('../cluster/folder.js');
    return state === undefined ? FolderCluster.of([]) : FolderCluster.read(state);
  }
  const [{ Connection }, { LiveCluster }] = await Promise.all([
    import('../cluster/connection.js'),
    import('../cluster/live.js'),
  ]);
  return new LiveCluster(
    kubeconfig === undefined
      ? await Connection.inCluster()
      : await Connection.fromKubeconfig(kubeconfig),
  );
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
  const names = new Set([...loopback, ...service, host, ...options.tlsName]);
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

function terminationSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}

function collect(value: string, all: readonly string[]): string[] {
  return [...all, value];
}

function positive(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < 0) {
    throw new InvalidArgumentError('give a number that is not negative');
  }
  return number;
}
