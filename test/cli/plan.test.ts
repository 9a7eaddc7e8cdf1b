/** `olm-guard plan`: what it says of upgrades by manifests, charts, OLM classic and OLM v1, and in which order. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { UpgradePlan } from '../../src/report/upgrade-plan/plan.js';
import { root, runHere } from './command.js';

interface Version {
  readonly name: string;
  readonly storage?: boolean;
  readonly spec?: object;
}

function definition(versions: readonly Version[], stored?: readonly string[]): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
      versions: versions.map(({ name, storage = false, spec = { size: { type: 'integer' } } }) => ({
        ...{ name, served: true, storage },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: spec } },
          },
        },
      })),
    },
    ...(stored && { status: { storedVersions: stored } }),
  };
}

const beta = { name: 'v1beta1' };
const v1 = { name: 'v1', storage: true };
/** Three releases: the second stores v1, the third has no v1beta1 any more. */
const releases: Readonly<Record<string, object>> = {
  '1.0.0': definition([{ ...beta, storage: true }, { name: 'v1' }]),
  '2.0.0': definition([beta, v1]),
  '3.0.0': definition([v1]),
};

const catalog = [
  { schema: 'olm.package', name: 'widgets', defaultChannel: 'stable' },
  {
    ...{ schema: 'olm.channel', package: 'widgets', name: 'stable' },
    entries: [
      { name: 'widgets.v1.0.0' },
      { name: 'widgets.v2.0.0', replaces: 'widgets.v1.0.0' },
      { name: 'widgets.v3.0.0', replaces: 'widgets.v2.0.0' },
    ],
  },
  {
    ...{ schema: 'olm.channel', package: 'widgets', name: 'fast' },
    entries: [
      { name: 'widgets.v1.0.0' },
      { name: 'widgets.v2.0.0', replaces: 'widgets.v1.0.0' },
      { name: 'widgets.v3.0.0', replaces: 'widgets.v2.0.0', skipRange: '>=1.0.0 <3.0.0' },
    ],
  },
  ...Object.entries(releases).map(([version, crd]) => ({
    ...{ schema: 'olm.bundle', name: `widgets.v${version}`, package: 'widgets' },
    image: `registry.example.com/widgets:${version}`,
    properties: [
      { type: 'olm.package', value: { packageName: 'widgets', version } },
      {
        type: 'olm.bundle.object',
        value: { data: Buffer.from(JSON.stringify(crd)).toString('base64') },
      },
    ],
  })),
];

describe('olm-guard plan', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-plan-'));
    const write = (path: string, ...objects: readonly object[]): void => {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(
        join(folder, path),
        objects.map((each) => JSON.stringify(each)).join('\n---\n'),
      );
    };
    write('catalog/catalog.yaml', ...catalog);
    for (const [version, crd] of Object.entries(releases)) {
      write(`${version}.yaml`, crd);
      write(`chart-${version}/Chart.yaml`, { apiVersion: 'v2', name: 'widgets', version });
      write(`chart-${version}/crds/widgets.yaml`, crd);
    }
    write('stored.yaml', definition([beta, v1], ['v1beta1', 'v1']));
    write('migrated.yaml', definition([beta, v1], ['v1']));
    write('tight.yaml', definition([beta, { ...v1, spec: { size: { type: 'string' } } }]));
    write("it's; reboot/new.yaml", definition([beta, v1]), definition([beta, v1]));
  });
  after(() => rmSync(folder, { recursive: true }));

  async function plan(...args: readonly string[]): Promise<UpgradePlan & { code: number | null }> {
    const { code, stdout, stderr } = await runHere(['plan', ...args, '-o', 'json'], {
      cwd: folder,
    });
    expect(stdout, stderr).not.to.equal('');
    const told = JSON.parse(stdout) as UpgradePlan;
    return { ...told, code };
  }
  const ofPackage = ['--package', 'widgets', '--catalog', 'community=catalog'];
  const kinds = ({ actions }: UpgradePlan): string[] => actions.map(({ kind }) => kind);

  const cases: [name: string, args: string[], code: number, states: string[], kinds: string[]][] = [
    [
      'manifests: a version leaves that may be stored',
      ['stored.yaml', '3.0.0.yaml'],
      1,
      ['migrate first'],
      ['migrate', 'apply', 'roll-out', 'roll-out'],
    ],
    [
      'manifests: the same once it is migrated',
      ['migrated.yaml', '3.0.0.yaml'],
      0,
      ['clear'],
      ['apply', 'roll-out', 'roll-out'],
    ],
    ['manifests: what no migration ends', ['2.0.0.yaml', 'tight.yaml'], 1, ['blocked'], ['mend']],
    [
      'manifests: the storage version itself leaves, which no migration can empty',
      ['1.0.0.yaml', '3.0.0.yaml'],
      1,
      ['blocked'],
      ['mend'],
    ],
    ['charts', ['chart-1.0.0', 'chart-2.0.0'], 0, ['clear'], ['apply', 'roll-out', 'roll-out']],
    [
      'OLM classic: between two steps what the first of them stores',
      [...ofPackage, '--from', '1.0.0'],
      1,
      ['clear', 'migrate first'],
      ['approve', 'approve', 'roll-out', 'migrate', 'approve', 'roll-out'],
    ],
    [
      'OLM classic: not to the end, where OLM would go on',
      [...ofPackage, '--from', '1.0.0', '--to', '2.0.0'],
      0,
      ['clear'],
      ['approve', 'approve', 'roll-out'],
    ],
    [
      'OLM classic: past a release that would have stored the other version',
      [...ofPackage, '--from', '1.0.0', '--channel', 'fast'],
      1,
      ['blocked'],
      ['mend'],
    ],
    [
      'OLM classic: to a release that is never installed',
      [...ofPackage, '--from', '1.0.0', '--channel', 'fast', '--to', '2.0.0'],
      1,
      [],
      ['clear'],
    ],
    [
      'OLM v1: by version range',
      [...ofPackage, '--from', '1.0.0', '--to', '3.0.0', '--channel', 'stable', '--v1'],
      1,
      ['clear', 'migrate first'],
      ['roll-out', 'roll-out', 'migrate', 'roll-out', 'roll-out'],
    ],
  ];
  for (const [name, args, code, states, actions] of cases) {
    it(name, async () => {
      const told = await plan(...args);
      expect(told.steps.map(({ state }) => state)).to.deep.equal(states);
      expect(kinds(told)).to.deep.equal(actions);
      expect(told.code).to.equal(code);
      expect(told.isClear).to.equal(code === 0);
      expect(told.unchecked.join()).to.include('no cluster is named');
    });
  }

  it('says who is hurt, with the request that shows it, and whether a rollback is possible', async () => {
    const { steps, headline } = await plan('stored.yaml', '3.0.0.yaml');
    expect(headline).to.match(/: 1 step, migrate 1 kind first, not everything was checked$/);
    const [widgets] = steps[0]?.definitions ?? [];
    expect(widgets?.migration?.versions).to.deep.equal(['v1beta1']);
    expect(widgets?.rollback?.message).to.equal('possible');
    const clients = widgets?.audiences.find(({ audience }) => audience === 'clients');
    expect(clients?.counts).to.deep.equal({ error: 0, warning: 1, info: 0 });
    expect(clients?.worst.request?.after.status).to.equal(404);
  });

  it('does not take the stored versions of a file for those of the cluster', async () => {
    const state = join(folder, 'state');
    mkdirSync(state);
    cpSync(join(folder, 'migrated.yaml'), join(state, 'definition.yaml'));
    const told = await plan('stored.yaml', '3.0.0.yaml', '--state', 'state');
    expect(told.steps[0]?.state).to.equal('clear');
    expect(told.code).to.equal(0);
  });

  it('names the stored objects that a release refuses', async () => {
    const state = join(folder, 'objects');
    mkdirSync(state);
    cpSync(join(folder, 'migrated.yaml'), join(state, 'definition.yaml'));
    const metadata = { name: 'w0', namespace: 'default' };
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec: { size: 3 } };
    writeFileSync(join(state, 'widget.yaml'), JSON.stringify(widget));
    const told = await plan('2.0.0.yaml', 'tight.yaml', '--state', 'objects');
    expect(JSON.stringify(told.steps)).to.match(/1 of 1 stored Widget.*default\/w0/);
  });

  it('judges them against every step, as they are now', async () => {
    const state = join(folder, 'later');
    mkdirSync(state);
    writeFileSync(
      join(state, 'definition.yaml'),
      JSON.stringify(definition([{ ...beta, storage: true }, { name: 'v1' }], ['v1beta1'])),
    );
    const metadata = { name: 'w0', namespace: 'default' };
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec: { size: 3 } };
    writeFileSync(join(state, 'widget.yaml'), JSON.stringify(widget));
    const tight = definition([{ ...v1, spec: { size: { type: 'integer', maximum: 2 } } }]);
    const changed = catalog.map((entry) =>
      'properties' in entry && entry.name === 'widgets.v3.0.0'
        ? {
            ...entry,
            properties: entry.properties.map((each) =>
              'data' in each.value
                ? {
                    ...each,
                    value: { data: Buffer.from(JSON.stringify(tight)).toString('base64') },
                  }
                : each,
            ),
          }
        : entry,
    );
    mkdirSync(join(folder, 'tight'));
    const text = changed.map((each) => JSON.stringify(each)).join('\n---\n');
    writeFileSync(join(folder, 'tight', 'catalog.yaml'), text);
    const told = await plan(
      ...['--package', 'widgets', '--catalog', 'community=tight'],
      ...['--from', '1.0.0', '--classic', '--state', 'later'],
    );
    expect(told.steps.map(({ state }) => state)).to.deep.equal(['clear', 'blocked']);
    expect(JSON.stringify(told.steps[0])).not.to.match(/1 of 1 stored/);
    expect(JSON.stringify(told.steps[1]?.definitions)).to.match(
      /1 of 1 stored Widget.*default\/w0/,
    );
    expect(told.steps[1]?.unchecked.join()).to.match(
      /^stored objects against widgets\.v3\.0\.0: judged as they are now; what widgets\.v2\.0\.0 makes of them/,
    );
  });

  it('shows what an exemption speaks for, with its reason, and counts it for nobody', async () => {
    const exemption = { names: ['widgets.example.com'], families: ['crd-upgrade-safety'] };
    const policy = {
      ...{ apiVersion: 'olm-guard.io/v1alpha1', kind: 'Policy' },
      exemptions: [{ ...exemption, reason: 'agreed with the shop' }],
    };
    writeFileSync(join(folder, 'policy.yaml'), JSON.stringify(policy));
    const args = ['2.0.0.yaml', 'tight.yaml'];
    const [before] = (await plan(...args)).steps[0]?.definitions ?? [];
    const exempt = await plan(...args, '--policy', 'policy.yaml');
    const [after] = exempt.steps[0]?.definitions ?? [];
    expect([before?.state, after?.state]).to.deep.equal(['blocked', 'clear']);
    expect(before?.exempted).to.deep.equal([]);
    expect(after?.exempted.length).to.be.above(0);
    for (const each of after?.exempted ?? []) {
      expect(each.exemption).to.equal('exemption "agreed with the shop" of the policy');
      for (const { worst } of after?.audiences ?? []) expect(worst.rule).not.to.equal(each.rule);
    }
    for (const format of ['text', 'markdown', 'html'] as const) {
      const told = await runHere(['plan', ...args, '--policy', 'policy.yaml', '-o', format], {
        cwd: folder,
      });
      expect(told.stdout, format).to.include('agreed with the shop');
    }
  });

  it('says of a definition that is gone what check crd says', async () => {
    const other = JSON.stringify(definition([v1])).replaceAll('idget', 'adget');
    for (const [name, all] of [
      ['whole-old', { a: JSON.stringify(definition([v1])), b: other }],
      ['whole-new', { a: JSON.stringify(definition([v1])) }],
    ] as const) {
      mkdirSync(join(folder, name));
      for (const [file, text] of Object.entries(all))
        writeFileSync(join(folder, name, `${file}.yaml`), text);
    }
    const args = ['whole-old', 'whole-new'];
    const planned = await plan(...args);
    const checked = await runHere(['check', 'crd', ...args], { cwd: folder });
    expect([planned.code, checked.code]).to.deep.equal([1, 1]);
    expect(checked.stdout).to.include('DefinitionRemoved');
    expect(planned.steps[0]?.definitions).to.have.length(1);
    const [told] = planned.steps[0]?.definitions ?? [];
    expect(told?.state).to.equal('blocked');
    expect(told?.audiences[0]?.worst.rule).to.equal('DefinitionRemoved');
  });

  it('tells every reason for which a definition is denied', async () => {
    const spec = (type: string): object =>
      Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { type }]));
    for (const type of ['integer', 'string']) {
      const crd = definition([{ ...v1, spec: spec(type) }]);
      writeFileSync(join(folder, `three-${type}.yaml`), JSON.stringify(crd));
    }
    const args = ['three-integer.yaml', 'three-string.yaml'];
    const [told] = (await plan(...args)).steps[0]?.definitions ?? [];
    for (const name of ['a', 'b', 'c']) {
      const reasons = told?.denied.filter((each) => each.includes(`spec.${name}`)) ?? [];
      expect(reasons, told?.denied.join('\n')).to.have.length(1);
    }
    for (const format of ['text', 'markdown', 'html']) {
      const { stdout } = await runHere(['plan', ...args, '-o', format], { cwd: folder });
      expect(stdout, 'no number of the list above').to.include('see step 1 of 1)');
      for (const name of ['a', 'b', 'c'])
        expect(stdout, format).to.match(new RegExp(`spec\\.${name}\\b`));
    }
  });

  it('has a command that says why a definition is denied, with the options of the plan', async () => {
    for (const version of ['2.0.0', '3.0.0']) {
      const bundle = join(folder, 'bundles', version);
      cpSync(
        join(folder, version === '2.0.0' ? '2.0.0.yaml' : 'tight.yaml'),
        join(bundle, 'manifests', 'widgets.crd.yaml'),
      );
      const csv = {
        ...{ apiVersion: 'operators.coreos.com/v1alpha1', kind: 'ClusterServiceVersion' },
        ...{ metadata: { name: `widgets.v${version}` }, spec: { version } },
      };
      writeFileSync(join(bundle, 'manifests', 'csv.yaml'), JSON.stringify(csv));
      mkdirSync(join(bundle, 'metadata'));
      const annotations = { 'operators.operatorframework.io.bundle.package.v1': 'widgets' };
      writeFileSync(join(bundle, 'metadata', 'annotations.yaml'), JSON.stringify({ annotations }));
    }
    const bare = catalog.map((entry) =>
      'properties' in entry ? { ...entry, properties: entry.properties.slice(0, 1) } : entry,
    );
    mkdirSync(join(folder, 'bare'));
    const text = bare.map((each) => JSON.stringify(each)).join('\n---\n');
    writeFileSync(join(folder, 'bare', 'catalog.yaml'), text);
    writeFileSync(
      join(folder, 'strict.yaml'),
      JSON.stringify({ apiVersion: 'olm-guard.io/v1alpha1', kind: 'Policy', enforce: 'all' }),
    );
    mkdirSync(join(folder, 'installed'));
    cpSync(join(folder, 'migrated.yaml'), join(folder, 'installed', 'definition.yaml'));
    const rows: [args: string[], command: string][] = [
      [
        ['2.0.0.yaml', 'tight.yaml', '--policy', 'strict.yaml', '--kubernetes', '1.35'],
        'olm-guard check crd 2.0.0.yaml tight.yaml --policy strict.yaml --kubernetes 1.35',
      ],
      [
        ['cluster:', 'tight.yaml', '--state', 'installed'],
        'olm-guard check crd cluster: tight.yaml --state installed --objects cluster',
      ],
      [
        [...ofPackage.slice(0, 2), '--catalog', 'bare', '--from', '2.0.0', '--bundles', 'bundles'],
        'olm-guard check crd bundles/2.0.0 bundles/3.0.0',
      ],
      [[...ofPackage, '--from', '1.0.0', '--channel', 'fast'], 'olm-guard explain StorageVersions'],
    ];
    for (const [args, command] of rows) {
      const { steps, actions } = await plan(...args);
      const [mend] = actions.filter(({ kind }) => kind === 'mend');
      expect(mend?.command, args.join(' ')).to.equal(command);
      const told = await runHere(command.split(' ').slice(1), { cwd: folder });
      if (command.includes(' explain ')) {
        expect(told.code, told.stderr).to.equal(0);
        continue;
      }
      expect(told.code, told.stderr).to.equal(1);
      const denied = steps.flatMap(({ definitions }) => definitions.flatMap((each) => each.denied));
      expect(denied).to.not.deep.equal([]);
      for (const reason of denied) expect(told.stdout).to.include(reason);
    }
    const { stdout } = await runHere(['plan', '2.0.0.yaml', 'tight.yaml'], { cwd: folder });
    expect(stdout).to.match(/ is denied .*\n +olm-guard check crd 2\.0\.0\.yaml tight\.yaml\n/);
  });

  it('offers no exemption from what Kubernetes refuses', async () => {
    const sentences = async (next: string): Promise<string> =>
      (await plan('1.0.0.yaml', next)).actions.map(({ sentence }) => sentence).join();
    expect(await sentences('3.0.0.yaml')).to.match(/Kubernetes refuses it too.*release in between/);
    expect(await sentences('tight.yaml')).to.include('or exempt it in the policy');
  });

  it('says what is switched off for the whole cluster', async () => {
    const state = join(folder, 'switched');
    mkdirSync(state);
    const crd = definition([{ ...beta, storage: true }, { name: 'v1' }], ['v1beta1']) as {
      metadata: object;
    };
    const annotations = { 'olm-guard.io/disable': 'all' };
    const switched = { ...crd, metadata: { ...crd.metadata, annotations } };
    writeFileSync(join(state, 'definition.yaml'), JSON.stringify(switched));
    for (const args of [
      [...ofPackage, '--from', '1.0.0', '--to', '2.0.0'],
      [...ofPackage, '--from', '1.0.0', '--to', '2.0.0', '--v1'],
      ['1.0.0.yaml', '2.0.0.yaml'],
    ]) {
      const { obstacles } = await plan(...args, '--state', 'switched');
      const [known] = obstacles.filter(({ rule }) => rule === 'BypassInForce');
      expect(known, args.join(' ')).to.deep.include({
        object: 'CustomResourceDefinition widgets.example.com',
        isInTheWay: false,
      });
      expect(known?.message).to.include('every check switched off by annotation');
    }
    const { stdout } = await runHere(['plan', '1.0.0.yaml', '2.0.0.yaml', '--state', 'switched'], {
      cwd: folder,
    });
    expect(stdout).to.match(/\nTo know\n {2}CustomResourceDefinition widgets\.example\.com: every/);
  });

  for (const [args, begins] of [
    [
      ['--from', '1.5.0'],
      /^1\.5\.0 of package widgets is not in the catalog; it has [^\n]*\n\nUpgrade of widgets from 1\.5\.0: 0 steps/,
    ],
    [
      ['--from', '1.5.0', '--v1'],
      /^1\.5\.0 of package widgets is not in the catalog; it has [^\n]*\n\nUpgrade of widgets from 1\.5\.0/,
    ],
    [
      ['--from', 'widgets.v1.0.1'],
      /^widgets\.v1\.0\.1 of package widgets is not in the catalog \(did you mean "widgets\.v1\.0\.0"\?\); it has /,
    ],
    [
      ['--from', '1.0.0', '--to', '9.9.9'],
      /^9\.9\.9 of package widgets is not in the catalog; it has [^\n]*\n\nUpgrade of widgets from 1\.0\.0 to 9\.9\.9: /,
    ],
    [['--from', '1.0.0'], /^Upgrade of widgets from 1\.0\.0 to /],
  ] as const) {
    it(`begins with what the catalog does not have: ${args.join(' ')}`, async () => {
      const asked = ['plan', ...ofPackage, ...args];
      expect((await runHere(asked, { cwd: folder })).stdout).to.match(begins);
      const isUnknown = begins.source.includes('not in the catalog');
      const { notInCatalog } = await plan(...ofPackage, ...args);
      expect(notInCatalog !== undefined).to.equal(isUnknown);
      for (const format of ['markdown', 'html']) {
        const { stdout } = await runHere([...asked, '-o', format], { cwd: folder });
        expect(stdout.includes('is not in the catalog')).to.equal(isUnknown);
      }
    });
  }

  for (const [when, args, sentence, command] of [
    [
      'the catalog does not know what is installed',
      ['--from', '9.9.9'],
      /9\.9\.9 of package widgets is not in the catalog.*Name what is installed by --from/,
      /^olm-guard catalog path widgets --catalog community=catalog /,
    ],
    [
      'the catalog does not know what is wanted',
      ['--from', '1.0.0', '--to', '9.9.9'],
      /no step leads to 9\.9\.9, which is not in the catalog;.*Choose a version on the way by --to/,
      /^olm-guard catalog path/,
    ],
    [
      'the catalog has two heads',
      ['--from', '1.0.0', '--catalog', 'community=torn'],
      /2 replacement chains were found.*Have the author of the catalog mend it/,
      /^olm-guard catalog validate torn$/,
    ],
  ] as const) {
    it(`advises where ${when}`, async () => {
      const torn = catalog.map((each) =>
        JSON.stringify(each).replace('"replaces":"widgets.v2.0.0"', '"replaces":"widgets.v0.1.0"'),
      );
      mkdirSync(join(folder, 'torn'), { recursive: true });
      writeFileSync(join(folder, 'torn', 'catalog.yaml'), torn.join('\n---\n'));
      const named = args.some((each) => each === '--catalog') ? [] : ofPackage.slice(2);
      const { actions } = await plan('--package', 'widgets', ...named, ...args);
      expect(actions[0]?.sentence).to.match(sentence).and.not.include('opm validate');
      expect(actions[0]?.command).to.match(command);
    });
  }

  it('says that nothing is to be done where the newest is installed', async () => {
    for (const format of ['text', 'markdown', 'html']) {
      const asked = ['plan', ...ofPackage, '--from', '3.0.0', '-o', format];
      const { stdout } = await runHere(asked, { cwd: folder });
      expect(stdout, format).to.include('Nothing is to be done').and.not.include('To do');
    }
  });

  it('writes Markdown that holds no markup of others', async () => {
    const { stdout, code } = await runHere(
      ['plan', ...ofPackage, '--from', '1.0.0', '-o', 'markdown'],
      { cwd: folder },
    );
    expect(code).to.equal(1);
    expect(stdout).to.match(
      /^### Upgrade of widgets from 1\.0\.0 to 3\.0\.0: 2 steps, migrate 1 kind first/,
    );
    expect(stdout).to.match(/\d\. \*\*first:\*\* migrate widgets\.example\.com out of v1beta1/);
    expect(stdout).to.include(
      '   ```sh\n   olm-guard migrate run widgets.example.com --leaving v1beta1\n',
    );
    expect(stdout.match(/<details>/g)).to.have.length(2);
    const hostile = await runHere(['plan', '1.0.0.yaml', "it's; reboot", '-o', 'markdown'], {
      cwd: folder,
    });
    expect(hostile.stdout).to.include("kubectl apply --server-side -R -f 'it'\\''s; reboot'");
  });

  it('finds what is installed on the cluster, and what waits there', async () => {
    const state = join(folder, 'olm');
    mkdirSync(state);
    const meta = (name: string): object => ({ name, namespace: 'team' });
    const olm = 'operators.coreos.com/v1alpha1';
    const objects = [
      definition([{ ...beta, storage: true }, { name: 'v1' }], ['v1beta1']),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
      ...['one', 'two'].map((name) => ({
        ...{ apiVersion: 'operators.coreos.com/v1', kind: 'OperatorGroup', metadata: meta(name) },
        ...{ spec: { targetNamespaces: ['team'] }, status: { namespaces: ['team'] } },
      })),
      {
        ...{ apiVersion: olm, kind: 'CatalogSource' },
        ...{
          metadata: { name: 'community', namespace: 'olm' },
          spec: { sourceType: 'grpc', image: 'registry.example.com/community' },
        },
        status: { connectionState: { lastObservedState: 'READY' } },
      },
      {
        ...{ apiVersion: olm, kind: 'Subscription', metadata: meta('widgets') },
        spec: {
          ...{ name: 'widgets', channel: 'stable', source: 'community', sourceNamespace: 'olm' },
          installPlanApproval: 'Manual',
        },
        status: { installedCSV: 'widgets.v1.0.0', currentCSV: 'widgets.v2.0.0' },
      },
      {
        ...{ apiVersion: olm, kind: 'InstallPlan', metadata: meta('install-x') },
        spec: {
          approved: false,
          approval: 'Manual',
          clusterServiceVersionNames: ['widgets.v2.0.0'],
        },
        status: { phase: 'RequiresApproval' },
      },
    ];
    writeFileSync(
      join(state, 'all.yaml'),
      objects.map((each) => JSON.stringify(each)).join('\n---\n'),
    );
    const told = await plan(...ofPackage, '--state', 'olm');
    expect(told.from).to.equal('widgets.v1.0.0');
    const commands = told.actions.map(({ command }) => command ?? '');
    const first = told.actions.filter(({ isNeeded }) => isNeeded).map(({ sentence }) => sentence);
    expect(first[0]).to.match(/^OperatorGroup team\/(one|two): /);
    expect(first.at(-1)).to.match(/^migrate widgets\.example\.com out of v1beta1/);
    const approved = commands.findIndex((each) =>
      each.includes('patch installplan install-x -n team'),
    );
    const migrated = commands.findIndex((each) => each.startsWith('olm-guard migrate run'));
    expect(approved).to.be.above(0);
    expect(migrated).to.be.above(approved);
  });

  it('asks what check bundle asks, of bundles in a folder, of a package and of a commit', async () => {
    const examples = join(root, 'examples');
    const repository = join(folder, 'bundles');
    cpSync(join(examples, 'bundles'), repository, { recursive: true });
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: repository });
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'a');
    const [old, next] = ['reports.v1.0.0', 'reports.v1.1.0'];
    const catalog = `community=${join(examples, 'catalogs', 'before')}`;
    const ofReports = ['--package', 'reports', '--from', '1.0.0', '--to', '1.1.0'];
    const asked = [
      [old, next],
      [`git:HEAD:${old}`, `git:HEAD:${next}`],
      [...ofReports, '--catalog', catalog, '--bundles', '.'],
    ];
    for (const args of asked) {
      const { stdout } = await runHere(['plan', ...args, '-o', 'json'], { cwd: repository });
      const { obstacles, steps, actions } = JSON.parse(stdout) as UpgradePlan;
      const [first] = obstacles.filter(({ isInTheWay }) => isInTheWay);
      expect(first?.message, args.join(' ')).to.include('OLM cannot read the constraint');
      expect(steps.map(({ state }) => state)).to.deep.equal(['blocked']);
      expect(actions.map(({ kind }) => kind)).to.deep.equal(['clear', 'mend']);
      const command = first?.command?.split(' ').slice(1) ?? [];
      expect(command.slice(0, 2)).to.deep.equal(['check', 'bundle']);
      const again = await runHere(command, { cwd: repository });
      expect(again.stdout).to.include('unknown field "name"');
      expect(again.code).to.equal(1);
    }
  });

  it('cannot tell where no step has definitions to check', async () => {
    const { code, stdout, stderr } = await runHere([
      ...['plan', '--package', 'reports', '--from', '1.0.0'],
      ...['--catalog', 'examples/catalogs/after', '-o', 'json'],
    ]);
    expect(stderr).to.include('no step could be checked');
    expect(JSON.parse(stdout)).to.include({ isClear: false });
    expect(code).to.equal(2);
  });

  it('names no object that a cluster does not have, nor a command to look at it', async () => {
    const shop = join(folder, 'shop');
    mkdirSync(shop);
    const release = (version: string, requires: readonly object[] = []): object => ({
      ...{ schema: 'olm.bundle', package: 'shop', name: `shop.v${version}`, image: 'a.b/c:1' },
      properties: [
        { type: 'olm.package', value: { packageName: 'shop', version } },
        ...requires.map((value) => ({ type: 'olm.package.required', value })),
      ],
    });
    const entries = [
      { name: 'shop.v1.0.0' },
      { name: 'shop.v2.0.0', replaces: 'shop.v1.0.0' },
    ] as const;
    const contents = [
      { schema: 'olm.package', name: 'shop', defaultChannel: 'stable' },
      { schema: 'olm.channel', package: 'shop', name: 'stable', entries },
      release('1.0.0'),
      release('2.0.0', [{ packageName: 'pay', versionRange: '>=1.0.0' }]),
    ];
    const text = contents.map((each) => JSON.stringify(each)).join('\n---\n');
    writeFileSync(join(shop, 'catalog.yaml'), text);
    const asked = ['plan', '--package', 'shop', '--from', '1.0.0', '--catalog', shop];
    const { stdout } = await runHere(asked);
    expect(stdout).to.include('1 step, 1 obstacle, ');
    expect(stdout).to.include('first: bundle shop.v2.0.0: ');
    expect(stdout).not.to.include('kubectl describe');
    expect(stdout).to.include('no cluster is named (--kubeconfig FILE or --state FOLDER)');
    process.env['KUBECONFIG'] = '/nowhere';
    try {
      const here = await runHere(asked);
      expect(here.stdout).to.include('the cluster of KUBECONFIG is not asked unless it is named');
    } finally {
      delete process.env['KUBECONFIG'];
    }
  });

  it('says that a commit without the definitions was not compared', async () => {
    const repository = join(folder, 'repository');
    mkdirSync(join(repository, 'crds'), { recursive: true });
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: repository });
    git('init', '-q');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'a');
    const wanted = join(folder, '3.0.0.yaml');
    for (const format of ['text', 'markdown', 'html', 'json']) {
      const asked = ['plan', 'git:HEAD:crds', wanted, '-o', format];
      const { stdout } = await runHere(asked, { cwd: repository });
      expect(stdout, format).to.include('nothing was compared: git:HEAD:crds has none');
    }
  });

  for (const [args, says] of [
    [[], /name what is installed and what is wanted: plan OLD NEW; or plan --package/],
    [['2.0.0.yaml'], /plan OLD NEW/],
    [['2.0.0.yaml', '--package', 'widgets'], /plan OLD NEW/],
    [['--package', 'widgets'], /name a catalog/],
    [['--package', 'widget', '--catalog', 'catalog', '--from', '1.0.0'], /no package "widget"/],
    [['--package', 'widgets', '--catalog', 'catalog'], /name what is installed of widgets: --from/],
    [[...ofPackage, '--from', 'x'], /"x" is neither a version nor the name of a bundle/],
    [['2.0.0.yaml', 'nowhere.yaml'], /nowhere\.yaml/],
  ] as const) {
    it(`refuses ${args.join(' ') || 'nothing'}`, async () => {
      const { code, stdout, stderr } = await runHere(['plan', ...args], { cwd: folder });
      expect(stderr).to.match(says);
      expect(stdout).to.equal('');
      expect(code).to.equal(2);
    });
  }

  it('prints no command that a name in a file could bend', async () => {
    const write = (name: string, object: object): string => {
      writeFileSync(join(folder, name), JSON.stringify(object));
      return join(folder, name);
    };
    const renamed = (name: string, crd: object, side: string): string =>
      write(`${side}.json`, { ...crd, metadata: { name } });
    for (const name of ['../../etc/cron.d/x', '--server=http://elsewhere', '--all']) {
      // A step that can be taken, and hardly taken back: its objects are backed up before.
      const old = renamed(name, definition([{ ...v1, spec: {} }]), 'old');
      const next = renamed(name, definition([v1]), 'next');
      const { code, stdout, stderr } = await runHere(['plan', old, next]);
      expect(stderr, name).to.match(/begins with "-"|is no name of a CustomResourceDefinition/);
      expect(stdout).to.equal('');
      expect(code).to.equal(2);
    }
  });
});

describe('olm-guard plan on a cluster of OLM', () => {
  const olm = 'operators.coreos.com/v1alpha1';
  const meta = (name: string): object => ({ name, namespace: 'team' });
  const operator = (version = '1.0.0'): object => ({
    ...{ apiVersion: olm, kind: 'ClusterServiceVersion', metadata: meta(`widgets.v${version}`) },
    spec: { version, installModes: [{ type: 'OwnNamespace', supported: true }] },
    status: { phase: 'Succeeded', reason: 'InstallSucceeded' },
  });
  const base = [
    ...['olm', 'team'].map((name) => ({
      ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    })),
    {
      ...{ apiVersion: olm, kind: 'CatalogSource' },
      metadata: { name: 'community', namespace: 'olm' },
      spec: { sourceType: 'grpc', image: 'registry.example.com/community' },
      status: { connectionState: { lastObservedState: 'READY' } },
    },
    {
      ...{ apiVersion: 'operators.coreos.com/v1', kind: 'OperatorGroup', metadata: meta('team') },
      ...{ spec: { targetNamespaces: ['team'] }, status: { namespaces: ['team'] } },
    },
  ];
  const subscription = (spec: object, installedCSV = 'widgets.v1.0.0'): object => ({
    ...{ apiVersion: olm, kind: 'Subscription', metadata: meta('widgets') },
    spec: {
      ...{ name: 'widgets', channel: 'stable', source: 'community', sourceNamespace: 'olm' },
      ...spec,
    },
    status: { installedCSV, currentCSV: installedCSV, state: 'AtLatestKnown' },
  });
  const manual = { installPlanApproval: 'Manual' };

  /** A catalog of two releases; without definitions it knows only their versions. */
  function writeCatalog(folder: string, next?: object): void {
    const data = (crd: object): string => Buffer.from(JSON.stringify(crd)).toString('base64');
    const bundle = (version: string, crd: object | undefined): object => ({
      ...{
        schema: 'olm.bundle',
        name: `widgets.v${version}`,
        package: 'widgets',
        image: 'a.b/c:1',
      },
      properties: [
        { type: 'olm.package', value: { packageName: 'widgets', version } },
        ...(crd === undefined ? [] : [{ type: 'olm.bundle.object', value: { data: data(crd) } }]),
      ],
    });
    const contents = [
      { schema: 'olm.package', name: 'widgets', defaultChannel: 'stable' },
      {
        ...{ schema: 'olm.channel', package: 'widgets', name: 'stable' },
        entries: [
          { name: 'widgets.v1.0.0' },
          { name: 'widgets.v1.1.0', replaces: 'widgets.v1.0.0' },
        ],
      },
      bundle('1.0.0', next && definition([v1])),
      bundle('1.1.0', next),
    ];
    writeFileSync(
      join(folder, 'catalog.yaml'),
      contents.map((each) => JSON.stringify(each)).join('\n---\n'),
    );
  }

  /** @param next the definition of the next release; undefined where the catalog leaves it out */
  async function planHere(
    objects: readonly object[],
    next: object | undefined,
    ...args: readonly string[]
  ) {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-plan-olm-'));
    try {
      for (const each of ['catalog', 'state']) mkdirSync(join(folder, each));
      const text = [...base, ...objects].map((each) => JSON.stringify(each)).join('\n---\n');
      writeFileSync(join(folder, 'state', 'state.yaml'), text);
      writeCatalog(join(folder, 'catalog'), next);
      return await runHere(
        [
          ...['plan', '--package', 'widgets', '--catalog', 'community=catalog'],
          ...['--state', 'state', ...args],
        ],
        { cwd: folder },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  const same = definition([v1]);
  const broken = definition([{ ...v1, spec: { size: { type: 'string' } } }]);

  it('approves no step whose definitions could not be compared', async () => {
    const { code, stdout } = await planHere([operator(), subscription(manual)], undefined);
    expect(stdout).to.match(
      /^Upgrade of widgets .*: 1 step, definitions of 1 step not checked\n\nTo do\n {2}1\. give --bundles DIR to compare the definitions of widgets\.v1\.0\.0 and widgets\.v1\.1\.0/,
    );
    expect(stdout).not.to.include('approve');
    expect(code).to.equal(2);
  });

  it('first keeps OLM from taking a blocked step by itself', async () => {
    const { code, stdout } = await planHere([operator(), subscription({})], broken);
    expect(stdout).to.match(
      /To do\n {2}1\. set installPlanApproval: Manual in Subscription widgets.*\n +kubectl patch subscription widgets -n team --type merge -p '\{"spec":\{"installPlanApproval":"Manual"\}\}'\n {2}2\. first: widgets\.example\.com is denied/,
    );
    expect(code).to.equal(1);
  });

  it('prints the approval as a command with its namespace', async () => {
    const { code, stdout } = await planHere([operator(), subscription(manual)], same);
    expect(stdout).to.match(
      /1\. approve the InstallPlan with widgets\.v1\.1\.0.*kubectl get installplan -n team.*\n +kubectl patch installplan NAME -n team --type merge -p '\{"spec":\{"approved":true\}\}'/,
    );
    expect(code).to.equal(0);
  });

  for (const args of [[], ['--from', '1.0.0']]) {
    it(`promises no InstallPlan to an operator that no Subscription owns ${args.join(' ')}`, async () => {
      const { code, stdout } = await planHere([operator()], same, ...args);
      expect(stdout).to.match(
        /1\. first: ClusterServiceVersion team\/widgets\.v1\.0\.0: no Subscription owns it, so it must stay, and no InstallPlan will upgrade it\. To adopt it, add a Subscription to widgets and delete/,
      );
      expect(stdout).not.to.match(/approve|NAMESPACE/);
      expect(code).to.equal(1);
    });
  }

  it('says what to do where nothing is installed', async () => {
    const { code, stdout, stderr } = await planHere([], same);
    expect(stderr).to.match(
      /nothing is installed of widgets, and no Subscription asks for it: add one .*olm-guard resolve --subscribe widgets --catalog community=catalog/,
    );
    expect(stdout).to.equal('');
    expect(code).to.equal(2);
  });

  it('tells the remedy of a conflict whole and once, and what shows the rest', async () => {
    const lost = subscription({ ...manual, channel: 'lost' });
    const { code, stdout } = await planHere([operator(), lost], same);
    expect(stdout).to.match(/^Upgrade of widgets from widgets\.v1\.0\.0: 0 steps, 1 obstacle\n/);
    expect(stdout).to.match(
      /Set the channel of subscription widgets to stable\.?\n +olm-guard resolve -n team --state state --catalog community=catalog\n/,
    );
    expect(stdout).not.to.match(/What would help|\.\. /);
    expect(code).to.equal(1);
  });

  it('asks the cluster that kubectl would ask, where nothing says what is installed', async () => {
    const here = process.env['KUBECONFIG'];
    process.env['KUBECONFIG'] = join(root, 'package.json');
    try {
      const asked = ['plan', '--package', 'reports', '--catalog', 'examples/catalogs/after'];
      const { code, stderr } = await runHere(asked);
      expect(stderr).to.include('package.json');
      expect(code).to.equal(2);
    } finally {
      if (here === undefined) delete process.env['KUBECONFIG'];
      else process.env['KUBECONFIG'] = here;
    }
  });

  const extension = (version: string): object => ({
    ...{ apiVersion: 'olm.operatorframework.io/v1', kind: 'ClusterExtension' },
    metadata: { name: 'widgets' },
    spec: {
      namespace: 'team',
      source: { sourceType: 'Catalog', catalog: { packageName: 'widgets', version } },
    },
    status: { install: { bundle: { name: 'widgets.v1.0.0', version: '1.0.0' } } },
  });

  it('pins no version of OLM v1 whose range takes the step by itself', async () => {
    const { stdout } = await planHere([extension('>=1.0.0')], same);
    expect(stdout).to.match(
      /1\. wait until widgets\.v1\.1\.0 is installed, which OLM v1 does by itself\n +kubectl wait /,
    );
    expect(stdout).not.to.include('kubectl patch');
  });

  it('says that a version is pinned, and pins what is installed before a blocked step', async () => {
    const wanted = await planHere([extension('>=1.0.0')], same, '--to', '1.1.0');
    expect(wanted.stdout).to.match(
      /1\. have OLM v1 install 1\.1\.0; this pins its version over the range >=1\.0\.0\n +kubectl patch clusterextension widgets .*"version":"1\.1\.0"/,
    );
    const held = await planHere([extension('>=1.0.0')], broken);
    expect(held.stdout).to.match(
      /1\. keep ClusterExtension widgets at 1\.0\.0, else OLM v1 upgrades it by itself; this pins its version over the range >=1\.0\.0\n +kubectl patch clusterextension widgets .*"version":"1\.0\.0"/,
    );
  });
});
