/** The commands that denials print, run as they stand, under the policy of each shipped overlay. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { ensurePrograms } from '../apiserver/binaries.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import {
  create,
  kubeconfigOf,
  kubectl,
  pointWebhooksAt,
  replace,
  root,
  serviceAccount,
} from './installed-gate.js';
import {
  createAll,
  createNamespace,
  installOlm,
  pathOf,
  withApiVersion,
} from './olm-definitions.js';
import { definitionPath, specOf, widgets, type Definition } from './widgets.js';

const policies: Readonly<Record<string, string>> = {
  default: 'manifests/base/policy.yaml',
  documented: 'manifests/overlays/documented/policy.yaml',
  enforcing: 'manifests/components/enforcing/policy.yaml',
};

for (const [overlay, policy] of Object.entries(policies)) {
  describe(`what denials of the overlay ${overlay} say to do`, function () {
    this.timeout(240_000);
    const cluster = useCluster({ users: [{ name: serviceAccount }] });
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-commands-'));
    after(() => rmSync(folder, { recursive: true }));
    let gate: TestGate;
    let path: string;

    before(async () => {
      const program = (await ensurePrograms(['kubectl'])).get('kubectl') ?? '';
      const programs = join(folder, 'programs');
      mkdirSync(programs);
      const main = join(root, 'dist', 'main.js');
      const command = `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`;
      writeFileSync(join(programs, 'olm-guard'), command, { mode: 0o755 });
      path = [programs, dirname(program), process.env['PATH']].join(delimiter);
      await installOlm(cluster());
      await kubectl(cluster(), 'apply', '-k', 'manifests/base');
      const reader = {
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
        metadata: { name: 'reader' },
        rules: [{ apiGroups: ['example.com'], resources: ['*'], verbs: ['get', 'list'] }],
      };
      await createAll(cluster(), [reader]);
      const to = ['--clusterrole=reader', `--user=${serviceAccount}`];
      await kubectl(cluster(), 'create', 'clusterrolebinding', 'reader', ...to);
      // By default nothing about a Subscription is denied.
      const file = join(folder, 'policy.yaml');
      const text = readFileSync(join(root, policy), 'utf8');
      const strict = 'modes:\n  DuplicateSubscription: deny';
      writeFileSync(file, text.replace(/^modes:(?: \{\})?$/m, strict));
      gate = await startGate(cluster().folder, [
        `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
        `--policy=${file}`,
      ]);
      await pointWebhooksAt(cluster(), gate);
    });
    after(() => gate.stop());

    /** Runs a line as somebody pastes it. */
    function paste(line: string): { code: number | null; text: string } {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: path, HOME: folder, KUBECONFIG: cluster().kubeconfigPath },
      });
      return { code: status, text: `${stdout}${stderr}` };
    }

    const linesOf = (answer: Answer): string[] => (answer.body.message ?? '').split('\n');
    function commandIn(answer: Answer, line: RegExp): string {
      const found = linesOf(answer).find((each) => line.test(each));
      if (found === undefined) throw new Error(`no line is ${line.source}: ${answer.text}`);
      return found.replace(/^.*?: (?=olm-guard |kubectl |printf )/, '');
    }

    async function stored(plural: string): Promise<void> {
      const { code, text } = await create(cluster(), widgets(plural));
      expect(code, text).to.equal(201);
      await kubectl(cluster(), 'wait', '--for=condition=Established', `crd/${plural}.example.com`);
    }

    const changes: [name: string, change: (next: Definition) => void][] = [
      ['a removed field', (next) => delete specOf(next).properties['pollInterval']],
      ['a narrower bound', (next) => ((specOf(next).properties['replicas'] ??= {}).maximum = 3)],
    ];

    for (const [index, [name, change]] of changes.entries()) {
      it(`to fix, to see again and to go on after ${name}`, async () => {
        const plural = `gadgets${'abc'[index] ?? ''}s`;
        await stored(plural);
        const next = widgets(plural);
        change(next);
        const denied = await until('the gate to deny', async () => {
          const answer = await replace(cluster(), next, { query: '?dryRun=All' });
          return answer.code === 403 ? answer : undefined;
        });
        writeFileSync(join(folder, 'NEW'), JSON.stringify(next, null, 2));
        rmSync(join(folder, 'FILE'), { force: true });

        const fix = commandIn(denied, /^To fix: /);
        const fixed = paste(fix);
        expect(fixed.text, fix).to.not.include('nothing to change');
        const again = paste(fix.replace(/ --fix FILE$/, ''));
        expect(again.code, again.text).to.equal(1);
        const mended = paste('kubectl replace --dry-run=server -f FILE');
        expect(mended.code, `${fixed.text}\n${mended.text}`).to.equal(0);

        const anyway = commandIn(denied, /^To go on anyway, if you may update it: /);
        const annotated = paste(anyway);
        expect(annotated.code, annotated.text).to.equal(0);
        const { code, text } = await replace(cluster(), next);
        expect(code, text).to.equal(200);
      });
    }

    it('to keep a description, where only OLM’s own rules are against its change', async () => {
      await stored('notes');
      const next = widgets('notes');
      const { openAPIV3Schema } = next.spec.versions[0]?.schema ?? { openAPIV3Schema: {} };
      openAPIV3Schema.description = 'other';
      const answer = await replace(cluster(), next);
      expect(answer.code, answer.text).to.equal(overlay === 'documented' ? 403 : 200);
      if (overlay !== 'documented') return;
      const [, fix = ''] = linesOf(answer);
      expect(fix).to.match(/^To fix: (?!olm-guard )/);
      writeFileSync(join(folder, 'NEW'), JSON.stringify(next));
      const again = paste(commandIn(answer, /^To see it again: /));
      expect(again.code, again.text).to.equal(1);
      expect(paste(commandIn(answer, /^To go on anyway, if you may update it: /)).code).to.equal(0);
      const passed = await replace(cluster(), next);
      expect(passed.code, passed.text).to.equal(200);
    });

    const seenByGate: [rule: string, change: (next: Definition) => void][] = [
      [
        'StoredObjectsUnreachable',
        (next) => next.spec.versions.forEach((version) => (version.served = false)),
      ],
      [
        'OwnerReferenceCollects',
        ({ metadata }) => {
          const owner = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
          metadata.ownerReferences = [{ ...owner, name: 'nobody', uid: 'gone' }];
        },
      ],
    ];
    for (const [index, [rule, change]] of seenByGate.entries()) {
      it(`to see ${rule} again`, async () => {
        const plural = `lost${'abc'[index] ?? ''}s`;
        await stored(plural);
        const next = widgets(plural);
        const { kind } = next.spec.names;
        const widget = { apiVersion: 'example.com/v1', kind, metadata: { name: 'one' } };
        const made = paste(`kubectl create -f - <<'END'\n${JSON.stringify(widget)}\nEND`);
        expect(made.code, made.text).to.equal(0);
        change(next);
        const denied = await until('the gate to deny', async () => {
          const answer = await replace(cluster(), next, { query: '?dryRun=All' });
          return answer.code === 403 ? answer : undefined;
        });
        writeFileSync(join(folder, 'NEW'), JSON.stringify(next));
        const again = paste(commandIn(denied, /^To see it again: /));
        expect(again.code, again.text).to.equal(1);
        const [headline = ''] = linesOf(denied);
        expect(again.text).to.include(headline);
      });
    }

    it('to see the denial of a deletion again', async () => {
      await stored('kepts');
      const { kind } = widgets('kepts').spec.names;
      const kept = { apiVersion: 'example.com/v1', kind, metadata: { name: 'one' } };
      const made = paste(`kubectl create -f - <<'END'\n${JSON.stringify(kept)}\nEND`);
      expect(made.code, made.text).to.equal(0);
      const denied = await cluster().request('DELETE', `${definitionPath('kepts')}?dryRun=All`);
      const text = readFileSync(join(root, policy), 'utf8');
      const isDenied = text.includes('StoredObjectsDeleted: deny');
      expect(denied.code, denied.text).to.equal(isDenied ? 403 : 200);
      if (!isDenied) return;
      const again = paste(commandIn(denied, /^To see it again: /));
      expect(again.code, again.text).to.equal(1);
      expect(again.text).to.include(linesOf(denied)[0] ?? '');
    });

    it('to see the denial of an InstallPlan’s approval again', async () => {
      const namespace = 'of-plans';
      await createNamespace(cluster(), namespace);
      const group = withApiVersion({
        ...{ kind: 'OperatorGroup', metadata: { name: 'group', namespace } },
        spec: { targetNamespaces: [namespace] },
      });
      const csv = { kind: 'ClusterServiceVersion', metadata: { name: 'cats.v1' } };
      const installModes = [{ type: 'AllNamespaces', supported: true }];
      const manifest = JSON.stringify({ ...csv, spec: { installModes } });
      const resource = { kind: csv.kind, name: csv.metadata.name, manifest };
      const plan = withApiVersion({
        ...{ kind: 'InstallPlan', metadata: { name: 'install-1', namespace } },
        spec: { approval: 'Manual', approved: false, clusterServiceVersionNames: ['cats.v1'] },
        status: { plan: [{ status: 'Unknown', resource }] },
      });
      await createAll(cluster(), [{ ...group, status: { namespaces: [namespace] } }, plan]);
      const denied = await until('the gate to deny', async () => {
        const contentType = 'application/merge-patch+json';
        const path = `${pathOf(plan)}?dryRun=All`;
        const body = { spec: { approved: true } };
        const answer = await cluster().request('PATCH', path, body, { contentType });
        return answer.code === 403 ? answer : undefined;
      });
      const again = paste(commandIn(denied, /^To see it again: /));
      expect(again.code, again.text).to.equal(1);
      expect(again.text).to.include(linesOf(denied)[0] ?? '');
    });

    it('to go on where Argo CD has brought a switch-off that does not count', async () => {
      await stored('boxes');
      const next = { ...widgets('boxes') };
      next.metadata.annotations = { 'olm-guard.io/disable': 'crd-upgrade-safety' };
      const apply = (definition: Definition) =>
        cluster().kubectl(
          [
            ...['apply', '--server-side', '--force-conflicts'],
            ...['--field-manager=argocd-controller', '-f', '-'],
          ],
          { stdin: JSON.stringify(definition) },
        );
      expect((await apply(next)).code).to.equal(0);
      // A client-side apply owns what it leaves, so that a field that goes is removed.
      const breaking = structuredClone(next);
      delete specOf(breaking).properties['pollInterval'];
      const denied = await replace(cluster(), breaking);
      expect(denied.code, denied.text).to.equal(403);
      const anyway = commandIn(denied, /^To go on anyway, if you may update it: /);
      const annotated = paste(anyway);
      expect(annotated.code, annotated.text).to.equal(0);
      const { body } = await cluster().request('GET', definitionPath('boxes'));
      expect(body.metadata?.annotations).to.include(next.metadata.annotations);
      const passed = await replace(cluster(), breaking);
      expect(passed.code, passed.text).to.equal(200);
    });

    it('to see the others, and to see an OperatorGroup’s denial again', async () => {
      const group = (namespace: string) =>
        withApiVersion({
          kind: 'OperatorGroup',
          metadata: {
            name: 'group',
            namespace,
            annotations: { 'olm.providedAPIs': 'Cat.v1.pets' },
          },
          spec: { targetNamespaces: ['shared'], staticProvidedAPIs: true },
        });
      await createNamespace(cluster(), 'shared');
      await createNamespace(cluster(), 'ours');
      await createAll(cluster(), [{ ...group('theirs'), status: { namespaces: ['shared'] } }]);
      const mine = group('ours');
      const denied = await until('the gate to know the other', async () => {
        const collection = `${pathOf(mine, 'collection')}?dryRun=All`;
        const answer = await cluster().request('POST', collection, mine);
        return answer.code === 403 ? answer : undefined;
      });
      expect(denied.text).to.not.include('theirs');
      const [headline = ''] = linesOf(denied);
      expect(headline).to.match(
        /: OperatorGroup ours\/group.*: an OperatorGroup that shares .* API/,
      );
      const others = paste(
        commandIn(denied, /^To fix: .*; see the others, if you may list them: /),
      );
      expect(others.code, others.text).to.equal(0);
      expect(others.text).to.match(/theirs +group +\[shared\] +Cat\.v1\.pets/);
      const again = paste(commandIn(denied, /^To see it again: /));
      expect(again.text).to.include('theirs');
      expect(again.code, again.text).to.equal(1);
    });

    const ofOlm: [kind: string, stored: (name: string) => object, rule: string][] = [
      [
        'ClusterServiceVersion',
        (name) => ({
          spec: {
            ...{ displayName: name, version: '1.0.0' },
            install: { strategy: 'deployment', spec: { deployments: [] } },
            installModes: [
              'OwnNamespace',
              'SingleNamespace',
              'MultiNamespace',
              'AllNamespaces',
            ].map((type) => ({ type, supported: true })),
            customresourcedefinitions: {
              owned: [{ name: 'cats.example.com', kind: 'Cat', version: 'v1' }],
            },
          },
        }),
        'OwnerConflict',
      ],
      [
        'Subscription',
        () => ({ spec: { name: 'cats', source: 'cats', sourceNamespace: 'olm' } }),
        'DuplicateSubscription',
      ],
    ];
    for (const [kind, rest, rule] of ofOlm) {
      it(`to see the others, and to see a ${kind}’s denial again`, async () => {
        const namespace = `of-${kind.toLowerCase()}`;
        const made = (name: string) =>
          withApiVersion({ kind, metadata: { name, namespace }, ...rest(name) });
        await createNamespace(cluster(), namespace);
        const group = withApiVersion({
          ...{ kind: 'OperatorGroup', metadata: { name: 'group', namespace } },
          spec: { targetNamespaces: [namespace] },
        });
        await createAll(cluster(), [{ ...group, status: { namespaces: [namespace] } }]);
        await createAll(cluster(), [made('theirs')]);
        const mine = made('ours');
        const denied = await until('the gate to know the other', async () => {
          const answer = await cluster().request(
            'POST',
            `${pathOf(mine, 'collection')}?dryRun=All`,
            mine,
          );
          return answer.code === 403 ? answer : undefined;
        });
        const [headline = ''] = linesOf(denied);
        expect(headline).to.include(`${kind} ${namespace}/ours`);
        expect(denied.text).to.not.include('theirs');
        expect(denied.text).to.include(rule);
        const others = paste(
          commandIn(denied, /^To fix: .*; see the others, if you may list them: /),
        );
        expect(others.code, others.text).to.equal(0);
        expect(others.text).to.include('theirs');
        writeFileSync(join(folder, 'FILE'), JSON.stringify(mine));
        const again = paste(commandIn(denied, /^To see it again: /));
        expect(again.code, again.text).to.equal(1);
        expect(again.text).to.include(headline.replace(/^.*denied the request: /, ''));
      });
    }
  });
}
