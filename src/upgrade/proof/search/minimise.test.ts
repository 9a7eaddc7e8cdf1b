import { expect } from 'chai';
import type { JsonObject, JsonValue } from '../../../text/documents/index.js';
import { compileValidator } from '../../../kubernetes/apiserver/validator.js';
import { withSchema } from '../../rules/crd/testing/definition.js';
import { minimise, needAt, needOf, type Need } from './minimise.js';

const text = { type: 'string' };
const readSchema = (schema: JsonObject) => compileValidator(withSchema(schema), 'v1').schema;
const schema = readSchema({
  type: 'object',
  required: ['a'],
  properties: {
    a: text,
    b: text,
    d: { ...text, default: 'x' },
    list: {
      type: 'array',
      items: { type: 'object', required: ['k'], properties: { k: text, v: text } },
    },
  },
});

/** The smallest object, and how many were tried. */
function smallest(object: JsonObject, holds: (o: JsonObject) => boolean, need?: Need) {
  let tried = 0;
  const found = minimise(object, (each) => ++tried > 0 && holds(each), need);
  return { found, tried };
}

describe('minimise', () => {
  it('tries no object without what the schema requires', () => {
    const object = { a: '1', b: '2' };
    const holds = (): boolean => true;
    expect(smallest(object, holds)).to.deep.equal({ found: {}, tried: 2 });
    expect(smallest(object, holds, needOf(schema))).to.deep.equal({ found: { a: '1' }, tried: 1 });
  });

  it('tries one without a required field that a default brings', () => {
    const withDefault = readSchema({
      type: 'object',
      required: ['d'],
      properties: { d: { ...text, default: 'x' } },
    });
    const { tried } = smallest({ d: 'y' }, () => true, needOf(withDefault));
    expect(tried).to.equal(1);
  });

  it('tries none without the only value at the place', () => {
    const place = {
      step: { kind: 'property', name: 'v' } as const,
      parent: {
        step: { kind: 'item' } as const,
        parent: { step: { kind: 'property', name: 'list' } as const, parent: undefined },
      },
    };
    const need = needAt(schema, place);
    const one = { a: '1', list: [{ k: '2', v: '3' }] };
    expect(smallest(one, () => false, need).tried).to.equal(0);
    const two = { a: '1', list: [...one.list, { k: '3', v: '4' }] };
    // Either item, and the fields that are not required in it.
    expect(smallest(two, () => false, need).tried).to.equal(4);
  });

  it('gives a list up of which no item can go, however long it is', () => {
    const list: JsonValue[] = Array.from({ length: 1000 }, () => 'a');
    const isLong = (each: JsonObject): boolean => (each['list'] as JsonValue[]).length >= 1000;
    const { found, tried } = smallest({ list }, (each) => 'list' in each && isLong(each));
    expect(found).to.deep.equal({ list });
    expect(tried).to.be.at.most(4);
  });

  it('finds the one item of a long list that matters, wherever it is', () => {
    for (const at of [0, 1, 57, 98, 99]) {
      const list: JsonValue[] = Array.from({ length: 100 }, (_, index) => (index === at ? 1 : 0));
      const holds = (each: JsonObject): boolean =>
        Array.isArray(each['list']) && each['list'].includes(1);
      expect(smallest({ list }, holds).found).to.deep.equal({ list: [1] });
    }
  });
});
