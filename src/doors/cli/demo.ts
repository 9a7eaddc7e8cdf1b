/** `npm start`: the gate on examples/cluster, asked about examples/upgrades as an API server asks. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { collectCrds, type FoundCrd } from '../../crd/collect.js';
import { isObject, own, parseDocuments, type JsonObject } from '../../text/documents/index.js';
import { readSource } from '../../text/documents/sources.js';
import { askGate, reviewOfUpdate } from './ask-gate.js';
import { packagedFolder } from './packaged-folder.js';
import { startServing } from './serving.js';
import { terminationSignal } from './termination.js';
import { print } from './output.js';

interface DemoOptions {
  readonly once?: true;
  readonly listen: string;
  readonly metricsListen: string;
}

export function demoCommand(): Command {
  return new Command('demo')
    .description('start the gate on examples/cluster and ask it about examples/upgrades')
    .option('--once', 'exit after the examples instead of serving until Ctrl-C')
    .option('--listen <address>', 'HOST:PORT of POST /validate', '127.0.0.1:0')
    .option('--metrics-listen <address>', 'HOST:PORT of probes and /metrics', '127.0.0.1:0')
    .action(demo);
}

async function demo({ once, ...addresses }: DemoOptions): Promise<void> {
  const examples = packagedFolder('examples');
  const folder = await mkdtemp(join(tmpdir(), 'olm-guard-demo-'));
  try {
    const tlsCaOut = join(folder, 'ca.crt');
    const state = join(examples, 'cluster');
    const { gate } = await startServing({ ...addresses, state, tlsCaOut, logLevel: 'warn' });
    try {
      await print(`olm-guard ready ${gate.url} metrics ${gate.metricsUrl}\n`);
      await showExamples(examples, gate.url, await readFile(tlsCaOut, 'utf8'));
      await print(`\nMetrics: ${gate.metricsUrl}/metrics\n`);
      if (once === true) return;
      await print('Serving until Ctrl-C.\n');
      await terminationSignal();
    } finally {
      await gate.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function showExamples(examples: string, url: string, authority: string): Promise<void> {
  const stored = await definitionsIn(join(examples, 'cluster'));
  await print(`\nUpdates of CustomResourceDefinitions, sent to ${url}/validate:\n`);
  for (const { file, bytes } of await readSource(join(examples, 'upgrades'))) {
    for (const [name, { crd }] of collectCrds(parseDocuments(bytes, { file })).crds) {
      const old = stored.get(name);
      if (old === undefined) continue;
      const answer = await askGate(url, authority, reviewOfUpdate(name, old.crd, crd));
      await print(`\n${basename(file)}: ${describe(answer)}`);
    }
  }
}

async function definitionsIn(folder: string): Promise<ReadonlyMap<string, FoundCrd>> {
  const files = await readSource(folder);
  return collectCrds(files.flatMap(({ file, bytes }) => parseDocuments(bytes, { file }))).crds;
}

function describe(response: JsonObject): string {
  const status = own(response, 'status');
  const message = isObject(status) ? own(status, 'message') : undefined;
  const warnings = own(response, 'warnings');
  const texts = [
    ...(typeof message === 'string' ? [message] : []),
    ...(Array.isArray(warnings) ? warnings : [])
      .filter((warning) => typeof warning === 'string')
      .map((warning) => `Warning: ${warning}`),
  ];
  const verdict = own(response, 'allowed') === true ? 'allowed' : 'denied';
  return [verdict, ...texts].map((text) => `${text.replaceAll('\n', '\n  ')}\n`).join('  ');
}
