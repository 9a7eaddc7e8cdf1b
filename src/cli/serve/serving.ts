/** From the options of `serve` to a running gate; what belongs to other commands is not loaded. */
import type { Registry } from 'prom-client';
import type {
  Reviewer,
  KnownCatalogs,
  Logger,
  GateMetrics,
  CertificateSource,
  Gate,
  GateOptions,
  Address,
  MetricsAccess,
} from '../../gate/index.js';
import { invalidInput } from '../../text/documents/index.js';
import { type OlmState, ownNamespace } from '../../cluster/index.js';
import type { Policy } from '../../policy/index.js';
import { version } from '../../text/package.js';
import { followServedCatalogs } from './served-catalogs.js';
import { identity } from './identity.js';
import { namesCluster } from '../options/cluster-option.js';
import { connectionOf, openState, type SourceOptions } from '../options/olm-source.js';
import { writeRegularFile } from '../../text/documents/regular-file.js';

export interface ServeOptions extends SourceOptions {
  readonly olmMetrics?: 'on' | 'off';
  readonly catalog?: readonly string[];
  readonly catalogCaFile?: string;
  readonly catalogRefresh?: number;
  readonly listen: string;
  readonly metricsListen: string;
  readonly metricsAccess?: 'anybody' | 'authorized';
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly tlsCaOut?: string;
  readonly tlsSecret?: string;
  readonly clientCaFile?: string;
  readonly clientName?: readonly string[];
  readonly aggregatedApi?: boolean;
  readonly policy?: string;
  readonly policyOverrides?: string;
  readonly events?: boolean;
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
    { createGateMetrics, registerStaleness },
    { ExportingRegistry },
  ] = await Promise.all([
    import('../../gate/server/gate.js'),
    import('../../gate/server/judge-pool.js'),
    import('../../gate/server/listen.js'),
    import('../../gate/log.js'),
    import('../../gate/metrics/own-metrics.js'),
    import('../../gate/metrics/olm/go-exposition.js'),
  ]);
  const [
    { createReviewers },
    { registerConflicts },
    { registerSwitchOffs },
    { planOwnMemory },
    { followExemptions },
  ] = await Promise.all([
    import('../../gate/admission/reviewers.js'),
    import('../../gate/metrics/conflicts.js'),
    import('../../gate/metrics/switch-offs.js'),
    import('../../gate/server/memory.js'),
    import('./idle-exemptions.js'),
  ]);
  const address = parseAddress(options.listen);
  const registry = new ExportingRegistry();
  const metrics = createGateMetrics(registry, version);
  const log = createLog(options.logLevel, () => metrics.logLinesDropped.inc());
  const policy = await policySource(options, log, metrics);
  const state = await stateOf(options, log);
  const clients = await closedOnFailure(state, () => clientCertificates(options, state, log));
  const certificates = await closedOnFailure(state, () =>
    certificateSource(options, address, state, { log, metrics }),
  );
  registerStaleness(registry, () => state.kindStates());
  registerConflicts(registry, state);
  registerSwitchOffs(registry, {
    objects: (kind) => state.objects(kind),
    bypass: () => policy().bypass,
  });
  const olmMetrics =
    options.olmMetrics === 'off'
      ? undefined
      : await (await import('./olm-metrics.js')).exportOlmMetrics(registry, state, log);
  const registration = await registrationOf(state, { log, registry });
  if (state.connection !== undefined) followExemptions(state, policy, log);
  const access = await closedOnFailure(state, () => metricsAccessOf(options, state));
  const events = await closedOnFailure(state, () => eventsOf(options, state, { log, metrics }));
  const memory = planOwnMemory((options.catalog ?? []).length > 0);
  const catalogs = await followServedCatalogs(options, state, log, {
    metrics: olmMetrics?.metrics,
    megabytes: memory.resolver,
  });
  const pool = new JudgePool({ hasQuickThread: true, workers: memory.threads });
  const gate = await closedOnFailure(state, async () =>
    startGate({
      listen: address,
      metricsListen: parseAddress(options.metricsListen),
      metricsAccess: access,
      certificates,
      clients,
      policy,
      reviewers: createReviewers(state, await resolving(catalogs?.known)),
      view: state.cluster,
      pool,
      registry,
      metrics,
      log,
      events,
      maxBodyBytes: options.maxBodyBytes,
    }),
  );
  // Loading takes a thread seconds on a busy machine, which the first review would wait for.
  pool.warmUp();
  if (!namesCluster(options)) log.warn(unknownCluster);
  else if (clients === undefined && options.state === undefined) log.warn(unknownCaller);
  const close: Gate['close'] = async (shutdown) => {
    // Another replica may take over at once.
    await olmMetrics?.stop();
    registration?.();
    await gate.close(shutdown);
    await catalogs?.close();
    await state.close();
  };
  return { gate: { ...gate, close }, log };
}

/** Its watches would keep a process alive that cannot serve. */
async function closedOnFailure<Started>(
  state: OlmState,
  start: () => Promise<Started>,
): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** Further questions about Subscriptions, when catalogs are known; the resolver is loaded only then. */
async function resolving(
  known: KnownCatalogs | undefined,
): Promise<((reviewer: Reviewer) => Reviewer) | undefined> {
  if (known === undefined) return undefined;
  const { withResolution } = await import('../../gate/admission/subscription-resolution.js');
  return (reviewer) => withResolution(reviewer, known);
}

const unknownCluster =
  "no cluster is named (--state, --kubeconfig or --in-cluster): definitions are judged by themselves; owners' switch-offs, stored objects and what OLM has are not known";

const unknownCaller =
  'neither --client-ca-file nor --aggregated-api says how the API server shows itself: any client that reaches the port may claim to be it, and creations are answered without names (docs/client-certificate.md)';

async function stateOf(options: ServeOptions, log: Logger): Promise<OlmState> {
  const [{ followedResources, warningEvents }, { keptState }] = await Promise.all([
    import('../../cluster/olm-state/kinds.js'),
    import('../../gate/server/memory.js'),
  ]);
  return openState(options, {
    maxBytes: keptState(),
    resources:
      options.olmMetrics === 'off' ? followedResources : [...followedResources, warningEvents],
    watch: true,
    onState: (kind, state, reason) => {
      const level = state === 'forbidden' || state === 'failing' ? 'warn' : 'info';
      log[level]({ kind, state, reason }, 'view');
    },
    onProblem: (error) => log.warn({ err: error }, 'the state could not be read again'),
    onSkipped: (entry) => log.info({ ...entry }, 'skipped in the state'),
  });
}

/** Returns a function that ends looking at it; undefined where no API server is named. */
async function registrationOf(
  state: OlmState,
  { log, registry }: { readonly log: Logger; readonly registry: Registry },
): Promise<(() => void) | undefined> {
  if (state.connection === undefined) return undefined;
  const [{ registerRegistration }, { followRegistration }] = await Promise.all([
    import('../../gate/metrics/own-metrics.js'),
    import('./followed-registration.js'),
  ]);
  const metrics = registerRegistration(registry);
  return followRegistration(state, state.connection, { log, metrics });
}

async function metricsAccessOf(
  { metricsAccess: who }: ServeOptions,
  state: OlmState,
): Promise<MetricsAccess | undefined> {
  if (who !== 'authorized') return undefined;
  const connection = connectionOf(state, '--metrics-access=authorized');
  const { metricsAccess } = await import('../../gate/server/metrics-access.js');
  return metricsAccess(connection);
}

async function eventsOf(
  options: ServeOptions,
  state: OlmState,
  reporting: { readonly log: Logger; readonly metrics: GateMetrics },
): Promise<GateOptions['events']> {
  if (options.events !== true) return undefined;
  needsClientAuthority(options);
  const connection = connectionOf(state, '--events');
  const { denialEvents } = await import('../../gate/server/denial-events.js');
  return denialEvents(connection, { identity, ...reporting });
}

/** @throws InvalidInputError where every client that reaches the port could cause Events */
export function needsClientAuthority({ clientCaFile, aggregatedApi }: ServeOptions): void {
  if (clientCaFile !== undefined || aggregatedApi === true) return;
  throw invalidInput(
    '--events needs --client-ca-file or --aggregated-api: only of reviews that an API server sends is it known that they are none of somebody else',
  );
}

async function policySource(
  { policy: file, policyOverrides: overrides }: ServeOptions,
  log: Logger,
  metrics: GateMetrics,
): Promise<() => Policy> {
  if (file === undefined && overrides === undefined) {
    const { defaultPolicy } = await import('../../policy/policy.js');
    return () => defaultPolicy;
  }
  const [{ policyFromFiles }, { ruleNames }] = await Promise.all([
    import('../../gate/server/policy-file.js'),
    import('../../checks/operations/rules.js'),
  ]);
  return (await policyFromFiles({ file, overrides }, { rules: ruleNames, log, metrics })).current;
}

async function clientCertificates(
  options: ServeOptions,
  state: OlmState,
  log: Logger,
): Promise<GateOptions['clients']> {
  const { clientCaFile, clientName: names = [], aggregatedApi = false } = options;
  oneWayToShow(options);
  if (aggregatedApi) {
    const connection = connectionOf(state, '--aggregated-api');
    const { frontProxyClients } = await import('../../gate/server/certificates/front-proxy.js');
    return frontProxyClients(connection, log);
  }
  if (clientCaFile !== undefined) {
    const { clientAuthorityFromFile } =
      await import('../../gate/server/certificates/client-authority.js');
    const authority = await clientAuthorityFromFile(clientCaFile, log);
    return { authority, names };
  }
  if (names.length === 0) return undefined;
  throw invalidInput('--client-name means nothing without --client-ca-file; give both');
}

/** @throws InvalidInputError where an API server would show itself in two ways at once */
export function oneWayToShow({ clientCaFile, clientName = [], aggregatedApi }: ServeOptions): void {
  if (aggregatedApi !== true || (clientCaFile === undefined && clientName.length === 0)) return;
  throw invalidInput(
    '--aggregated-api and --client-ca-file exclude each other: an API server shows itself in one way',
  );
}

async function certificateSource(
  options: ServeOptions,
  { host }: Address,
  state: OlmState,
  reporting: { readonly log: Logger; readonly metrics: GateMetrics },
): Promise<CertificateSource> {
  const { tlsCertFile, tlsPrivateKeyFile, tlsCaOut, tlsSecret } = options;
  const namespace = ownNamespace();
  const service = ['olm-guard', `olm-guard.${namespace}`, `olm-guard.${namespace}.svc`];
  const names = new Set([...['localhost', '127.0.0.1', '::1'], ...service, host]);
  // The unspecified addresses name no host that a client could ask for.
  for (const none of ['', '0.0.0.0', '::']) names.delete(none);
  if (tlsSecret !== undefined) {
    const { keptCertificate } = await import('./kept-certificate.js');
    return keptCertificate(
      state,
      { namespace, name: tlsSecret, isAggregated: options.aggregatedApi === true },
      [...names],
      reporting,
    );
  }
  if (tlsCertFile !== undefined || tlsPrivateKeyFile !== undefined) {
    const { certificateFromFiles } = await import('../../gate/server/certificates/files.js');
    return certificateFromFiles(...certificateFiles(options), reporting);
  }
  const { selfSigned } = await import('../../gate/server/certificates/files.js');
  const made = await selfSigned([...names]);
  if (tlsCaOut !== undefined) await writeRegularFile(tlsCaOut, made.authority);
  return made;
}

/** Certificate and private key. @throws InvalidInputError where one of them is not named */
export function certificateFiles({
  tlsCertFile,
  tlsPrivateKeyFile,
}: Pick<ServeOptions, 'tlsCertFile' | 'tlsPrivateKeyFile'>): [string, string] {
  if (tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined) {
    return [tlsCertFile, tlsPrivateKeyFile];
  }
  throw invalidInput(
    '--tls-cert-file and --tls-private-key-file belong together; give both or neither',
  );
}
