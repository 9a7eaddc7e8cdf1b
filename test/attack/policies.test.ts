/** Definitions that make exported policies large or slow to write: work is counted in text, expressions and steps. */
import { expect } from 'chai';
import { isObject, own, stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { policyOf } from '../../src/gate/admission-policy/policy.js';
import { things } from '../cluster/widgets.js';

type Shape = (index: number) => JsonObject;

const shapes: readonly (readonly [what: string, shape: Shape])[] = [
  ['plain fields', () => ({ type: 'string' })],
  ['a bound each', (index) => ({ type: 'integer', maximum: index + 1, minimum: -index - 0.5 })],
  ['an enum each', (index) => ({ type: 'string', enum: [`a${index}`, `b${index}`] })],
  ['a pattern each', (index) => ({ type: 'string', pattern: `^x{1,2}${index}$` })],
  [
    'a rule each',
    (index) => ({ type: 'string', 'x-kubernetes-validations': [{ rule: `self != '${index}'` }] }),
  ],
  [
    'a required field each',
    (index) => ({
      type: 'object',
      required: [`a${index}`],
      properties: { [`a${index}`]: { type: 'string' } },
    }),
  ],
];

function fieldsOf(count: number, shape: Shape): JsonObject {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`field${index}`, shape(index)]),
  );
}

function policiesOf(properties: JsonObject): ReturnType<typeof policyOf> {
  const spec = { type: 'object', properties };
  return policyOf(
    things('example.com', {
      served: true,
      schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    }),
  );
}

/** Of all policies: characters, and how many expressions. */
function sizesOf(objects: readonly JsonObject[]): { length: number; expressions: number } {
  const specs = objects.map((object) => own(object, 'spec')).filter(isObject);
  const lists = specs.flatMap((spec) => [own(spec, 'variables'), own(spec, 'validations')]);
  const expressions = lists.flatMap((list) => (Array.isArray(list) ? list : []));
  return { length: stringifyJson([...objects]).length, expressions: expressions.length };
}

describe('policies of large definitions', function () {
  this.timeout(120_000);

  for (const [what, shape] of shapes) {
    it(`grow with the definition, in few expressions: ${what}`, () => {
      const [few, many] = [500, 2_000].map((count) =>
        sizesOf(policiesOf(fieldsOf(count, shape)).objects),
      );
      expect((many?.length ?? 0) / (few?.length ?? 1)).to.be.below(8);
      expect(many?.expressions).to.be.below(200);
    });

    it(`are taken by etcd, however many fields there are: ${what}`, () => {
      const { objects, notCovered } = policiesOf(fieldsOf(20_000, shape));
      for (const object of objects) expect(stringifyJson(object).length).to.be.below(1_400_000);
      expect(notCovered.join('\n')).to.match(/^\d+ of \d+ fields of v1: an API server/m);
    });
  }

  it('leave out one value that is too long, and say so', () => {
    const long = 'x'.repeat(100_001);
    const { objects, notCovered } = policiesOf({
      a: { type: 'string', enum: [long] },
      b: { type: 'string', pattern: long },
      [long]: { type: 'string' },
      c: { type: 'string', maxLength: 7 },
    });
    expect(stringifyJson([...objects]).length).to.be.below(200_000);
    expect(notCovered).to.include(
      'a rule that no policy can say: v1 ^.spec.a: enum lacks values that are allowed now',
    );
    expect(notCovered).to.include(
      'a rule that no policy can say: v1 ^.spec.b: pattern may refuse values that are allowed now',
    );
    expect(notCovered.join('\n')).to.match(/^1 of 6 fields of v1/m);
    expect(stringifyJson([...objects])).to.include('maxLength refuses');
  });

  it('hold no character that YAML refuses', () => {
    const odd = '\u007f\u0085\u009f\u2028\u2029\ufeff\uffff\u202e\u{e0041}\ud800';
    const { objects } = policiesOf({
      [odd]: { type: 'string', enum: [odd], pattern: odd },
      a: { type: 'object', required: [odd], properties: { [odd]: { type: 'string' } } },
      b: { type: 'string', 'x-kubernetes-validations': [{ rule: `self != '${odd}'` }] },
    });
    expect(stringifyJson([...objects])).not.to.match(
      /[^\n -~\xa0-\u2027\u202f-\ufefe\uff00-\ufffd]/,
    );
  });
});
