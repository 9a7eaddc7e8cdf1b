/** `npm start`: the gate on examples/cluster, asked about examples/upgrades as an API server asks. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { collectCrds, type FoundCrd } from '../../upgrade/index.js';
import {
  isObject,
  own,
  parseDocuments,
  stringifyJson,
  type JsonObject,
  parseJson,
} from '../../text/documents/index.js';
import { readSource } from '../../text/documents/sources.js';
import { packagedFolder } from './packaged-folder.js';
import { startServing } from './serving.js';
import { terminationSignal, print } from '../output.js';
import { textAt, textsAt } from '../../text/documents/fields.js';
import { request } from 'node:https';
import { withFlags, usually } from '../options/flags.js';

interface DemoOptions {
  readonly once?: true;
  readonly listen: string;
  readonly metricsListen: string;
}

/** Settings of manifests/base beyond the defaults, so that a denial reads here as it does on a cluster. */
const policyOfManifests =
  'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nprofile: olm-v1\nenforce: proven\n';

export function demoCommand(): Command {
  const command = new Command('demo').description(
    'start the gate on examples/cluster and ask it about examples/upgrades',
  );
  return withFlags(command, {
    '--once': 'exit after the examples instead of serving until Ctrl-C',
    '--listen <address>': usually('127.0.0.1:0', 'HOST:PORT of POST /validate'),
    '--metrics-listen <address>': usually('127.0.0.1:0', 'HOST:PORT of probes and /metrics'),
  }).action(demo);
}

async function demo({ once, ...addresses }: DemoOptions): Promise<void> {
  const examples = packagedFolder('examples');
  const folder = await mkdtemp(join(tmpdir(), 'olm-guard-demo-'));
  try {
    const tlsCaOut = join(folder, 'ca.crt');
    const state = join(folder, 'cluster');
    await store(join(examples, 'cluster'), state);
    const policy = join(folder, 'policy.yaml');
    await writeFile(policy, policyOfManifests);
    const at = { ...addresses, state, policy, tlsCaOut };
    const { gate } = await startServing({ ...at, logLevel: 'warn' });
    try {
      await print(`olm-guard ready ${gate.url} metrics ${gate.metricsUrl}\n`);
      await showExamples(examples, state, gate.url, await readFile(tlsCaOut, 'utf8'));
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

/** Writes files as a cluster has them: an uid and a version are how a review shows whose it is. */
async function store(from: string, to: string): Promise<void> {
  await mkdir(to);
  const files = await readSource(from);
  const values = files.flatMap(({ file, bytes }) => parseDocuments(bytes, { file }));
  for (const [index, { value }] of values.entries()) {
    if (!isObject(value)) continue;
    const metadata = own(value, 'metadata');
    const stored = { uid: randomUUID(), resourceVersion: String(index + 1) };
    const object = { ...value, metadata: { ...stored, ...(isObject(metadata) ? metadata : {}) } };
    await writeFile(join(to, `${index}.json`), stringifyJson(object));
  }
}

async function showExamples(
  examples: string,
  state: string,
  url: string,
  authority: string,
): Promise<void> {
  const stored = await definitionsIn(state);
  await print(`\nUpdates of CustomResourceDefinitions, sent to ${url}/validate:\n`);
  for (const { file, bytes } of await readSource(join(examples, 'upgrades'))) {
    for (const [name, { crd }] of collectCrds(parseDocuments(bytes, { file })).crds) {
      const old = stored.get(name);
      if (old === undefined) continue;
      const answer = await askGate(
        url,
        authority,
        reviewOfUpdate(name, old.crd.document, crd.document),
      );
      await print(`\n${basename(file)}: ${describe(answer)}`);
    }
  }
}

async function definitionsIn(folder: string): Promise<ReadonlyMap<string, FoundCrd>> {
  const files = await readSource(folder);
  return collectCrds(files.flatMap(({ file, bytes }) => parseDocuments(bytes, { file }))).crds;
}

function describe(response: JsonObject): string {
  const message = textAt(response, 'status', 'message');
  const texts = [
    ...(message === undefined ? [] : [message]),
    ...textsAt(response, 'warnings').map((warning) => `Warning: ${warning}`),
  ];
  const verdict = own(response, 'allowed') === true ? 'allowed' : 'denied';
  return [verdict, ...texts].map((text) => `${text.replaceAll('\n', '\n  ')}\n`).join('  ');
}

/** The AdmissionReview that a kube-apiserver sends for an update of a CustomResourceDefinition. */
function reviewOfUpdate(name: string, oldObject: JsonObject, object: JsonObject): JsonObject {
  const group = 'apiextensions.k8s.io';
  const resource = { group, version: 'v1', resource: 'customresourcedefinitions' };
  const kind = { group, version: 'v1', kind: 'CustomResourceDefinition' };
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: randomUUID(),
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name,
      operation: 'UPDATE',
      userInfo: { username: 'demo', groups: ['system:authenticated'] },
      object,
      oldObject,
      dryRun: false,
      options: { apiVersion: 'meta.k8s.io/v1', kind: 'UpdateOptions' },
    },
  };
}

function askGate(url: string, ca: string, review: JsonObject): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${url}/validate?timeout=10s`,
      { method: 'POST', ca, headers: { 'content-type': 'application/json' } },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const answer = parseJson(Buffer.concat(pieces));
          const inner = isObject(answer) ? own(answer, 'response') : undefined;
          if (isObject(inner)) resolve(inner);
          else reject(new Error(`the gate answered ${stringifyJson(answer)}`));
        });
      },
    );
    call.on('error', reject);
    call.end(stringifyJson(review));
  });
}
