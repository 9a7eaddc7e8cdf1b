import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import { schemaKeys } from './schema-keys.js';

const text = { type: 'string' };
const definition = {
  spec: {
    versions: [
      { name: 'v1' },
      {
        name: 'v2',
        schema: {
          openAPIV3Schema: {
            properties: {
              a: { properties: { b: text } },
              'a.b': { properties: { c: text } },
              list: { items: { properties: { 'x[*]': text } } },
              map: { additionalProperties: text },
              nothing: true,
            },
          },
        },
      },
    ],
  },
} as JsonObject;

describe('keys of a schema at a path', () => {
  const root = ['spec', 'versions', 1, 'schema', 'openAPIV3Schema'];
  const rows: readonly (readonly [path: string, keys: readonly (string | number)[]])[] = [
    ['^', []],
    ['^.a', ['properties', 'a']],
    ['^.a.b', ['properties', 'a', 'properties', 'b']],
    ['^.a%2Eb.c', ['properties', 'a.b', 'properties', 'c']],
    ['^.list[*].x%5B*%5D', ['properties', 'list', 'items', 'properties', 'x[*]']],
    ['^.list[*].x[*]', ['properties', 'list', 'items', 'properties', 'x[*]']],
    ['^.map[*]', ['properties', 'map', 'additionalProperties']],
    ['^.nothing.more', []],
    ['^.ab', []],
    ['^.constructor', []],
    ['^.a.gone', ['properties', 'a']],
  ];
  for (const [path, keys] of rows) {
    it(path, () => expect(schemaKeys(definition, 'v2', path)).to.deep.equal([...root, ...keys]));
  }

  it('ends at the version where that has no schema', () => {
    expect(schemaKeys(definition, 'v1', '^.a')).to.deep.equal(['spec', 'versions', 0]);
    expect(schemaKeys(definition, 'v3', '^.a')).to.deep.equal(['spec', 'versions']);
  });

  it('look up names that could be there, however many dots a path has', () => {
    for (const length of [1_000, 2_000, 4_000]) {
      const name = '.'.repeat(length);
      let lookups = 0;
      const properties = new Proxy<JsonObject>(
        { [name]: text, a: text },
        {
          getOwnPropertyDescriptor: (target, key) => {
            lookups++;
            return Reflect.getOwnPropertyDescriptor(target, key);
          },
        },
      );
      const version = { name: 'v1', schema: { openAPIV3Schema: { properties } } };
      const keys = schemaKeys({ spec: { versions: [version] } }, 'v1', `^.${name}`);
      expect(keys.at(-1)).to.equal(name);
      expect(lookups).to.be.below(10);
    }
  });
});
