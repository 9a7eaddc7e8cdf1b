/** `olm-guard serve`: the admission webhook. */
import { Command, Option } from 'commander';
import { addSourceOptions } from '../options/olm-source.js';
import { repeatable, notNegative, positive } from '../options/option-values.js';
import { startServing, type ServeOptions } from './serving.js';
import { terminationSignal } from '../termination.js';
import { print } from '../output.js';

interface CommandOptions extends ServeOptions {
  readonly shutdownDelay: number;
  readonly shutdownGrace: number;
  readonly check?: boolean;
}

export function serveCommand(): Command {
  const serveWithSource = new Command('serve').description(
    'review what the API server asks: the admission webhook, over HTTPS',
  );
  return addSourceOptions(serveWithSource)
    .option('--listen <address>', 'HOST:PORT of POST /validate', '127.0.0.1:8443')
    .option('--metrics-listen <address>', 'HOST:PORT of probes and /metrics', '127.0.0.1:8080')
    .addOption(
      new Option(
        '--metrics-access <who>',
        'who may read /metrics: anybody, over HTTP; or authorized: whoever shows a token that the API server lets get /metrics, over HTTPS, with the probes',
      )
        .choices(['anybody', 'authorized'])
        .default('anybody'),
    )
    .option('--tls-cert-file <file>', 'serving certificate and chain, PEM; read again on change')
    .option('--tls-private-key-file <file>', 'its private key, PEM; read again on change')
    .option('--tls-ca-out <file>', 'where to write the CA of the self-signed certificate')
    .addOption(repeatable('--tls-name <name>', 'one more name of the self-signed certificate'))
    .option(
      '--tls-secret <name>',
      'make the serving certificate and its CA, keep them in that Secret of the own namespace, and renew them; wins over the two files',
    )
    .option(
      '--tls-registration <name>',
      'the ValidatingWebhookConfiguration whose caBundle follows that CA',
      'olm-guard',
    )
    .option(
      '--client-ca-file <file>',
      "CA of the API server's client certificate, PEM; read again on change",
    )
    .addOption(repeatable('--client-name <name>', 'common name of that certificate', 'any'))
    .option(
      '--aggregated-api',
      'reviews come through the API server, as to an aggregated API (manifests/components/aggregated-api), so that it is known by the certificate of its front proxy; instead of --client-ca-file',
    )
    .option('--policy <file>', 'what to deny, warn about and exempt; read again on change')
    .option(
      '--policy-overrides <file>',
      'a policy whose fields win over those of --policy; may be missing, read again on change',
    )
    .addOption(
      repeatable(
        '--catalog <catalog>',
        "a catalog by which ClusterExtensions and Subscriptions are judged, read again on change: a folder, a file or catalogd's URL, as DIR, NAME=DIR or NAME:PRIORITY=DIR, with the name that the cluster gives it (several: repeat)",
      ),
    )
    .option('--catalog-ca-file <file>', 'certificates to trust when reading from catalogd')
    .option(
      '--catalog-refresh <seconds>',
      'how often to read catalogs behind a URL again',
      positive,
      300,
    )
    .option('--max-body-bytes <bytes>', 'largest review that is read', notNegative, 7 * 1024 * 1024)
    .option(
      '--shutdown-delay <seconds>',
      'how long to report not ready before the port closes',
      notNegative,
      0,
    )
    .option('--shutdown-grace <seconds>', 'time for reviews under way to finish', notNegative, 30)
    .addOption(
      new Option('--olm-metrics <on|off>', "the metrics of OLM; off where OLM's own are scraped")
        .choices(['on', 'off'])
        .default('on'),
    )
    .option(
      '--events',
      'report denials as Events too, if an API server asked (--client-ca-file or --aggregated-api); takes the rights of manifests/components/events',
    )
    .option(
      '--check',
      'check policy, certificates, rights and registration, report problems and exit',
    )
    .addOption(
      new Option('--log-level <level>', 'minimum level to log')
        .choices(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
        .default('info'),
    )
    .action(serve);
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
