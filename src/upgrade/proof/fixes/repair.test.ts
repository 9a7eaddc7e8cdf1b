import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { proveDocuments } from '../testing/prove-documents.js';
import { readCustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import { schemaKeys } from '../../crd/schema-keys.js';
import { valueAt } from '../../../text/documents/fields.js';
import { object, withSchema } from '../../rules/crd/testing/definition.js';
import type { FixTarget } from './candidates.js';
import { differenceOf, repairUpgrade, type RepairOptions } from './repair.js';

const spec = (properties: JsonObject, more: JsonObject = {}): JsonObject =>
  withSchema(object({ spec: object(properties, more) }));

const text: JsonObject = { type: 'string', maxLength: 9 };
const ruled = (...rules: string[]): JsonObject => ({
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});

const specOf = (definition: JsonObject): JsonObject =>
  valueAt(definition, ...schemaKeys(definition, 'v1', '^.spec')) as JsonObject;

interface Row {
  readonly name: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly titles: readonly string[];
}

const rows: Row[] = [
  {
    name: 'nothing to do',
    old: spec({ a: { type: 'string' } }),
    new: spec({ a: { type: 'string' }, b: { type: 'string' } }),
    titles: [],
  },
  {
    name: 'restores a field',
    old: spec({ a: { type: 'string' }, b: { type: 'string' } }),
    new: spec({ b: { type: 'string' } }),
    titles: ['restore ^.spec.a'],
  },
  {
    name: 'restores the only field of an object',
    old: spec({ a: object({ b: { type: 'string' } }) }),
    new: spec({ a: { type: 'object' } }),
    titles: ['restore ^.spec.a.b'],
  },
  {
    name: 'drops a requirement',
    old: spec({ a: { type: 'string' } }),
    new: spec({ a: { type: 'string' } }, { required: ['a'] }),
    titles: ['do not require ^.spec.a'],
  },
  {
    name: 'names every requirement that a change of one list drops',
    old: spec({ a: { type: 'string' }, b: { type: 'string' } }),
    new: spec({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a', 'b'] }),
    titles: ['do not require ^.spec.b, do not require ^.spec.a'],
  },
  {
    name: 'loosens a bound among items, and leaves others alone',
    old: spec({ l: { type: 'array', items: { type: 'string', maxLength: 9 } } }),
    new: spec({ l: { type: 'array', items: { type: 'string', maxLength: 3, minLength: 0 } } }),
    titles: ['keep the old maxLength of ^.spec.l[*]'],
  },
  {
    name: 'keeps listed values beside new ones',
    old: spec({ a: { type: 'string', enum: ['x', 'y'] } }),
    new: spec({ a: { type: 'string', enum: ['y', 'z'] } }),
    titles: ['keep "x" among the values of ^.spec.a'],
  },
  {
    name: 'keeps a default that fills a required field',
    old: spec({ a: { type: 'string', default: 'x' } }, { required: ['a'] }),
    new: spec({ a: { type: 'string' } }, { required: ['a'] }),
    titles: ['do not require ^.spec.a'],
  },
  {
    name: 'drops one rule of several, and leaves the others',
    old: spec({ a: { ...text, ...ruled("self != 'x'") } }),
    new: spec({ a: { ...text, ...ruled("self != 'x'", 'size(self) < 10', 'size(self) > 5') } }),
    titles: ['drop the rule "size(self) > 5" of ^.spec.a'],
  },
  {
    name: 'drops two rules of several',
    old: spec({ a: text }),
    new: spec({ a: { ...text, ...ruled('size(self) > 5', 'size(self) < 10', "self != ''") } }),
    titles: [
      'drop the rule "self != \'\'" of ^.spec.a, drop the rule "size(self) > 5" of ^.spec.a',
    ],
  },
  {
    name: 'drops a rule',
    old: spec({ a: { type: 'integer' } }),
    new: spec({
      a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 5' }] },
    }),
    titles: ['drop the new x-kubernetes-validations of ^.spec.a'],
  },
  {
    name: 'mends one thing after the other',
    old: spec({ a: { type: 'string' }, b: { type: 'string' } }),
    new: spec({ b: { type: 'string', pattern: '^x' } }),
    titles: ['drop the new pattern of ^.spec.b', 'restore ^.spec.a'],
  },
  {
    name: 'names with dots and slashes',
    old: spec({ 'a.b/c~d': { type: 'string' } }),
    new: spec({}),
    titles: ['restore ^.spec.a%2Eb/c~d'],
  },
];

const repairDocument = (old: JsonObject, next: JsonObject, options?: RepairOptions) =>
  repairUpgrade(readCustomResourceDefinition(old), next, options);

describe('fixes', () => {
  for (const { name, old, new: next, titles } of rows) {
    it(name, () => {
      const before = JSON.stringify(next);
      const { fixes, patched, left } = repairDocument(old, next);
      expect(left).to.deep.equal([]);
      expect(fixes.map(({ title }) => title).sort()).to.deep.equal([...titles]);
      expect(proveDocuments(old, patched).allowed).to.equal(true);
      expect(JSON.stringify(next), 'the new definition itself').to.equal(before);
    });
  }

  const integer: JsonObject = { type: 'integer' };
  const list: JsonObject = { type: 'array', items: text };
  const map: JsonObject = { type: 'object', additionalProperties: text };
  /** A bound, a new one that does harm, and one that is a step stricter than the old one. */
  const bounds: readonly [
    keyword: string,
    of: JsonObject,
    old: number,
    next: number,
    less: number,
  ][] = [
    ['maxLength', { type: 'string' }, 9, 3, 8],
    ['minLength', { type: 'string' }, 2, 5, 3],
    ['maximum', integer, 9, 3, 8],
    ['minimum', integer, 1, 5, 2],
    ['maxItems', list, 9, 3, 8],
    ['minItems', list, 2, 5, 3],
    ['maxProperties', map, 9, 3, 8],
    ['minProperties', map, 2, 5, 3],
  ];
  for (const [keyword, of, was, is, stricter] of bounds) {
    it(`loosens a bound no more than need be: ${keyword}`, () => {
      const bounded = (bound: number): JsonObject => spec({ a: { ...of, [keyword]: bound } });
      const { patched } = repairDocument(bounded(was), bounded(is));
      expect(patched).to.deep.equal(bounded(was));
      expect(proveDocuments(bounded(was), bounded(stricter)).effect).to.equal('breaking');
    });
  }

  it('says which difference of a place each of them ends', () => {
    const old = spec({ a: { type: 'integer', minimum: 1 } });
    const next = spec({ a: { type: 'integer', minimum: 5 } }, { required: ['a'] });
    const { fixes } = repairDocument(old, next);
    const ways = proveDocuments(old, next).results.map((result) => [
      result.reason.split('; ')[0],
      ...fixes
        .filter(({ solves }) => solves.includes(differenceOf(result)))
        .map(({ title }) => title),
    ]);
    expect(ways).to.have.deep.members([
      ['the minimum is tightened: 5', 'keep the old minimum of ^.spec.a'],
      ['the field is required from now on', 'do not require ^.spec.a'],
    ]);
  });

  it('mends a hundred things in a few steps', () => {
    const fields = (schema: (index: number) => JsonObject): JsonObject =>
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, schema(index)]));
    const old = spec(fields(() => ({ type: 'string', maxLength: 9 })));
    const next = spec(
      fields((index) => ({ type: index === 7 ? 'integer' : 'string', maxLength: 3 + (index % 5) })),
    );
    const { fixes, patched, left } = repairDocument(old, next, { most: 5 });
    expect(left).to.deep.equal([]);
    expect(fixes).to.have.lengthOf(100);
    expect(proveDocuments(old, patched).allowed).to.equal(true);
  });

  it('leaves out what another way out makes needless', () => {
    const text = (maxLength: number): JsonObject => ({ type: 'string', maxLength });
    const old = spec({ a: object({ b: text(9), c: text(9) }), d: text(9) });
    const next = spec({
      a: { ...object({ b: text(3), c: text(9) }), description: 'new' },
      d: text(3),
    });
    const troubles = (changed: JsonObject): FixTarget[] => {
      const { a, d } = specOf(changed)['properties'] as Record<string, JsonObject>;
      const { b } = a?.['properties'] as Record<string, JsonObject>;
      return [
        ...(b?.['maxLength'] === 3 ? ['^.spec.a.b'] : []),
        ...(a?.['description'] === 'new' ? ['^.spec.a'] : []),
        ...(d?.['maxLength'] === 3 ? ['^.spec.d'] : []),
      ].map((path) => ({ version: 'v1', path }));
    };
    const { fixes, patched, left } = repairDocument(old, next, { troubles });
    expect(left).to.deep.equal([]);
    expect(fixes.map(({ title }) => title).sort()).to.deep.equal([
      'keep ^.spec.a as it was',
      'keep the old maxLength of ^.spec.d',
    ]);
    expect(specOf(patched)).to.deep.equal(specOf(old));
  });

  it('declares no fields beside values that a schema takes for all fields', () => {
    const old = spec({ a: { type: 'object', additionalProperties: { type: 'string' } } });
    const next = spec({ a: object({ b: { type: 'string' } }) });
    const { patched, left } = repairDocument(old, next);
    expect(left).to.deep.equal([]);
    expect(specOf(patched)).to.deep.equal(specOf(old));
  });

  it('takes the next change where the first is refused, and says why where all are', () => {
    const old = spec({ a: { type: 'string', maxLength: 9, pattern: 'a' } });
    const next = spec({ a: { type: 'string', maxLength: 3, pattern: 'a' } });
    const kept = 'keep ^.spec.a as it was';
    const dropped = JSON.stringify(specOf(old));
    const asked: JsonObject[] = [];
    const refused = repairDocument(old, next, {
      refusalOf: (changed) => {
        asked.push(changed);
        return 'never';
      },
    });
    expect(refused.fixes).to.deep.equal([]);
    expect(refused.left).to.deep.equal([
      ...[{ version: 'v1', path: '^.spec.a', from: undefined }].map((each) => ({
        ...each,
        refused: { title: 'keep the old maxLength of ^.spec.a', reason: 'never' },
        harm: ['maxLength is tightened: 3'],
      })),
    ]);
    expect(asked.every((each) => JSON.stringify(specOf(each)) === dropped)).to.equal(true);
    let isFirst = true;
    const second = repairDocument(old, next, {
      refusalOf: () => {
        const reason = isFirst ? 'not at first' : undefined;
        isFirst = false;
        return reason;
      },
    });
    expect(second.fixes.map(({ title }) => title)).to.deep.equal([kept]);
    expect(second.left).to.deep.equal([]);
  });

  it('says what is left when it may not try', () => {
    const old = spec({ a: { type: 'string' } });
    const { fixes, left } = repairDocument(old, spec({}), { most: 0 });
    expect(fixes).to.deep.equal([]);
    const harm = ['the field is gone: its values are pruned'];
    expect(left).to.deep.equal([{ version: 'v1', path: '^.spec.a', from: undefined, harm }]);
  });

  it('says what still does harm at a place that it could mend in part', () => {
    const old = spec({ a: { type: 'string', maxLength: 9 } });
    const next = spec({ a: { type: 'string', maxLength: 3, pattern: '^b' } });
    const tries = Array.from({ length: 20 }, (_, most) => repairDocument(old, next, { most }));
    const inPart = tries.find(({ fixes, left }) => fixes.length > 0 && left.length > 0);
    expect(inPart?.fixes.map(({ title }) => title)).to.deep.equal([
      'keep the old maxLength of ^.spec.a',
    ]);
    expect(inPart?.left.map(({ path, harm }) => [path, harm])).to.deep.equal([
      ['^.spec.a', ['a pattern is new: ^b']],
    ]);
  });
});
