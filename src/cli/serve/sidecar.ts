/** `olm-guard sidecar`: the preflight operations over HTTP. */
import { Command } from 'commander';
import type { Logger, SidecarMetrics, CertificateSource } from '../../gate/index.js';
import { version } from '../../text/package.js';
import { loadPolicy } from '../options/policy-option.js';
import { logLevelOption, notNegative } from '../options/option-values.js';
import { certificateFiles } from './serving.js';
import { terminationSignal, print } from '../output.js';

interface Options {
  readonly listen: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly tokenFile?: string;
  readonly policy?: string;
  readonly maxBodyBytes: number;
  readonly maxBytesInFlight: number;
  readonly shutdownDelay: number;
  readonly shutdownGrace: number;
  readonly logLevel: string;
}

export function sidecarCommand(): Command {
  return new Command('sidecar')
    .description('answer preflight questions over HTTP, beside a CI runner or a GitOps controller')
    .option(
      '--listen <address>',
      'HOST:PORT; any address but loopback needs TLS and a token',
      '127.0.0.1:8181',
    )
    .option('--tls-cert-file <file>', 'serving certificate and chain, PEM; read again on change')
    .option('--tls-private-key-file <file>', 'its private key, PEM; read again on change')
    .option('--token-file <file>', 'bearer token that callers must send; read again on change')
    .option(
      '--policy <file>',
      'what to deny, warn about and exempt, unless a request names a profile; read at the start',
    )
    .option('--max-body-bytes <bytes>', 'largest request that is read', notNegative, 64 << 20)
    .option(
      '--max-bytes-in-flight <bytes>',
      'limit for all requests together; beyond it they get status 429',
      notNegative,
      128 << 20,
    )
    .option(
      '--shutdown-delay <seconds>',
      'how long to report not ready before the port closes',
      notNegative,
      0,
    )
    .option('--shutdown-grace <seconds>', 'time for open requests to finish', notNegative, 30)
    .addOption(logLevelOption())
    .action(sidecar);
}

async function sidecar(options: Options): Promise<void> {
  // Loaded here, so that no other command waits for a web server it does not start.
  const [
    { startSidecar },
    { JudgePool },
    { parseAddress },
    { createLog },
    { createSidecarMetrics },
    { planSidecar },
    prometheus,
  ] = await Promise.all([
    import('../../gate/server/start-sidecar.js'),
    import('../../gate/server/judge-pool.js'),
    import('../../gate/server/listen.js'),
    import('../../gate/log.js'),
    import('../../gate/metrics/own-metrics.js'),
    import('../../gate/server/memory.js'),
    import('prom-client'),
  ]);
  const address = parseAddress(options.listen);
  const registry = new prometheus.default.Registry();
  const metrics = createSidecarMetrics(registry, version);
  const log = createLog(options.logLevel, () => metrics.logLinesDropped.inc());
  const certificates = await certificatesOf(options, { log, metrics });
  const token = await tokenOf(options, log);
  const { threads, heap, maxValues } = planSidecar(options.maxBytesInFlight / 1024 / 1024);
  const pool = new JudgePool({
    hasQuickThread: true,
    workers: threads,
    megabytes: heap,
    maxValues,
    policy: options.policy === undefined ? undefined : await loadPolicy(options.policy),
  });
  const running = await startSidecar({
    listen: address,
    registry,
    metrics,
    log,
    maxBodyBytes: options.maxBodyBytes,
    maxBytesInFlight: options.maxBytesInFlight,
    pool,
    bodyMilliseconds: 60_000,
    certificates,
    token,
  });
  // Not before: a process that ends would wait for the thread to load.
  pool.warmUp();
  await print(`olm-guard ready ${running.url} metrics ${running.url}\n`);
  const signal = await terminationSignal();
  log.info({ signal }, 'stopping');
  const { shutdownDelay, shutdownGrace } = options;
  await running.close({ delay: shutdownDelay * 1000, grace: shutdownGrace * 1000 });
  process.exit(0);
}

async function certificatesOf(
  options: Options,
  reporting: { readonly log: Logger; readonly metrics: SidecarMetrics },
): Promise<CertificateSource | undefined> {
  const { tlsCertFile, tlsPrivateKeyFile } = options;
  if (tlsCertFile === undefined && tlsPrivateKeyFile === undefined) return undefined;
  const files = certificateFiles(options);
  const { certificateFromFiles } = await import('../../gate/server/certificates/files.js');
  return certificateFromFiles(...files, reporting);
}

async function tokenOf({ tokenFile }: Options, log: Logger) {
  if (tokenFile === undefined) return undefined;
  const { tokenFromFile } = await import('../../gate/server/bearer-token.js');
  return tokenFromFile(tokenFile, log);
}
