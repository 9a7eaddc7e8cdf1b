/** What is said where a command is given something else, or a name that is nearly another one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, runHere } from './command.js';

const examples = (...path: string[]): string => join(root, 'examples', ...path);
const olm = examples('olm');
const group = `apiVersion: operators.coreos.com/v1
kind: OperatorGroup
metadata: { name: g, namespace: biling }
spec: { targetNamespaces: [biling, reporting, elsewhere] }
`;
const subscription = `apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: { name: reports, namespace: billing }
spec: { name: reprts, channel: stable, source: NAME, sourceNamespace: olm }
`;
const namespaces = ['billing', 'reporting', 'olm'].map(
  (name) => `---\napiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n`,
);
const catalogs = ['olm/community', 'billing/private'].map((key) => {
  const [namespace = '', name = ''] = key.split('/');
  const metadata = `{ name: ${name}, namespace: ${namespace} }`;
  return `---\napiVersion: operators.coreos.com/v1alpha1\nkind: CatalogSource\nmetadata: ${metadata}\nspec: { sourceType: grpc, image: a }\n`;
});

describe('what was probably meant', () => {
  let folder: string;
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-meant-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const rows: readonly (readonly [args: readonly string[], says: string])[] = [
    [
      ['check', 'operatorgroup', examples('cluster')],
      'holds no OperatorGroup; it holds a CustomResourceDefinition (did you mean "olm-guard check crd OLD NEW"?)',
    ],
    [
      ['check', 'operatorgroup', examples('bundles', 'reports.v1.0.0')],
      'it holds a ClusterServiceVersion (did you mean "olm-guard check bundle DIR"?)',
    ],
    [
      ['check', 'crd', examples('groups'), examples('cluster')],
      'it holds an OperatorGroup (did you mean "olm-guard check operatorgroup FILE"?)',
    ],
    [
      ['plan', examples('catalogs', 'before'), examples('catalogs', 'after')],
      'it holds a catalog (did you mean "olm-guard catalog validate DIR"?)',
    ],
    [
      ['plan', 'reports', '--from', '1.0.0', '--catalog', examples('catalogs', 'after')],
      '(did you mean "--package reports"?)',
    ],
    [
      [
        'plan',
        '--package',
        'reprts',
        '--from',
        '1.0.0',
        '--catalog',
        examples('catalogs', 'after'),
      ],
      'there is no package "reprts" in after (did you mean "reports"?)',
    ],
    [
      [
        ...['plan', '--package', 'reports', '-n', 'biling', '--state', olm],
        ...['--catalog', examples('catalogs', 'after')],
      ],
      'no Subscription in namespace "biling" asks for reports (did you mean "billing"?); name what',
    ],
    [
      [
        ...['plan', '--package', 'reports', '--state', examples('cluster')],
        ...['--catalog', examples('catalogs', 'after')],
      ],
      'nothing is installed of reports',
    ],
    [
      [
        ...['plan', '--package', 'reports', '--v1', '--state', examples('cluster')],
        ...['--catalog', examples('catalogs', 'after')],
      ],
      'no ClusterExtension installs reports; name what is installed of reports: --from VERSION',
    ],
    [
      ['plan', '--package', 'reports', '--from', '1.0.0', '--catalog', examples('bundles')],
      'it holds a ClusterServiceVersion (did you mean "olm-guard check bundle DIR"?)',
    ],
  ];
  for (const [args, says] of rows) {
    it(`${args.slice(0, 2).join(' ')}: ${says}`, async () => {
      const { code, stdout, stderr } = await runHere(args);
      expect(stderr).to.include(says);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    });
  }

  for (const [what, path] of [
    ['a folder', ['before']],
    ['a file', ['before', 'reports.yaml']],
  ] as const) {
    it(`by check bundle of ${what} that is a catalog`, async () => {
      const ended = await runHere(['check', 'bundle', examples('catalogs', ...path)]);
      expect(ended.stderr).to.include(
        'is no bundle; it holds a catalog (did you mean "olm-guard catalog validate DIR"?)',
      );
      expect(ended).to.include({ code: 2, stdout: '' });
    });
  }

  it('by catalog validate of bundles, beside what opm says', async () => {
    const { code, stdout, stderr } = await runHere(['catalog', 'validate', examples('bundles')]);
    expect(stderr).to.include(
      'cannot be read as a catalog; it holds a ClusterServiceVersion (did you mean "olm-guard check bundle DIR"?)',
    );
    expect(stdout).to.include('is missing root schema field');
    expect(code).to.equal(1);
  });

  it('by check crd of a definition that the cluster does not have', async () => {
    const proposed = examples('upgrades', 'field-removed.yaml');
    const asked = ['check', 'crd', 'cluster:sample.test.example.com', proposed];
    const { code, stderr } = await runHere([...asked, '--state', examples('cluster')]);
    expect(stderr).to.include(
      'has no CustomResourceDefinition sample.test.example.com (did you mean "samples.test.example.com"?); there is nothing to compare with',
    );
    expect(code).to.equal(2);
  });

  it('by resolve of a namespace that is not there', async () => {
    const asked = ['resolve', '--catalog', `community=${examples('catalogs', 'before')}`];
    const { code, stderr } = await runHere([...asked, '-n', 'biling', '--state', olm]);
    expect(stderr).to.include('there is no namespace "biling" (did you mean "billing"?)\n');
    expect(code).to.equal(2);
    const empty = await runHere([...asked, '-n', 'reporting', '--state', olm]);
    expect(empty.stdout).to.include('found 0').and.not.to.include('there is no namespace');
  });

  it('by a plan for a Subscription that has installed nothing yet', async () => {
    const state = mkdtempSync(join(folder, 'state-'));
    const wanted = subscription.replace('reprts', 'reports').replace('NAME', 'community');
    writeFileSync(join(state, 'all.yaml'), wanted);
    const asked = ['plan', '--package', 'reports', '--catalog', examples('catalogs', 'after')];
    const { stdout } = await runHere([...asked, '--state', state]);
    expect(stdout).to.match(/^Upgrade of reports from nothing to \S+: 1 step/);
    expect(stdout).to.include('Step 1 of 1: nothing → reports.v');
    const pinned = wanted.replace('spec: {', 'spec: { startingCSV: reports.v1.0.0,');
    expect(pinned).not.to.equal(wanted);
    writeFileSync(join(state, 'all.yaml'), pinned);
    const later = await runHere([...asked, '--state', state]);
    expect(later.stdout).to.include('nothing → reports.v1.0.0 (first installation;');
  });

  it('by a scan of a folder of something else', async () => {
    for (const [source, says] of [
      ['catalogs', 'it holds a catalog (did you mean "olm-guard catalog validate DIR"?)'],
      [
        'upgrades',
        'it holds a CustomResourceDefinition (did you mean "olm-guard check crd OLD NEW"?)',
      ],
    ] as const) {
      const { code, stderr } = await runHere(['scan', '--state', examples(source)]);
      expect(code).to.equal(2);
      expect(stderr).to.include(`holds no object that a scan judges; ${says}`);
    }
  });

  it('by the namespaces of an OperatorGroup', async () => {
    const { stdout } = await runHere([
      'check',
      'operatorgroup',
      file('g.yaml', group),
      '--state',
      olm,
    ]);
    expect(stdout)
      .to.include('do not exist: biling, elsewhere; "biling" (did you mean "billing"?)\n')
      .and.include('warning: there is no namespace "biling" (did you mean "billing"?)\n');
    const right = group.replaceAll('biling', 'billing');
    const known = await runHere(['check', 'operatorgroup', file('g.yaml', right), '--state', olm]);
    expect(known.stdout).not.to.include('did you mean');
    expect(known.stderr).to.equal('');
  });

  it('by a folder without any group that an OperatorGroup could be in the way of', async () => {
    const state = mkdtempSync(join(folder, 'state-'));
    const args = ['check', 'operatorgroup', file('g.yaml', group), '--state', state];
    const { code, stderr } = await runHere(args);
    expect(code).to.equal(0);
    expect(stderr).to.equal(
      `olm-guard: ${state} holds no Namespace, OperatorGroup or ClusterServiceVersion: groups are judged as the only ones\n`,
    );
  });

  for (const [name, meant] of [
    ['comunity', 'olm/community'],
    ['private', 'billing/private'],
    ['other', ''],
  ] as const) {
    it(`by a scan, of the catalog ${name}`, async () => {
      const state = mkdtempSync(join(folder, 'state-'));
      const all = [subscription.replace('NAME', name), ...namespaces, ...catalogs, '---\n', group];
      writeFileSync(join(state, 'all.yaml'), all.join(''));
      const { stdout } = await runHere(['scan', '--state', state, '-o', 'json']);
      const { results } = JSON.parse(stdout) as {
        results: { verdict: { findings: { rule: string; message: string }[] } }[];
      };
      const messages = results
        .flatMap(({ verdict }) => verdict.findings)
        .filter(({ rule }) => ['CatalogSourceMissing', 'TargetNamespaceMissing'].includes(rule))
        .map(({ message }) => message);
      expect(messages).to.have.members([
        `targeted catalogsource olm/${name} missing${meant === '' ? '' : ` (did you mean "${meant}"?)`}`,
        'target namespaces do not exist: biling, elsewhere; "biling" (did you mean "billing"?)',
      ]);
    });
  }
});
