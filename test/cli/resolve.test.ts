/** `olm-guard resolve`: what a person sees before anything is applied. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ResolveAnswer } from '../../src/cli/resolve/resolve-answer.js';
import { root, runHere, type Ended } from './command.js';

const scenario = (name: string, ...parts: string[]): string =>
  join(root, 'examples', 'resolve', name, ...parts);
const resolve = (name: string, ...more: string[]): Promise<Ended> =>
  runHere([
    ...['resolve', '--namespace', 'team', '--state', scenario(name, 'state')],
    ...['--catalog', scenario(name, 'community'), ...more],
  ]);

async function answer(name: string, ...more: string[]): Promise<ResolveAnswer> {
  const { stdout, stderr } = await resolve(name, ...more, '-o', 'json');
  expect(stderr).to.equal('');
  return JSON.parse(stdout) as ResolveAnswer;
}

describe('resolve', () => {
  it('exits with 0 and says why each operator is chosen', async () => {
    const ended = await resolve('no-and');
    expect(ended).to.include({ code: 0, stderr: '' });
    expect(ended.stdout).to.include(
      'because reports.v1.0.0 needs the API EtcdCluster (example.com/v1)',
    );
  });

  it('exits with 1 and says what cannot be true together, and what would help', async () => {
    const { code, stdout } = await resolve('version-conflict');
    expect(code).to.equal(1);
    expect(stdout).to.include('mailer.v1.0.0 (channel stable of catalog community in olm) needs');
    expect(stdout).to.include('What would help');
    expect(stdout).to.include('constraints not satisfiable: ');
  });

  it('tells of an upgrade that OLM silently does without', async () => {
    const { verdict, output } = await answer('deadlock');
    expect(output).to.include({ ok: true });
    expect(
      verdict.findings.map(({ rule, object }) => `${rule} ${object?.name ?? ''}`),
    ).to.deep.equal(['UpgradeHeldBack alerts']);
  });

  for (const format of ['svg', 'html']) {
    it(`names the formats that it has when it is asked for ${format}`, async () => {
      const { code, stdout, stderr } = await resolve('no-and', '-o', format);
      expect(code).to.equal(2);
      expect(stdout).to.equal('');
      expect(stderr).to.include(`'${format}' is invalid. Allowed choices are text, json, yaml.`);
    });
  }

  it('says what a catalog calls deprecated of what is to be installed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-resolve-'));
    try {
      const bundle = (version: string): object => ({
        ...{ schema: 'olm.bundle', package: 'mailer', name: `mailer.v${version}` },
        image: `example.com/mailer:${version}`,
        properties: [{ type: 'olm.package', value: { packageName: 'mailer', version } }],
      });
      const catalog = [
        { schema: 'olm.package', name: 'mailer', defaultChannel: 'stable' },
        {
          ...{ schema: 'olm.channel', package: 'mailer', name: 'stable' },
          entries: [
            { name: 'mailer.v1.0.0' },
            { name: 'mailer.v1.1.0', replaces: 'mailer.v1.0.0' },
          ],
        },
        bundle('1.0.0'),
        bundle('1.1.0'),
        {
          ...{ schema: 'olm.deprecations', package: 'mailer' },
          entries: [
            { reference: { schema: 'olm.package' }, message: 'use postman' },
            { reference: { schema: 'olm.channel', name: 'stable' }, message: 'use fast' },
            { reference: { schema: 'olm.bundle', name: 'mailer.v1.0.0' }, message: 'too old' },
            { reference: { schema: 'olm.bundle', name: 'mailer.v1.1.0' }, message: 'leaks' },
          ],
        },
      ];
      writeFileSync(
        join(folder, 'catalog.json'),
        catalog.map((each) => JSON.stringify(each)).join(''),
      );
      const asked = ['resolve', '--subscribe', 'mailer@stable', '--catalog', folder];
      const { stdout, code } = await runHere([...asked, '-o', 'json']);
      expect(code).to.equal(0);
      expect((JSON.parse(stdout) as ResolveAnswer).verdict.warnings).to.deep.equal([
        'package mailer is deprecated: use postman',
        'channel stable is deprecated: use fast',
        'mailer.v1.1.0 is deprecated: leaks',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('tries a subscription that is not there yet', async () => {
    const { output } = await answer('no-and', '--subscribe', 'etcd:stable');
    const made = output.ok ? output.newSubscriptions.map((each) => each.package) : [];
    expect(made).to.deep.equal(['etcd-cluster']);
    const { verdict } = await answer('missing-api', '--subscribe', 'database');
    expect(verdict.allowed).to.equal(false);
  });

  it('says what waits for approval, and what else the InstallPlan carries', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-approval-'));
    try {
      const state = readFileSync(scenario('no-and', 'state', 'team.yaml'), 'utf8');
      writeFileSync(
        join(folder, 'team.yaml'),
        state.replace(
          'spec: { name: reports,',
          'spec: { installPlanApproval: Manual, name: reports,',
        ),
      );
      const { code, stdout } = await runHere([
        ...['resolve', '--namespace', 'team', '--state', folder],
        ...['--catalog', scenario('no-and', 'community')],
      ]);
      expect(code).to.equal(0);
      expect(stdout).to.match(
        /It waits for approval of reports\.v1\.0\.0 \(Subscription reports with approval Manual\); the same InstallPlan carries etcd/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('uses the catalogs that a namespace sees', async () => {
    const { output } = await answer(
      'other-namespace',
      ...['--catalog', scenario('other-namespace', 'private')],
    );
    const changes = output.explanation.kind === 'conflict' ? output.explanation.changes : [];
    expect(changes.map(({ kind }) => kind)).to.include('show-catalog');
  });

  it('reads constraints as the documentation writes them, when asked to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-semantics-'));
    const bundle = (name: string, properties: object[] = []): object => ({
      schema: 'olm.bundle',
      package: name,
      name: `${name}.v1.0.0`,
      image: `example.com/${name}`,
      properties: [
        { type: 'olm.package', value: { packageName: name, version: '1.0.0' } },
        ...properties,
      ],
    });
    const packages = ['reports', 'blue'].flatMap((name) => [
      { schema: 'olm.package', name, defaultChannel: 'stable' },
      {
        schema: 'olm.channel',
        package: name,
        name: 'stable',
        entries: [{ name: `${name}.v1.0.0` }],
      },
    ]);
    const all = { constraints: [{ package: { name: 'blue', versionRange: '>=1.0.0' } }] };
    const blobs = [
      ...packages,
      bundle('blue'),
      bundle('reports', [{ type: 'olm.constraint', value: { all } }]),
    ];
    writeFileSync(
      join(folder, 'catalog.json'),
      blobs.map((each) => JSON.stringify(each)).join('\n'),
    );
    const asked = (...more: string[]): Promise<Ended> =>
      runHere([
        ...['resolve', '--namespace', 'team', '--state', scenario('missing-api', 'state')],
        ...['--catalog', `community=${folder}`, ...more],
      ]);
    try {
      const olm = await asked();
      expect(olm.code).to.equal(1);
      expect(olm.stdout).to.include('in "package" write packageName where it says name');
      const documents = await asked('--semantics', 'documents');
      expect(documents.code, documents.stdout).to.equal(0);
      expect(documents.stdout).to.include('blue.v1.0.0');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  describe('bad input', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'olm-guard-resolve-'));
      writeFileSync(join(folder, 'bad.yaml'), 'schema: [');
    });
    after(() => rmSync(folder, { recursive: true }));

    const rows: readonly (readonly [when: string, args: () => string[], message: string])[] = [
      ['no cluster', () => [], 'name the cluster'],
      ['a catalog that cannot be read', () => ['--catalog', folder], 'bad.yaml'],
      [
        'the catalog of a subscription that is not given',
        () => [
          ...['--state', scenario('missing-api', 'state')],
          ...['--catalog', `other=${scenario('missing-api', 'community')}`],
        ],
        'add --catalog community=DIR',
      ],
      [
        'two catalogs of one name',
        () =>
          Array<string[]>(2)
            .fill(['--catalog', scenario('no-and', 'community')])
            .flat(),
        'two catalogs are called "community"',
      ],
      [
        'a package that no catalog has',
        () => ['--state', scenario('no-and', 'state'), '--subscribe', 'report'],
        'did you mean "reports"',
      ],
      [
        'a package with an empty channel',
        () => ['--state', scenario('no-and', 'state'), '--subscribe', 'reports@'],
        'no channel is named after reports',
      ],
    ];
    for (const [when, args, message] of rows) {
      it(when, async () => {
        const given = args();
        const catalog = given.includes('--catalog')
          ? []
          : ['--catalog', scenario('no-and', 'community')];
        const state = given.includes('--state')
          ? []
          : when === 'no cluster'
            ? []
            : ['--state', scenario('no-and', 'state')];
        const ended = await runHere([
          'resolve',
          '--namespace',
          'team',
          ...state,
          ...catalog,
          ...given,
        ]);
        expect(ended).to.include({ code: 2, stdout: '' });
        expect(ended.stderr).to.include(message);
      });
    }
  });
});
