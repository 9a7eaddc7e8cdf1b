/** `olm-guard serve`: the admission webhook. */
import { Command } from 'commander';
import { startServing, type ServeOptions } from './serving.js';
import { terminationSignal, print } from '../output.js';
import { sourceFlags } from '../options/olm-source.js';
import {
  flags,
  withFlags,
  several,
  oneOf,
  usually,
  positive,
  notNegative,
} from '../options/flags.js';

interface CommandOptions extends ServeOptions {
  readonly shutdownDelay: number;
  readonly shutdownGrace: number;
  readonly check?: boolean;
}

export function serveCommand(): Command {
  const command = new Command('serve').description('run the gate: an admission webhook over HTTPS');
  return withFlags(command, {
    ...sourceFlags,
    '--listen <address>': usually('127.0.0.1:8443', 'HOST:PORT of POST /validate'),
    '--metrics-listen <address>': usually('127.0.0.1:8080', 'HOST:PORT of probes and /metrics'),
    '--metrics-access <who>': oneOf(
      ['anybody', 'authorized'],
      'who may read /metrics: anybody, over HTTP; or authorized, over HTTPS: clients whose token may get /metrics according to the API server',
      'anybody',
    ),
    ...flags.certificate,
    '--tls-ca-out <file>': 'where to write the CA of the self-signed certificate',
    '--tls-secret <name>':
      'create the serving certificate and its CA, store them in this Secret of the gate’s namespace, and renew them; takes precedence over the two files',
    '--client-ca-file <file>':
      "CA of the API server's client certificate, PEM; read again on change",
    '--client-name <name>': several('common name of that certificate', 'any'),
    '--aggregated-api':
      'reviews come through the API server as to an aggregated API (manifests/components/aggregated-api), with the certificate of its front proxy; instead of --client-ca-file',
    '--policy <file>': 'what to deny, warn about and exempt; read again on change',
    '--policy-overrides <file>':
      'a policy whose fields take precedence over those of --policy; may be missing; read again on change',
    '--catalog <catalog>': several(
      "a catalog by which ClusterExtensions and Subscriptions are judged, read again on change: a folder, a file or catalogd's URL, as DIR, NAME=DIR or NAME:PRIORITY=DIR, with the name that the cluster gives it (several: repeat)",
    ),
    '--catalog-ca-file <file>': 'certificates to trust when reading from catalogd',
    '--catalog-refresh <seconds>': usually(
      300,
      'how often to read catalogs at a URL again',
      positive,
    ),
    '--max-body-bytes <bytes>': usually(
      7 * 1024 * 1024,
      'largest review that is read',
      notNegative,
    ),
    ...flags.shutdown('reviews'),
    '--olm-metrics <on|off>': oneOf(
      ['on', 'off'],
      "whether to export OLM's metrics; off if OLM itself is scraped",
      'on',
    ),
    '--events':
      'also report denials as Events, for reviews that an API server has provably sent (--client-ca-file or --aggregated-api); needs the rights in manifests/components/events',
    '--check': 'check policy, certificates, rights and registration, report problems and exit',
    ...flags.logLevel,
  }).action(serve);
}

async function serve({
  shutdownDelay,
  shutdownGrace,
  check = false,
  ...options
}: CommandOptions): Promise<void> {
  if (check) {
    const [{ checkServing }, { printInspection }] = await Promise.all([
      import('./serve-check.js'),
      import('./doctor.js'),
    ]);
    const seen = await checkServing(options);
    return printInspection({ seen, isComplete: seen.some(({ state }) => state === 'ok') }, 'text');
  }
  const { gate, log } = await startServing(options);
  await print(`olm-guard ready ${gate.url} metrics ${gate.metricsUrl}\n`);
  const signal = await terminationSignal();
  log.info({ signal }, 'stopping');
  await gate.close({ delay: shutdownDelay * 1000, grace: shutdownGrace * 1000 });
  process.exit(0);
}
