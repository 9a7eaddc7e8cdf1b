import { expect } from 'chai';
import { InvalidInputError } from './index.js';
import { readIgnoreFiles } from './ignore-files.js';

const rows: { rule: string; patterns: string; path: string; ignored: boolean; at?: string }[] = [
  {
    rule: 'a name matches at any depth',
    patterns: 'README.md',
    path: 'a/b/README.md',
    ignored: true,
  },
  { rule: 'a name matches a folder', patterns: 'docs', path: 'a/docs/x.yaml', ignored: true },
  { rule: 'a path is anchored', patterns: 'docs/*.yaml', path: 'a/docs/x.yaml', ignored: false },
  { rule: '** descends', patterns: '**/docs/*.yaml', path: 'a/docs/x.yaml', ignored: true },
  { rule: '* matches within one part', patterns: '/*.yaml', path: 'a/x.yaml', ignored: false },
  {
    rule: 'the last match wins',
    patterns: '*.yaml\n!index.yaml',
    path: 'a/index.yaml',
    ignored: false,
  },
  {
    rule: '! takes back in below an ignored folder',
    patterns: 'a\n!x.yaml',
    path: 'a/x.yaml',
    ignored: false,
  },
  { rule: '[^a] negates', patterns: '[^x].yaml', path: 'a.yaml', ignored: true },
  { rule: '[!a] does not', patterns: '[!x].yaml', path: 'a.yaml', ignored: false },
  { rule: 'a bad pattern matches nothing', patterns: '[a\n[]', path: '[a', ignored: false },
  {
    rule: 'a slash at the end asks for a folder',
    patterns: 'x.yaml/',
    path: 'x.yaml',
    ignored: false,
  },
  { rule: 'comments and blank lines', patterns: '# x.yaml\n\n', path: 'x.yaml', ignored: false },
  { rule: 'an escaped #', patterns: '\\#x', path: '#x', ignored: true },
  { rule: 'Windows line ends', patterns: 'x.yaml\r\n', path: 'x.yaml', ignored: true },
  {
    rule: 'says nothing outside its folder',
    patterns: 'x.yaml',
    path: 'x.yaml',
    at: 'a/',
    ignored: false,
  },
  {
    rule: 'many stars take no time',
    patterns: `${'*a'.repeat(30)}b`,
    path: 'a'.repeat(200),
    ignored: false,
  },
];

describe('ignore files', () => {
  for (const { rule, patterns, path, ignored, at = '' } of rows) {
    it(rule, () => {
      const ignore = readIgnoreFiles([{ path: `${at}.indexignore`, content: patterns }]);
      expect(ignore(path)).to.equal(ignored);
    });
  }

  it('are refused where so many patterns cannot be matched with so many files', () => {
    const ignore = readIgnoreFiles([{ path: '.indexignore', content: 'a\n'.repeat(100_000) }]);
    const match = (): void => {
      for (let file = 0; file < 5000; file++) ignore(`${file}.yaml`);
    };
    expect(match).to.throw(InvalidInputError).with.property('code', 'E_LIMIT');
  });
});
