import { expect } from 'chai';
import fc from 'fast-check';
import { anyText } from '../testing/any-text.js';
import { parseDocuments } from './documents.js';
import { NumberText } from './value.js';
import { parseYaml } from './yaml.js';
import { writeYaml } from './write-yaml.js';

describe('YAML that is written', () => {
  const numbers = [
    '9223372036854775807',
    '-9223372036854775808',
    '9007199254740993',
    '1.0',
    '1e400',
  ];
  for (const text of numbers) {
    it(`keeps ${text} as it is, and reads back as the same`, () => {
      const value = { spec: { size: new NumberText(text) } };
      const yaml = writeYaml(value);
      expect(yaml).to.equal(`spec:\n  size: ${text}\n`);
      const [read] = [...parseDocuments(yaml)];
      const { spec } = read?.value as unknown as { spec: { size: NumberText | number } };
      // kubectl reads 1.0 as an integer too.
      expect(String(spec.size)).to.equal(text === '1.0' ? '1' : text);
    });
  }

  it('reads back as the same, whatever texts it holds', () => {
    const near = fc.string({
      maxLength: 8,
      unit: fc.constantFrom(...'ab01_xoyN~.:,-+# \n\t"\'{[&*!|>%?=<e'),
    });
    const layouts = [{}, { indent: 4, isFlat: true }, { isFlow: true }];
    fc.assert(
      fc.property(fc.oneof(near, anyText), fc.constantFrom(...layouts), (text, layout) => {
        const value = { [text]: [text, [text], { a: text }] };
        const yaml = writeYaml(value, undefined, layout);
        expect(parseYaml(yaml), yaml).to.deep.equal(value);
      }),
      {
        numRuns: 3000,
        examples: [
          ['1_', {}],
          ['+0_', {}],
          ['e?', { isFlow: true }],
          ['b:,', { isFlow: true }],
        ],
      },
    );
  });

  it('quotes texts that look like numbers, and leaves out what is undefined', () => {
    expect(writeYaml({ port: '80', text: 'a', none: undefined })).to.equal("port: '80'\ntext: a\n");
  });

  it('prints what a value is replaced by', () => {
    const short = (_key: string, value: unknown): unknown =>
      typeof value === 'string' ? value.slice(0, 1) : value;
    expect(writeYaml({ text: 'long', size: new NumberText('1.0') }, short)).to.equal(
      'text: l\nsize: 1.0\n',
    );
  });
});
