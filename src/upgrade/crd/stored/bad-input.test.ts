/** What nobody should store or write, as schema or as object: bounded, and named. */
import { expect } from 'chai';
import {
  InvalidInputError,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import { compileValidator } from '../../../kubernetes/apiserver/validator.js';
import type { ObjectResult, ObjectValidator } from '../../../kubernetes/index.js';
import { StoredJudge, type StoredTally } from './judge.js';

/** A definition whose `spec` has the given schema. */
const definition = (spec: string): JsonObject =>
  parseJson(`{"spec": {"group": "example.com", "scope": "Namespaced",
    "names": {"kind": "Widget", "plural": "widgets"}, "versions": [{"name": "v1", "served": true,
    "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": ${spec}}}}}]}}`) as JsonObject;

const anything = '{"type":"object","x-kubernetes-preserve-unknown-fields":true}';

const widget = (size: JsonValue, name = 'a'): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'ns1' },
  spec: { size },
});

function judged(spec: string, objects: readonly JsonValue[]): StoredTally {
  const judge = new StoredJudge({
    old: compileValidator(definition(anything), 'v1'),
    next: [compileValidator(definition(spec), 'v1')],
  });
  for (const object of objects) judge.judge(object);
  return judge.result;
}

const sized = (size: string, more = ''): string =>
  `{"type":"object","properties":{"size":${size}}${more}}`;

describe('bad objects', () => {
  const rows: readonly (readonly [title: string, object: JsonValue])[] = [
    ['null', null],
    ['a number', 5],
    ['a text', 'widget'],
    ['a list', [1]],
    ['an object without anything', {}],
    ['no metadata', { apiVersion: 'example.com/v1', kind: 'Widget' }],
    ['metadata that is a text', { ...widget('x'), metadata: 'a' }],
    ['a name of another type', { ...widget('x'), metadata: { name: 5 } }],
  ];
  for (const [title, object] of rows) {
    it(`are not blamed on the upgrade: ${title}`, () => {
      expect(judged(sized('{"type":"integer"}'), [object])).to.include({
        checked: 1,
        refused: 0,
        refusedBefore: 1,
      });
    });
  }

  it('of another kind or version are read as the listed one: the API server lists nothing else', () => {
    const other = { ...widget(1), apiVersion: 'example.com/v9', kind: 'Gadget' };
    expect(judged(sized('{"type":"string"}'), [other])).to.include({ checked: 1 });
  });

  it('of 10 MB are judged, and none of their values is told', () => {
    const large = widget('x'.repeat(10 * 1024 * 1024));
    const { examples } = judged(sized('{"type":"string","maxLength":5}'), [large]);
    expect(examples[0]?.problems).to.deep.equal([
      'spec.size: Too long: may not be more than 5 bytes',
    ]);
  });
});

describe('bad schemas', () => {
  it('with a pattern that makes others backtrack are judged in time that grows with the text', () => {
    const pattern = sized('{"type":"string","pattern":"^(a+)+$"}');
    const { refused } = judged(pattern, [widget(`${'a'.repeat(100_000)}!`), widget('aa')]);
    expect(refused).to.equal(1);
  });

  it('with a pattern that is none refuse what it is asked about, as the API server does', () => {
    const { examples } = judged(sized('{"type":"string","pattern":"[a-"}'), [widget('a')]);
    expect(examples[0]?.problems).to.deep.equal([
      "spec.size: Invalid value: spec.size in body should match '[a-, but pattern is invalid: error parsing regexp: missing closing ]: `[a-`'",
    ]);
  });

  it('with a rule that does not compile refuse every object, as the API server does', () => {
    const rule = sized('{"type":"string"}', ',"x-kubernetes-validations":[{"rule":"self.no > 1"}]');
    expect(judged(rule, [widget('a')]).examples[0]?.problems).to.deep.equal([
      'spec: Invalid value',
    ]);
  });

  it('with a rule that loops end, undecided and not passed, however many objects there are', () => {
    const digits = '[1,2,3,4,5,6,7,8,9,10]';
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const loop = names.reduceRight((inner, name) => `${digits}.all(${name}, ${inner})`, 'true');
    const rule = sized('{"type":"string"}', `,"x-kubernetes-validations":[{"rule":"${loop}"}]`);
    const validator = compileValidator(definition(rule), 'v1');
    const outOfSteps = validator.validateCreate(widget('a')).notEvaluated ?? [];
    expect(outOfSteps).to.have.length(1);
    let judgements = 0;
    const value = (): { readonly result: ObjectResult } => {
      judgements++;
      return { result: { valid: null, errors: [], notEvaluated: outOfSteps } };
    };
    const counted = Object.create(validator, { create: { value } }) as ObjectValidator;
    const old = compileValidator(definition(anything), 'v1');
    const judge = new StoredJudge({ old, next: [counted] });
    for (let index = 0; index < 1000; index++) judge.judge(widget('a', `w${index}`));
    expect(judge.result).to.include({ checked: 1000, undecided: 1000, refused: 0 });
    expect(judgements).to.equal(50);
  });

  it('with a list of nine quintillion numbers in a rule are undecided', () => {
    const range = 'lists.range(9000000000000000000).size() > 0';
    const rule = sized('{"type":"string"}', `,"x-kubernetes-validations":[{"rule":"${range}"}]`);
    expect(judged(rule, [widget('a')])).to.include({ undecided: 1 });
  });

  const unreadable: readonly (readonly [title: string, size: string, where: RegExp])[] = [
    ['a bound that is a text', '{"type":"string","minLength":"x"}', /minLength/],
    ['properties that are a list', '{"type":"object","properties":[]}', /properties/],
    ['a schema that is a number', '5', /size/],
    ['a reference', '{"$ref":"#/spec"}', /\$ref/],
    ['allOf without end', nestedAllOf(5000), /more than 500 levels/],
  ];
  for (const [title, size, where] of unreadable) {
    it(`are refused with the place: ${title}`, () => {
      let thrown: unknown;
      try {
        compileValidator(definition(sized(size)), 'v1');
      } catch (error) {
        thrown = error;
      }
      expect(thrown).to.be.instanceOf(InvalidInputError);
      const { message, where: place } = thrown as InvalidInputError;
      expect(`${message} ${JSON.stringify(place)}`).to.match(where);
    });
  }
});

function nestedAllOf(depth: number): string {
  return `${'{"allOf":['.repeat(depth)}{"minimum":1}${']}'.repeat(depth)}`;
}
