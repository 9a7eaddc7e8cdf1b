import { expect } from 'chai';
import { compileValidator, SchemaNode, type ObjectValidator } from '../../kubernetes/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import { definition, object } from '../rules/crd/testing/definition.js';
import { writesOfStored } from './stored-write.js';

const text = { type: 'string' };
const short = { type: 'string', maxLength: 3 };
const rule = (expression: string): JsonObject => ({
  'x-kubernetes-validations': [{ rule: expression }],
});

interface Row {
  readonly name: string;
  readonly next: JsonObject;
  readonly stored: JsonObject;
  readonly change?: JsonObject;
  readonly written?: JsonObject;
  readonly says: JsonObject;
  readonly hasStatus?: true;
  /** Further keywords of the whole object. */
  readonly more?: JsonObject;
}

const atRoot = rule("self.spec.a == 'y'");

const rows: readonly Row[] = [
  {
    name: 'a bound: the field must stay, its neighbours need not',
    next: { spec: object({ a: object({ b: short, c: text }), d: text }) },
    stored: { spec: { a: { b: 'long' } } },
    says: { create: 'refused', update: 'ratcheted', place: 'spec.a.b' },
  },
  {
    name: 'a new required field under spec: no change of spec is accepted',
    next: { spec: object({ a: text, b: text }, { required: ['b'] }) },
    stored: { spec: { a: 'x' } },
    says: { create: 'refused', update: 'ratcheted', place: 'spec' },
  },
  {
    name: 'an item of an atomic list: the list must stay',
    next: { spec: object({ list: { type: 'array', items: short }, d: text }) },
    stored: { spec: { list: ['long'] } },
    says: { create: 'refused', update: 'ratcheted', place: 'spec.list' },
  },
  {
    name: 'a list that was not unique before: it may change, and need not become so',
    next: {
      spec: object({ list: { type: 'array', 'x-kubernetes-list-type': 'set', items: text } }),
    },
    stored: { spec: { list: ['a', 'a'] } },
    says: { create: 'refused', update: 'accepted' },
  },
  {
    name: 'a default that is gone and that a rule reads: what left it out is not created again',
    next: { spec: object({ a: text }, rule('self.a != "x"')) },
    stored: { spec: { a: 'y' } },
    written: { spec: {} },
    says: { create: 'refused', update: 'accepted' },
  },
  {
    name: 'a value of a map: its key must stay',
    next: { spec: object({ map: { type: 'object', additionalProperties: short } }) },
    stored: { spec: { map: { a: 'long' } } },
    says: { create: 'refused', update: 'ratcheted', place: 'spec.map.a' },
  },
  {
    name: 'a rule at the root: no update at all',
    next: { spec: object({ a: text }) },
    stored: { spec: { a: 'x' } },
    more: atRoot,
    says: { create: 'refused', update: 'refused' },
  },
  {
    name: 'a rule at the root beside the status subresource: no write of the status either',
    next: { spec: object({ a: text }) },
    stored: { spec: { a: 'x' } },
    more: atRoot,
    hasStatus: true,
    says: { create: 'refused', update: 'refused', status: 'refused' },
  },
  {
    name: 'spec is required: only the status, which is looked at alone, can be written',
    next: { spec: object({}), status: object({ phase: text }) },
    stored: {},
    more: { required: ['spec'] },
    hasStatus: true,
    says: { create: 'refused', update: 'refused', status: 'accepted' },
  },
  {
    name: 'spec and the status are refused: another status is taken',
    next: { spec: object({}), status: object({ phase: short, other: text }) },
    stored: { status: { phase: 'long' } },
    more: { required: ['spec'] },
    hasStatus: true,
    says: { create: 'refused', update: 'refused', status: 'ratcheted', place: 'status' },
  },
  {
    name: 'a rule that reads oldSelf: create is accepted',
    next: { spec: object({ a: { ...text, ...rule('self == oldSelf') }, b: text }) },
    stored: { spec: { a: 'x' } },
    change: { spec: { a: 'y' } },
    says: { create: 'accepted', update: 'ratcheted', place: 'spec.a' },
  },
  {
    name: 'status under the subresource: only writes of it are refused',
    next: { spec: object({}), status: object({ phase: text, other: text }) },
    stored: { status: { phase: 3 } },
    hasStatus: true,
    says: { create: 'accepted', update: 'accepted', status: 'ratcheted', place: 'status.phase' },
  },
  {
    name: 'a list of the status that was not unique: writes of it are refused',
    next: {
      spec: object({}),
      status: object({ list: { type: 'array', 'x-kubernetes-list-type': 'set', items: text } }),
    },
    stored: { status: { list: ['a', 'a'] } },
    hasStatus: true,
    says: { create: 'accepted', update: 'accepted', status: 'ratcheted', place: 'status.list[1]' },
  },
  {
    name: 'status without the subresource is a field like others',
    next: { spec: object({}), status: object({ phase: text, other: text }) },
    stored: { status: { phase: 3 } },
    says: { create: 'refused', update: 'ratcheted', place: 'status.phase' },
  },
  {
    name: 'spec beside the status subresource',
    next: { spec: object({ a: short, b: text }), status: object({ phase: text }) },
    stored: { spec: { a: 'long' }, status: { phase: 'x' } },
    hasStatus: true,
    says: { create: 'refused', update: 'ratcheted', status: 'accepted', place: 'spec.a' },
  },
];

describe('writes of an object that a new definition refuses', () => {
  for (const { name, next, stored, change, written, says, hasStatus, more } of rows) {
    it(name, () => {
      const crd = definition({
        versions: [
          {
            schema: object(next, more),
            ...(hasStatus === true && { subresources: { status: {} } }),
          },
        ],
      });
      const whole = (fields: JsonObject): JsonObject => ({
        ...{ apiVersion: 'test.example.com/v1', kind: 'Sample' },
        metadata: { name: 'example', namespace: 'default' },
        ...fields,
      });
      const writes = writesOfStored(
        compileValidator(crd, 'v1'),
        whole(stored),
        undefined,
        change && whole(change),
        written && whole(written),
      );
      expect(writes.stored).to.deep.equal(says);
    });
  }

  it('makes no more changes beside a place than it tries', () => {
    let asked = 0;
    class Counted extends Map<string, SchemaNode> {
      override *[Symbol.iterator](): MapIterator<[string, SchemaNode]> {
        for (const each of super[Symbol.iterator]()) {
          asked++;
          yield each;
        }
      }
    }
    const many = Array.from({ length: 2_000 }, (_, index) => [`f${index}`, text] as const);
    const spec = object({ ...Object.fromEntries(many), last: short }, { maxProperties: 1 });
    const validator = compileValidator(
      definition({ versions: [{ schema: object({ spec }) }] }),
      'v1',
    );
    const { schema } = validator;
    const around = schema.properties?.get('spec') as SchemaNode;
    const properties = new Counted(around.properties);
    const watched = new SchemaNode({
      ...schema,
      properties: new Map([['spec', new SchemaNode({ ...around, properties })]]),
    });
    const stored = {
      ...{ apiVersion: 'test.example.com/v1', kind: 'Sample' },
      metadata: { name: 'example', namespace: 'default' },
      spec: { last: 'long' },
    };
    const judge = Object.create(validator, {
      definition: { value: { ...validator.definition, schema: watched } },
    }) as ObjectValidator;
    expect(writesOfStored(judge, stored).stored?.update).to.equal('ratcheted');
    expect(asked).to.be.within(1, 10);
  });
});
