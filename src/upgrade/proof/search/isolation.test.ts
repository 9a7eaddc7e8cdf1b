/** Each finding is about its own difference: its reason, its witness and its verdict. */
import { expect } from 'chai';
import { isObject, type JsonObject } from '../../../text/documents/index.js';
import { compileValidator } from '../../../kubernetes/apiserver/validator.js';
import { object, withSchema } from '../../rules/crd/testing/definition.js';
import { proveDocuments } from '../testing/prove-documents.js';
import type { ProofResult } from '../result.js';

const string = { type: 'string' };
const integer = { type: 'integer' };
const rule = (text: string, message = ''): JsonObject => ({ rule: text, message });
const rules = (...all: JsonObject[]): JsonObject => ({ 'x-kubernetes-validations': all });
const required = (...names: string[]): JsonObject => ({ required: names });
const short = { ...string, maxLength: 3 };
const nullable = { ...string, nullable: true };

interface Finding {
  readonly path: string;
  readonly effect: ProofResult['effect'];
  /** Said of this difference. */
  readonly reason: string;
  /** Said of what the witness comes to. */
  readonly harm?: string;
  /** The old schema of `spec` with only this difference, in which the witness must come to harm too. */
  readonly alone?: JsonObject;
}

interface Row {
  readonly name: string;
  readonly old: JsonObject;
  readonly next: JsonObject;
  readonly findings: readonly Finding[];
  /** Where nothing is said of lost values. */
  readonly silent?: readonly string[];
}

const two = object({ a: string, b: integer });
const rows: readonly Row[] = [
  {
    name: 'a new rule that nothing breaks beside a bound that breaks',
    old: two,
    next: object(
      { a: string, b: { ...integer, minimum: 1 } },
      rules(rule('!has(self.a) || size(self.a.trim()) <= size(self.a)')),
    ),
    findings: [
      {
        path: '^.spec.b',
        effect: 'breaking',
        reason: 'the minimum is new',
        harm: 'spec.b: ',
        alone: object({ a: string, b: { ...integer, minimum: 1 } }),
      },
      { path: '^.spec', effect: 'undecided', reason: 'a validation rule is new' },
    ],
  },
  {
    name: 'a new rule where another difference refuses every object',
    old: two,
    next: object(
      { ...(two.properties as JsonObject), c: string },
      { ...required('c'), ...rules(rule('!has(self.b) || self.b > 2', 'b is too small')) },
    ),
    findings: [
      {
        path: '^.spec.c',
        effect: 'breaking',
        reason: 'required from now on',
        harm: 'spec.c: Required value',
        alone: object({ ...(two.properties as JsonObject), c: string }, required('c')),
      },
      {
        path: '^.spec',
        effect: 'breaking',
        reason: 'a validation rule is new',
        harm: 'spec: b is too small',
        alone: { ...two, ...rules(rule('!has(self.b) || self.b > 2')) },
      },
    ],
  },
  {
    name: 'a field that goes where another difference refuses every object',
    old: object({ a: string }, required('a')),
    next: object({ b: string }, required('b')),
    findings: [
      {
        path: '^.spec.a',
        effect: 'data-loss',
        reason: 'the field is gone',
        harm: 'values lost: .spec.a',
        alone: object({}),
      },
      { path: '^.spec.b', effect: 'breaking', reason: 'required from now on', harm: 'spec.b' },
    ],
  },
  {
    name: 'two rules at one place that say the same',
    old: two,
    next: {
      ...two,
      ...rules(
        rule('!has(self.a) || self.a != "x"', 'not so'),
        rule('!has(self.b) || self.b != 7', 'not so'),
      ),
    },
    findings: [
      {
        path: '^.spec',
        effect: 'breaking',
        reason: 'self.a',
        harm: 'not so',
        alone: { ...two, ...rules(rule('!has(self.a) || self.a != "x"')) },
      },
      {
        path: '^.spec',
        effect: 'breaking',
        reason: 'self.b',
        harm: 'not so',
        alone: { ...two, ...rules(rule('!has(self.b) || self.b != 7')) },
      },
    ],
  },
  {
    name: 'two bounds of one value',
    old: object({ a: string }),
    next: object({ a: { ...short, pattern: '^[a-z]*$' } }),
    findings: [
      {
        path: '^.spec.a',
        effect: 'breaking',
        reason: 'maxLength is new',
        harm: 'Too long',
        alone: object({ a: short }),
      },
      {
        path: '^.spec.a',
        effect: 'breaking',
        reason: 'a pattern is new',
        harm: 'should match',
        alone: object({ a: { ...string, pattern: '^[a-z]*$' } }),
      },
    ],
  },
  {
    name: 'two operators of one value',
    old: two,
    next: { ...two, anyOf: [required('a'), required('b')], not: required('a', 'b') },
    findings: [
      {
        path: '^.spec',
        effect: 'breaking',
        reason: 'anyOf is new',
        harm: '(anyOf)',
        alone: { ...two, anyOf: [required('a'), required('b')] },
      },
      {
        path: '^.spec',
        effect: 'breaking',
        reason: 'not forbids',
        harm: '(not)',
        alone: { ...two, not: required('a', 'b') },
      },
    ],
  },
  {
    name: 'null that no longer counts as a value, beside an unrelated bound',
    old: object({ a: nullable, b: integer }),
    next: object({ a: string, b: { ...integer, maximum: 5 } }),
    findings: [
      { path: '^.spec.a', effect: 'behavior', reason: 'null is no longer allowed' },
      { path: '^.spec.b', effect: 'breaking', reason: 'the maximum is new', harm: 'spec.b' },
    ],
  },
  {
    name: 'null that no longer counts as a value, beside a requirement',
    old: object({ a: nullable }),
    next: object({ a: string }, required('a')),
    findings: [
      { path: '^.spec.a', effect: 'behavior', reason: 'null is no longer allowed' },
      {
        path: '^.spec.a',
        effect: 'breaking',
        reason: 'required from now on',
        harm: 'spec.a: Required value',
        alone: object({ a: nullable }, required('a')),
      },
    ],
  },
  {
    name: 'a bound of undeclared fields, and a type that leaves room for them, which go together',
    old: object({ a: { 'x-kubernetes-preserve-unknown-fields': true } }),
    next: object({ a: { type: 'array', items: object({ b: string }) } }),
    findings: [
      { path: '^.spec.a', effect: 'breaking', reason: 'the type changes', harm: 'spec.a: ' },
      { path: '^.spec.a[*]', effect: 'breaking', reason: 'the type changes', harm: 'spec.a[0]: ' },
      {
        path: '^.spec.a[*]',
        effect: 'data-loss',
        reason: 'undeclared fields are no longer kept',
        harm: 'together with other changes: values lost: .spec.a[0].key',
      },
      {
        path: '^.spec.a[*].b',
        effect: 'breaking',
        reason: 'the type changes',
        harm: 'spec.a[0].b: ',
      },
    ],
    // Objects are refused for their type there.
    silent: ['^.spec.a', '^.spec.a[*].b'],
  },
  {
    name: 'a rule that was there, over a default that is new',
    old: object(
      { a: short, b: integer },
      rules(rule('!has(self.a) || !has(self.b)', 'one of both')),
    ),
    next: object(
      { a: { ...short, default: 'x' }, b: { ...integer, maximum: 5 } },
      rules(rule('!has(self.a) || !has(self.b)', 'one of both')),
    ),
    findings: [
      { path: '^.spec.a', effect: 'behavior', reason: 'a default is set' },
      { path: '^.spec.b', effect: 'breaking', reason: 'the maximum is new', harm: 'spec.b: ' },
      {
        path: '^.spec',
        effect: 'breaking',
        reason: 'looks at fields that are pruned, set by default',
        harm: 'one of both',
        alone: object(
          { a: { ...short, default: 'x' }, b: integer },
          rules(rule('!has(self.a) || !has(self.b)')),
        ),
      },
    ],
  },
  {
    name: 'a rule about updates beside a bound',
    old: object({ a: string, b: integer }),
    next: object({
      a: { ...string, ...rules(rule('self == oldSelf', 'fixed')) },
      b: { ...integer, maximum: 5 },
    }),
    findings: [
      {
        path: '^.spec.a',
        effect: 'breaking',
        reason: 'a validation rule is new',
        harm: 'an update is refused: spec.a: fixed',
      },
      { path: '^.spec.b', effect: 'breaking', reason: 'the maximum is new', harm: 'spec.b: ' },
    ],
  },
];

const definition = (spec: JsonObject): JsonObject => withSchema(object({ spec }));

/** Whether the object is refused, or read with less in it. */
function isHarmed(witness: JsonObject, spec: JsonObject): boolean {
  const validator = compileValidator(definition(spec), 'v1');
  if (validator.validateCreate(witness).valid === false) return true;
  return JSON.stringify(validator.prune(witness)) !== JSON.stringify(witness);
}

describe('what a finding shows', () => {
  for (const { name, old, next, findings, silent = [''] } of rows) {
    it(`is its own: ${name}`, () => {
      const { results } = proveDocuments(definition(old), definition(next));
      const said = JSON.stringify(results, undefined, 1);
      const pruned = results.filter(({ effect }) => effect === 'data-loss').map(({ path }) => path);
      for (const path of silent) expect(pruned).not.to.include(path);
      for (const { path, effect, reason, harm = '', alone } of findings) {
        const found = results.filter((each) => each.path === path && each.reason.includes(reason));
        expect(
          found.map((each) => each.effect),
          said,
        ).to.deep.equal([effect]);
        const [result] = found;
        expect(result?.reason).to.include(harm);
        if (effect === 'undecided' || effect === 'behavior') {
          expect(result?.witness).to.equal(undefined);
        }
        if (alone === undefined) continue;
        const witness = result?.witness;
        if (witness === undefined || !isObject(witness)) throw new Error(`no witness: ${said}`);
        expect(isHarmed(witness, old), 'the old schema takes it').to.equal(false);
        expect(isHarmed(witness, alone), 'this difference alone does harm').to.equal(true);
        expect(isHarmed(witness, next), 'all together do').to.equal(true);
      }
      const others = results.filter(({ effect }) => effect !== 'safe').length - findings.length;
      expect(others, said).to.equal(0);
    });
  }
});

describe('an object that another difference harms too, whatever it is', () => {
  it('is made no smaller by what a third difference refuses', () => {
    const of = (item: JsonObject, more: JsonObject): JsonObject =>
      withSchema(
        object({
          spec: object({ m: object({}), list: { type: 'array', items: item } }, more),
        }),
      );
    const inner = (more: JsonObject): JsonObject => object({ name: string }, more);
    const item = (g: JsonObject): JsonObject => object({ n: string, g });
    const chosen = { ...item(inner(required('name'))), oneOf: [required('n')], not: required('g') };
    const { results } = proveDocuments(of(item(inner({})), {}), of(chosen, required('m')));
    const found = results.find(({ path }) => path?.endsWith('.g.name') === true);
    expect(found?.effect).to.equal('breaking');
    expect(found?.witness).to.have.nested.property('spec.m');
  });

  it('is said once of a list whose items must differ from now on, whatever becomes of them', () => {
    const { results } = proveDocuments(
      definition(object({ a: { 'x-kubernetes-preserve-unknown-fields': true } })),
      definition(
        object({
          a: {
            ...{
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['k'],
            },
            items: object({ k: { ...string, default: 'x' } }),
          },
        }),
      ),
    );
    const differing = results.filter(({ reason }) => reason.includes('must differ'));
    expect(differing.map(({ effect, path }) => [effect, path])).to.deep.equal([
      ['breaking', '^.spec.a'],
    ]);
  });
});
