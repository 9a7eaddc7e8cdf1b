/** Stored objects on a real API server: the gate names them, or says why it could not look. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useCluster } from '../apiserver/mocha.js';
import { registerGate, startGate, type TestGate } from '../apiserver/gate.js';
import type { TestCluster } from '../apiserver/cluster.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { root } from './installed-gate.js';
import {
  changed,
  definitionPath,
  definitions,
  version,
  widgets,
  type Definition,
  type Version,
} from './widgets.js';

const webhook = 'customresourcedefinitions.olm-guard.io';
const rule = {
  apiGroups: ['apiextensions.k8s.io'],
  apiVersions: ['v1'],
  operations: ['UPDATE', 'DELETE'],
  resources: ['customresourcedefinitions'],
};

async function replace(
  cluster: TestCluster,
  definition: object & Definition,
  query = '',
): Promise<Answer> {
  const path = `${definitions}/${definition.metadata.name}`;
  return until(`${path} to be nobody else's for a moment`, async () => {
    const stored = await cluster.request('GET', path);
    const resourceVersion = stored.body.metadata?.resourceVersion;
    const metadata = { ...definition.metadata, resourceVersion };
    const answer = await cluster.request('PUT', `${path}${query}`, { ...definition, metadata });
    return answer.code === 409 ? undefined : answer;
  });
}

async function createDefinition(cluster: TestCluster, definition: Definition): Promise<void> {
  expect((await cluster.request('POST', definitions, definition)).code).to.equal(201);
  const { plural } = definition.spec.names;
  await until(`${plural} to be served`, async () => {
    const answer = await cluster.request('GET', `/apis/example.com/v1/${plural}`);
    return answer.code === 200 ? true : undefined;
  });
}

/** Creates widgets with `spec.replicas` 1 to 5 in turn. */
async function createObjects(
  cluster: TestCluster,
  definition: Definition,
  count: number,
): Promise<void> {
  const { plural, kind } = definition.spec.names;
  const path = `/apis/example.com/v1/namespaces/default/${plural}`;
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const answer = await cluster.request('POST', path, {
        apiVersion: 'example.com/v1',
        kind,
        metadata: { name: `w${index}` },
        spec: { mode: 'Fast', replicas: (index % 5) + 1, pollInterval: 'x'.repeat(500) },
      });
      if (answer.code !== 201) throw new Error(answer.text);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

const atLeast = (minimum: number, plural?: string): Definition =>
  changed(
    (spec) => (spec.properties['replicas'] = { type: 'integer', minimum, maximum: 5 }),
    plural,
  );

describe('stored objects at the gate', function () {
  this.timeout(240_000);
  const cluster = useCluster({ users: [{ name: 'blind' }] });
  let gate: TestGate;

  const start = async (context: string, ...flags: string[]): Promise<void> => {
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${cluster().kubeconfigPath}`,
      `--context=${context}`,
      ...flags,
    ]);
    await cluster().request(
      'DELETE',
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/olm-guard',
    );
    await registerGate(cluster(), gate, {
      name: webhook,
      rules: [rule],
      isAsked: async () => (await replace(cluster(), atLeast(2), '?dryRun=All')).code === 403,
    });
  };

  before('a definition with 5,000 objects', async () => {
    await createDefinition(cluster(), widgets());
    await createObjects(cluster(), widgets(), 5000);
  });

  describe('with the right to list', () => {
    before(() => start('admin'));
    after(() => gate.stop());

    it('names who breaks among 5,000, at once or to the next attempt', async () => {
      const answer = await until('the scan to be finished', async () => {
        const tried = await replace(cluster(), atLeast(2), '?dryRun=All');
        return tried.text.includes('stored Widgets would be refused') ? tried : undefined;
      });
      expect(answer.code).to.equal(403);
      const lines = String(answer.body['message']).split('\n');
      // In the order of etcd's keys.
      const named = ['w0', 'w10', 'w100', 'w1000', 'w1005'].map(
        (name) => `default/${name} spec.replicas: Invalid value`,
      );
      named[0] += ': spec.replicas in body should be greater than or equal to 2';
      expect(lines.at(-2)).to.equal(
        `1,000 of 5,000 stored Widgets would be refused: ${named.join('; ')}; and 995 more. ` +
          'Creating such an object, or restoring it from a backup, fails; all of them can still be updated as long as the refused fields stay as they are (Kubernetes 1.30 and later)',
      );
    });

    it('says nothing about an upgrade that none of them minds', async () => {
      const answer = await replace(cluster(), atLeast(0), '?dryRun=All');
      expect(answer.text).not.to.include('stored Widgets');
      expect(answer.warnings.join()).not.to.include('stored');
    });

    it('warns of a deletion with the count', async () => {
      const answer = await cluster().request('DELETE', `${definitionPath('widgets')}?dryRun=All`);
      expect(answer.code).to.equal(200);
      expect(answer.warnings.join()).to.include('deletes 5,000 stored Widgets with it');
    });

    it('says so when a conversion webhook that is down hides the objects', async () => {
      const gadgets = widgets('gadgets');
      await createDefinition(cluster(), gadgets);
      await createObjects(cluster(), gadgets, 3);
      // Stored as v1 and read as v2, which only the webhook could make.
      const converting = (minimum: number): object & Definition => {
        const definition = atLeast(minimum, 'gadgets');
        const [v1] = definition.spec.versions;
        if (v1 === undefined) throw new Error('no version');
        return {
          ...definition,
          spec: {
            ...definition.spec,
            versions: [
              { ...v1, storage: false },
              { ...version('v2', { storage: true }), schema: v1.schema },
            ],
            conversion: {
              strategy: 'Webhook',
              webhook: {
                conversionReviewVersions: ['v1'],
                clientConfig: { url: 'https://127.0.0.1:9/convert', caBundle: caBundle() },
              },
            },
          } as Definition['spec'],
        };
      };
      const caBundle = (): string => Buffer.from(gate.ca).toString('base64');
      expect((await replace(cluster(), converting(1))).code).to.equal(200);
      const answer = await until('the conversion to be tried', async () => {
        const tried = await replace(cluster(), converting(2), '?dryRun=All');
        return tried.warnings.some((each) => each.includes('not checked')) ? tried : undefined;
      });
      expect(answer.warnings.join()).to.match(/not checked: v2: conversion webhook .* failed/);
    });
  });

  describe('under the policy of the enforcing component', () => {
    const enforcing = join(root, 'manifests', 'components', 'enforcing', 'policy.yaml');
    afterEach(() => gate.stop());

    async function startEnforcing(more: string): Promise<void> {
      const policy = join(cluster().folder, 'enforcing-here.yaml');
      const shipped = await readFile(enforcing, 'utf8');
      // No network leads to a converter here: another rule tells that.
      const modes = 'modes:\n  ConversionUnchecked: warn\n';
      expect(shipped).to.include('undecided: deny').and.to.include('modes:\n');
      await writeFile(policy, `${shipped.replace('modes:\n', modes)}${more}`);
      await start('admin', `--policy=${policy}`);
    }

    /** v1 as it was, and v2 beside it, which a webhook makes. */
    const withV2 = (edit: (v1: Version, v2: Version) => void): object & Definition => {
      const definition = widgets('cogs');
      const [v1] = definition.spec.versions;
      if (v1 === undefined) throw new Error('no version');
      const v2 = version('v2');
      edit(v1, v2);
      const caBundle = Buffer.from(gate.ca).toString('base64');
      const clientConfig = { url: 'https://127.0.0.1:9/convert', caBundle };
      const webhook = { conversionReviewVersions: ['v1'], clientConfig };
      const conversion = { strategy: 'Webhook', webhook };
      const spec = { ...definition.spec, versions: [v1, v2], conversion };
      return { ...definition, spec };
    };

    it('a version may be added behind a webhook, and objects may not come to depend on it unseen', async () => {
      await startEnforcing('');
      await createDefinition(cluster(), widgets('cogs'));
      await createObjects(cluster(), widgets('cogs'), 3);
      const later = 'version v2 is made by a conversion webhook that comes with the upgrade';
      const depends = [
        withV2((v1, v2) => ([v1.storage, v2.storage] = [false, true])),
        withV2((v1) => (v1.served = false)),
      ];
      for (const definition of depends) {
        const answer = await replace(cluster(), definition, '?dryRun=All');
        expect(answer.code, answer.text).to.equal(403);
        expect(answer.body.message).to.include(later);
      }
      const added = await replace(
        cluster(),
        withV2(() => undefined),
      );
      expect(added.code, added.text).to.equal(200);
      expect(added.warnings.join()).to.include(later);
      const { code } = await cluster().request(
        'GET',
        '/apis/example.com/v1/namespaces/default/cogs/w0',
      );
      expect(code).to.equal(200);
    });

    it('what nobody finished in time is denied', async () => {
      await startEnforcing('budgets: { storedObjectsSeconds: 0.001 }\n');
      // No rule of the reference minds it, and no API server either.
      const reordered = changed((spec) => {
        spec.properties['added'] = { type: 'string', maxLength: 5 };
      });
      const answer = await replace(cluster(), reordered, '?dryRun=All');
      expect(answer.code, answer.text).to.equal(403);
      expect(answer.body.message).to.include('were not checked in time');
    });
  });

  describe('without the right to list', () => {
    before(() => start('blind'));
    after(() => gate.stop());

    it('says so once, and judges by the rules alone', async () => {
      const answer = await replace(cluster(), atLeast(2), '?dryRun=All');
      expect(answer.code).to.equal(403);
      expect(answer.text).not.to.include('would be refused');
      const said = answer.warnings.filter((each) => each.includes('not checked'));
      expect(said.join('\n')).to.match(/not checked: no right to list widgets\.example\.com$/);
      expect(said).to.have.length(1);
    });
  });
});
