/** `olm-guard serve`: the admission webhook. */
import { Command, Option } from 'commander';
import { addSourceOptions } from '../options/olm-source.js';
import { logLevelOption, repeatable, notNegative, positive } from '../options/option-values.js';
import { startServing, type ServeOptions } from './serving.js';
import { terminationSignal, print } from '../output.js';

interface CommandOptions extends ServeOptions {
  readonly shutdownDelay: number;
  readonly shutdownGrace: number;
  readonly check?: boolean;
}

export function serveCommand(): Command {
  const serveWithSource = new Command('serve').description(
    'run the gate: an admission webhook over HTTPS',
  );
  return addSourceOptions(serveWithSource)
    .option('--listen <address>', 'HOST:PORT of POST /validate', '127.0.0.1:8443')
    .option('--metrics-listen <address>', 'HOST:PORT of probes and /metrics', '127.0.0.1:8080')
    .addOption(
      new Option(
        '--metrics-access <who>',
        'who may read /metrics: anybody, over HTTP; or authorized, over HTTPS: clients whose token may get /metrics according to the API server',
      )
        .choices(['anybody', 'authorized'])
        .default('anybody'),
    )
    .option('--tls-cert-file <file>', 'serving certificate and chain, PEM; read again on change')
    .option('--tls-private-key-file <file>', 'its private key, PEM; read again on change')
    .option('--tls-ca-out <file>', 'where to write the CA of the self-signed certificate')
    .option(
      '--tls-secret <name>',
      'create the serving certificate and its CA, store them in this Secret of the gate’s namespace, and renew them; takes precedence over the two files',
    )
    .option(
      '--client-ca-file <file>',
      "CA of the API server's client certificate, PEM; read again on change",
    )
    .addOption(repeatable('--client-name <name>', 'common name of that certificate', 'any'))
    .option(
      '--aggregated-api',
      'reviews come through the API server as to an aggregated API (manifests/components/aggregated-api), with the certificate of its front proxy; instead of --client-ca-file',
    )
    .option('--policy <file>', 'what to deny, warn about and exempt; read again on change')
    .option(
      '--policy-overrides <file>',
      'a policy whose fields take precedence over those of --policy; may be missing; read again on change',
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
      'how often to read catalogs at a URL again',
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
    .option('--shutdown-grace <seconds>', 'time for open reviews to finish', notNegative, 30)
    .addOption(
      new Option(
        '--olm-metrics <on|off>',
        "whether to export OLM's metrics; off if OLM itself is scraped",
      )
        .choices(['on', 'off'])
        .default('on'),
    )
    .option(
      '--events',
      'also report denials as Events, for reviews that an API server has provably sent (--client-ca-file or --aggregated-api); needs the rights in manifests/components/events',
    )
    .option(
      '--check',
      'check policy, certificates, rights and registration, report problems and exit',
    )
    .addOption(logLevelOption())
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
