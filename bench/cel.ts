/**
 * How long do twenty rules take that are compiled once and evaluated often? Beside the CEL packages of npm,
 * in turns and in one process: `npx tsx bench/cel.ts [rounds]`, after `npm run build`. Packages that are not installed here are
 * looked for in the folder that OLM_GUARD_CEL_PACKAGES names, and are not compared where they are in none.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Library from '../src/checks/library/cel.js';
import { figure, tell } from './measure.js';

// As it is published: a loader would add to each function what other packages do not pay.
const built = new URL('../dist/cel.js', import.meta.url).href;
const { compile } = (await import(built)) as typeof Library;
const rounds = Number(process.argv[2] ?? 40);
/** Evaluations of a rule in one round. */
const evaluations = 4_000;
const limit = 1;

const text = { type: 'string', maxLength: 253 };
const integer = { type: 'integer' };
const flag = { type: 'boolean' };
const list = (items: object, maxItems = 20) => ({ type: 'array', maxItems, items });
const object = (properties: object) => ({ type: 'object', properties });
const map = (additionalProperties: object) => ({ type: 'object', maxProperties: 20, additionalProperties }); // prettier-ignore

const schema = object({
  name: text,
  mode: text,
  replicas: integer,
  minReplicas: integer,
  maxReplicas: integer,
  paused: flag,
  ratio: { type: 'number' },
  schedule: text,
  image: text,
  timeout: text,
  labels: map(text),
  hosts: list(text),
  ports: list(object({ name: text, port: integer, protocol: text })),
  storage: object({ class: text, size: integer, ephemeral: flag }),
  tls: object({ secret: text, issuer: text }),
});

const self = {
  name: 'orders-eu-1',
  mode: 'Cluster',
  replicas: 3,
  minReplicas: 1,
  maxReplicas: 9,
  paused: false,
  ratio: 0.5,
  schedule: '0 4 * * *',
  image: 'registry.example.com/team/orders:v1.4.2',
  timeout: '90s',
  labels: { app: 'orders', tier: 'backend', 'team.example.com': 'payments' },
  hosts: ['a.example.com', 'b.example.com', 'c.example.org', 'd.example.net'],
  ports: ['http', 'grpc', 'metrics', 'debug'].map((name, index) => ({
    ...{ name, port: 8080 + index, protocol: index === 1 ? 'UDP' : 'TCP' },
  })),
  storage: { class: 'fast', size: 20, ephemeral: false },
  tls: { secret: 'orders-tls' },
};
const oldSelf = { ...self, replicas: 2, storage: { ...self.storage, size: 10 } };

const rules = [
  'self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas',
  'self.mode == oldSelf.mode',
  'self.storage.size >= oldSelf.storage.size',
  "self.mode in ['Single', 'Cluster', 'Mirror']",
  "self.mode != 'Cluster' || self.replicas % 2 == 1",
  'has(self.tls) && has(self.tls.secret) != has(self.tls.issuer)',
  "!has(self.tls.issuer) || self.tls.issuer.startsWith('letsencrypt')",
  "self.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.name) <= 63",
  "self.image.contains('@sha256:') || !self.image.endsWith(':latest')",
  'self.hosts.all(host, size(host) <= 253)',
  "self.hosts.exists(host, host.endsWith('.example.org'))",
  "self.ports.exists_one(port, port.name == 'metrics')",
  'self.ports.all(port, port.port > 0 && port.port < 65536)',
  'self.ports.all(one, self.ports.exists_one(other, other.name == one.name))',
  "self.ports.filter(port, port.protocol == 'UDP').size() <= 1",
  "self.labels.all(key, key.size() <= 63) && 'app' in self.labels",
  "'tier' in self.labels && self.labels['tier'] in ['frontend', 'backend']",
  "self.paused ? self.replicas == 0 : self.replicas > 0 && self.ratio <= 1.0",
  "duration(self.timeout) < duration('10m') && self.schedule != ''",
  'self.storage.ephemeral == false || self.storage.size * 2 <= 40 + self.replicas',
]; // prettier-ignore

/** Evaluates one rule; makes it ready when it is given. */
interface Evaluator {
  readonly name: string;
  readonly prepare: (rule: string) => () => unknown;
}

/** Integers as other packages want them: a number is a double there. */
function withIntegers(value: unknown, mapOf: (entries: [string, unknown][]) => unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => withIntegers(item, mapOf));
  if (typeof value !== 'object' || value === null) return value;
  return mapOf(Object.entries(value).map(([key, item]) => [key, withIntegers(item, mapOf)]));
}

const evaluators: Evaluator[] = [
  {
    name: 'olm-guard/cel',
    prepare: (rule) => {
      const compiled = compile(rule, { schema });
      return () => compiled.evaluate({ self, oldSelf });
    },
  },
];

const celJs = await imported('@marcbachmann/cel-js', 'lib/index.js');
if (celJs !== undefined) {
  const Environment = celJs['Environment'] as new (options: object) => {
    readonly parse: (text: string) => (variables: object) => unknown;
  };
  const environment = new Environment({ unlistedVariablesAreDyn: true });
  const [now, before] = [self, oldSelf].map((each) => withIntegers(each, Object.fromEntries));
  evaluators.push({
    name: '@marcbachmann/cel-js',
    prepare: (rule) => {
      const evaluate = environment.parse(rule);
      return () => evaluate({ self: now, oldSelf: before });
    },
  });
}

const celEs = await imported('@bufbuild/cel', 'dist/esm/index.js');
if (celEs !== undefined) {
  const { celEnv, parse, plan } = celEs as {
    readonly celEnv: () => object;
    readonly parse: (text: string) => object;
    readonly plan: (environment: object, tree: object) => (variables: object) => unknown;
  };
  const environment = celEnv();
  const [now, before] = [self, oldSelf].map((each) => withIntegers(each, (entries) => new Map(entries))); // prettier-ignore
  evaluators.push({
    name: '@bufbuild/cel',
    prepare: (rule) => {
      const evaluate = plan(environment, parse(rule));
      return () => evaluate({ self: now, oldSelf: before });
    },
  });
}

async function imported(name: string, file: string): Promise<Record<string, unknown> | undefined> {
  const folder = process.env['OLM_GUARD_CEL_PACKAGES'];
  const path = folder && pathToFileURL(join(folder, 'node_modules', name, file)).href;
  for (const from of [name, ...(path ? [path] : [])]) {
    try {
      return (await import(from)) as Record<string, unknown>;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    }
  }
  console.log(`${name} is not installed, and was not compared`);
  return undefined;
}

/** The shortest time of one evaluation in nanoseconds, by evaluator. */
function measure(rule: string): (number | undefined)[] {
  const runs = evaluators.map(({ prepare }) => {
    try {
      const run = prepare(rule);
      if (run() === true) return run;
    } catch {
      // It does not have a function of the rule.
    }
    return undefined;
  });
  const best = runs.map((run) => (run === undefined ? undefined : Infinity));
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of runs.entries()) {
      if (run === undefined) continue;
      const start = process.hrtime.bigint();
      for (let count = 0; count < evaluations; count++) run();
      const took = Number(process.hrtime.bigint() - start) / evaluations;
      best[index] = Math.min(best[index] as number, took);
    }
  }
  return best;
}

const measured = rules.map((rule) => ({ rule, times: measure(rule) }));
for (const { rule, times } of measured) {
  const [own] = times;
  if (own === undefined) throw new Error(`the rule does not hold: ${rule}`);
  const shown = times.map((time) => (time === undefined ? '-' : `${figure(time)}`).padStart(8));
  console.log(`${shown.join('')} ns  ${rule}`);
}
for (const [index, { name }] of evaluators.entries()) {
  if (index === 0) continue;
  const both = measured.filter(({ times }) => times[index] !== undefined);
  const sum = (of: number): number =>
    both.reduce((total, { times }) => total + (times[of] ?? 0), 0);
  const ratios = both.map(({ times }) => (times[0] ?? 0) / (times[index] ?? 0));
  const mean = Math.exp(ratios.reduce((total, ratio) => total + Math.log(ratio), 0) / ratios.length); // prettier-ignore
  console.log(
    `beside ${name}, ${both.length} of ${rules.length} rules that it evaluates too: ${figure(mean)} in the geometric mean, from ${figure(Math.min(...ratios))} to ${figure(Math.max(...ratios))}`,
  );
  tell({ what: `cel: twenty rules, of ${name}`, value: sum(0) / sum(index), unit: '', limit });
}
