import { expect } from 'chai';
import { InvalidInputError, parseDocuments, stringifyJson, type Document } from './index.js';

const values = (documents: readonly Document[]): string =>
  documents.map((document) => `${document.line}:${stringifyJson(document.value)}`).join(' ');

describe('parseDocuments', () => {
  const rows: { rule: string; text: string; values: string }[] = [
    { rule: 'a YAML stream', text: 'a: 1\n---\nb: 2\n', values: '1:{"a":1} 3:{"b":2}' },
    {
      rule: 'empty documents are left out',
      text: '---\n---\n# c\n---\na: 1\n---\n',
      values: '5:{"a":1}',
    },
    {
      rule: 'comments behind a separator',
      text: 'a: 1\n--- # next\nb: 2',
      values: '1:{"a":1} 3:{"b":2}',
    },
    {
      rule: 'concatenated JSON',
      text: '{"a":1}{"b":"}"}\n\n {"c":1.0}',
      values: '1:{"a":1} 1:{"b":"}"} 3:{"c":1.0}',
    },
    { rule: 'JSON decided by its first character', text: ' \n{"a": 1}', values: '2:{"a":1}' },
    {
      rule: 'JSON turning into YAML behind one object',
      text: '{"a":1}\n---\nb: yes',
      values: '1:{"a":1} 2:{"b":true}',
    },
    { rule: 'flow YAML that looks like JSON', text: '{a: 1}', values: '1:{"a":1}' },
    { rule: 'nothing', text: '', values: '' },
    { rule: 'white space', text: ' \n\t\n', values: '' },
    {
      rule: 'a last line that nothing ends counts as ended',
      text: 'a: |\n  x\n---\na: |\n  y',
      values: '1:{"a":"x\\n"} 4:{"a":"y\\n"}',
    },
    { rule: 'Windows line ends', text: 'a: 1\r\n---\r\nb: 2\r\n', values: '1:{"a":1} 3:{"b":2}' },
  ];
  for (const { rule, text, values: expected } of rows) {
    it(rule, () => {
      expect(values(parseDocuments(text))).to.equal(expected);
    });
  }

  it('gives empty documents when asked', () => {
    expect(values(parseDocuments('# c\n---\na: 1', { empty: 'keep' }))).to.equal(
      '1:null 3:{"a":1}',
    );
  });

  const errors: {
    rule: string;
    text: string | Buffer;
    code: string;
    line: number;
    column?: number;
  }[] = [
    {
      rule: 'YAML: the line counts from the start of the file',
      text: 'a: 1\n---\nb: 2\nc: [',
      code: 'E_YAML',
      line: 4,
    },
    {
      rule: 'a separator followed by text',
      text: 'a: 1\n--- b\n',
      code: 'E_YAML',
      line: 2,
      column: 1,
    },
    {
      rule: 'JSON behind two objects',
      text: '{"a":1}\n{"b":1}\n{"c" 1}',
      code: 'E_JSON',
      line: 3,
      column: 6,
    },
    {
      rule: 'JSON behind which nothing but text stands',
      text: '{"a":1}\n01{"b":1}',
      code: 'E_JSON',
      line: 2,
    },
    { rule: 'JSON cut off', text: '{"a":1}\n{"b":1}\n{"c":', code: 'E_JSON', line: 3 },
    {
      rule: 'bytes that are no text',
      text: Buffer.from([0x61, 0x0a, 0xff, 0x00]),
      code: 'E_YAML',
      line: 2,
    },
  ];
  for (const { rule, text, code, line, column } of errors) {
    it(rule, () => {
      let thrown: unknown;
      try {
        parseDocuments(text, { file: 'f' });
      } catch (error) {
        thrown = error;
      }
      expect(thrown).to.be.instanceOf(InvalidInputError);
      const { code: actual, where } = thrown as InvalidInputError;
      expect(actual).to.equal(code);
      expect(where.file).to.equal('f');
      expect(where.line).to.equal(line);
      if (column !== undefined) expect(where.column).to.equal(column);
    });
  }

  it('lets a refused JSON object be read as YAML, as the reference does', () => {
    const formats: string[] = [];
    const read = (): Document[] =>
      parseDocuments('{"a":1}', {
        accept: ({ format }) => {
          formats.push(format);
          throw new InvalidInputError('E_CATALOG', `no ${format}`);
        },
      });
    expect(read).to.throw('no json');
    expect(formats).to.deep.equal(['json', 'yaml']);
  });
});
