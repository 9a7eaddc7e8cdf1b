import type { Operation } from 'fast-json-patch';
import { expect } from 'chai';
import type { JsonValue } from './value.js';
import { patchedText } from './patched-text.js';

interface Row {
  readonly name: string;
  readonly format: 'yaml' | 'json';
  readonly text: string;
  readonly patch: readonly Operation[];
  readonly patched: JsonValue;
  readonly expected: string;
}

const rows: Row[] = [
  {
    name: 'YAML keeps comments and order',
    format: 'yaml',
    text: '# about\nb: 1 # why\na: [p, q]\n',
    patch: [{ op: 'add', path: '/c', value: { d: true } }],
    patched: { b: 1, a: ['p', 'q'], c: { d: true } },
    expected: '# about\nb: 1 # why\na: [p, q]\nc:\n  d: true\n',
  },
  {
    name: 'YAML keeps lists that stand under their key, and brackets with spaces',
    format: 'yaml',
    text: 'a:\n- b: { c: 1 }\n- d\n',
    patch: [{ op: 'add', path: '/e', value: ['f'] }],
    patched: { a: [{ b: { c: 1 } }, 'd'], e: ['f'] },
    expected: 'a:\n- b: { c: 1 }\n- d\ne:\n- f\n',
  },
  {
    name: 'YAML loses what is removed',
    format: 'yaml',
    text: 'b: 1\na: {x: 2} # gone\n',
    patch: [{ op: 'remove', path: '/a' }],
    patched: { b: 1 },
    expected: 'b: 1\n',
  },
  {
    name: 'YAML with aliases that a patch would change twice is written anew',
    format: 'yaml',
    text: 'a: &p {m: 1}\nb: *p\n',
    patch: [{ op: 'replace', path: '/a/m', value: 2 }],
    patched: { a: { m: 2 }, b: { m: 1 } },
    expected: 'a:\n  m: 2\nb:\n  m: 1\n',
  },
  {
    name: 'JSON stays JSON',
    format: 'json',
    text: '{"a":1}',
    patch: [{ op: 'replace', path: '/a', value: 2 }],
    patched: { a: 2 },
    expected: '{\n  "a": 2\n}\n',
  },
];

describe('patched text', () => {
  for (const { name, format, text, patch, patched, expected } of rows) {
    it(name, () => expect(patchedText({ text, format }, patch, patched)).to.equal(expected));
  }
});
