/** A real Prometheus that scrapes one address every second. */
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
  stop(): Promise<void>;
}

export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly (readonly [at: number, value: number])[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const scrapeLabels = new Set(['__name__', 'job', 'instance']);

/** @param target `HOST:PORT` of /metrics */
export async function startPrometheus(target: string): Promise<TestPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-prometheus-'));
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'olm-guard', static_configs: [{ targets: [target] }] }],
  };
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
  return { query, range, stop };
}
