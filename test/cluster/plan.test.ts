/** `olm-guard plan --kubeconfig`: names what is in the way on a real API server, and nothing once that is done. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { UpgradePlan } from '../../src/report/upgrade-plan/plan.js';
import { useCluster } from '../apiserver/mocha.js';
import { run } from '../cli/command.js';
import {
  bothVersions,
  createBeta,
  createObjects,
  onlyV1,
  storedVersions,
} from './migrated-widgets.js';
import { createAll, installOlm } from './olm-definitions.js';
import { definitions, type Definition } from './widgets.js';

const plural = 'gizmos';
const definition = `${plural}.example.com`;

describe('olm-guard plan', function () {
  this.timeout(300_000);
  const cluster = useCluster();
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-plan-'));
  after(() => rmSync(folder, { recursive: true }));

  before(async () => {
    writeCatalog(join(folder, 'catalog'));
    await installOlm(cluster());
    await createBeta(cluster(), plural, () => createObjects(cluster(), plural, 3));
    await createAll(cluster(), installed());
  });

  async function plan(): Promise<UpgradePlan & { code: number | null; told: string }> {
    const { code, stdout, stderr } = await run([
      ...['plan', '--package', plural, '--kubeconfig', cluster().kubeconfigPath],
      ...['--catalog', `community=${join(folder, 'catalog')}`, '-o', 'json'],
    ]);
    expect(stdout, stderr).not.to.equal('');
    const told = JSON.parse(stdout) as UpgradePlan;
    return { ...told, code, told: stdout };
  }

  it('names the groups, the version that leaves and the InstallPlan in their order, and nothing first once that is done', async () => {
    const before = await plan();
    expect(before.code).to.equal(1);
    const at = (text: RegExp): number =>
      before.actions.findIndex(({ sentence }) => text.test(sentence));
    const order = [
      at(/^OperatorGroup team\/one: /),
      at(/^OperatorGroup team\/two: /),
      at(/^migrate gizmos\.example\.com out of v1beta1/),
      at(/^approve InstallPlan install-abc with gizmos\.v2\.0\.0$/),
    ];
    expect(order, before.told).to.deep.equal([...order].sort((one, other) => one - other));
    expect(order, before.told).not.to.include(-1);
    // That nothing is resolved meanwhile follows from the groups.
    expect(at(/^Subscription team/), before.told).to.equal(-1);
    expect(before.actions[order[3] ?? 0]?.isNeeded).to.equal(false);
    expect(before.unchecked, before.told).to.deep.equal([]);

    // The editor prints what it is given, and changes nothing.
    process.env['KUBE_EDITOR'] = 'cat';
    try {
      for (const index of order.slice(0, 2)) {
        const { command = '', sentence = '' } = before.actions[index ?? 0] ?? {};
        const [, words = ''] = /^kubectl (.*)$/.exec(command) ?? [];
        const { code, stdout, stderr } = await cluster().kubectl(words.split(' '));
        expect(code, `${command}: ${stderr}`).to.equal(0);
        const name = /^OperatorGroup team\/(\w+): /.exec(sentence)?.[1];
        expect(stdout)
          .to.match(/^kind: OperatorGroup$/m)
          .and.match(new RegExp(`^  name: ${name}$`, 'm'));
      }
    } finally {
      delete process.env['KUBE_EDITOR'];
    }

    const groups = '/apis/operators.coreos.com/v1/namespaces/team/operatorgroups';
    expect((await cluster().request('DELETE', `${groups}/two`)).code).to.equal(200);
    const { command = '' } = before.actions[order[2] ?? 0] ?? {};
    const [program, ...args] = command.split(' ');
    expect(program).to.equal('olm-guard');
    const migrated = await run(args);
    expect(migrated.code, migrated.stderr + migrated.stdout).to.equal(0);
    expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1']);

    const after = await plan();
    expect(
      after.actions.filter(({ isNeeded }) => isNeeded),
      after.told,
    ).to.deep.equal([]);
    expect(after.isClear, after.told).to.equal(true);
    expect(after.code).to.equal(0);
    expect(after.actions.map(({ kind }) => kind)).to.include('approve');
  });

  describe('of two bundles', () => {
    const sprockets = 'sprockets.example.com';
    const [old, next] = [join(folder, 'sprockets.v1.0.0'), join(folder, 'sprockets.v1.1.0')];
    const planBundles = async (to = next): Promise<UpgradePlan & { told: string }> => {
      const { stdout, stderr } = await run([
        ...['plan', old, to, '--kubeconfig', cluster().kubeconfigPath, '-o', 'json'],
      ]);
      expect(stdout, stderr).not.to.equal('');
      const told = JSON.parse(stdout) as UpgradePlan;
      return { ...told, told: stdout };
    };
    before(async () => {
      const definition = onlyV1('sprockets');
      const { code, text } = await cluster().request('POST', definitions, definition);
      expect(code, text).to.equal(201);
      writeBundle(old, '1.0.0', definition);
      const names = { ...definition.spec.names, shortNames: ['spr'] };
      writeBundle(next, '1.1.0', { ...definition, spec: { ...definition.spec, names } });
    });

    it('prints commands that each do what its sentence says', async () => {
      const { actions, told } = await planBundles();
      const commands = actions.flatMap(({ command }) => command ?? []);
      expect(
        actions.map(({ kind }) => kind),
        told,
      ).to.deep.equal(['apply', 'roll-out', 'roll-out']);
      for (const command of commands) {
        const words = /^kubectl (.*)$/.exec(command)?.[1]?.split(' ') ?? [];
        const { code, stderr } = await cluster().kubectl(words);
        expect(code, `${command}: ${stderr}`).to.equal(0);
      }
      const { text } = await cluster().request('GET', `${definitions}/${sprockets}`);
      expect(text).to.include('"spr"');
    });

    it('asks what check bundle asks, and takes no step past a refusal', async () => {
      const wrong = join(folder, 'sprockets.v1.2.0');
      writeBundle(wrong, '1.2.0', onlyV1('sprockets'), {
        replaces: 'sprockets.v0.9.0',
        version: 'none',
      });
      const { code, stdout } = await run([
        'check',
        'bundle',
        wrong,
        '--against',
        old,
        '-o',
        'json',
      ]);
      expect(code, stdout).to.equal(1);
      const { actions, headline, told } = await planBundles(wrong);
      expect(headline).to.match(/1 step, 1 blocked, 1 obstacle/);
      expect(
        actions.map(({ kind }) => kind),
        told,
      ).to.deep.equal(['clear']);
      const again = (actions[0]?.command ?? '').split(' ').slice(1);
      expect((await run(again)).code).to.equal(1);
    });
  });
});

/** A registry+v1 bundle that owns one definition. */
function writeBundle(path: string, version: string, crd: Definition, spec: object = {}): void {
  const name = `sprockets.v${version}`;
  const { group, names } = crd.spec as unknown as { group: string; names: { kind: string } };
  const owned = [{ name: `sprockets.${group}`, version: 'v1', kind: names.kind }];
  const csv = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name },
    spec: {
      version,
      displayName: 'Sprockets',
      installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map(
        (type) => ({ type, supported: true }),
      ),
      install: { strategy: 'deployment', spec: { deployments: [] } },
      customresourcedefinitions: { owned },
      ...spec,
    },
  };
  const annotations = {
    'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
    'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
    'operators.operatorframework.io.bundle.metadata.v1': 'metadata/',
    'operators.operatorframework.io.bundle.package.v1': 'sprockets',
    'operators.operatorframework.io.bundle.channels.v1': 'stable',
  };
  mkdirSync(join(path, 'manifests'), { recursive: true });
  mkdirSync(join(path, 'metadata'));
  writeFileSync(join(path, 'manifests', 'csv.yaml'), JSON.stringify(csv));
  writeFileSync(join(path, 'manifests', 'crd.yaml'), JSON.stringify(crd));
  writeFileSync(join(path, 'metadata', 'annotations.yaml'), JSON.stringify({ annotations }));
}

function writeCatalog(path: string): void {
  const bundle = (version: string, crd: object): object => ({
    ...{ schema: 'olm.bundle', package: plural, name: `${plural}.v${version}` },
    image: `registry.example.com/${plural}:${version}`,
    properties: [
      { type: 'olm.package', value: { packageName: plural, version } },
      {
        type: 'olm.bundle.object',
        value: { data: Buffer.from(JSON.stringify(crd)).toString('base64') },
      },
    ],
  });
  const objects = [
    { schema: 'olm.package', name: plural, defaultChannel: 'stable' },
    {
      ...{ schema: 'olm.channel', package: plural, name: 'stable' },
      entries: [
        { name: `${plural}.v1.0.0` },
        { name: `${plural}.v2.0.0`, replaces: `${plural}.v1.0.0` },
      ],
    },
    bundle('1.0.0', bothVersions(plural, 'v1')),
    bundle('2.0.0', onlyV1(plural)),
  ];
  mkdirSync(path);
  const text = objects.map((each) => JSON.stringify(each)).join('\n---\n');
  writeFileSync(join(path, 'catalog.yaml'), text);
}

/** One operator in a namespace with two OperatorGroups, whose next InstallPlan waits. */
function installed(): Parameters<typeof createAll>[1] {
  const meta = (name: string): { name: string; namespace: string } => ({ name, namespace: 'team' });
  const olm = 'operators.coreos.com/v1alpha1';
  const image = `registry.example.com/community`;
  return [
    ...['one', 'two'].map((name) => ({
      ...{ apiVersion: 'operators.coreos.com/v1', kind: 'OperatorGroup', metadata: meta(name) },
      ...{ spec: { targetNamespaces: ['team'] }, status: { namespaces: ['team'] } },
    })),
    {
      ...{ apiVersion: olm, kind: 'CatalogSource' },
      ...{ metadata: { name: 'community', namespace: 'olm' }, spec: { sourceType: 'grpc', image } },
      status: { connectionState: { lastObservedState: 'READY' } },
    },
    {
      ...{ apiVersion: olm, kind: 'ClusterServiceVersion' },
      metadata: {
        ...meta(`${plural}.v1.0.0`),
        annotations: {
          'olm.operatorGroup': 'one',
          'olm.operatorNamespace': 'team',
          'olm.targetNamespaces': 'team',
        },
      },
      spec: {
        version: '1.0.0',
        installModes: [{ type: 'OwnNamespace', supported: true }],
        install: { strategy: 'deployment', spec: { deployments: [] } },
        customresourcedefinitions: {
          owned: [{ name: definition, version: 'v1', kind: 'Gizmo' }],
        },
      },
      status: { phase: 'Succeeded', reason: 'InstallSucceeded' },
    },
    {
      ...{ apiVersion: olm, kind: 'Subscription', metadata: meta(plural) },
      spec: {
        ...{ name: plural, channel: 'stable', source: 'community', sourceNamespace: 'olm' },
        installPlanApproval: 'Manual',
      },
      status: { installedCSV: `${plural}.v1.0.0`, currentCSV: `${plural}.v2.0.0` },
    },
    {
      ...{ apiVersion: olm, kind: 'InstallPlan', metadata: meta('install-abc') },
      spec: {
        ...{ approval: 'Manual', approved: false },
        clusterServiceVersionNames: [`${plural}.v2.0.0`],
      },
      status: { phase: 'RequiresApproval', plan: [] },
    },
  ];
}
