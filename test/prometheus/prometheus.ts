/** A real Prometheus that scrapes every second. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePorts,
  hasExited,
  lastLines,
  startProcess,
  stopProcess,
  until,
} from '../apiserver/processes.js';

export interface TestPrometheus {
  /** The samples that a query gives now: labels without the scrape's own, and values. */
  query(expression: string): Promise<Sample[]>;
  /** What it gives every second of the last so many: the series, with seconds since 1970 and values. */
  range(expression: string, seconds: number): Promise<Series[]>;
  /** What fires now, with its rendered text. */
  firing(): Promise<FiringAlert[]>;
  stop(): Promise<void>;
}

export interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** One item of `scrape_configs`; `job_name` and the addresses are the caller's. */
export type ScrapeConfig = Readonly<Record<string, unknown>>;

export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly (readonly [at: number, value: number])[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const scrapeLabels = new Set(['__name__', 'job', 'instance']);

/**
 * @param scraped `HOST:PORT` of /metrics, or scrape configurations
 * @param groups of alerting rules
 */
export async function startPrometheus(
  scraped: string | readonly ScrapeConfig[],
  groups: readonly object[] = [],
): Promise<TestPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-prometheus-'));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    scrape_configs:
      typeof scraped === 'string'
        ? [{ job_name: 'olm-guard', static_configs: [{ targets: [scraped] }] }]
        : scraped,
    rule_files: [join(folder, 'rules.json')],
  };
  writeFileSync(join(folder, 'rules.json'), JSON.stringify({ groups }));
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const [port] = (await freePorts(1)) as [number];
  const server = startProcess(
    'prometheus',
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    join(folder, 'log'),
  );
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    await stopProcess(server, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  const query: TestPrometheus['query'] = async (expression) => {
    const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { data } = (await answer.json()) as {
      data: { result: { metric: Record<string, string>; value: [number, string] }[] };
    };
    return data.result.map(({ metric, value }) => {
      const labels = Object.entries(metric).filter(([name]) => !scrapeLabels.has(name));
      return { labels: Object.fromEntries(labels), value: Number(value[1]) };
    });
  };
  const range: TestPrometheus['range'] = async (expression, seconds) => {
    const end = Math.floor(Date.now() / 1000);
    const asked = { query: expression, start: String(end - seconds), end: String(end), step: '1' };
    const answer = await fetch(
      `${url}/api/v1/query_range?${new URLSearchParams(asked).toString()}`,
    );
    const { data } = (await answer.json()) as {
      data: { result: { metric: Record<string, string>; values: [number, string][] }[] };
    };
    return data.result.map(({ metric, values }) => ({
      labels: metric,
      points: values.map(([at, value]) => [at, Number(value)] as const),
    }));
  };
  const firing: TestPrometheus['firing'] = async () => {
    const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as {
      data: { alerts: (FiringAlert & { readonly state: string })[] };
    };
    return data.alerts.filter(({ state }) => state === 'firing');
  };
  try {
    await until('a first scrape', async () => {
      if (hasExited(server)) throw new Error(`Prometheus ended:\n${lastLines(server)}`);
      const up = await query('up').catch(() => []);
      return up.some(({ value }) => value === 1) || undefined;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { query, range, firing, stop };
}
