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
  {
    rule: 'a block that nothing ends has no line break',
    yaml: 'a:\n  b: |\n    x\n  c: |\n    y',
    json: '{"a":{"b":"x\\n","c":"y"}}',
  },
  { rule: 'nor has a folded one', yaml: '- >+\n  foo\n  bar', json: '["foo bar"]' },
  { rule: 'blanks on the last line end a block', yaml: 'a: |\n  foo\n  ', json: '{"a":"foo\\n"}' },
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
    rule: 'a template that is no YAML either',
    yaml: '{{- if .Values.crds }}\na: 1\n{{- end }}',
    error: /is not YAML: .*render it first, with helm template$/,
  },
  {
    rule: 'other braces are no template',
    yaml: 'a: {{ b',
    error: /did not find expected ',' or '}'$/,
  },
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
    rule: 'what is merged replaces what stands above it',
    yaml: 'a: &a {x: 1}\nb: {x: 2, <<: *a, z: 3}\nc: {<<: *a, x: 2}',
    json: '{"a":{"x":1},"b":{"x":1,"z":3},"c":{"x":2}}',
  },
  {
    rule: 'of several merged maps the first wins',
    yaml: 'a: &a {x: 1}\nb: &b {x: 2, z: 2}\nc: {<<: [*a, *b]}\nd: {<<: *a, <<: *b}',
    json: '{"a":{"x":1},"b":{"x":2,"z":2},"c":{"x":1,"z":2},"d":{"x":2,"z":2}}',
  },
  {
    rule: 'tags decide',
    yaml: "[!!str 1, !!int '5', !!float 2, !!null '', !other x]",
    json: '["1",5,2,null,"x"]',
  },
  { rule: 'a tag that does not fit', yaml: '!!int abc', error: /cannot decode "abc" as a !!int/ },
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
    error: /has the key a twice/,
  },
  {
    rule: 'core: unknown tags are an error',
    yaml: 'a: !x 1',
    dialect: 'core',
    error: /unknown tag/,
  },
  {
    rule: 'core: << is a key like others',
    yaml: '{ <<: { a: 1 } }',
    dialect: 'core',
    json: '{"<<":{"a":1}}',
  },
];

/** Each checked against sigs.k8s.io/yaml. */
const asTheReference: Row[] = [
  { rule: 'a tab indents nothing', yaml: 'a: 1\n\tb: 2\n', error: /a tab.*: indent with spaces$/ },
  { rule: 'nor in a block text', yaml: 'a: |\n\tb\n', error: /a tab.*: indent with spaces$/ },
  { rule: 'a tab before a token is refused', yaml: 'v:\n  \ta\n', error: /a tab/ },
  { rule: 'a tab behind a dash too', yaml: '-\ta\n', error: /a tab/ },
  { rule: 'a line with nothing but a tab too', yaml: 'a: "1"\n\t\nb: 2\n', error: /a tab/ },
  { rule: 'a tab before a comment too', yaml: 'a: 1\n\t# c\nb: 2\n', error: /a tab/ },
  { rule: 'tabs stand between key and value', yaml: 'a:\t1\t# c\n', json: '{"a":1}' },
  { rule: 'tabs stand in brackets', yaml: 'a: [1,\n\t2]\n', json: '{"a":[1,2]}' },
  { rule: 'tabs stand in quotes', yaml: 'a: "1\n\t2"\n', json: '{"a":"1 2"}' },
  { rule: 'tabs stand in a literal text', yaml: 'a: |\n  x\n  \ty\n', json: '{"a":"x\\n\\ty\\n"}' },
  { rule: 'but do not begin it', yaml: 'a: |\n  \tx\n', error: /a tab character where/ },
  { rule: 'nor stand to its left', yaml: 'a: |\n  x\n \ty\n', error: /a tab|YAML/ },
  { rule: 'there is no escaped slash', yaml: 'a: "\\/"\n', error: /unknown escape/ },
  { rule: 'a slash in single quotes is one', yaml: "a: '\\/'\n", json: '{"a":"\\\\/"}' },
  { rule: 'no half of a pair is escaped', yaml: 'a: "\\ud83d\\ude00"\n', error: /Unicode/ },
  { rule: 'a whole character is', yaml: 'a: "\\U0001F600"\n', json: '{"a":"😀"}' },
  { rule: 'only YAML 1.1 is read', yaml: '%YAML 1.2\n---\na: 1\n', error: /incompatible/ },
  { rule: 'and says so', yaml: '# c\n%YAML 1.1\n---\na: 1\n', json: '{"a":1}' },
  { rule: 'no other directive', yaml: '%FOO\n---\na: 1\n', error: /unknown directive/ },
  { rule: 'null is nothing to merge', yaml: 'a: 1\n<<: null\n', error: /merges/ },
  { rule: 'braces hold no value without a key', yaml: 'v: {: 1}\n', error: /node content/ },
  { rule: 'brackets hold no text that begins so', yaml: 'v: [:a]\n', error: /node content/ },
  { rule: 'no map beside its marker', yaml: '--- a: 1\n', error: /mapping values are not allowed/ },
  { rule: 'no list either', yaml: '--- - 1\n', error: /entries are not allowed/ },
  { rule: 'a text is fine there', yaml: '--- a\n', json: '"a"' },
  { rule: 'a tagged time must be one', yaml: 'v: !!timestamp x\n', error: /YAML/ },
  {
    rule: 'and stays its text',
    yaml: 'v: !!timestamp 2001-02-28\n',
    json: '{"v":"2001-02-28"}',
  },
  { rule: 'a lone tag of a text', yaml: 'v: !\n', json: '{"v":""}' },
  { rule: 'a literal text of nothing', yaml: '--- |\n', json: '""' },
  { rule: 'only the first document is read', yaml: '---\na: 1\n---\n[\n', json: '{"a":1}' },
  { rule: 'be it empty', yaml: '---\n---\n*x\n', json: 'null' },
  { rule: 'infinite as a key', yaml: '-.inf: 1\n.NaN: 2\n', json: '{"-.inf":1,".nan":2}' },
  {
    rule: 'floats as keys, in single precision',
    yaml: '{0.1234567891: 1, 1e6: 2, 4.10: 3, 3850229.25: 4}',
    json: '{"0.12345679":1,"1e+06":2,"4.1":3,"3.8502292e+06":4}',
  },
  {
    rule: 'a next line is a line break',
    yaml: 'a: 1\u0085b: "x\u0085y"\n# c\u0085c: 3\n',
    json: '{"a":1,"b":"x y","c":3}',
  },
  { rule: 'a line separator hides a line', yaml: '# c\u2028a: 1\n', error: /U\+2028 stands here/ },
  { rule: 'a paragraph separator too', yaml: 'a: x\u2029b: 1\n', error: /U\+2029 stands here/ },
  { rule: 'a mark before a key too', yaml: 'a:\n\ufeff  b: 1\n', error: /U\+FEFF stands here/ },
  { rule: 'a mark within a text too', yaml: 'a: x\ufeffy\n', error: /U\+FEFF stands here/ },
  {
    rule: 'an empty item does not take the next one of the list around',
    yaml: 'a:\n- b:\n  - 1\n  -\n- b: 2\n',
    json: '{"a":[{"b":[1,null]},{"b":2}]}',
  },
  {
    rule: 'not behind comments either',
    yaml: '- - 1\n  - # c\n\n# d\n- 2\n',
    json: '[[1,null],2]',
  },
  { rule: 'an empty item within a list', yaml: 'a:\n- 1\n-\n- 2\n', json: '{"a":[1,null,2]}' },
  {
    rule: 'an empty item at the end',
    yaml: 'a:\n  - 1\n  -\nb: 2\n',
    json: '{"a":[1,null],"b":2}',
  },
  {
    rule: 'a dash in a text',
    yaml: 'a: |\n  - 1\n    -\n  - 2\n',
    json: '{"a":"- 1\\n  -\\n- 2\\n"}',
  },
  { rule: 'a colon beside a comma is text', yaml: 'a: [x:, z]\n', json: '{"a":["x:","z"]}' },
  { rule: 'and beside a brace', yaml: 'a: {x:}\n', json: '{"a":{"x:":null}}' },
  { rule: 'but not behind quotes', yaml: 'a: {"x":[1],"y":{}}\n', json: '{"a":{"x":[1],"y":{}}}' },
  {
    rule: 'nor in a text',
    yaml: 'a: ["x:,", b]\nc: "{d:}"\n',
    json: '{"a":["x:,","b"],"c":"{d:}"}',
  },
  { rule: 'a list is no key', yaml: '? [a]\n: 1\n', error: /a list as a key/ },
  { rule: 'nor a map', yaml: '? a: b\n: 1\n', error: /YAML|key/ },
  { rule: 'a text is', yaml: '? a\n: 1\n? "b"\n: 2\n', json: '{"a":1,"b":2}' },
  { rule: 'a question in brackets', yaml: 'a: [b?c]\n', error: /expected ',' or '\]'/ },
  { rule: 'a text may begin like a marker', yaml: '---a: 1\n', json: '{"---a":1}' },
  { rule: 'of two marks the second is none', yaml: '\ufeff\ufeffa: 1\n', error: /U\+FEFF/ },
  { rule: 'which of 1 and "1" counts is random', yaml: '1: a\n"1": b\n', error: /of two types/ },
  {
    rule: 'and of those that are merged',
    yaml: '<<: {true: a}\n"true": b\n',
    error: /of two types/,
  },
  { rule: 'of one type the last', yaml: '1: a\n0x1: b\n', json: '{"1":"b"}' },
  { rule: 'no NaN is another', yaml: '.nan: 1\n.NaN: 2\n', error: /of two types/ },
  { rule: 'no key has 64 bits', yaml: '18446744073709551615: 1\n', error: /more than 63 bits/ },
  { rule: 'odd numbers', yaml: '[.5_0, ._5, 0b-11, 0_17]', json: '[0.5,"._5",-3,15]' },
  { rule: 'a value beside braces as a key is lost', yaml: '{}: a\n', json: '{}' },
  { rule: 'a quoted merge merges nothing', yaml: '"<<": {a: 1}\n', json: '{"<<":{"a":1}}' },
  { rule: 'an anchor may come twice', yaml: '[&x 1, &x 2, *x]', json: '[1,2,2]' },
  { rule: 'anchors have plain names', yaml: 'a: &\u00e4 1\n', error: /alphabetic or numeric/ },
  { rule: 'an alias as a key', yaml: '{x: &y 1, *y : z}', json: '{"1":"z","x":1}' },
  {
    rule: 'a tag may hide behind a handle',
    yaml: '%TAG !e! tag:yaml.org,2002:\n---\n!e!str 1\n',
    json: '"1"',
  },
  { rule: 'or behind another meaning', yaml: '%TAG !! x:\n---\n!!int y\n', json: '"y"' },
  { rule: 'but not behind an escape', yaml: 'a: !!%73tr 1\n', error: /a tag has an escape/ },
  { rule: 'an indentation that is said', yaml: 'a: |2\n   x\n', json: '{"a":" x\\n"}' },
  {
    rule: 'a folded text with indented lines',
    yaml: 'a: >\n\n  x\n  y\n\n   z\n  w\n',
    json: '{"a":"\\nx y\\n\\n z\\nw\\n"}',
  },
  { rule: 'an escaped line break', yaml: 'a: "x\\\n  y"\n', json: '{"a":"xy"}' },
  { rule: 'no marker in quotes', yaml: 'a: "x\n--- y"\n', error: /document indicator/ },
  {
    rule: 'a key of 1,024 characters',
    yaml: `{${'k'.repeat(1024)}: 1}`,
    json: `{"${'k'.repeat(1024)}":1}`,
  },
  {
    rule: 'and no longer one',
    yaml: `${'k'.repeat(1025)}: 1`,
    error: /mapping values are not allowed/,
  },
  { rule: 'be the line break of an old Mac', yaml: '\r---a: 1\n', json: '{"---a":1}' },
  { rule: 'a comment needs its blank', yaml: '---# c\na: 1\n', error: /not allowed/ },
  { rule: 'a map may stand left of its tag', yaml: '  !b\na: 1\n', json: '{"a":1}' },
  { rule: 'and of its anchor', yaml: '  &b\na: 1\n', json: '{"a":1}' },
  { rule: 'a text of more lines than one', yaml: ' a\nb\n', json: '"a b"' },
  {
    rule: 'a colon ends the name of an anchor',
    yaml: 'a:\n  &x:b: {c: d}\n',
    json: '{"a":{":b":{"c":"d"}}}',
  },
  { rule: 'and of an alias', yaml: 'a: &x b\n*x: c\n', json: '{"a":"b","b":"c"}' },
  { rule: 'which may be a key', yaml: 'a: &x b\n*x : c\n', json: '{"a":"b","b":"c"}' },
  { rule: 'what looks so in a text is text', yaml: 'a: b &c:d\n', json: '{"a":"b &c:d"}' },
  { rule: 'a \\ joins no empty line', yaml: 'a: "b\\\n\n c"\n', json: '{"a":"b\\nc"}' },
  { rule: 'but the next one', yaml: 'a: "b\\\n c"\n', json: '{"a":"bc"}' },
  { rule: 'bytes that are no text', yaml: 'a: !!binary /w==\n', error: /YAML/ },
  { rule: 'bytes that are', yaml: 'a: !!binary YQ==\n', json: '{"a":"a"}' },
  { rule: 'long integers as keys', yaml: '{9007199254740993: 1}', json: '{"9007199254740993":1}' },
];

describe('parseYaml', () => {
  for (const { rule, yaml, json, error, dialect } of [...rows, ...asTheReference]) {
    it(rule, () => {
      const read = (): string => stringifyJson(parseYaml(yaml, { file: 'f.yaml', dialect }));
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

  it('reads what is indented by hundreds of blanks', () => {
    const blanks = ' '.repeat(300);
    expect(parseYaml(`a:\n${blanks}b: 1\n`)).to.deep.equal({ a: { b: 1 } });
    expect(parseYaml(`a:\n${blanks}- 1\n${blanks}-\n`)).to.deep.equal({ a: [1, null] });
  });

  it('reads a line of a million characters once, not once for each of its brackets', () => {
    const line = `a: [${'{}, '.repeat(250_000)}{}]`;
    const { a } = parseYaml(line, { maxValues: Infinity }) as { a: unknown[] };
    expect(a).to.have.length(250_001);
  });

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

  it('finds the one tab that indents among 20,000 literal texts with tabs', () => {
    const texts = Array.from({ length: 20_000 }, (_, index) => `k${index}: |\n  a\n  \tb\n`);
    expect(() => parseYaml(`${texts.join('')}last: 1\n\tc: 2\n`))
      .to.throw(InvalidInputError)
      .with.nested.property('where.line', 60_002);
  });

  it('refuses text past the limit of bytes', () => {
    expect(() => parseYaml('a: 1', { maxBytes: 3 })).to.throw(InvalidInputError, /at most 3/);
  });
});
