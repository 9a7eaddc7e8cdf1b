/** `olm-guard roundtrip CRD|FILE`: what a conversion webhook loses, asked as an API server asks it. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { check } from '../policy/index.js';
import type { Convert, Connection, ClusterView, ConverterLimits } from '../cluster/index.js';
import { invalidInput, isObject, metaOf, own, type JsonObject } from '../text/documents/index.js';
import { textAt } from '../text/documents/fields.js';
import { readRegularFile } from '../text/documents/regular-file.js';
import { timerMilliseconds } from '../text/timer.js';
import { formats } from '../report/index.js';
import {
  openConnection,
  openDefaultConnection,
  type ClusterOptions,
} from './options/cluster-option.js';
import { definitions, readDefinitions } from './options/crd-source.js';
import { printError } from './output.js';
import { loadPolicy } from './options/policy-option.js';
import { startReport } from './report-output.js';
import { flags, withFlags, usually, required, positive, notNegative } from './options/flags.js';

interface Options extends ClusterOptions {
  readonly converter: string;
  readonly caFile?: string;
  readonly timeout: number;
  readonly slow: number;
  readonly samples: number;
  readonly objects: number;
  readonly policy?: string;
  readonly output: string;
}

export function roundtripCommand(): Command {
  const command = new Command('roundtrip').description(
    'convert objects to every served version and back, and report what the converter loses',
  );
  return withFlags(command, {
    '<definition>': 'its name on the cluster (widgets.example.com), or its file',
    '--converter <url|cluster>': required(
      'the conversion webhook: https://…, or cluster for the one that the definition names',
    ),
    '--ca-file <file>': 'CA certificates to verify it by (default: caBundle, else the system’s)',
    '--timeout <seconds>': usually(10, 'how long to wait for each answer', positive),
    '--slow <seconds>': usually(1, 'report answers that take longer', positive),
    '--samples <number>': usually(
      200,
      'how many objects to generate for each version, at most',
      notNegative,
    ),
    '--objects <number>': usually(
      0,
      'how many stored objects of the cluster to convert too, at most',
      notNegative,
    ),
    ...flags.kubeconfig(),
    '--in-cluster': 'connect to the cluster that this pod runs in, and to its Services directly',
    ...flags.webhookPolicy,
    ...flags.output(formats),
  }).action(roundtrip);
}

const answerBytes = 64 * 1024 * 1024;

async function roundtrip(source: string, options: Options): Promise<void> {
  const policy = await loadPolicy(options.policy);
  const cluster = new LazyCluster(options);
  try {
    const definition = await definitionOf(source, cluster);
    const { name } = metaOf(definition);
    const { converter, note } = await converterOf(definition, options, cluster);
    const stored = await storedObjects(definition, options.objects, cluster);
    try {
      const [{ roundTrip }, { conversionFindings }] = await Promise.all([
        import('../cluster/conversion/index.js'),
        import('../upgrade/rules/conversion/index.js'),
      ]);
      const { faults, ...output } = await roundTrip(definition, converter.convert, {
        samples: options.samples,
        stored,
        slowMilliseconds: options.slow * 1000,
      });
      if (output.pairs.length === 0) {
        throw invalidInput(`${name} serves one version only: there is nothing to convert`);
      }
      // A user who asks for round trips wants their faults to count, unless the policy says otherwise.
      const modes = new Map([['conversion', 'deny'] as const, ...policy.modes]);
      const findings = conversionFindings(faults);
      if (note !== undefined) printError(`olm-guard: ${note}`);
      const subject = { groups: [groupOf(definition)], name };
      const { verdict } = await check({ subject, findings }, { ...policy, modes });
      const report = startReport('conversions', options.output);
      const places = verdict.findings.map(() => (existsSync(source) ? { file: source } : {}));
      await report.result({ name, verdict, output, places });
      await report.end({ allowed: verdict.allowed ? 1 : 0, denied: verdict.allowed ? 0 : 1 });
      const isUnasked = faults.some(({ clause }) => clause === 'unasked');
      process.exitCode = verdict.allowed ? (isUnasked ? 2 : 0) : 1;
    } finally {
      converter.close();
    }
  } finally {
    cluster.close();
  }
}

/** Asked only by those who need it. */
class LazyCluster {
  private opened: Connection | undefined;

  constructor(private readonly options: ClusterOptions) {}

  async connection(): Promise<Connection> {
    this.opened ??=
      (await openConnection(this.options)) ?? (await openDefaultConnection(this.options));
    return this.opened;
  }

  async view(): Promise<ClusterView> {
    const { LiveCluster } = await import('../cluster/view/live.js');
    return new LiveCluster(await this.connection());
  }

  close(): void {
    this.opened?.close();
  }
}

async function definitionOf(source: string, cluster: LazyCluster): Promise<JsonObject> {
  if (source === '-' || source.includes('/') || existsSync(source)) {
    const { crds } = await readDefinitions(source);
    const [only, ...others] = crds.values();
    if (only === undefined || others.length > 0) {
      const found = only === undefined ? 'none' : `${crds.size}`;
      const message = `must hold one CustomResourceDefinition, and holds ${found}`;
      throw invalidInput(message, { file: source });
    }
    return only.crd.document;
  }
  const found = await (await cluster.view()).get(definitions, source);
  if (found !== undefined) return found;
  throw invalidInput(
    `there is no file ${source}, and no CustomResourceDefinition of that name on the cluster`,
  );
}

interface Converter {
  readonly converter: { readonly convert: Convert; readonly close: () => void };
  /** Checks that could not be made on the way. */
  readonly note?: string;
}

async function converterOf(
  definition: JsonObject,
  { converter, caFile, timeout, inCluster }: Options,
  cluster: LazyCluster,
): Promise<Converter> {
  const { openConverter } = await import('../cluster/converter/https.js');
  const limits: ConverterLimits = { milliseconds: timerMilliseconds(timeout), answerBytes };
  const given =
    caFile === undefined ? undefined : [(await readRegularFile(caFile)).toString('latin1')];
  const at = (url: URL, authorities: readonly string[]): Converter => ({
    converter: openConverter({ url, authorities }, limits),
  });
  if (converter !== 'cluster') return at(converterUrl(converter), given ?? []);
  const [{ conversionClient }, { authoritiesOf, serviceOf, urlOf }] = await Promise.all([
    import('../upgrade/rules/conversion/index.js'),
    import('../cluster/converter/service.js'),
  ]);
  const client = conversionClient(definition);
  if (client === undefined) {
    const { name } = metaOf(definition);
    throw invalidInput(`${name} has no conversion webhook: its strategy is None`);
  }
  const trusted = (): readonly string[] => {
    const found = given === undefined ? authoritiesOf(client) : { certificates: given };
    if ('certificates' in found) return found.certificates;
    throw invalidInput(`the converter cannot be asked: ${found.unusable}`, {
      path: '$.spec.conversion.webhook.clientConfig.caBundle',
    });
  };
  const url = own(client, 'url');
  if (typeof url === 'string') return at(converterUrl(url), trusted());
  const service = serviceOf(client);
  if (service === undefined) {
    throw invalidInput(
      'its clientConfig names neither a url nor a Service, by names and a path that an API server takes',
      { path: '$.spec.conversion.webhook.clientConfig' },
    );
  }
  if (inCluster === true) return at(urlOf(service), trusted());
  const { throughProxy } = await import('../cluster/converter/service-proxy.js');
  return {
    converter: { convert: throughProxy(await cluster.connection(), service, limits), close() {} },
    note: 'the certificate of the converter was not checked: it was asked through the API server’s proxy; --in-cluster asks it as API servers do',
  };
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

function converterUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:') return url;
  if (url?.protocol === 'http:' && loopback.has(url.hostname)) return url;
  throw invalidInput(
    '--converter takes an https:// URL (http:// on this machine only), or cluster',
  );
}

/** As many as are wanted, in the version in which they are stored, which needs no conversion. */
async function storedObjects(
  definition: JsonObject,
  most: number,
  cluster: LazyCluster,
): Promise<Map<string, JsonObject[]>> {
  const stored = new Map<string, JsonObject[]>();
  if (most === 0) return stored;
  const [{ objectPages, readPage }, { readCustomResourceDefinition }] = await Promise.all([
    import('../cluster/view/object-pages.js'),
    import('../upgrade/crd/custom-resource-definition.js'),
  ]);
  const { versions } = readCustomResourceDefinition(definition);
  const served = versions.filter((each) => each.served);
  const version = (served.find((each) => each.storage) ?? served[0])?.name;
  const resource = textAt(definition, 'spec', 'names', 'plural');
  if (version === undefined || resource === undefined) return stored;
  const objects: JsonObject[] = [];
  const kind = { group: groupOf(definition), version, resource };
  for await (const page of objectPages(await cluster.view(), kind, readPage)) {
    // One by one: a server may send more than a call takes arguments, whatever page was asked for.
    for (const object of page.objects) if (isObject(object)) objects.push(object);
    if (objects.length >= most) break;
  }
  if (objects.length === 0) printError(`olm-guard: the cluster has no ${resource} stored`);
  const whole = objects.map((object) => withType(object, definition, version));
  return stored.set(version, whole.slice(0, most));
}

/** Items of a list may be without them. */
function withType(object: JsonObject, definition: JsonObject, version: string): JsonObject {
  const kind = textAt(definition, 'spec', 'names', 'kind') ?? '';
  return { apiVersion: `${groupOf(definition)}/${version}`, kind, ...object };
}

function groupOf(definition: JsonObject): string {
  return textAt(definition, 'spec', 'group') ?? '';
}
