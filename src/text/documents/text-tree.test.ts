import { expect } from 'chai';
import { formatPath, parseDocuments, type Document, type Path } from './index.js';

describe('placeOf', () => {
  const yaml =
    'x: 1\n---\nspec:\n  list:\n  - name: a\n  - name: b\n    "k.v": 2\n  name: first\n  name: last\n';
  const json = '{"a": 1}\n{\n  "b": [\n    {"c": 1},\n    {"c": 2}\n  ]\n}\n';
  const rows: { rule: string; text: string; document: number; path: Path; at: string }[] = [
    { rule: 'the root', text: yaml, document: 1, path: [], at: '3:1' },
    { rule: 'a key', text: yaml, document: 1, path: ['spec', 'list'], at: '4:3' },
    { rule: 'a list item', text: yaml, document: 1, path: ['spec', 'list', 1], at: '6:5' },
    { rule: 'a quoted key', text: yaml, document: 1, path: ['spec', 'list', 1, 'k.v'], at: '7:5' },
    { rule: 'the last of equal keys', text: yaml, document: 1, path: ['spec', 'name'], at: '9:3' },
    {
      rule: 'the parent of what is not there',
      text: yaml,
      document: 1,
      path: ['spec', 'nope', 3],
      at: '3:1',
    },
    { rule: 'the root of JSON', text: json, document: 1, path: [], at: '2:1' },
    {
      rule: 'the parent of what is not there in JSON',
      text: json,
      document: 1,
      path: ['b', 0, 'c', 'd', 'e'],
      at: '4:6',
    },
    {
      rule: 'the last of equal keys in JSON',
      text: '{"a":{"b":1},"\\u0061":{"b":2}}',
      document: 0,
      path: ['a', 'b'],
      at: '1:24',
    },
    {
      rule: 'what looks like JSON and is YAML',
      text: 'x: 1\n---\n{"a": {b: 1,\n c: 2}}',
      document: 1,
      path: ['a', 'c'],
      at: '4:2',
    },
    { rule: 'JSON', text: json, document: 1, path: ['b', 1, 'c'], at: '5:6' },
  ];
  for (const { rule, text, document, path, at } of rows) {
    it(rule, () => {
      const found = parseDocuments(text, { file: 'f' })[document] as Document;
      const place = found.placeOf(path);
      expect(`${place.line}:${place.column}`).to.equal(at);
      expect(place.file).to.equal('f');
    });
  }

  it('finds what stands below ten thousand levels of JSON', () => {
    const levels = 10_000;
    const text = `${'{"a":\n'.repeat(levels)}1${'}'.repeat(levels)}`;
    const path = Array.from({ length: levels }, () => 'a');
    const [document] = parseDocuments(text, { maxDepth: Infinity });
    expect(document?.placeOf(path)).to.deep.equal({ line: levels, column: 2 });
  });

  it('follows aliases', () => {
    const [document] = parseDocuments('a: &a\n  b: 1\nc: *a\n');
    expect(document?.placeOf(['c', 'b']).line).to.equal(2);
  });

  it('follows what is merged, and takes what counts last', () => {
    const [document] = parseDocuments('a: &a\n  b: 1\n  c: 1\nd:\n  b: 2\n  <<: *a\n  c: 3\n');
    expect(document?.placeOf(['d', 'b']).line).to.equal(2);
    expect(document?.placeOf(['d', 'c']).line).to.equal(7);
  });

  it('finds keys by what they are in JSON', () => {
    const [document] = parseDocuments('a:\n  yes: 1\n  010: 2\n');
    expect(document?.placeOf(['a', 'true']).line).to.equal(2);
    expect(document?.placeOf(['a', '8']).line).to.equal(3);
  });

  it('counts lines that end as in Windows, behind a byte order mark', () => {
    const [document] = parseDocuments('\ufeffa:\r\n  b: |\r\n    c\r\n  d: 1\r\n');
    expect(document?.placeOf(['a', 'd'])).to.deep.equal({ line: 4, column: 3 });
  });
});

describe('formatPath', () => {
  it('writes keys, indexes and keys that need quotes', () => {
    expect(formatPath(['spec', 'list', 0, 'a.b'])).to.equal('$.spec.list[0]["a.b"]');
  });
});
