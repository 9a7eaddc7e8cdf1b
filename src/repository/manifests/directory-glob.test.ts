import { expect } from 'chai';
import { fileChooser } from './applied-folder.js';

describe('files that Argo CD chooses of a directory', () => {
  const rows: [include: string, exclude: string, chosen: string[]][] = [
    ['', '', ['a.yaml', 'b.yml', 'in/a.yaml', 'in/c+d.json']],
    ['a.yaml', '', ['a.yaml']],
    ['*.yaml', '', ['a.yaml', 'in/a.yaml']],
    ['{*.yml,*.yaml}', '', ['a.yaml', 'b.yml', 'in/a.yaml']],
    ['', '{in/*,b.yml}', ['a.yaml']],
    ['*.yaml', 'in/**', ['a.yaml']],
    ['?.y*', '', ['a.yaml', 'b.yml']],
    ['in/c+d.json', '', ['in/c+d.json']],
    ['a,yaml', '', []],
    ['**?**?*y*?*m*l*', '', ['a.yaml', 'in/a.yaml']],
  ];
  for (const [include, exclude, chosen] of rows) {
    it(`are those of ${include || 'all'} without ${exclude || 'none'}`, () => {
      const isChosen = fileChooser({ include, exclude });
      expect(rows[0]?.[2].filter((each) => isChosen(each))).to.deep.equal(chosen);
    });
  }

  for (const pattern of ['[ab].yaml', '{a,{b,c}}', '{a', '\\*', 'a}']) {
    it(`are not guessed by ${pattern}`, () => {
      expect(() => fileChooser({ include: pattern, exclude: '' })).to.throw(pattern);
    });
  }

  it('are found, however many ways there are to try a pattern', () => {
    const path = 'a'.repeat(4_000);
    for (const include of [`${'*a'.repeat(400)}b`, `${'{a,a}'.repeat(190)}b`]) {
      expect(fileChooser({ include, exclude: '' })(path)).to.equal(false);
      expect(fileChooser({ include: include.slice(0, -1), exclude: '' })(path)).to.equal(
        include.startsWith('*'),
      );
    }
    const longer = { include: 'a'.repeat(1_001), exclude: '' };
    expect(() => fileChooser(longer)).to.throw('more than 1000 characters');
  });
});
