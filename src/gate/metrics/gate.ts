/** The gate's own metrics; names and label values are an interface that dashboards rely on. */
import { Counter, Histogram, type Registry } from 'prom-client';
import { registerServerMetrics, type ServerMetrics } from './process.js';

export type FindingDecision = 'denied' | 'warned' | 'audited' | 'would-deny';

export interface GateMetrics extends ServerMetrics {
  readonly reviews: Counter<'resource' | 'operation' | 'decision'>;
  readonly unauthenticated: Counter<'decision'>;
  readonly findings: Counter<'rule' | 'decision'>;
  readonly bypasses: Counter<'by' | 'family'>;
  readonly exempted: Counter<'rule'>;
  readonly newSwitchOffs: Counter<'by' | 'counts'>;
  readonly duration: Histogram;
  readonly witnessFailures: Counter;
  readonly overload: Counter;
  readonly hurried: Counter;
  readonly policyReloads: Counter<'outcome'>;
  readonly events: Counter<'outcome'>;
}

/** Seconds: from a small object to the API server's own limit of ten. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createGateMetrics(register: Registry, version: string): GateMetrics {
  const registers = [register];
  return {
    ...registerServerMetrics(register, version, 'gate'),
    reviews: new Counter({
      name: 'olm_guard_reviews_total',
      help: 'Admission reviews by resource, operation and decision; would-deny: it passes, and the policy would deny it if its modes were deny.',
      labelNames: ['resource', 'operation', 'decision'],
      registers,
    }),
    unauthenticated: new Counter({
      name: 'olm_guard_unauthenticated_reviews_total',
      help: 'Reviews without the client certificate of an API server, by decision; the other metrics do not count them.',
      labelNames: ['decision'],
      registers,
    }),
    findings: new Counter({
      name: 'olm_guard_findings_total',
      help: 'Findings of reviews by rule and decision; would-deny: the policy would deny it if its mode were deny.',
      labelNames: ['rule', 'decision'],
      registers,
    }),
    bypasses: new Counter({
      name: 'olm_guard_bypasses_total',
      help: 'Requests that a switch-off let pass, by the kind of object it is on and by check family.',
      labelNames: ['by', 'family'],
      registers,
    }),
    exempted: new Counter({
      name: 'olm_guard_exempted_findings_total',
      help: 'Findings that an exemption of the policy let pass, by rule; olm_guard_findings_total has them as audited.',
      labelNames: ['rule'],
      registers,
    }),
    newSwitchOffs: new Counter({
      name: 'olm_guard_new_switch_offs_total',
      help: 'Requests that set a switch-off, by the kind of object and by whether it will count.',
      labelNames: ['by', 'counts'],
      registers,
    }),
    duration: new Histogram({
      name: 'olm_guard_review_duration_seconds',
      help: 'Time from the first byte of a review to its answer.',
      buckets: durationBuckets,
      registers,
    }),
    witnessFailures: new Counter({
      name: 'olm_guard_witness_failures_total',
      help: 'Witnesses of proofs that failed a second check; their findings are undecided.',
      registers,
    }),
    overload: new Counter({
      name: 'olm_guard_overload_total',
      help: 'Reviews answered by the policy’s unjudged, because too many came at once to be judged in time.',
      registers,
    }),
    hurried: new Counter({
      name: 'olm_guard_hurried_reviews_total',
      help: 'Reviews judged by the fast rules only, because too many came at once.',
      registers,
    }),
    policyReloads: new Counter({
      name: 'olm_guard_policy_reloads_total',
      help: 'Reloads of the policy file by outcome; a failed one keeps the policy in force.',
      labelNames: ['outcome'],
      registers,
    }),
    events: new Counter({
      name: 'olm_guard_events_total',
      help: 'Events about denials (--events): written, or dropped because there were too many, the right is missing or the API server refused them.',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
