import { expect } from 'chai';
import { explainPaths, type PathQuestion } from './explain-paths.js';
import { type CatalogPackage, ResolutionError } from './model.js';

const bundle = (version: string) => ({
  name: `op.v${version}`,
  properties: [{ type: 'olm.package', value: { packageName: 'op', version } }],
});
const catalog: CatalogPackage = {
  catalog: 'cat',
  priority: 0,
  channels: [
    {
      name: 'stable',
      entries: [
        { name: 'op.v3.0.0', skips: ['op.v2.0.0'] },
        { name: 'op.v2.0.0', skipRange: '>=1.0.0 <2.0.0' },
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
  it('refuses what is no version and no name', () => {
    expect(() => explain({ from: 'latest' })).to.throw(ResolutionError, '"latest" is neither');
    expect(() => explain({ catalogs: [] })).to.throw(ResolutionError, 'in none of the catalogs');
  });
});
