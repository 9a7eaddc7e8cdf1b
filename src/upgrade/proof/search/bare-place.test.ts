import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { exampleOfSpec } from '../../rules/crd/example-definition.js';
import { ruleNamed } from '../../../policy/rules/registry.js';
import { judgeByReference } from '../../rules/crd/profiles.js';
import { withEffects } from '../../rules/crd/effects.js';
import { decide } from '../../../policy/decide.js';
import { defaultPolicy } from '../../../policy/policy.js';
import { proveDocuments } from '../testing/prove-documents.js';
import { UpgradePair } from '../../pair.js';

type Schema = Record<string, unknown>;

const string = { type: 'string' };
const object = (properties: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const rule = (text: string): Schema => ({ 'x-kubernetes-validations': [{ rule: text }] });

interface Change {
  readonly what: string;
  readonly old: Schema;
  /** Undefined: the field is removed. */
  readonly next?: Schema;
  /** In CEL, that `self.x` holds what the new schema does not take. */
  readonly harmed: string;
  /** A schema of `x` for values that stay. */
  readonly unharmed?: Schema;
}

const integer = { type: 'integer' };
const short = { ...string, maxLength: 5 };
const changes: readonly Change[] = [
  { what: 'a field that goes', old: string, harmed: 'has(self.x)' },
  { what: 'another type', old: string, next: integer, harmed: 'has(self.x)' },
  {
    what: 'a listed value that goes',
    old: { ...string, enum: ['a', 'b', 'c'] },
    next: { ...string, enum: ['a', 'b'] },
    harmed: `has(self.x) && self.x == 'c'`,
    unharmed: { enum: ['a', 'b'] },
  },
  {
    what: 'a lower maximum',
    old: { ...integer, maximum: 10 },
    next: { ...integer, maximum: 5 },
    harmed: 'has(self.x) && self.x > 5',
    unharmed: { maximum: 5 },
  },
  {
    what: 'a lower maxLength',
    old: { ...string, maxLength: 10 },
    next: short,
    harmed: 'has(self.x) && self.x.size() > 5',
    unharmed: { maxLength: 5 },
  },
  {
    what: 'a narrower pattern',
    old: { ...string, maxLength: 20, pattern: '^[a-c]*$' },
    next: { ...string, maxLength: 20, pattern: '^[ab]*$' },
    harmed: `has(self.x) && self.x.contains('c')`,
    unharmed: { pattern: '^[ab]*$' },
  },
  {
    what: 'a lower maxItems',
    old: { type: 'array', maxItems: 5, items: short },
    next: { type: 'array', maxItems: 2, items: short },
    harmed: 'has(self.x) && self.x.size() > 2',
    unharmed: { maxItems: 2 },
  },
];

/** True of strings that no search comes upon. */
const password = (a: string): string =>
  `has(${a}) && ${a}.matches('^[a-f]{3}q{2}(x|y)+$') && ${a}.contains('yxyxyy') && ${a}.endsWith('xyx') && ${a}.size() == 23`;
const unlikely = {
  properties: {
    a: {
      pattern: '^(aab|abb){7}q(xy|yx){5}$',
      not: { pattern: '^[abqxy]*(bba|yxy|aaba)' },
    },
  },
  required: ['a'],
};

const a = { ...string, maxLength: 50 };

/** Ways to keep all objects out that a change would harm, but for one that is hard to come upon. */
const hiders: readonly {
  readonly by: string;
  readonly schema: (fields: Schema, change: Change) => Schema;
}[] = [
  {
    by: 'a rule beside it',
    schema: (fields, { harmed }) =>
      object({ ...fields, a }, rule(`!(${harmed}) || (${password('self.a')})`)),
  },
  {
    by: 'a rule of an object around it',
    schema: (fields, { harmed }) =>
      object(
        { o: object({ ...fields }), a },
        rule(
          `!has(self.o) || !(${harmed.replaceAll('self.x', 'self.o.x')}) || (${password('self.a')})`,
        ),
      ),
  },
  {
    by: 'anyOf with its absence',
    schema: (fields) =>
      object({ ...fields, a }, { anyOf: [{ not: { required: ['x'] } }, unlikely] }),
  },
  {
    by: 'anyOf with what stays of it',
    schema: (fields, { unharmed }) =>
      object(
        { ...fields, a },
        {
          anyOf: [
            unharmed === undefined ? { not: { required: ['x'] } } : { properties: { x: unharmed } },
            unlikely,
          ],
        },
      ),
  },
  {
    by: 'not',
    schema: (fields) =>
      object(
        { ...fields, a },
        { not: { required: ['x'], properties: { a: { pattern: '^[^q]*$' } } } },
      ),
  },
  {
    by: 'maxProperties',
    schema: (fields) =>
      object({
        o: object({ ...fields, r: string, a }, { required: ['r', 'a'], maxProperties: 2 }),
      }),
  },
];

describe('what keeps objects out that a change would harm', () => {
  for (const { by, schema } of hiders) {
    for (const change of changes) {
      it(`${by} does not speak for ${change.what}`, () => {
        const old = exampleOfSpec(schema({ x: change.old }, change) as JsonObject);
        // What goes with the field, goes: no rule may look at one that is not there.
        const others = schema(change.next === undefined ? {} : { x: change.next }, change);
        Reflect.deleteProperty(others, 'x-kubernetes-validations');
        const isReadable = change.next !== undefined && change.what !== 'another type';
        const next = exampleOfSpec(
          (isReadable ? schema({ x: change.next }, change) : others) as JsonObject,
        );
        const proof = proveDocuments(old, next);
        const { findings } = withEffects(
          judgeByReference(UpgradePair.read(old, next), 'olm-v1'),
          proof,
        );
        const policy = { ...defaultPolicy, enforce: 'proven' } as const;
        const { allowed } = decide(
          findings,
          policy,
          { subject: { groups: [], name: '' }, ruleNamed },
          new Date(),
        );
        expect(allowed, JSON.stringify(findings)).to.equal(false);
      });
    }
  }

  it('is no matter where values were tried that the change concerns: the policy says what an open question is worth', () => {
    const text = (more: Schema): JsonObject => {
      const x = { ...string, maxLength: 12, pattern: '^[a-z]+(-[a-z]+)*$', ...more };
      return exampleOfSpec(object({ x }) as JsonObject);
    };
    const [old, next] = [text({}), text(rule(`size(self.trim()) <= size(self)`))];
    const [result] = proveDocuments(old, next).results;
    expect(result).to.include({ effect: 'undecided' });
    expect(result?.isUntried).to.equal(undefined);
  });
});

describe('a name that holds what separates the steps of a path', () => {
  const names = ['a[b', 'a]b', 'a[0]', 'a[*]', 'a.b', '[', ']', '[*]', '.', 'a%5Bb', '%'];
  for (const name of names) {
    it(`${name} does not move a loss to another field`, () => {
      const beside = { a: object({ b: string, '0': string }), b: { ...string, maxLength: 9 } };
      const old = exampleOfSpec(object({ ...beside, [name]: string }) as JsonObject);
      // Something else is open, too, so that the loss must be told apart from it.
      const next = exampleOfSpec(
        object({ ...beside, b: { ...string, maxLength: 8 } }) as JsonObject,
      );
      const { results } = proveDocuments(old, next);
      const lost = results.filter(({ effect }) => effect === 'data-loss');
      expect(lost, JSON.stringify(results)).to.have.length(1);
      const others = Object.keys(beside).flatMap((each) => [`^.spec.${each}`, `^.spec.${each}.b`]);
      expect(others).not.to.include(lost[0]?.path);
      expect(lost[0]?.path.split('.')).to.have.length(3);
      expect(results.filter(({ path }) => path === lost[0]?.path)).to.have.length(1);
    });
  }
});
