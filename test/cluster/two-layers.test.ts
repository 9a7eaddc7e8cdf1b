/** The gate and policies on one API server: neither allows what the other denies, and both let go what they name. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { run } from '../cli/command.js';
import { create, kubectl, pointWebhooksAt, replace, untilAnswered } from './installed-gate.js';
import { changed, definitionPath, type Definition, widgets } from './widgets.js';

/** All of them harm an object that uses every field. */
const harmful: Readonly<Record<string, Definition>> = {
  'a field that goes': changed((spec) => delete spec.properties['pollInterval']),
  'another type': changed((spec) => (spec.properties['pollInterval'] = { type: 'integer' })),
  'a lower maximum': changed((spec) => {
    spec.properties['replicas'] = { type: 'integer', minimum: 1, maximum: 2 };
  }),
  'a value that leaves its enum': changed((spec) => {
    spec.properties['mode'] = { type: 'string', enum: ['Slow'] };
  }),
  'a field that becomes required': changed((spec) => {
    spec.properties['name'] = { type: 'string' };
    spec.required.push('name');
  }),
  'a shorter text': changed((spec) => {
    spec.properties['pollInterval'] = { type: 'string', maxLength: 1 };
  }),
};

/** Safe, but a policy cannot know: only the old values of the enum are allowed, which are within the bounds. */
const levels = (most?: number): Definition =>
  changed((spec) => {
    const level = { type: 'integer', enum: [1, 2] as never };
    spec.properties['level'] = most === undefined ? level : { ...level, maximum: most };
  }, 'levels');

describe('the gate and policies together', function () {
  this.timeout(300_000);
  const cluster = useCluster();
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-layers-'));
  let gate: TestGate;

  const trial = (next: Definition): Promise<Answer> =>
    replace(cluster(), next, { query: '?dryRun=All' });
  const start = async (): Promise<void> => {
    gate = await startGate(cluster().folder, [`--kubeconfig=${cluster().kubeconfigPath}`]);
    await pointWebhooksAt(cluster(), gate);
    await untilAnswered(cluster(), 403);
  };
  const sync = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await run([
      ...['vap', 'sync', 'widgets.example.com', 'levels.example.com', ...args],
      ...['--kubeconfig', cluster().kubeconfigPath],
    ]);
    expect(code, stderr).to.equal(0);
  };

  before(async () => {
    for (const definition of [widgets(), levels()]) await create(cluster(), definition);
    await until('the kinds to be served', async () => {
      const spec = { mode: 'Fast', replicas: 5, pollInterval: '10m', level: 2 };
      const codes: number[] = [];
      for (const [kind, plural] of [
        ['Widget', 'widgets'],
        ['Level', 'levels'],
      ]) {
        const path = `/apis/example.com/v1/namespaces/default/${plural}`;
        const object = { apiVersion: 'example.com/v1', kind, metadata: { name: 'one' }, spec };
        codes.push((await cluster().request('POST', path, object)).code);
      }
      return codes.every((code) => code === 201 || code === 409) ? true : undefined;
    });
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    await start();
  });
  after(async () => {
    await gate?.stop();
    rmSync(folder, { recursive: true });
  });

  it('the gate alone denies what policies deny', async () => {
    for (const [what, next] of Object.entries(harmful)) {
      expect((await trial(next)).code, what).to.equal(403);
    }
  });

  it('policies deny it while the gate is away, and let pass what is safe', async () => {
    await sync();
    await gate.stop();
    const [first] = Object.values(harmful) as [Definition];
    await until('the policies to count', async () =>
      (await trial(first)).code === 422 ? true : undefined,
    );
    for (const [what, next] of Object.entries(harmful)) {
      const { code, text } = await trial(next);
      expect(code, what).to.equal(422);
      expect(text).to.include('validation failed');
    }
    const wider = changed((spec) => (spec.properties['note'] = { type: 'string' }));
    expect((await trial(wider)).code).to.equal(200);
  });

  it('a field that comes and that no object uses may go again, as soon as policies are written anew', async () => {
    const wider = changed((spec) => (spec.properties['note'] = { type: 'string' }));
    expect((await replace(cluster(), wider)).code).to.equal(200);
    await sync();
    expect((await trial(widgets())).code).to.equal(200);
    expect((await replace(cluster(), widgets())).code).to.equal(200);
  });

  it('a denial names the ways in which a change passes, and each lets it pass', async () => {
    const next = levels(5);
    const { code, text } = await trial(next);
    expect(code, text).to.equal(422);
    const annotation = 'olm-guard.io/disable=crd-upgrade-safety';
    expect(text).to.include(`kubectl annotate crd levels.example.com ${annotation}`);
    expect(text).to.include('olm-guard:break-glass').and.to.include('olm-guard vap sync');
    const file = join(folder, 'levels.json');
    writeFileSync(file, JSON.stringify(next));
    const asBreaker = [
      '--as=admin',
      '--as-group=system:masters',
      '--as-group=olm-guard:break-glass',
    ];
    const replacing = ['replace', '--dry-run=server', '-f', file];
    expect((await cluster().kubectl(replacing)).code).to.equal(1);
    expect((await cluster().kubectl([...replacing, ...asBreaker])).code).to.equal(0);
    await kubectl(cluster(), 'annotate', 'crd', 'levels.example.com', annotation);
    expect(
      (
        await cluster().kubectl([
          'apply',
          '--server-side',
          '--force-conflicts',
          '--dry-run=server',
          '-f',
          file,
        ])
      ).code,
    ).to.equal(0);
    await kubectl(cluster(), 'annotate', 'crd', 'levels.example.com', 'olm-guard.io/disable-');
  });

  it('both warn of a deletion by default', async () => {
    const path = definitionPath('widgets');
    const remove = ['delete', 'crd', 'widgets.example.com', '--dry-run=server'];
    const byPolicies = await cluster().kubectl(remove);
    expect(byPolicies.code, byPolicies.stderr).to.equal(0);
    expect(byPolicies.stderr).to.include('StoredObjectsDeleted');
    await start();
    const byBoth = await cluster().kubectl(remove);
    expect(byBoth.code, byBoth.stderr).to.equal(0);
    expect(byBoth.stderr).to.include('deletes 1 stored Widget').and.to.include('Validation failed');
    expect((await cluster().request('GET', path)).code).to.equal(200);
  });

  it('are taken by an API server in their static form, too', async () => {
    const [definition, webhooks, to] = ['crd.json', 'webhooks.yaml', 'admission'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    writeFileSync(definition, JSON.stringify(widgets()));
    writeFileSync(webhooks, readFileSync('manifests/base/validatingwebhookconfiguration.yaml'));
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, gate.ca);
    const made = await run([
      ...['export', 'static', definition, '--to', to, '--webhooks', webhooks],
      ...['--url', gate.url, '--ca', ca],
    ]);
    expect(made.code, made.stderr).to.equal(0);
    for (const file of ['policies/olm-guard.yaml', 'webhooks/olm-guard.yaml']) {
      const text = readFileSync(join(to, file), 'utf8');
      expect(
        text.match(/^ {2}name: .*$/gm)?.every((line) => /\.static\.k8s\.io$/.test(line)),
      ).to.equal(true);
      expect(text).not.to.match(/paramKind|paramRef|service:/);
      // Strictly decoded, with the defaults and the validation of the API.
      await kubectl(cluster(), 'create', '--validate=strict', '-f', join(to, file));
    }
    const stored = await kubectl(
      cluster(),
      ...['get', 'validatingwebhookconfiguration', 'olm-guard.static.k8s.io', '-o', 'json'],
    );
    expect(stored).to.include(`${gate.url}/validate`);
  });
});
