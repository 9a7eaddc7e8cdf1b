import { expect } from 'chai';
import type { Finding } from '../../rule/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import { diffOfFix, diffOfNode, markedObject } from './diff.js';

const about = (path: string, more: Partial<Finding> = {}): Finding => ({
  rule: 'ChangeValidator',
  family: 'crd-upgrade-safety',
  severity: 'error',
  message: '',
  docs: '',
  version: 'v1',
  path,
  ...more,
});

const definition = (spec: JsonObject): JsonObject => ({
  spec: {
    versions: [{ name: 'v1', schema: { openAPIV3Schema: { properties: { spec } } } }],
  },
});

const marked = (witness: unknown, finding: Finding): string[] =>
  markedObject(witness, finding)
    .filter(({ isMarked }) => isMarked)
    .map(({ text }) => text.trim());

describe('a change in its place', () => {
  const old = definition({
    properties: {
      tags: { additionalProperties: { type: 'string', maxLength: 9 } },
      list: { items: { properties: { name: { enum: ['a', 'b'] } } } },
    },
  });
  const next = definition({
    properties: {
      tags: { additionalProperties: { type: 'string', maxLength: 3 } },
      list: { items: { properties: {} } },
    },
  });

  it('is below the fields above it, of lists and maps as well', () => {
    expect(diffOfNode(old, next, about('^.spec.tags[*]'))).to.deep.equal([
      { kind: 'same', text: 'spec:' },
      { kind: 'same', text: '  tags:' },
      { kind: 'same', text: '    [*]:' },
      { kind: 'old', text: '      maxLength: 9' },
      { kind: 'new', text: '      maxLength: 3' },
    ]);
    expect(diffOfNode(old, next, about('^.spec.list[*].name')).slice(-2)).to.deep.equal([
      { kind: 'old', text: '      name:' },
      { kind: 'old', text: '        enum: ["a","b"]' },
    ]);
  });

  it('is nothing where the place is not known for sure', () => {
    expect(
      diffOfNode(old, next, about('^.spec.tags', { exactPath: '^["spec.tags"]' })),
    ).to.deep.equal([]);
    expect(diffOfNode(old, next, about('^.nowhere'))).to.deep.equal([]);
    expect(diffOfNode(old, next, about('^.spec.tags[*]', { version: 'v2' }))).to.deep.equal([]);
  });

  it('of a fix shows what it takes and what it puts there', () => {
    const patch = [
      { op: 'replace', path: '/spec/versions/0/name', value: 'v2' },
      { op: 'add', path: '/spec/versions/-', value: { name: 'v3' } },
      { op: 'remove', path: '/spec/versions/0' },
    ];
    const lines = diffOfFix({ spec: { versions: [{ name: 'v1' }] } }, patch);
    expect(lines.map(({ kind, text }) => `${kind} ${text}`)).to.deep.equal([
      'same versions.0:',
      'old   name: v1',
      'new   name: v2',
      'same spec.versions:',
      'new   - name: v3',
      'same spec.versions:',
      'old   - name: v1',
    ]);
  });
});

describe('the value that is meant', () => {
  it('is marked in lists and maps, and whole where it is lost', () => {
    const witness = { spec: { list: [{ name: 'a', deep: { x: 1 } }, { name: 'b' }], last: 1 } };
    expect(marked(witness, about('^.spec.list[*].name'))).to.deep.equal(['- name: a', '- name: b']);
    expect(marked(witness, about('^.spec.list[*].deep', { effect: 'data-loss' }))).to.deep.equal([
      'deep:',
      'x: 1',
    ]);
  });

  it('is the nearest parent where it is missing', () => {
    expect(marked({ spec: { a: 1 } }, about('^.spec.size'))).to.deep.equal(['spec:']);
  });

  it('is not looked for in what is no object, or too long', () => {
    expect(marked('text', about('^.spec'))).to.deep.equal([]);
    const long = { spec: 'x'.repeat(200_000) };
    expect(marked(long, about('^.spec'))).to.deep.equal([]);
    expect(markedObject(long, about('^.spec'))[0]?.text.length).to.be.below(5_000);
  });
});
