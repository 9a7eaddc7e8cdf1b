import { expect } from 'chai';
import { samples } from '../../rule/testing/samples.js';
import { Dice } from '../../upgrade/proof/testing/dice.js';
import { parseDocuments, type Document } from './documents.js';
import { InvalidInputError, defaultLimits } from './error.js';
import { stringifyJson } from './json.js';
import type { YamlNode } from './yaml-nodes.js';
import { readYaml, rereadYaml } from './yaml.js';

const documents = samples(40);
const editsOfEach = 40;

describe('a text read again after an edit', () => {
  it('is what a whole reading makes of it, after each of many edits', () => {
    const seen = { whole: 0, part: 0, refused: 0 };
    for (let seed = 1; seed <= documents; seed++) {
      const dice = new Dice(seed);
      let text = '';
      while (text === '' || attempt(() => parseDocuments(text, {})) instanceof InvalidInputError) {
        text = randomFile(dice);
      }
      let before = parseDocuments(text, {});
      for (let count = 0; count < editsOfEach; count++) {
        const next = randomEdit(dice, text);
        const again = attempt(() => parseDocuments(next, { before }));
        const whole = attempt(() => parseDocuments(next, {}));
        expect(shownAll(again), JSON.stringify({ text, next })).to.deep.equal(shownAll(whole));
        if (again instanceof InvalidInputError) seen.refused++;
        else {
          for (const each of again) seen[isReadInPart(each, before) ? 'part' : 'whole']++;
          // An error is edited away mostly, as a user does.
          [text, before] = [next, again];
        }
      }
    }
    expect(seen.part).to.be.greaterThan(documents);
    expect(seen.whole).to.be.greaterThan(documents);
    expect(seen.refused).to.be.greaterThan(documents);
  });

  const rows: readonly [why: string, before: string, after: string, isPart: boolean][] = [
    ['a value', 'a: 1\nb:\n  c: 2\nd: 3\n', 'a: 1\nb:\n  c: 22\nd: 3\n', true],
    ['a key', 'a: 1\nb:\n  c: 2\nd: 3\n', 'a: 1\nb:\n  cc: 2\nd: 3\n', true],
    ['a member more', 'a: 1\nb:\n  c: 2\nd: 3\n', 'a: 1\nb:\n  c: 2\n  e: |\n    x\nd: 3\n', true],
    ['a comment', 'a: 1\nb: 2 # x\nd: 3\n', 'a: 1\nb: 2 # xy\nd: 3\n', true],
    [
      'the last member',
      'a: 1\nb:\n- c: 2\n  d: 1\n- x\n',
      'a: 1\nb:\n- c: 2\n  d: 12\n- x\n',
      true,
    ],
    ['the first key', 'a: 1\nb: 2\n', 'aa: 1\nb: 2\n', true],
    ['a list in place of a key', 'a:\nb: 1\nc: 2\n', 'a:\n- : 1\nc: 2\n', false],
    ['braces', '{\n  a: 1,\n  b: 2,\n  c: 3\n}\n', '{\n  a: 1,\n  b: 25,\n  c: 3\n}\n', false],
    ['a key behind a question mark', 'a:\n  ?\n    k\nb: 1\n', 'a:\n  ?\n    k: x\nb: 1\n', false],
    ['an alias', 'a: &x 1\nb: *x\nc: 3\n', 'a: &x 1\nb: *x\nc: 33\n', false],
    ['a line break', 'a: 1\nb: 2\nc: 3\n', 'a: 1\nb: 2 c: 3\n', false],
    ['a quote that opens', 'a: b\nc: "d"\n', 'a: "b\nc: "d"\n', false],
    ['equal keys', 'a: 1\nb: 2\nc: 3\n', 'a: 1\na: 2\nc: 3\n', false],
    ['a directive', '%TAG !! a:\n---\na: !!x 1\n', '%TAG !! a:\n---\na: !!x 12\n', false],
  ];
  for (const [why, before, after, isPart] of rows) {
    it(`is read ${isPart ? 'in part' : 'wholly'}: ${why}`, () => {
      const { value, root } = readYaml(before);
      if (root === undefined) throw new Error('the text has a value');
      const again = rereadYaml({ text: before, root, value }, after, defaultLimits);
      expect(again !== undefined).to.equal(isPart);
      const whole = again && readYaml(after);
      expect(again?.value).to.deep.equal(whole?.value);
      expect(again && shown(again.root)).to.deep.equal(whole?.root && shown(whole.root));
    });
  }
});

function attempt(read: () => Document[]): Document[] | InvalidInputError {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidInputError) return error;
    throw error;
  }
}

function shownAll(read: Document[] | InvalidInputError): unknown {
  if (read instanceof InvalidInputError) return [read.message, read.where];
  return read.map(({ value, format, line, offset, text, tree }) => ({
    ...{ value: stringifyJson(value), format, line, offset, text },
    tree: tree && [tree.text, shown(tree.root)],
  }));
}

function shown(node: YamlNode): unknown {
  const { kind, start, end } = node;
  if (node.kind === 'sequence') return { kind, start, end, items: node.items.map(shown) };
  if (node.kind === 'mapping')
    return { kind, start, end, behind: node.behind, members: node.members.map(shown) };
  if (node.kind === 'alias') return { kind, start, end, name: node.name };
  return { ...node };
}

/** Whether it has a node that was read before, of another text. */
function isReadInPart({ tree, text }: Document, before: readonly Document[]): boolean {
  const nodesOf = (node: YamlNode): YamlNode[] => {
    const inner = node.kind === 'sequence' ? node.items : [];
    return [node, ...(node.kind === 'mapping' ? node.members : inner).flatMap(nodesOf)];
  };
  const others = before.filter((each) => each.text !== text);
  const known = new Set(others.flatMap((each) => (each.tree ? nodesOf(each.tree.root) : [])));
  return tree !== undefined && nodesOf(tree.root).some((each) => known.has(each));
}

const keys = ['a', 'b', 'type', '"q r"', "'s'", 'x-y', '1', 'true', '<<', '? e', '? e\n'];
const scalars = ['1', 'text', 'two words', '"quoted # : text"', "'it''s'", '~', '1.0', 'true', ''];
const rare = [
  '&n x',
  '*n',
  '!!str 1',
  '[1, {a: b}]',
  '{a: 1,\n b: 2}',
  '[x,\n  y]',
  '!!map {a: b}',
];

function randomFile(dice: Dice): string {
  const count = dice.below(3) === 0 ? 2 : 1;
  return Array.from({ length: count }, () => randomMap(dice, 0, 0)).join('---\n');
}

function randomMap(dice: Dice, indent: number, depth: number): string {
  const chosen = Array.from({ length: 1 + dice.below(4) }, (_, index) =>
    dice.below(30) === 0 ? dice.pick(keys) : `${dice.pick(keys.slice(0, 4))}${index}`,
  );
  return chosen
    .map((key) => `${' '.repeat(indent)}${key}:${randomValue(dice, indent, depth)}`)
    .join('');
}

function randomValue(dice: Dice, indent: number, depth: number): string {
  const comment = dice.below(8) === 0 ? ' # note' : '';
  const pad = ' '.repeat(indent);
  const kind = depth > 4 ? 0 : dice.below(10);
  if (kind < 3) return ` ${dice.pick(scalars)}${comment}\n`;
  if (kind === 3) return ` ${dice.pick(dice.below(3) === 0 ? rare : scalars)}\n`;
  if (kind === 4) {
    const header = dice.pick(['|', '>', '|-', '|+', '>2']);
    return ` ${header}\n${pad}  line\n${dice.below(2) === 0 ? '\n' : ''}${pad}  # no comment\n`;
  }
  if (kind === 5) return ` several\n${pad}  lines\n`;
  const gap = dice.below(6) === 0 ? `${comment}\n\n${pad}# between` : comment;
  if (kind < 8) return `${gap}\n${randomMap(dice, indent + 2, depth + 1)}`;
  const at = indent + (kind === 8 ? 0 : 2);
  const items = Array.from({ length: 1 + dice.below(3) }, () => {
    if (dice.below(2) === 0) return ` ${dice.pick(scalars)}\n`;
    return ` ${randomMap(dice, at + 2, depth + 1).trimStart()}`;
  });
  return `${gap}\n${items.map((item) => `${' '.repeat(at)}-${item}`).join('')}`;
}

const typed = [
  ...'ab1 :-#"\'|>[]{},?&*!%~<.',
  ...[
    '\n',
    '\n  ',
    ': ',
    '- ',
    ' #',
    '---',
    '\n---\n',
    'key: value\n',
    '\t',
    '\r\n',
    '\u0085',
    '&n ',
    '*n',
  ],
  ...['\n  key: value', '\n    more', '<<: {a: 1}\n', '!!str ', 'é', '\u{1f600}', '\n...\n', '\n%'],
];

function randomEdit(dice: Dice, text: string): string {
  const at = dice.below(text.length + 1);
  const count = dice.below(4) === 0 ? dice.below(6) : dice.below(2);
  const added = dice.below(5) === 0 ? '' : dice.pick(typed.slice(0, dice.pick([3, typed.length])));
  return text.slice(0, at) + added + text.slice(at + count);
}
