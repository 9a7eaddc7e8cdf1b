import { expect } from 'chai';
import { InvalidInputError, parseYaml, stringifyJson, type Dialect } from './index.js';

interface Row {
  readonly rule: string;
  readonly yaml: string;
  readonly json?: string;
  readonly error?: RegExp;
  readonly dialect?: Dialect;
}

const rows: Row[] = [
  {
    rule: 'YAML 1.1 words are booleans',
    yaml: '[y, Yes, ON, n, no, Off]',
    json: '[true,true,true,false,false,false]',
  },
  { rule: 'other spellings are strings', yaml: '[yES, oN, tRue]', json: '["yES","oN","tRue"]' },
  { rule: 'quoted words stay strings', yaml: `["yes", 'no', "1"]`, json: '["yes","no","1"]' },
  { rule: 'a leading zero is octal', yaml: '[010, 0o17, 0x1f, 0b11, 09]', json: '[8,15,31,3,9]' },
  {
    rule: 'floats lose their trailing zeros',
    yaml: '[4.10, 1.0, 1e3, 5., .5, +.5]',
    json: '[4.1,1,1000,5,0.5,0.5]',
  },
  { rule: 'underscores in numbers vanish', yaml: '[1_000, 1_0.5]', json: '[1000,10.5]' },
  {
    rule: '64-bit integers keep all digits',
    yaml: '[9007199254740993, -9223372036854775808, 18446744073709551615]',
    json: '[9007199254740993,-9223372036854775808,18446744073709551615]',
  },
  {
    rule: 'past 64 bits it is a float',
    yaml: '[18446744073709551616, -9223372036854775809]',
    json: '[18446744073709552000,-9223372036854776000]',
  },
  { rule: 'negative zero: as integer lost, as float kept', yaml: '[-0, -0.0]', json: '[0,-0]' },
  { rule: 'no double can hold it: a string', yaml: '1e400', json: '"1e400"' },
  {
    rule: 'versions and times are strings',
    yaml: '[1.2.3, 2024-01-01, 1:30, v1]',
    json: '["1.2.3","2024-01-01","1:30","v1"]',
  },
  { rule: 'JSON has no infinity', yaml: 'a: -.inf', error: /-Inf/ },
  { rule: 'JSON has no NaN', yaml: 'a: .nan', error: /NaN/ },
  { rule: 'the last of equal keys wins', yaml: 'a: 1\na: 2', json: '{"a":2}' },
  {
    rule: 'keys become strings',
    yaml: '1: a\n0x10: b\nyes: c\n1.50: d',
    json: '{"1":"a","16":"b","true":"c","1.5":"d"}',
  },
  { rule: 'a null key is an error', yaml: '~: a', error: /key that is null/ },
  { rule: 'the word null as a quoted key is fine', yaml: '"null": a', json: '{"null":"a"}' },
  { rule: 'a template is a map as a key', yaml: 'a: {{ .x }}', error: /map as a key/ },
  {
    rule: 'keys of the prototype are ordinary',
    yaml: '__proto__: 1\nconstructor: 2',
    json: '{"__proto__":1,"constructor":2}',
  },
  {
    rule: 'merge keys',
    yaml: 'a: &a {x: 1, z: 2}\nb: {<<: *a, z: 3}',
    json: '{"a":{"x":1,"z":2},"b":{"x":1,"z":3}}',
  },
  {
    rule: 'tags decide',
    yaml: "[!!str 1, !!int '5', !!float 2, !!null '', !other x]",
    json: '["1",5,2,null,"x"]',
  },
  { rule: 'a tag that does not fit', yaml: '!!int abc', error: /cannot resolve/ },
  { rule: 'nothing is null', yaml: '# only a comment', json: 'null' },
  { rule: 'what follows the first document is ignored', yaml: '{a: 1}\n{b: 2}', json: '{"a":1}' },
  { rule: 'a byte order mark is skipped', yaml: '\ufeffa: 1', json: '{"a":1}' },
  { rule: 'control characters', yaml: 'a: \u0007', error: /control char/ },
  { rule: 'NUL', yaml: 'a: \0', error: /control char/ },
  { rule: 'an anchor inside itself', yaml: 'a: &a [*a]', error: /anchor|alias/ },
  { rule: 'tabs do not indent', yaml: 'a:\n\tb: 1', error: /tab/ },
  {
    rule: 'core: words of YAML 1.1 are strings',
    yaml: '[yes, on, n, 010]',
    dialect: 'core',
    json: '["yes","on","n",10]',
  },
  {
    rule: 'core: numbers keep their text',
    yaml: '[1.0, 4.10, 1e3, 0o17, +7]',
    dialect: 'core',
    json: '[1.0,4.10,1e3,15,7]',
  },
  {
    rule: 'core: equal keys are an error',
    yaml: 'a: 1\na: 2',
    dialect: 'core',
    error: /duplicated/,
  },
  {
    rule: 'core: unknown tags are an error',
    yaml: 'a: !x 1',
    dialect: 'core',
    error: /unknown tag/,
  },
];

describe('parseYaml', () => {
  for (const { rule, yaml, json, error, dialect } of rows) {
    it(rule, () => {
      const read = (): string =>
        stringifyJson(parseYaml(yaml, { file: 'f.yaml', ...(dialect && { dialect }) }));
      if (error === undefined) {
        expect(read()).to.equal(json);
      } else {
        expect(read)
          .to.throw(InvalidInputError, error)
          .with.nested.property('where.file', 'f.yaml');
      }
    });
  }

  it('names line and column of an error', () => {
    expect(() => parseYaml('a: 1\nb: [1,\n'))
      .to.throw(InvalidInputError)
      .with.property('where')
      .with.property('line');
  });

  for (const [name, text] of [
    ['lists', '['.repeat(10_000)],
    ['objects', '{a: '.repeat(10_000)],
    ['block lists', '- '.repeat(10_000)],
  ] as const) {
    it(`refuses ${name} nested 10,000 levels deep`, () => {
      expect(() => parseYaml(text))
        .to.throw(InvalidInputError)
        .with.property('code', 'E_LIMIT');
    });
  }

  it('refuses aliases that expand exponentially', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 10; level++) {
      lines.push(
        `a${level}: &a${level} [${Array<string>(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    }
    expect(() => parseYaml(lines.join('\n')))
      .to.throw(InvalidInputError)
      .with.property('code', 'E_LIMIT');
  });

  it('refuses text past the limit of bytes', () => {
    expect(() => parseYaml('a: 1', { maxBytes: 3 })).to.throw(InvalidInputError, /at most 3/);
  });
});
