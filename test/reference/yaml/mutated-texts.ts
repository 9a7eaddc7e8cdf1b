/**
 * YAML as people and damaged files have it: the example manifests, and texts that ask for one odd rule
 * each, with one to four random changes. The same seed gives the same texts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../apiserver/random-schemas.js';

class Choices extends Random {
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

const root = join(import.meta.dirname, '..', '..', '..');

/** Each a document of its own, or several. */
export const oddTexts: readonly string[] = [
  '? a\n: 1\n? b\n: 2\n',
  '? a\n',
  '? [a]\n: 1\n',
  '? |\n  k\n: v\n',
  '? - a\n: b\n',
  '?\ta\n: b\n',
  'a: {? b : c}\n',
  'a: [? b : c, d]\n',
  'a: [? : x]\n',
  'a: [b: c, d]\n', // prettier-ignore
  'a: &x 1\nb: *x\n',
  '&a a: &b b\n*a : c\n',
  'a: &x {b: 1}\nc: {<<: *x, d: 2}\n',
  'a: &x [1]\nb:\n  <<: *x\n',
  'a: &a [*a]\n',
  'a: &x\nb: *x\n',
  '*x\n',
  'a: &x-1_y 1\nb: *x-1_y\n',
  'a: &ä 1\n',
  'a: &x,b\n',
  'a: *x, b\n', // prettier-ignore
  'a: &x 1\na: &x 2\nb: *x\n',
  'a: &l {x: 1}\nb: &r {x: 2, y: 3}\nc:\n  x: 0\n  <<: [*l, *r]\n',
  '"<<": {a: 1}\n',
  '! <<: {a: 1}\n',
  '!!merge <<: {a: 1}\n',
  '<<: 1\n',
  '<<: [[{a: 1}]]\n',
  '<<:\n', // prettier-ignore
  'a: |\n  x\n   y\n\n  z\n',
  'a: >\n  x\n  y\n\n   z\n  w\n',
  'a: |2\n   x\n',
  'a: |1-\n  x\n\n',
  'a: >+\n  x\n\n\nb: 1\n',
  'a: |-\n  x\n\n',
  'a: |0\n  x\n',
  'a: |12\n x\n',
  'a: |+2 # c\n   x\n\n',
  'a: | c\n  x\n',
  'a: >\n\n  x\n',
  'a: |\nb: 1\n',
  'a: |\n\tx\n',
  '- |\n x\n- >-\n  y\n',
  '|\n x\n---\ny\n',
  'a: |\n  ---\n  x\n',
  'a: |\n---\nb: 1\n', // prettier-ignore
  'a:\tb\n',
  '\ta: b\n',
  'a:\n\tb: c\n',
  '-\ta\n',
  '- \ta\n',
  'a: b\t\n',
  'a: b \t# c\n',
  'a: [\tb\t,\tc]\n',
  'a: "b\n\tc"\n',
  'a: b\n  \tc\n',
  'a: b\n\tc\n',
  'a:\t|\n  x\n',
  '\t\n',
  '#\tc\na: 1\n',
  'a: 1\n\t\n', // prettier-ignore
  '\ufeffa: 1\n',
  'a: 1\n\ufeffb: 2\n',
  '\ufeff\ufeffa: 1\n',
  'a: x\ufeffy\n',
  '\ufeff---\na: 1\n',
  '\ufeff{a: 1}\n',
  '\ufeff# c\na: 1\n', // prettier-ignore
  'a: "x\n---\ny"\n',
  "a: 'x\n...\ny'\n",
  'a: x\n---\ny\n',
  'a: "x\n  --- y"\n',
  'a: x\n---y\n',
  '---a: 1\n',
  '--- a: 1\n',
  '--- - 1\n',
  '--- a\n',
  '--- |\n  a\n',
  '--- {a: 1}\n',
  '---\ta\n',
  '--- # c\na: 1\n',
  '---\n---\na: 1\n',
  'a: 1\n...\nb: 2\n',
  '...\na: 1\n',
  'a: 1\n... # c\n',
  '----\n',
  'a: 1\n--- # c\nb: 2\n---\n',
  'a: 1\n---#c\nb: 2\n',
  'a: 1\n--- b\n',
  '---\r\na: 1\r\n---\r\nb: |\r\n  x\r\n  y\r\n',
  'a: 1\r\rb: 2\r',
  'a: "x\r\n\r\ny"\r\n', // prettier-ignore
  'a: [010, 0o17, 0O17, 0x1F, 0X1f, 0b11, 0B11, -0b11, 08, 1_000, 1__0, _1, 1_, 0_17, +1, -0, +0, 1e3, 1E+3, 1., .5, .5_0, -.5, +.5, 0b-11, 1:30, 190:20:30]\n', // prettier-ignore
  'a: [.1_, ._1, .e1, 1e, 1e400, -1e400, 0x, 0b, 0o, 0x1p3, 1.2.3, 1e3_0, 0.1e-400, 9223372036854775807, 9223372036854775808, 18446744073709551615, 18446744073709551616, -9223372036854775808, -9223372036854775809]\n', // prettier-ignore
  'a: .inf\n',
  'a: -.INF\n',
  'a: .NaN\n',
  '.inf: 1\n',
  '.nan: 1\n',
  '18446744073709551615: 1\n',
  '1.0: a\n',
  '1e6: a\n',
  '1: a\n"1": b\n',
  'yes: 1\n"true": 2\n',
  '~: 1\n',
  'null: 1\n',
  '"": 1\n',
  ': 1\n', // prettier-ignore
  'a: [yes, no, on, off, y, n, Y, N, Yes, yES, True, tRUE, ~, null, Null, nULL]\n',
  'on: push\n',
  'y: 1\nn: 2\n',
  'a: 1\na: 2\n',
  'a: {b: 1, b: 2}\n',
  'a: 2001-01-01\n',
  'a: 2001-01-01T00:00:00Z\n', // prettier-ignore
  'a: !!str 1\n',
  "a: !!int '5'\n",
  'a: !!int x\n',
  'a: !!float 1\n',
  'a: !!bool yes\n',
  'a: !!null x\n',
  "a: !!null ''\n",
  'a: !!binary YQ==\n',
  'a: !!binary x\n',
  'a: !!set {b}\n',
  'a: !x 1\n',
  'a: !x!y 1\n',
  'a: !\n',
  'a: ! 1\n',
  'a: !<tag:yaml.org,2002:str> 1\n',
  'a: !<!int> 1\n',
  'a: !!%73tr 1\n',
  '!!map {a: 1}\n',
  'a: !!seq b\n',
  'a: !!timestamp 2001-01-01\n',
  'a: !!timestamp x\n',
  'a: !! 1\n',
  'a: !a!!b 1\n',
  'a: !!str\n',
  'a: !!str &x 1\nb: *x\n',
  'a: &x !!str 1\n',
  'a: &x &y 1\n', // prettier-ignore
  '%YAML 1.1\n---\na: 1\n',
  '%YAML 1.2\n---\na: 1\n',
  '%YAML 1.1\na: 1\n',
  '%TAG ! tag:x,2000:\n---\na: !y 1\n',
  '%TAG !! tag:x,2000:\n---\na: !!int 1\n',
  '%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1\n',
  '%FOO\n---\na: 1\n',
  'a: 1\n%YAML 1.1\n---\nb: 2\n',
  '%YAML 1.1 # c\n---\na: 1\n',
  '%YAML 1.1\n%YAML 1.1\n---\na: 1\n',
  '%a: 1\n',
  'a: %b\n', // prettier-ignore
  'a: "\\x41\\u0042\\U00000043\\N\\_\\L\\P\\e\\0\\a\\/"\n',
  'a: "\\x41\\u0042\\U00000043\\N\\_\\L\\P\\e\\0\\a"\n',
  'a: "\\ud800"\n',
  'a: "x\\\n  y"\n',
  'a: "x \\\n\n  y"\n',
  "a: 'it''s'\n",
  'a: "x\n\n  y"\n',
  "a: 'x\n  y'\n",
  'a: "\\\ty"\n',
  'a: "\\\'"\n',
  'a: "x" y\n',
  'a: "x"#c\n',
  '"a":1\n',
  '{"a":1,"b":[]}\n',
  "{'a':1}\n",
  '"a" : 1\n', // prettier-ignore
  'a: [1,2,]\n',
  'a: [,1]\n',
  'a: {b, c}\n',
  'a: {b: , c: }\n',
  'a: {: 1}\n',
  'a: [a, b: c]\n',
  'a: [x:, y]\n',
  'a: {x:}\n',
  'a: [b?c]\n',
  'a: [:b]\n',
  'a: [- 1]\n',
  'a: [-1]\n',
  'a: {b: [c, {d: e}]}\n',
  'a: [\nb\n]\n',
  'a: {\nb: c\n}\n',
  '[]: a\n',
  '{}: a\n',
  '[a]: b\n',
  '{a: b}: c\n',
  'a: [{}: b]\n',
  'a: {{ .x }}\n',
  'a: [b\n',
  'a: b]\n',
  'a: b, c\n',
  'a: [b#c]\n',
  'a: [b #c\n]\n',
  'a: http://x:80/y\n',
  'a: x:y\n',
  'a: b: c\n',
  'a: - b\n', // prettier-ignore
  'a:\n- b\n- c\n',
  'a:\n- b:\n  - 1\n  -\n- b: 2\n',
  '- - 1\n  - # c\n\n# d\n- 2\n',
  '-\n- 1\n',
  '- a: 1\n  b: 2\n-\n  c: 3\n',
  'a:\n  b: 1\n c: 2\n',
  'a:\n   b: 1\n  c: 2\n',
  ' a: 1\nb: 2\n',
  '  a: 1\n  b: 2\n',
  'a: 1\n b: 2\n',
  'a: x\n  y\n  z\n',
  'a: x\n\n  y # c\n  z\n',
  'a\nb: 1\n',
  'a: 1\nb\n',
  'a: @x\n',
  'a: `x`\n',
  'a: x # c\n',
  'a: x# c\n',
  '# c\n',
  '',
  ' ',
  '\n',
  'a',
  '1',
  '"a"\n"b"\n',
  '{a: 1}\n{b: 2}\n',
  'a: -\n',
  'a: ?\n',
  '-1\n',
  '?a: 1\n',
  ':a: 1\n',
  '- -- a\n', // prettier-ignore
  'a: "x\u0085y"\n',
  'a: x\u0085b: y\n',
  'a: x\u2028b: y\n',
  'a: "\u2029"\n',
  'a: x\u00a0y\n',
  '\u00a0a: 1\n',
  'a: \u{1f600}\n',
  '\u{1f600}: 1\n',
  'a: \0\n',
  'a: \x07\n',
  'a: \x7f\n', // prettier-ignore
  `${'k'.repeat(1024)}: 1\n`,
  `${'k'.repeat(1025)}: 1\n`,
  `"${'\u{1f600}'.repeat(600)}": 1\n`,
];

/** What may stand beside each other in a stream. */
const documents = [
  'a: 1\n',
  '{"a": 1}\n',
  '{"a": 1}{"b": 2}\n',
  '{"a": 1}\n{"b": 2}\n',
  'a: |\n  x\n  ---\n  y\n',
  'a: |\n  x',
  'a: |+\n  x\n\n',
  'a: "x\n\n  y"\n',
  'a: |\r\n  x\r\r\n  y\r\n',
  'a: "x\r\n\r\n  y"\n',
  'a: x\r  y\n',
  '# c\n',
  '',
  '\n\n',
  'null\n',
  '~\n',
  '1\n',
  'a\n',
  '- a\n',
  '[]\n',
  '%YAML 1.1\n---\na: 1\n',
  'a: 1\n...\nb: 2\n',
  '\ufeffa: 1\n',
  'a: "x\n---\n  y"\n',
  'a: x\n---\n  y\n',
  ' {"a": 1}\n',
  '\n{"a": 1}\n',
  '{a: 1}\n',
  '{"a": 1,}\n',
  '"a"\n',
  '{"a": [1, 2]} # c\n', // prettier-ignore
] as const;

const pieces = [
  '\t',
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\r',
  ':',
  ': ',
  '- ',
  '-',
  '? ',
  '?',
  '#',
  ' # c',
  '[',
  ']',
  '{',
  '}',
  ',',
  '&a ',
  '*a ',
  '*a',
  '!',
  '!!str ',
  '!!int ',
  '!x ',
  '|',
  '>',
  '|\n',
  '>-\n',
  '|2\n',
  "'",
  '"',
  '\\',
  '%',
  '@',
  '`',
  '---\n',
  '\n---\n',
  '--- ',
  '...\n',
  '<<: ',
  '<<: *a',
  '~',
  'null',
  'yes',
  'no',
  'on',
  '0x1F',
  '010',
  '1_000',
  '.5',
  '1e3',
  '.inf',
  '\ufeff',
  '\u0085',
  '\u2028',
  '\u00a0',
  'é',
  '\u{1f600}',
  '%YAML 1.1\n---\n',
  '"<<"',
  '&a\n',
  '\n\n',
  '\n\t',
  ' \n',
  '\n  ',
  '\\n',
  "''",
  '""',
  '[]',
  '{}',
  '{a: b}',
  '[a, b]',
  'a: b',
  '\n- ',
  '\n? ',
  '\n: ', // prettier-ignore
] as const;

/** @param isStream whether several texts may stand behind each other, with separators */
export function mutatedTexts(count: number, seed: number, isStream = false): string[] {
  const random = new Choices(seed);
  const manifests = manifestsOf('examples', 'manifests');
  const separators = ['---\n', '---\n', '--- # c\n', '---\r\n', '---#c\r\n', '--- x\n', '---\t\n', '--- \u00a0\n', '...\n', '----\n', '--\n', '\n', ' ---\n', '# ---\n', '---', '{}\n', 'null\n', '']; // prettier-ignore
  const one = (): string => {
    const text = random.chance(0.5) ? random.of(oddTexts) : partOf(random.of(manifests), random);
    return random.chance(0.1) ? text : changed(text, random);
  };
  // One that is refused hides the others.
  const calm = (): string => {
    const text = random.chance(0.7) ? random.of(manifests) : random.of(documents);
    return random.chance(0.2) ? one() : random.chance(0.2) ? text.replaceAll('\n', '\r\n') : text;
  };
  const stream = (): string => {
    const texts = Array.from({ length: 1 + random.below(3) }, calm);
    const [first = '', ...others] = texts;
    const start = random.chance(0.5) ? random.of(separators) : '';
    const ended = random.chance(0.2) ? random.of(separators) : '';
    return start + first + others.map((text) => random.of(separators) + text).join('') + ended;
  };
  return Array.from({ length: count }, isStream ? stream : one);
}

/** Up to forty lines: small texts have more changes to the line. */
function partOf(text: string, random: Choices): string {
  const lines = text.split('\n');
  const from = random.below(Math.max(1, lines.length - 5));
  const start = random.chance(0.5) ? 0 : from;
  return `${lines.slice(start, start + 5 + random.below(35)).join('\n')}\n`;
}

function changed(text: string, random: Choices): string {
  let changing = text;
  for (let left = 1 + random.below(4); left > 0; left--) {
    const at = random.below(changing.length + 1);
    const to = at + random.below(6);
    const kind = random.below(6);
    const before = changing.slice(0, at);
    if (kind < 3) changing = before + random.of(pieces) + changing.slice(at);
    else if (kind === 3) changing = before + changing.slice(to);
    else if (kind === 4) changing = before + random.of(pieces) + changing.slice(to);
    else changing = withLine(changing, random);
  }
  return changing;
}

/** A line twice, moved, indented otherwise, or replaced by an odd text. */
function withLine(text: string, random: Choices): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  const other = random.below(lines.length);
  switch (random.below(4)) {
    case 0:
      lines.splice(other, 0, line);
      break;
    case 1:
      lines[at] = random.chance(0.5) ? ` ${line}` : line.slice(1);
      break;
    case 2:
      lines.splice(at, 1);
      lines.splice(other, 0, line);
      break;
    default: {
      const indent = /^ */.exec(line)?.[0] ?? '';
      lines[at] = random.of(oddTexts).trimEnd().replaceAll(/^/gm, indent);
    }
  }
  return lines.join('\n');
}

function manifestsOf(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.ya?ml$/.test(name))
      .sort()
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
}
