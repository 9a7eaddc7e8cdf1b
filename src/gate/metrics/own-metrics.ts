/** The gate's own metrics; names and label values are an interface that dashboards rely on. */
import { Counter, Gauge, collectDefaultMetrics, Registry, Histogram } from 'prom-client';
import type { Finding } from '../../rule/index.js';

function metricsOf(register: Registry) {
  const registers = [register];
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
  };
}

// Metrics that every server of ours has: the process's own, what is running, its certificate and its log.

export type ServerMetrics = ReturnType<typeof registerServerMetrics>;

/** @param component what runs: alerts about a gate must not take a sidecar for one */
function registerServerMetrics(register: Registry, version: string, component: 'gate' | 'sidecar') {
  collectDefaultMetrics({ register });
  // Gauges whose names promtool rightly takes for counters; the same numbers are there by type.
  for (const kind of ['handles', 'requests', 'resources']) {
    register.removeSingleMetric(`nodejs_active_${kind}_total`);
  }
  const { counter, gauge } = metricsOf(register);
  gauge(
    'olm_guard_build_info',
    'Version of olm-guard and of Node, and whether it is a gate or a sidecar; always 1.',
    ['version', 'node', 'component'],
  ).set({ version, node: process.version, component }, 1);
  return {
    certificateExpiry: gauge(
      'olm_guard_certificate_expiry_timestamp_seconds',
      'When the serving certificate expires, in seconds since 1970.',
    ),
    certificateReloads: counter(
      'olm_guard_certificate_reloads_total',
      'Reloads of the serving certificate by outcome; a failed one keeps the certificate in use.',
      ['outcome'],
    ),
    logLinesDropped: counter(
      'olm_guard_log_lines_dropped_total',
      'Log lines lost because the reader of stderr is too slow or gone, or the disk is full.',
    ),
  };
}

export type SidecarMetrics = ReturnType<typeof createSidecarMetrics>;

export function createSidecarMetrics(register: Registry, version: string) {
  const { counter } = metricsOf(register);
  return {
    ...registerServerMetrics(register, version, 'sidecar'),
    /** Outcome is `allowed`, `denied` or `error`; operation is empty where there is no such operation. */
    answers: counter(
      'olm_guard_preflight_answers_total',
      'Preflight requests by operation and outcome.',
      ['operation', 'outcome'],
    ),
    refusals: counter(
      'olm_guard_preflight_unauthorized_total',
      'Preflight requests refused for lack of the bearer token.',
    ),
  };
}

// Whether API servers ask the gate about what they should: its registration, and what changed without a question.

export type RegistrationMetrics = ReturnType<typeof registerRegistration>;

export function registerRegistration(registry: Registry) {
  const { counter, gauge } = metricsOf(registry);
  return {
    registered: gauge(
      'olm_guard_registered',
      'Whether the webhook is registered with a caBundle and every rule of the release (1) or not (0); absent while the gate cannot read the registration.',
      ['webhook'],
    ),
    definitionChanges: counter(
      'olm_guard_definition_changes_total',
      'CustomResourceDefinitions whose creation or change of spec the watch shows, without groups that a match condition exempts: the API server should have called the gate for each.',
    ),
  };
}

interface KindStaleness {
  readonly kind: string;
  readonly stalenessSeconds: number;
}

/** Registers how old what the gate knows of each kind may be, asked at each scrape. */
export function registerStaleness(registry: Registry, kinds: () => readonly KindStaleness[]): void {
  new Gauge({
    name: 'olm_guard_view_staleness_seconds',
    help: 'How old the gate’s data about a kind may be; 0 while its watch is open, or if the kind is not installed and the watch of definitions is open.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const { kind, stalenessSeconds } of kinds()) this.set({ kind }, stalenessSeconds);
    },
  });
}

/** Registers `olm_guard_scan_findings`; the returned function shows the findings of a new scan. */
export function registerScan(registry: Registry): (findings: Iterable<Finding>) => void {
  const help = 'Findings of the last scan by rule and severity.';
  const found = metricsOf(registry).gauge('olm_guard_scan_findings', help, ['rule', 'severity']);
  return (findings) => {
    found.reset();
    for (const { rule, severity } of findings) found.inc({ rule, severity });
  };
}

/** A registry that holds it alone, and what shows the findings. */
export function createScanMetrics() {
  const registry = new Registry();
  return { registry, show: registerScan(registry) };
}

export type FindingDecision = 'denied' | 'warned' | 'audited' | 'would-deny';

export type GateMetrics = ReturnType<typeof createGateMetrics>;

/** Seconds: from a small object to the API server's own limit of ten. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createGateMetrics(register: Registry, version: string) {
  const { counter } = metricsOf(register);
  return {
    ...registerServerMetrics(register, version, 'gate'),
    reviews: counter(
      'olm_guard_reviews_total',
      'Admission reviews by resource, operation and decision; would-deny: it passes, and the policy would deny it if its modes were deny.',
      ['resource', 'operation', 'decision'],
    ),
    unauthenticated: counter(
      'olm_guard_unauthenticated_reviews_total',
      'Reviews without the client certificate of an API server, by decision; the other metrics do not count them.',
      ['decision'],
    ),
    findings: counter(
      'olm_guard_findings_total',
      'Findings of reviews by rule and decision; would-deny: the policy would deny it if its mode were deny.',
      ['rule', 'decision'],
    ),
    bypasses: counter(
      'olm_guard_bypasses_total',
      'Requests that a switch-off let pass, by the kind of object it is on and by check family.',
      ['by', 'family'],
    ),
    exempted: counter(
      'olm_guard_exempted_findings_total',
      'Findings that an exemption of the policy let pass, by rule; olm_guard_findings_total has them as audited.',
      ['rule'],
    ),
    newSwitchOffs: counter(
      'olm_guard_new_switch_offs_total',
      'Requests that set a switch-off, by the kind of object and by whether it will count.',
      ['by', 'counts'],
    ),
    duration: new Histogram({
      name: 'olm_guard_review_duration_seconds',
      help: 'Time from the first byte of a review to its answer.',
      buckets: durationBuckets,
      registers: [register],
    }),
    witnessFailures: counter(
      'olm_guard_witness_failures_total',
      'Witnesses of proofs that failed a second check; their findings are undecided.',
    ),
    overload: counter(
      'olm_guard_overload_total',
      'Reviews answered by the policy’s unjudged, because too many came at once to be judged in time.',
    ),
    hurried: counter(
      'olm_guard_hurried_reviews_total',
      'Reviews judged by the fast rules only, because too many came at once.',
    ),
    policyReloads: counter(
      'olm_guard_policy_reloads_total',
      'Reloads of the policy file by outcome; a failed one keeps the policy in force.',
      ['outcome'],
    ),
    events: counter(
      'olm_guard_events_total',
      'Events about denials (--events): written, or dropped because there were too many, the right is missing or the API server refused them.',
      ['outcome'],
    ),
  };
}
