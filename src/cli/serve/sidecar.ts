/** `olm-guard sidecar`: the preflight operations over HTTP. */
import { Command } from 'commander';
import type { Logger, SidecarMetrics, CertificateSource } from '../../gate/index.js';
import { version } from '../../text/package.js';
import { loadPolicy } from '../options/policy-option.js';
import { certificateFiles } from './serving.js';
import { terminationSignal, print } from '../output.js';
import { flags, withFlags, usually, notNegative } from '../options/flags.js';

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
  const command = new Command('sidecar').description(
    'answer preflight questions over HTTP, beside a CI runner or a GitOps controller',
  );
  return withFlags(command, {
    '--listen <address>': usually(
      '127.0.0.1:8181',
      'HOST:PORT; any address but loopback needs TLS and a token',
    ),
    ...flags.certificate,
    '--token-file <file>': 'bearer token that callers must send; read again on change',
    '--policy <file>':
      'what to deny, warn about and exempt, unless a request names a profile; read at the start',
    '--max-body-bytes <bytes>': usually(64 << 20, 'largest request that is read', notNegative),
    '--max-bytes-in-flight <bytes>': usually(
      128 << 20,
      'limit for all requests together; beyond it they get status 429',
      notNegative,
    ),
    ...flags.shutdown('requests'),
    ...flags.logLevel,
  }).action(sidecar);
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
