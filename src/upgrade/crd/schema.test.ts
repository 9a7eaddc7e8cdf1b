import { expect } from 'chai';
import { InvalidInputError, own, type JsonObject } from '../../text/documents/index.js';
import { crdifyNotation, type Field, readFields, schemaCheckerNotation } from './schema.js';
import { json } from '../rules/crd/testing/definition.js';

/** Every path with the title of the schema that stands for it. */
function titles(root: Field): Record<string, unknown> {
  const found: [string, unknown][] = [];
  const pending = [root];
  for (let field = pending.pop(); field !== undefined; field = pending.pop()) {
    if (field.schema !== undefined) found.push([field.path, own(field.schema, 'title') ?? '']);
    pending.push(...(field.children?.values() ?? []));
  }
  return Object.fromEntries(found.sort());
}

const leaf = (title: string): JsonObject => ({ title });

describe('fields of a schema', () => {
  const rows: [row: string, schema: JsonObject, checker: object, crdify: object][] = [
    [
      'properties',
      { properties: { spec: { properties: { size: leaf('size') } } } },
      { '^': '', '^.spec': '', '^.spec.size': 'size' },
      { '^': '', '^.spec': '', '^.spec.size': 'size' },
    ],
    [
      'items and additionalProperties',
      {
        properties: { list: { items: leaf('item') }, map: { additionalProperties: leaf('value') } },
      },
      { '^': '', '^.list': '', '^.list[*]': 'item', '^.map': '', '^.map[*]': 'value' },
      {
        '^': '',
        '^.list': '',
        '^.list.items': 'item',
        '^.map': '',
        '^.map.additionalProperties': 'value',
      },
    ],
    [
      'of items and additionalProperties at once, the latter is compared',
      { items: leaf('item'), additionalProperties: leaf('value') },
      { '^': '', '^[*]': 'value' },
      { '^': '', '^.items': 'item', '^.additionalProperties': 'value' },
    ],
    [
      'a list of items',
      { items: [leaf('first'), leaf('second')] },
      { '^': '', '^[0]': 'first', '^[1]': 'second' },
      { '^': '', '^.items[0]': 'first', '^.items[1]': 'second' },
    ],
    [
      'alternatives stand in for their parent, the last of them',
      { title: 'self', allOf: [leaf('all')], anyOf: [leaf('any')], oneOf: [leaf('one')] },
      { '^': 'one' },
      { '^': 'self', '^.allOf[0]': 'all', '^.anyOf[0]': 'any', '^.oneOf[0]': 'one' },
    ],
    [
      'properties of an alternative come before the parent’s own',
      {
        allOf: [{ properties: { a: leaf('inner'), b: leaf('b') } }],
        properties: { a: leaf('outer') },
      },
      { '^': '', '^.a': 'outer', '^.b': 'b' },
      { '^': '', '^.a': 'outer', '^.allOf[0]': '', '^.allOf[0].a': 'inner', '^.allOf[0].b': 'b' },
    ],
    [
      'not, patternProperties, additionalItems, definitions, dependencies',
      {
        not: leaf('not'),
        patternProperties: { '^p.': leaf('pattern') },
        additionalItems: leaf('more'),
        definitions: { d: leaf('definition') },
        dependencies: { e: leaf('dependency'), f: ['g'] },
      },
      { '^': 'dependency' },
      {
        '^': '',
        '^.not': 'not',
        '^.patternProperties[^p.]': 'pattern',
        '^.additionalItems': 'more',
        '^.definitions[d]': 'definition',
        '^.dependencies[e]': 'dependency',
      },
    ],
    [
      'a property named as a path is that path',
      { properties: { a: { properties: { b: leaf('nested') } }, 'a.b': leaf('dotted') } },
      { '^': '', '^.a': '', '^.a.b': 'dotted' },
      { '^': '', '^.a': '', '^.a.b': 'dotted' },
    ],
    [
      'names with brackets, dots only, nothing, unicode',
      { properties: { 'x[0]': leaf('x'), '.': leaf('dot'), '': leaf('empty'), 日本: leaf('j') } },
      { '^': '', '^.x[0]': 'x', '^..': 'dot', '^[]': 'empty', '^.日本': 'j' },
      { '^': '', '^.x[0]': 'x', '^..': 'dot', '^[]': 'empty', '^.日本': 'j' },
    ],
    [
      'names of Object.prototype',
      json('{"properties": {"__proto__": {"title": "p"}, "constructor": {}, "toString": {}}}'),
      { '^': '', '^.__proto__': 'p', '^.constructor': '', '^.toString': '' },
      { '^': '', '^.__proto__': 'p', '^.constructor': '', '^.toString': '' },
    ],
    [
      'null is a schema without keywords in a map, and no schema elsewhere',
      { properties: { a: null }, not: null, additionalProperties: null, items: null, allOf: null },
      { '^': '', '^.a': '' },
      { '^': '', '^.a': '' },
    ],
    [
      'what is no keyword is passed over',
      { 'x-other': { properties: { a: {} } } },
      { '^': '' },
      { '^': '' },
    ],
  ];
  for (const [row, schema, checker, crdify] of rows) {
    it(row, () => {
      expect(titles(readFields(schema, schemaCheckerNotation))).to.deep.equal(checker);
      expect(titles(readFields(schema, crdifyNotation))).to.deep.equal(crdify);
    });
  }

  it('has no field at all without a schema', () => {
    expect(titles(readFields(undefined, schemaCheckerNotation))).to.deep.equal({});
  });

  it('does not depend on the order of keys where names meet on one path', () => {
    const one = { properties: { 'a.b': leaf('dotted'), a: { properties: { b: leaf('nested') } } } };
    expect(titles(readFields(one, schemaCheckerNotation))['^.a.b']).to.equal('dotted');
  });

  const broken: [row: string, schema: JsonObject, message: string][] = [
    [
      'a property that is a number',
      { properties: { a: 5 } },
      'in the field ^.a, schema: must be an object',
    ],
    ['a list of properties', { properties: [] }, 'in the field ^, properties: must be an object'],
    ['text as alternatives', { anyOf: 'a' }, 'in the field ^, anyOf: must be a list'],
    [
      'a number as additionalProperties',
      { properties: { a: { additionalProperties: 1 } } },
      'in the field ^.a, additionalProperties: must be true, false or a schema',
    ],
  ];
  for (const [row, schema, message] of broken) {
    it(`refuses ${row} in one sentence`, () => {
      expect(() => readFields(schema, schemaCheckerNotation)).to.throw(InvalidInputError, message);
    });
  }

  it('reads a schema that nests as deep as an API server takes it', () => {
    let schema: JsonObject = {};
    for (let level = 0; level < 10_000; level++) schema = { not: { properties: { a: schema } } };
    const root = readFields(schema, crdifyNotation);
    let deepest = root;
    for (let field = root; ; field = deepest) {
      const [child] = field.children?.values() ?? [];
      if (child === undefined) break;
      deepest = child;
    }
    expect(deepest.path).to.equal(`^${'.not.a'.repeat(10_000)}`);
    expect(deepest.length).to.equal(deepest.path.length);
  });
});
