import { expect } from 'chai';
import { entryOf } from '../testing/entry.js';
import type { ClassicChannel } from './classic-path.js';
import { explainPaths, type PathQuestion } from './explain-paths.js';
import { type PackageInCatalog, ResolutionError } from './upgrade-path.js';

const bundle = (version: string) => ({
  name: `op.v${version}`,
  properties: [{ type: 'olm.package', value: { packageName: 'op', version } }],
});
const catalog: PackageInCatalog = {
  catalog: 'cat',
  priority: 0,
  channels: [
    {
      name: 'stable',
      entries: [
        entryOf({ name: 'op.v3.0.0', skips: ['op.v2.0.0'] }),
        entryOf({ name: 'op.v2.0.0', skipRange: '>=1.0.0 <2.0.0' }),
      ],
    },
  ],
  bundles: [bundle('2.0.0'), bundle('3.0.0')],
  deprecatedBundles: new Set(),
};
const explain = (question: Partial<PathQuestion>) =>
  explainPaths({ packageName: 'op', catalogs: [catalog], defaultChannel: 'stable', ...question });
const steps = (question: Partial<PathQuestion>) =>
  explain(question).paths.map(({ title, path }) => [title, path.steps.map(({ to }) => to)]);

describe('catalog path', () => {
  it('walks both OLMs and says where they part', () => {
    expect(steps({ from: '1.0.0' })).to.deep.equal([
      ['OLM classic', []],
      ['OLM v1', ['op.v2.0.0', 'op.v3.0.0']],
    ]);
    expect(explain({ from: '1.0.0' }).differences).to.have.length(2);
  });
  const rows: [rule: string, question: Partial<PathQuestion>, expected: [string, string[]][]][] = [
    ['a bundle’s name', { from: 'op.v2.0.0', only: 'classic' }, [['OLM classic', ['op.v3.0.0']]]],
    [
      'a name that no catalog has any more',
      { from: 'other.v1.5.0', only: 'v1' },
      [['OLM v1', ['op.v2.0.0']]],
    ],
    ['a range for OLM v1', { from: '1.0.0', only: 'v1', range: '<3' }, [['OLM v1', ['op.v2.0.0']]]],
    ['nothing installed', { only: 'classic' }, [['OLM classic', ['op.v3.0.0']]]],
    [
      'the documented precedence',
      { from: '2.0.0', only: 'classic', precedence: 'documents' },
      [['OLM classic, with the precedence of OpenShift’s documentation', ['op.v3.0.0']]],
    ],
  ];
  for (const [rule, question, expected] of rows) {
    it(rule, () => {
      const shown = steps(question).map(([title, names]) => [title, names?.slice(0, 1)]);
      expect(shown).to.deep.equal(expected);
    });
  }
  it('knows by its version what a catalog only skips, whatever the bundle is called', () => {
    const graph: PackageInCatalog = {
      ...catalog,
      channels: [
        {
          name: 'stable',
          entries: [
            entryOf({ name: 'op.v3.0.0', replaces: 'op.v2.0.0', skips: ['operator.v2.5.0'] }),
            entryOf({ name: 'op.v2.0.0' }),
          ],
        },
      ],
    };
    const asked = { catalogs: [graph], from: '2.5.0' };
    expect(steps(asked)).to.deep.equal([
      ['OLM classic', ['op.v3.0.0']],
      ['OLM v1', ['op.v3.0.0']],
    ]);
    expect(explain(asked).paths[0]?.path.steps[0]?.from).to.equal('operator.v2.5.0');
  });

  it('names a version that no catalog knows as the other bundles are named', () => {
    const renamed = { ...catalog, bundles: [{ ...bundle('9.0.0'), name: 'other.v9.0.0' }] };
    const [, v1] = explain({ catalogs: [renamed], from: '1.0.0', range: '9.9.9' }).paths;
    expect(v1?.path.error).to.include('from currently installed version "1.0.0"');
    const [classic] = explain({ catalogs: [renamed], from: '0.0.1' }).paths;
    expect(classic?.deadEnd).to.match(/^other\.v0\.0\.1 is a dead end/);
  });

  describe('over two catalogs, with the documented precedence', () => {
    const other = (name: string, entries: ClassicChannel['entries']): PackageInCatalog => ({
      catalog: name,
      priority: 0,
      channels: [{ name: 'stable', entries }],
      bundles: entries.map((entry) => bundle(entry.name.replace('op.v', ''))),
      deprecatedBundles: new Set(),
    });
    const own = other('own', [
      entryOf({ name: 'op.v2.0.0', replaces: 'op.v1.0.0' }),
      entryOf({ name: 'op.v1.0.0' }),
    ]);
    const ask = (from: string, catalogs: PackageInCatalog[]) =>
      explain({ catalogs, from, only: 'classic', precedence: 'documents' }).paths[0];

    it('ends well at the other catalog’s head, when that is the newest', () => {
      const walked = ask('1.0.0', [
        own,
        other('other', [entryOf({ name: 'op.v3.0.0', replaces: 'op.v2.0.0' })]),
      ]);
      expect(walked?.path.steps.map(({ to }) => to)).to.deep.equal(['op.v2.0.0', 'op.v3.0.0']);
      expect(walked?.deadEnd).to.equal(undefined);
    });

    it('ends below the newest where nothing leads on from the other catalog’s head', () => {
      const walked = ask('1.4.0', [
        own,
        other('other', [entryOf({ name: 'op.v1.5.0', replaces: 'op.v1.4.0' })]),
      ]);
      expect(walked?.path.steps.map(({ to }) => to)).to.deep.equal(['op.v1.5.0']);
      expect(walked?.deadEnd).to.match(
        /^op\.v1\.5\.0 is a dead end: .* whose head is op\.v2\.0\.0/,
      );
    });
  });

  it('refuses what is no version and no name', () => {
    expect(() => explain({ from: 'latest' })).to.throw(ResolutionError, '"latest" is neither');
    expect(() => explain({ catalogs: [] })).to.throw(ResolutionError, 'in none of the catalogs');
  });
});
