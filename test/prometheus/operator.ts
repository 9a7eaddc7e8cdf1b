/** What the Prometheus Operator makes of our monitors and rules, for a Prometheus whose time is shortened. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { ensurePrograms } from '../apiserver/binaries.js';
import type { ScrapeConfig } from './prometheus.js';

const root = join(import.meta.dirname, '..', '..');

interface Endpoint {
  readonly port: string;
  readonly interval: string;
  readonly honorLabels?: boolean;
}
export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly Rule[];
}
interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly endpoints?: readonly Endpoint[];
    readonly groups?: readonly RuleGroup[];
  };
}

export interface Monitoring {
  readonly monitor: Rendered;
  readonly groups: readonly RuleGroup[];
}

export async function monitoringOfChart(): Promise<Monitoring> {
  const helm = (await ensurePrograms(['helm'])).get('helm') ?? 'helm';
  const args = ['--namespace=olm-guard', '--set=monitoring=true'];
  return monitoringIn(helm, ['template', 'olm-guard', 'chart', ...args]);
}

export async function monitoringOfManifests(): Promise<Monitoring> {
  const kubectl = (await ensurePrograms(['kubectl'])).get('kubectl') ?? 'kubectl';
  return monitoringIn(kubectl, ['kustomize', 'manifests/components/monitoring']);
}

function monitoringIn(program: string, args: readonly string[]): Monitoring {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  const objects = loadAll(stdout) as Rendered[];
  const [monitor, second] = objects.filter(({ kind }) => kind === 'ServiceMonitor');
  const groups = objects.flatMap(({ kind, spec }) =>
    kind === 'PrometheusRule' ? (spec.groups ?? []) : [],
  );
  if (monitor === undefined || second !== undefined) throw new Error('there is not one monitor');
  return { monitor, groups };
}

const secondsOf = (duration: string): number => {
  const [, number = '', unit = ''] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  return Number(number) * { s: 1, m: 60, h: 3600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd'];
};

/** How many seconds one stands for, where nothing else is said. */
const usualScale = 15;
/** A gate makes its metrics once a second at most, so a scrape may wait as long. */
const leastScrapeMilliseconds = 1500;
const scaled = (duration: string, scale: number): string =>
  `${Math.ceil((1000 * secondsOf(duration)) / scale)}ms`;

export function scrapeConfig(monitoring: Monitoring, address: string, pod: string): ScrapeConfig {
  return {
    ...scrapeJob(monitoring),
    static_configs: [{ targets: [address], labels: targetLabels(monitoring, pod) }],
  };
}

/** A scrape configuration without targets. */
export function scrapeJob({ monitor }: Monitoring, scale = usualScale): ScrapeConfig {
  const { kind, metadata } = monitor;
  const endpoint = endpointOf(monitor);
  const interval = `${Math.max(leastScrapeMilliseconds, (1000 * secondsOf(endpoint.interval)) / scale)}ms`;
  return {
    job_name: `${kind}/${metadata.namespace}/${metadata.name}/0`,
    honor_labels: endpoint.honorLabels ?? false,
    scrape_interval: interval,
    scrape_timeout: interval,
  };
}

function endpointOf({ kind, spec }: Rendered): Endpoint {
  const [endpoint] = spec.endpoints ?? [];
  if (endpoint === undefined) throw new Error(`${kind} has no endpoint`);
  return endpoint;
}

/** Those that the Prometheus Operator's relabeling gives. */
export function targetLabels({ monitor }: Monitoring, pod: string): Record<string, string> {
  const { name, namespace } = monitor.metadata;
  const service = { job: name, service: name };
  return { ...service, namespace, pod, container: name, endpoint: endpointOf(monitor).port };
}

/** With `for`, ranges and offsets shortened. */
export function fastGroups(groups: readonly RuleGroup[], scale = usualScale): object[] {
  const shorten = (expr: string): string =>
    expr.replace(
      /(\[|offset )(\d+[smhd])/g,
      (_all, before: string, duration: string) => `${before}${scaled(duration, scale)}`,
    );
  return groups.map(({ interval = '30s', rules, ...group }) => ({
    ...group,
    interval: scaled(interval, scale),
    rules: rules.map((rule) => ({
      ...rule,
      expr: shorten(rule.expr),
      ...(rule.for === undefined ? {} : { for: scaled(rule.for, scale) }),
    })),
  }));
}

/**
 * The longest time until an alert about a target that hangs, in seconds: until the next scrape, until
 * that gives up, and so many evaluations.
 */
export function secondsUntilFiring(
  { monitor, groups }: Monitoring,
  alert: string,
  evaluations: number,
): number {
  const { interval } = endpointOf(monitor);
  const group = groups.find(({ rules }) => rules.some((rule) => rule.alert === alert));
  // Ten seconds: the default of Prometheus.
  return secondsOf(interval) + 10 + evaluations * secondsOf(group?.interval ?? '1m');
}
