import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import { configurationOf, moveEntries, union } from './managed-fields.js';

const entry = (manager: string, apiVersion: string, rest: JsonObject = {}): JsonObject => ({
  ...{ manager, apiVersion, operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: {} },
  ...rest,
});
const goes = (apiVersion: string): boolean => apiVersion === 'a.io/v1beta1';

describe('moveEntries', () => {
  it('leaves what names another version, or another group, as it is', () => {
    const entries = [entry('one', 'a.io/v1'), entry('two', 'b.io/v1beta1')];
    expect(moveEntries(entries, goes, 'a.io/v1')).to.deep.equal({ entries, moved: 0 });
  });

  it('makes one of two updates that an API server could not tell apart', () => {
    const old = { fieldsV1: { 'f:spec': { 'f:a': {} } }, time: '2026-01-02T00:00:00Z' };
    const next = { fieldsV1: { 'f:spec': { 'f:b': {} } }, time: '2026-01-01T00:00:00Z' };
    const entries = [entry('one', 'a.io/v1', next), entry('one', 'a.io/v1beta1', old)];
    const fieldsV1 = { 'f:spec': { 'f:a': {}, 'f:b': {} } };
    expect(moveEntries(entries, goes, 'a.io/v1')).to.deep.equal({
      entries: [entry('one', 'a.io/v1', { fieldsV1, time: '2026-01-02T00:00:00Z' })],
      moved: 1,
    });
  });

  it('keeps applies, updates and subresources of one manager apart', () => {
    const entries = [
      entry('one', 'a.io/v1beta1'),
      entry('one', 'a.io/v1beta1', { operation: 'Apply' }),
      entry('one', 'a.io/v1beta1', { subresource: 'status' }),
      entry('two', 'a.io/v1beta1'),
    ];
    const { entries: moved } = moveEntries(entries, goes, 'a.io/v1');
    expect(moved).to.deep.equal(entries.map((each) => ({ ...each, apiVersion: 'a.io/v1' })));
  });
});

describe('union', () => {
  const rows: [title: string, left: JsonObject, right: JsonObject, whole: JsonObject][] = [
    ['of nothing and something', {}, { 'f:a': {} }, { 'f:a': {} }],
    ['of the same', { 'f:a': { 'f:b': {} } }, { 'f:a': { 'f:b': {} } }, { 'f:a': { 'f:b': {} } }],
    [
      'of a map itself and a key in it',
      { 'f:a': {} },
      { 'f:a': { 'f:b': {} } },
      { 'f:a': { '.': {}, 'f:b': {} } },
    ],
    [
      'of items by key and by value',
      { 'f:a': { 'k:{"x":1}': { '.': {}, 'f:x': {} } } },
      { 'f:a': { 'k:{"x":2}': { 'f:x': {} }, 'v:"z"': {} } },
      {
        'f:a': {
          'k:{"x":1}': { '.': {}, 'f:x': {} },
          'k:{"x":2}': { 'f:x': {} },
          'v:"z"': {},
        },
      },
    ],
  ];
  for (const [title, left, right, whole] of rows) {
    it(title, () => {
      expect(union(left, right)).to.deep.equal(whole);
      expect(union(right, left)).to.deep.equal(whole);
    });
  }

  it('takes a field called __proto__ for a field, and any depth', () => {
    const hostile = JSON.parse('{"__proto__":{"f:a":{}}}') as JsonObject;
    expect(JSON.stringify(union(hostile, {}))).to.equal('{"__proto__":{"f:a":{}}}');
    let deep: JsonObject = {};
    for (let level = 0; level < 50_000; level++) deep = { 'f:a': deep };
    expect(() => union(deep, deep)).not.to.throw();
  });
});

describe('configurationOf', () => {
  const object: JsonObject = {
    apiVersion: 'a.io/v1',
    kind: 'A',
    metadata: { name: 'x', namespace: 'n', uid: 'u', labels: { a: '1', b: '2' } },
    spec: {
      size: 3,
      other: 'not ours',
      ports: [
        { port: 1, name: 'one', weight: 5 },
        { port: 2, name: 'two' },
      ],
      tags: ['x', 'y'],
      list: [[1], [2]],
      atomic: { deep: { er: true } },
    },
  };
  const rows: [title: string, fields: JsonObject, part: JsonObject][] = [
    ['a field', { 'f:spec': { 'f:size': {} } }, { spec: { size: 3 } }],
    [
      'a whole value',
      { 'f:spec': { 'f:atomic': {} } },
      { spec: { atomic: { deep: { er: true } } } },
    ],
    [
      'an item by its key, which stays in it',
      { 'f:spec': { 'f:ports': { 'k:{"port":1}': { 'f:weight': {} } } } },
      { spec: { ports: [{ port: 1, weight: 5 }] } },
    ],
    ['an item by value', { 'f:spec': { 'f:tags': { 'v:"y"': {} } } }, { spec: { tags: ['y'] } }],
    ['an item by index', { 'f:spec': { 'f:list': { 'i:1': {} } } }, { spec: { list: [[2]] } }],
    ['what is gone', { 'f:spec': { '.': {}, 'f:gone': {} } }, { spec: {} }],
    ['what is no JSON', { 'f:spec': { 'f:tags': { 'v:{': {} } } }, { spec: { tags: [] } }],
  ];
  for (const [title, fields, part] of rows) {
    it(title, () => {
      const { apiVersion, kind } = object;
      const metadata = { name: 'x', namespace: 'n' };
      expect(configurationOf(object, fields)).to.deep.equal({
        apiVersion,
        kind,
        metadata,
        ...part,
      });
    });
  }

  it('has of the metadata the name and what is owned', () => {
    const fields = { 'f:metadata': { 'f:labels': { '.': {}, 'f:b': {} } } };
    expect(configurationOf(object, fields)['metadata']).to.deep.equal({
      ...{ name: 'x', namespace: 'n' },
      labels: { b: '2' },
    });
  });
});
