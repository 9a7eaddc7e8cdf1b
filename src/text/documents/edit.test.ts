import { expect } from 'chai';
import fc from 'fast-check';
import jsonPatch, { type Operation } from 'fast-json-patch';
import {
  parseDocuments,
  parseJson,
  stringifyJson,
  type Document,
  type JsonValue,
} from './index.js';
import { editDocument, editFile, type EditedText } from './edit.js';
import { docAsText, textsOfDocuments, type Line } from './testing/documents-as-text.js';

const only = (text: string): Document => parseDocuments(text)[0] as Document;

const patched = (value: JsonValue, patch: readonly Operation[]): JsonValue =>
  jsonPatch.applyPatch(parseJson(stringifyJson(value)), patch).newDocument;

function edit(text: string, patch: readonly Operation[]): EditedText {
  const document = only(text);
  return editDocument(document, patched(document.value, patch));
}

interface Row {
  readonly name: string;
  readonly text: string;
  readonly patch: readonly Operation[];
  readonly expected: string;
}

const rows: Row[] = [
  {
    name: 'keeps comments, and the order at the beginning',
    text: '# about\nb: 1 # why\na: [p, q]\n',
    patch: [{ op: 'add', path: '/aa', value: { d: true } }],
    expected: '# about\nb: 1 # why\na: [p, q]\naa:\n  d: true\n',
  },
  {
    name: 'puts keywords where controller-gen has them',
    text: 'size:\n  description: much\n  # of a kind\n  type: integer\n',
    patch: [
      { op: 'add', path: '/size/minimum', value: 0 },
      { op: 'add', path: '/size/x-a', value: [] },
    ],
    expected:
      'size:\n  description: much\n  minimum: 0\n  # of a kind\n  type: integer\n  x-a: []\n',
  },
  {
    name: 'lays lists out as the text has them',
    text: 'a:\n- b: { c: 1 }\n- d\n',
    patch: [{ op: 'add', path: '/e', value: ['f'] }],
    expected: 'a:\n- b: { c: 1 }\n- d\ne:\n- f\n',
  },
  {
    name: 'indents as the text does',
    text: 'a:\n    b:\n        - c\n',
    patch: [{ op: 'add', path: '/a/d', value: { e: { f: 1 } } }],
    expected: 'a:\n    b:\n        - c\n    d:\n        e:\n            f: 1\n',
  },
  {
    name: 'takes a member out with the comments that are about it',
    text: 'b: 1\n# about a\na: # why\n  x: 2\n  # in a\n# about c\nc: 3\n',
    patch: [{ op: 'remove', path: '/a' }],
    expected: 'b: 1\n# about c\nc: 3\n',
  },
  {
    name: 'leaves comments above the first member, which may be about all',
    text: '# License\na: 1\nb: 2\n',
    patch: [{ op: 'remove', path: '/a' }],
    expected: '# License\nb: 2\n',
  },
  {
    name: 'moves up what stands below a first member behind a dash',
    text: 'l:\n- kind: X\n  # about y\n  y: 1\n- z: 1\n',
    patch: [{ op: 'remove', path: '/l/0/kind' }],
    expected: 'l:\n- # about y\n  y: 1\n- z: 1\n',
  },
  {
    name: 'puts a first member behind a dash',
    text: 'l:\n- kind: X\n  y: 1\n',
    patch: [{ op: 'add', path: '/l/0/apiVersion', value: 'v1' }],
    expected: 'l:\n- apiVersion: v1\n  kind: X\n  y: 1\n',
  },
  {
    name: 'takes items out of lists, puts others in, and changes those that stay',
    text: 'enum:\n- a # one\n- b\n# about c\n- c\n- d: 1\n',
    patch: [
      { op: 'remove', path: '/enum/1' },
      { op: 'replace', path: '/enum/2/d', value: 2 },
      { op: 'add', path: '/enum/-', value: 'e' },
    ],
    expected: 'enum:\n- a # one\n# about c\n- c\n- d: 2\n- e\n',
  },
  {
    name: 'takes items out of lists in lists',
    text: 'a:\n- - x\n  - y\n- k: v\n',
    patch: [{ op: 'remove', path: '/a/0/0' }],
    expected: 'a:\n- - y\n- k: v\n',
  },
  {
    name: 'writes empty brackets where nothing is left',
    text: 'a: # c\n  b: 1\nc:\n- d\n',
    patch: [
      { op: 'remove', path: '/a/b' },
      { op: 'remove', path: '/c/0' },
    ],
    expected: 'a: {} # c\nc: []\n',
  },
  {
    name: 'keeps the comment beside a value that gets lines of its own',
    text: 'd: 2 # e\nf: "x\n  y" # g\nh:\n',
    patch: [
      { op: 'replace', path: '/d', value: { x: 'l1\nl2\n' } },
      { op: 'replace', path: '/f', value: [1] },
      { op: 'replace', path: '/h', value: 'z' },
    ],
    expected: 'd: # e\n  x: |\n    l1\n    l2\nf: # g\n  - 1\nh: z\n',
  },
  {
    name: 'changes what stands behind a block scalar at the end, and the scalar',
    text: 'a:\n  b: |\n    c\n\n    d',
    patch: [{ op: 'add', path: '/a/e', value: 'f' }],
    expected: 'a:\n  b: |-\n    c\n\n    d\n  e: f'.replace('|-', '|'),
  },
  {
    name: 'leaves a block scalar the empty lines that it keeps',
    text: 'a:\n  b: |+\n    c\n\n  d: 1\n',
    patch: [{ op: 'add', path: '/a/c', value: 'x' }],
    expected: 'a:\n  b: |+\n    c\n\n  c: x\n  d: 1\n',
  },
  {
    name: 'ends lines as in Windows where the text does',
    text: '\ufeffa:\r\n  b: |\r\n    c\r\n  d: 1',
    patch: [
      { op: 'replace', path: '/a/d', value: 2 },
      { op: 'add', path: '/f', value: { g: [1] } },
    ],
    expected: '\ufeffa:\r\n  b: |\r\n    c\r\n  d: 2\r\nf:\r\n  g:\r\n    - 1',
  },
  {
    name: 'writes another name where a member has only that',
    text: 'a: 1\n# about b\nb: # why\n  c: 2\nd: { "e": 1, f: 2 }\n',
    patch: [
      { op: 'move', from: '/b', path: '/bb' },
      { op: 'move', from: '/d/e', path: '/d/ee' },
      { op: 'move', from: '/d/f', path: '/d/on' },
    ],
    expected: `a: 1\n# about b\nbb: # why\n  c: 2\nd: { "ee": 1, 'on': 2 }\n`,
  },
  {
    name: 'renames what is beside something new',
    text: 'a: 1 # one\nb: 2\n',
    patch: [
      { op: 'move', from: '/a', path: '/c' },
      { op: 'add', path: '/d', value: 3 },
    ],
    expected: 'c: 1 # one\nb: 2\nd: 3\n',
  },
  {
    name: 'renames the only member, also in JSON',
    text: '{"a": {"b": [1, 2]}}',
    patch: [{ op: 'move', from: '/a/b', path: '/a/c' }],
    expected: '{"a": {"c": [1, 2]}}',
  },
  {
    name: 'edits within brackets',
    text: 'a: { b: 1, c: [x, y,z] } # d\n',
    patch: [
      { op: 'remove', path: '/a/b' },
      { op: 'add', path: '/a/e', value: { f: 'g: h' } },
      { op: 'remove', path: '/a/c/2' },
    ],
    expected: "a: { c: [x, y], e: {f: 'g: h'} } # d\n",
  },
  {
    name: 'keeps comments within brackets',
    text: 'a: [x, # one\n  y, z]\nb: [\n  p, # two\n  q\n]\n',
    patch: [
      { op: 'replace', path: '/a', value: ['x'] },
      { op: 'replace', path: '/b', value: ['p', 'r', 's'] },
    ],
    expected: 'a: [x, # one\n]\nb: [\n  p, # two\n  r, s\n]\n',
  },
  {
    name: 'writes an alias out where it comes to mean something else',
    text: 'a: &p {m: 1}\nb: *p\nc: *p\n',
    patch: [
      { op: 'replace', path: '/a/m', value: 2 },
      { op: 'replace', path: '/b/m', value: 2 },
    ],
    expected: 'a: &p {m: 2}\nb: *p\nc:\n  m: 1\n',
  },
  {
    name: 'writes an alias out whose anchor is taken out, below the marker',
    text: '---\n# head\na: &p {m: 1} # lost\nb: *p\n',
    patch: [{ op: 'remove', path: '/a' }],
    expected: '---\n# head\nb:\n  m: 1\n',
  },
  {
    name: 'keeps an anchor whose value changes',
    text: 'a: &p 1 # one\nb: *p\n',
    patch: [
      { op: 'replace', path: '/a', value: 2 },
      { op: 'replace', path: '/b', value: 2 },
    ],
    expected: 'a: &p 2 # one\nb: *p\n',
  },
  {
    name: 'writes below a merge what is to count more',
    text: 'a: &p\n  m: 1\n  k: 2\nd:\n  <<: *p\n  x: 1\n',
    patch: [{ op: 'replace', path: '/d/m', value: 3 }],
    expected: 'a: &p\n  m: 1\n  k: 2\nd:\n  <<: *p\n  x: 1\n  m: 3\n',
  },
  {
    name: 'writes a map out that shall not have all that it merges',
    text: 'a: &p\n  m: 1\n  k: 2\nd: # e\n  <<: *p\n  x: 1\n',
    patch: [{ op: 'remove', path: '/d/m' }],
    expected: 'a: &p\n  m: 1\n  k: 2\nd: # e\n  k: 2\n  x: 1\n',
  },
  {
    name: 'finds keys by what kubectl makes of them',
    text: 'yes: 1\n010: 2\n"a/b": 3\n',
    patch: [
      { op: 'remove', path: '/true' },
      { op: 'replace', path: '/8', value: 4 },
      { op: 'replace', path: '/a~1b', value: 5 },
    ],
    expected: '010: 4\n"a/b": 5\n',
  },
  {
    name: 'edits JSON in its layout',
    text: '{\n    "a": {\n        "b": 1.0\n    },\n    "l": [1,2,3]\n}',
    patch: [
      { op: 'add', path: '/a/c', value: { d: [1, {}] } },
      { op: 'remove', path: '/l/1' },
    ],
    expected:
      '{\n    "a": {\n        "b": 1.0,\n        "c": {\n            "d": [\n                1,\n                {}\n            ]\n        }\n    },\n    "l": [1,3]\n}',
  },
  {
    name: 'edits JSON on one line',
    text: '{"a":1,"b":[{"c":2}]}',
    patch: [
      { op: 'replace', path: '/b/0/c', value: 3 },
      { op: 'remove', path: '/a' },
    ],
    expected: '{"b":[{"c":3}]}',
  },
  {
    name: 'edits the object that a List has',
    text: 'apiVersion: v1\nkind: List\nitems:\n  - kind: A\n    spec: {x: 1}\n  # second\n  - kind: B\n    spec:\n      x: 1\n',
    patch: [{ op: 'remove', path: '/items/1/spec/x' }],
    expected:
      'apiVersion: v1\nkind: List\nitems:\n  - kind: A\n    spec: {x: 1}\n  # second\n  - kind: B\n    spec: {}\n',
  },
];

describe('an edited document', () => {
  for (const { name, text, patch, expected } of rows) {
    it(name, () => {
      const { text: done, isRewritten } = edit(text, patch);
      expect(done).to.equal(expected);
      expect(isRewritten).to.equal(false);
    });
  }

  it('is written anew, below its comments, where its keys are written in a way of their own', () => {
    const text = '# head\n? a\n: 1\n? b # lost\n: 2\n';
    expect(edit(text, [{ op: 'remove', path: '/a' }])).to.deep.equal({
      text: '# head\nb: 2\n',
      isRewritten: true,
    });
  });

  it('reads as the patch says, and loses no line but those that the patch is about', () => {
    let inPlace = 0;
    fc.assert(
      fc.property(docAsText, ({ lines, patch, mayGo }) => {
        const text = lines.map((line: Line) => `${line.text}\n`).join('');
        const document = only(text);
        const wanted = patched(document.value, patch);
        const { text: done, isRewritten } = editDocument(document, wanted);
        expect(only(done).value, done).to.deep.equal(wanted);
        if (isRewritten) return;
        inPlace++;
        const left = done.split('\n');
        let at = 0;
        for (const line of lines.filter((each) => !mayGo(each))) {
          const found = left.indexOf(line.text, at);
          expect(
            found,
            `${line.text}\n is gone from\n${text}\n by ${JSON.stringify(patch)}:\n${done}`,
          ).to.be.at.least(0);
          at = found + 1;
        }
      }),
      { numRuns: 1500 },
    );
    expect(inPlace).to.be.above(1400);
  });

  it('is one of several in a file whose others stay byte for byte', () => {
    fc.assert(
      fc.property(textsOfDocuments, ({ texts, between, number, patch }) => {
        const file = texts.join(between);
        const documents = parseDocuments(file, { empty: 'keep' });
        const document = documents[number] as Document;
        const wanted = patched(document.value, patch);
        const { text } = editFile(new Map([[document, wanted]]));
        const { offset } = document;
        const behind = file.slice(offset + document.text.length);
        expect(text.startsWith(file.slice(0, offset)) && text.endsWith(behind), text).to.equal(
          true,
        );
        const values = parseDocuments(text, { empty: 'keep' }).map(({ value }) => value);
        expect(values, text).to.deep.equal(
          documents.map(({ value }, index) => (index === number ? wanted : value)),
        );
      }),
      { numRuns: 400 },
    );
  });
});
