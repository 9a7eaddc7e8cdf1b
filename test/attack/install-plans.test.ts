/** An InstallPlan whose steps refer to a small ConfigMap that unpacks to much. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startGateProcess, type GateProcess } from '../../bench/gate-process.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { authority, type Pair } from '../server/client-certificates.js';
import { send } from '../server/gate.js';
import { responseIn, reviewText } from '../server/reviews.js';

const group = 'operators.coreos.com';
const steps = 15;

function configMap(name: string, megabytes: number, text = '- a\n'.repeat(1 << 18)): JsonObject {
  const manifest = gzipSync(text).toString('base64');
  const keys = Array.from({ length: megabytes }, (_, index) => [`manifest${index}.yaml`, manifest]);
  const binaryData = Object.fromEntries(keys) as JsonObject;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'ns' }, binaryData };
}

const operatorGroup: JsonObject = {
  apiVersion: `${group}/v1`,
  kind: 'OperatorGroup',
  metadata: { name: 'group', namespace: 'ns' },
  spec: { targetNamespaces: ['ns'] },
  status: { namespaces: ['ns'] },
};

/** As it is before and after its approval. */
function plan(bundle: string, approved: boolean): JsonObject {
  const catalog = { catalogSourceName: 'catalog', catalogSourceNamespace: 'ns' };
  const manifest = JSON.stringify({ kind: 'ConfigMap', name: bundle, namespace: 'ns', ...catalog });
  const planned = Array.from({ length: steps }, (_, index) => ({
    resolving: 'operator.v1',
    status: 'Unknown',
    resource: { kind: 'ClusterServiceVersion', name: `operator${index}.v1`, manifest },
  }));
  return {
    apiVersion: `${group}/v1alpha1`,
    kind: 'InstallPlan',
    metadata: { name: bundle, namespace: 'ns', uid: `uid-${bundle}`, resourceVersion: '1' },
    spec: { approval: 'Manual', approved },
    status: { phase: 'Installing', plan: planned },
  };
}

/** The review of an approval. */
function approval(bundle: string): string {
  const version = 'v1alpha1';
  return reviewText({
    kind: { group, version, kind: 'InstallPlan' },
    resource: { group, version, resource: 'installplans' },
    name: bundle,
    namespace: 'ns',
    oldObject: plan(bundle, false),
    object: plan(bundle, true),
  });
}

/** 15 MiB each, of as many values as there is room for. */
const dense = new Map(
  Object.entries({
    numbers: '0,',
    lists: '[],',
    objects: '{},',
    texts: '"",',
    decimals: '1.0,',
  }).map(([name, piece]) => [name, `[${piece.repeat((15 << 20) / piece.length)}0]`]),
)
  .set('keys', `{${Array.from({ length: 1_100_000 }, (_, index) => `"${index}":0`).join()}}`)
  .set('lines', '- {}\n'.repeat(3 << 20));

/** Which of them hold more than is read; what the others take is left to the machine. */
const tooMany = ['numbers', 'lists', 'objects', 'decimals'];

describe('an InstallPlan with a bundle that unpacks to much', () => {
  let folder: string;
  let gate: GateProcess;
  let apiServer: Pair;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-plans-'));
    const plans = ['large', 'endless', ...dense.keys()].map((name) => plan(name, false));
    const bundles = [configMap('large', 6), configMap('endless', 20)];
    for (const [name, text] of dense) bundles.push(configMap(name, 1, text));
    const items = [operatorGroup, ...bundles, ...plans];
    const list = { apiVersion: 'v1', kind: 'List', items };
    writeFileSync(join(folder, 'objects.json'), JSON.stringify(list));
    const callers = await authority('callers');
    writeFileSync(join(folder, 'callers.crt'), callers.pem);
    apiServer = await callers.issue('kube-apiserver');
    const clientCa = `--client-ca-file=${join(folder, 'callers.crt')}`;
    gate = await startGateProcess(['--state', join(folder, 'objects.json'), clientCa]);
  });
  after(async () => {
    await gate.stop();
    rmSync(folder, { recursive: true });
  });

  const review = async (bundle: string) => {
    const asking = { path: '/validate?timeout=30s', ...apiServer };
    return responseIn((await send(gate.url, gate.authority, approval(bundle), asking)).text);
  };

  it('is unpacked off the event loop, and each manifest read once for all steps', async () => {
    const settled: string[] = [];
    const asked = review('large').then((response) => {
      settled.push('review');
      return response;
    });
    expect((await fetch(`${gate.metricsUrl}/livez`)).status).to.equal(200);
    settled.push('livez');
    const { allowed, warnings = [] } = await asked;
    expect(settled).to.deep.equal(['livez', 'review']);
    expect(allowed).to.equal(true);
    const unread = warnings.filter((warning) => warning.endsWith('does not hold it'));
    expect(unread, warnings.join('\n')).to.have.lengthOf(steps);
  });

  it('is denied when it is more than is read', async () => {
    const { allowed, status } = await review('endless');
    expect(allowed).to.equal(false);
    expect(status?.message).to.match(/InstallPlanBundleTooLarge: .*ns\/endless unpacks to more/);
  });

  for (const name of dense.keys()) {
    it(`is read to its end or denied, however much it holds, and ends nothing: ${name}`, async () => {
      const { allowed, status, warnings = [] } = await review(name);
      if (allowed) {
        // It was read to its end, and hides nothing.
        const read = warnings.filter((warning) => warning.endsWith('does not hold it'));
        expect(read, warnings.join('\n')).to.have.lengthOf(steps);
      } else expect(status?.message).to.match(/InstallPlanBundleTooLarge: /);
      if (tooMany.includes(name)) expect(allowed).to.equal(false);
      expect((await fetch(`${gate.metricsUrl}/livez`)).status).to.equal(200);
    });
  }
});
