/** `resolve --subscribe` without a cluster, and catalogs named in either way. */
import { join } from 'node:path';
import { expect } from 'chai';
import { root, runHere } from './command.js';

const catalog = join(root, 'examples', 'catalogs', 'before');

describe('resolve --subscribe without a cluster', () => {
  it('takes the namespace to be empty, with one OperatorGroup, and says so', async () => {
    const { code, stdout, stderr } = await runHere([
      ...['resolve', '--subscribe', 'reports', '--catalog', catalog, '-o', 'json'],
    ]);
    expect(stderr).to.match(/namespace operators is taken to be empty, with one OperatorGroup/);
    const { output } = JSON.parse(stdout) as { output: { installPlan: { name: string }[] } };
    expect(output.installPlan[0]?.name).to.match(/^reports\.v/);
    expect(code).to.equal(0);
  });

  it('takes a channel after @', async () => {
    const { code, stdout } = await runHere([
      ...['resolve', '--subscribe', 'reports@no-such', '--catalog', catalog, '-o', 'json'],
    ]);
    expect(stdout).to.include('no-such');
    expect(code).to.equal(1);
  });

  it('asks for the namespace of a cluster that is named', async () => {
    const state = join(root, 'examples', 'olm');
    const { code, stderr } = await runHere(['resolve', '--state', state, '--catalog', catalog]);
    expect(stderr).to.match(/name the namespace: --namespace NAMESPACE/);
    expect(code).to.equal(2);
  });
});

describe('catalog commands', () => {
  const commands: [name: string, args: readonly string[]][] = [
    ['list', []],
    ['validate', []],
    ['show', ['reports']],
    ['path', ['reports', '--from', '1.0.0']],
    ['graph', ['reports', '-o', 'svg']],
  ];
  for (const [name, args] of commands) {
    it(`${name} takes the catalog as an argument and by --catalog`, async () => {
      const [packageName = [], ...options] = args;
      const positional = ['catalog', name, ...[packageName].flat(), catalog, ...options];
      const answers = await Promise.all([
        runHere(positional),
        runHere(['catalog', name, ...args, '--catalog', catalog]),
      ]);
      expect(answers[0].stderr).to.equal('');
      expect(answers[0].stdout).not.to.equal('');
      expect(answers[1]).to.deep.equal(answers[0]);
      const neither = await runHere(['catalog', name, ...args]);
      expect(neither.stderr).to.match(/name (a|one|the) catalog/);
      expect(neither.code).to.equal(2);
    });
  }

  it('graph says where no way leads on from what is installed', async () => {
    const asked = ['catalog', 'graph', 'reports', catalog, '--from'];
    for (const format of ['text', 'svg']) {
      const ended = await runHere([...asked, '0.1.0', '-o', format]);
      expect(ended.stdout, format).to.include('No way on: reports.v0.1.0 is a dead end');
      expect((await runHere([...asked, '1.0.0', '-o', format])).stdout).not.to.include('dead end');
    }
  });

  for (const [name, format, holds] of [
    ['path', 'text', /^9\.9\.9 of package reports is not in the catalog; [^\n]*\n\nOLM classic\n/],
    ['path', 'json', /"notInCatalog": "9\.9\.9 of package reports is not in the catalog/],
    ['graph', 'text', /\n9\.9\.9 of package reports is not in the catalog/],
    ['graph', 'svg', />9\.9\.9 of package reports is not in the catalog/],
  ] as const) {
    it(`${name} -o ${format} says that a version is not in the catalog`, async () => {
      const asked = ['catalog', name, 'reports', catalog, '--from'];
      const unknown = await runHere([...asked, '9.9.9', '-o', format]);
      expect(unknown.stdout).to.match(holds);
      const known = await runHere([...asked, '1.0.0', '-o', format]);
      expect(known.stdout).not.to.include('not in the catalog');
    });
  }
});
