import { expect } from 'chai';
import { InvalidInputError, parseDocuments, type Document } from './index.js';
import { documentsWithin } from './documents.js';

describe('documents inside a text', () => {
  const outer = (text: string): Document => {
    const [document] = parseDocuments(`# first\n${text}`, { file: 'a.yaml' });
    if (document === undefined) throw new Error('no document');
    return document;
  };
  const rows: [name: string, text: string, path: string[], line: number, column: number][] = [
    ['JSON in a literal block', 'a: |-\n    [\n      {"b": 1,\n       "c": 2}]\n', ['a'], 5, 8],
    [
      'YAML in a literal block',
      'x: 1\na:\n  b: |\n    - b: 1\n      c: 2\nd: 3\n',
      ['a', 'b'],
      6,
      7,
    ],
    [
      'a block with Windows line ends',
      'a: |\r\n  [{"b": 1,\r\n  "c": 2}]\r\nd: 1\r\n',
      ['a'],
      4,
      3,
    ],
    ['a quoted text', 'x: 1\na: \'[{"b": 1, "c": 2}]\'\n', ['a'], 3, 1],
    ['a folded block', 'a: >\n  [{"b": 1,\n  "c": 2}]\n', ['a'], 2, 1],
  ];
  for (const [name, text, path, line, column] of rows) {
    it(`have their places: ${name}`, () => {
      const [found] = documentsWithin(outer(text), path);
      expect(found?.value).to.deep.equal([{ b: 1, c: 2 }]);
      expect(found?.placeOf([0, 'c'])).to.deep.equal({ file: 'a.yaml', line, column });
    });
  }

  it('are none where there is no text', () => {
    expect(documentsWithin(outer('a: 1\n'), ['a'])).to.deep.equal([]);
    expect(documentsWithin(outer('a: 1\n'), ['b', 'c'])).to.deep.equal([]);
  });

  it('that cannot be read name the place of the text', () => {
    expect(() => documentsWithin(outer('a: |\n  {"b": [}\n'), ['a']))
      .to.throw(InvalidInputError)
      .with.property('where')
      .that.deep.equals({ file: 'a.yaml', line: 2, column: 1 });
  });
});
