/**
 * Which suites there are, and what each needs beyond Node. A folder of test/ with *.test.ts files
 * is a suite; one that is not named in `needs` below needs nothing.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrograms, hasGo, missingPrograms, type Program } from './apiserver/binaries.js';

/** Something a suite cannot do without. */
interface Need {
  /** What is missing, or undefined when it is there; throws when it is there and broken. */
  missing(): string | undefined;
  /** Prepares it, when that takes long; called once before the suite. */
  prepare?(): Promise<unknown>;
}

export interface Suite {
  name: string;
  /** Mocha's globs or files: what each of its processes runs, one after the other. */
  parts: string[][];
  needs: Need[];
  /** Its files only compute: two processes share them. */
  isParallel: boolean;
  /** Its files hardly compute: they wait until time has passed. */
  isWaiting: boolean;
}

const root = join(import.meta.dirname, '..');

const apiServer: Need = {
  missing: () =>
    missingPrograms().length === 0 || hasGo()
      ? undefined
      : 'Go, or KUBEBUILDER_ASSETS naming a folder with kube-apiserver, etcd and kubectl',
  prepare: () => ensurePrograms(),
};

const helm: Need = {
  missing: () => (missingPrograms(['helm']).length === 0 || hasGo() ? undefined : 'Go'),
  prepare: () => ensurePrograms(['helm']),
};

const releaseTools: readonly Program[] = [
  ...(['kubectl', 'helm', 'krew', 'validate-krew-manifest', 'registry'] as const),
];
const release: Need = {
  missing: () => (missingPrograms(releaseTools).length === 0 || hasGo() ? undefined : 'Go'),
  prepare: () => ensurePrograms(releaseTools),
};

const prometheus: Need = { missing: () => command('Prometheus', ['prometheus', 'promtool']) };
const chromium: Need = { missing: () => command('Chromium', ['chromium']) };

const needs = new Map<string, Need[]>([
  ['cluster', [apiServer]],
  ['chart', [apiServer, helm]],
  ['prometheus', [prometheus, apiServer, helm]],
  // The dashboard is drawn with the answers of a Prometheus.
  ['browser', [chromium, prometheus]],
  ['release', [release]],
]);

/** In how many parts, where one process would be the last to end by far. */
const partsOf = new Map([
  ['cluster', 6],
  ['cli', 2],
  ['prometheus', 2],
]);

/** With the longest parts, for one that starts late is waited for while cores idle. */
const first = ['attack', 'cluster', 'server', 'browser', 'release', 'cli'];

/** Suites without servers, and so without ports, clusters or other people's time. */
const parallel = new Set(['unit', 'golden']);

/** An alert fires when its condition has held for minutes. */
const waiting = new Set(['prometheus']);

/** In the order in which they start. */
export function findSuites(): Suite[] {
  const folders = readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && testFiles(join('test', entry.name)).length > 0)
    .map((entry) => entry.name);
  const others = [...folders, 'unit'].filter((name) => !first.includes(name)).sort();
  const ordered = [...first.filter((name) => folders.includes(name)), ...others];
  return ordered.map((name) => ({
    name,
    parts: partsOf.has(name)
      ? divide(testFiles(join('test', name)), partsOf.get(name) ?? 1)
      : [[name === 'unit' ? 'src/**/*.test.ts' : `test/${name}/**/*.test.ts`]],
    needs: needs.get(name) ?? [],
    isParallel: parallel.has(name),
    isWaiting: waiting.has(name),
  }));
}

/**
 * What docs/threat-model.md names and is not in test/attack: files of other suites, so that it runs
 * only when it is asked for.
 */
export function threatModelSuite(): Suite {
  const text = readFileSync(join(root, 'docs', 'threat-model.md'), 'utf8');
  const named = [...text.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\)/g)].map(([, file]) => file ?? '');
  const files = [...new Set(named)].filter((file) => !file.startsWith('test/attack/')).sort();
  return {
    name: 'threat-model',
    parts: [files],
    needs: [apiServer],
    isParallel: false,
    isWaiting: false,
  };
}

/** Those in a folder and below; all paths are from the root. */
export function testFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .sort();
}

/** Into parts of about the same size, whatever the order. */
function divide(files: readonly string[], count: number): string[][] {
  const bySize = [...files].sort((one, other) => sizeOf(other) - sizeOf(one));
  const parts = Array.from({ length: count }, (): string[] => []);
  bySize.forEach((file, at) => {
    const round = Math.floor(at / count);
    const place = at % count;
    parts[round % 2 === 0 ? place : count - 1 - place]?.push(file);
  });
  return parts.filter((part) => part.length > 0);
}

function sizeOf(file: string): number {
  return statSync(join(root, file)).size;
}

function command(title: string, names: string[]): string | undefined {
  const absent = names.filter(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status !== 0,
  );
  return absent.length === 0 ? undefined : `${title} (${absent.join(', ')} on the PATH)`;
}
