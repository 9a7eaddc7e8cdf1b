/** Rules that are said to refuse nothing: by hand, and random ones put to every object of a small schema. */
import { expect } from 'chai';
import {
  compileValidator,
  type ObjectValidator,
} from '../../../../kubernetes/apiserver/validator.js';
import { object, withSchema } from '../../../rules/crd/testing/definition.js';
import type { JsonObject, JsonValue } from '../../../../text/documents/index.js';
import { samples } from '../../../../rule/testing/samples.js';
import { readSchema } from '../../../../kubernetes/index.js';
import { Budget } from '../../budget.js';
import { proveDocuments } from '../../testing/prove-documents.js';
import { ruleCases } from './rule-cases.js';
import { Dice } from '../../testing/dice.js';

const string = { type: 'string' };
const integer = { type: 'integer' };
const listed = (...values: string[]): JsonObject => ({ ...string, enum: values });
const rules = (...all: string[]): JsonObject => ({
  'x-kubernetes-validations': all.map((rule) => ({ rule })),
});
const definition = (spec: JsonObject): JsonObject => withSchema(object({ spec }));

function effectOf(old: JsonObject, next: JsonObject): string {
  return proveDocuments(definition(old), definition(next)).effect;
}

describe('rules by cases', () => {
  /** With the bounds without which rules about them would cost too much. */
  const short = { ...string, maxLength: 63 };
  const ports = (more: JsonObject, ...said: string[]): JsonObject =>
    object({
      ports: {
        ...{ type: 'array', items: object({ name: short, ...more }, { required: ['name'] }) },
        ...{ maxItems: 64, ...rules(...said) },
      },
    });
  const list = (item: JsonObject, more: JsonObject = {}): JsonObject => ({
    ...{ type: 'array', maxItems: 8, items: { ...short, ...item } },
    ...more,
  });
  const rows: [title: string, old: JsonObject, next: JsonObject, isHarmless: boolean][] = [
    [
      'asks about a field that no object has',
      object({ mode: listed('a', 'b') }),
      object(
        { mode: listed('a', 'b'), extra: string },
        rules("!(has(self.mode) && self.mode == 'b' && has(self.extra))"),
      ),
      true,
    ],
    [
      'asks about a field that objects have',
      object({ mode: listed('a', 'b'), extra: string }),
      object(
        { mode: listed('a', 'b'), extra: string },
        rules("!(has(self.mode) && self.mode == 'b' && has(self.extra))"),
      ),
      false,
    ],
    [
      'asks about a field of items that no object has',
      ports({}),
      ports({ alias: short }, 'self.all(x, !has(x.alias) || x.alias.startsWith(x.name))'),
      true,
    ],
    [
      'asks for less than another did',
      object(
        { mode: string, a: integer, b: integer },
        rules("self.mode == 'x' ? self.a > 3 : true"),
      ),
      object(
        { mode: string, a: integer, b: integer },
        rules("self.mode == 'x' ? self.a > 3 || self.b > 3 : true"),
      ),
      true,
    ],
    [
      'asks for more than another did',
      object(
        { mode: string, a: integer, b: integer },
        rules("self.mode == 'x' ? self.a > 3 : true"),
      ),
      object(
        { mode: string, a: integer, b: integer },
        rules("self.mode == 'x' || self.mode == 'y' ? self.a > 3 : true"),
      ),
      false,
    ],
    [
      'asks more than the bound of an integer, which is cut',
      object({ n: { ...integer, minimum: 1.5 } }),
      object({ n: { ...integer, minimum: 1.5 } }, rules('!has(self.n) || self.n >= 2')),
      false,
    ],
    [
      'asks less than the bound of an integer, which is cut',
      object({ n: { ...integer, maximum: -0.5 } }),
      object({ n: { ...integer, maximum: -0.5 } }, rules('!has(self.n) || self.n < 0')),
      false,
    ],
    [
      'asks for what the bound of an integer leaves once it is cut',
      object({ n: { ...integer, minimum: 0.5, maximum: 0.5 } }),
      object(
        { n: { ...integer, minimum: 0.5, maximum: 0.5 } },
        rules('!has(self.n) || self.n >= 0'),
      ),
      true,
    ],
    [
      'names a value that the field cannot have',
      ports(
        { mode: listed('a', 'b') },
        "self.all(x, has(x.mode) && x.mode == 'a' ? x.name != '' : true)",
      ),
      ports(
        { mode: listed('a', 'b', 'c') },
        "self.all(y, has(y.mode) && (y.mode == 'a' || y.mode == 'c') ? y.name != '' : true)",
      ),
      true,
    ],
    [
      'counts fields of which one is always there',
      object({ a: string }, { required: ['a'] }),
      object(
        { a: string, b: string },
        rules('[has(self.a), has(self.b)].filter(x, x == true).size() == 1'),
      ),
      true,
    ],
    [
      'looks at what a new default fills in',
      object({ a: string }),
      object(
        { a: string, b: object({ c: string }, { default: { c: 'x' } }) },
        rules('!has(self.b.c)'),
      ),
      false,
    ],
    [
      'looks at a name that is escaped',
      object({ 'a-b': string }),
      object({ 'a-b': string }, rules('!has(self.a__dash__b)')),
      false,
    ],
    [
      'compares a text with a listed one that no rule names',
      object({ a: string, b: listed('zzz') }, { required: ['a', 'b'] }),
      object(
        { a: string, b: listed('zzz') },
        { required: ['a', 'b'], ...rules('self.a != self.b') },
      ),
      false,
    ],
    [
      'looks for one text among others that may be any',
      object({ a: string, b: string }, { required: ['a', 'b'] }),
      object({ a: string, b: string }, { required: ['a', 'b'], ...rules('self.a in [self.b]') }),
      false,
    ],
    [
      'looks for a text among listed ones that no rule names',
      object({ a: string, b: listed('zzz', 'y') }, { required: ['a', 'b'] }),
      object(
        { a: string, b: listed('zzz', 'y') },
        { required: ['a', 'b'], ...rules('!(self.a in [self.b])') },
      ),
      false,
    ],
    [
      'looks for what is written out among what is',
      object({ a: listed('p', 'q') }, { required: ['a'] }),
      object({ a: listed('p', 'q') }, { required: ['a'], ...rules("self.a in ['p', 'q', 'r']") }),
      true,
    ],
    [
      'looks in a list for a text that its items cannot be',
      object({ l: list({ pattern: '^b' }) }),
      object({ l: list({ pattern: '^b|^a$' }, rules("!('a' in self && self.size() > 1)")) }),
      true,
    ],
    [
      'looks in a list for a text beside others',
      object({ l: list({ pattern: '^b|^a$' }) }),
      object({ l: list({ pattern: '^b|^a$' }, rules("!('a' in self && self.size() > 1)")) }),
      false,
    ],
    [
      'fails for a value of another type than it compares with',
      object({ a: { 'x-kubernetes-int-or-string': true } }, { required: ['a'] }),
      object(
        { a: { 'x-kubernetes-int-or-string': true } },
        { required: ['a'], ...rules('self.a > 5 || !(self.a > 5)') },
      ),
      false,
    ],
    [
      'needs a branch that no object had before',
      object({ a: string }, { required: ['a'] }),
      object({ a: string, b: string }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
      true,
    ],
    [
      'needs one of two branches, of which both may be',
      object({ a: string, b: string }, { required: ['a'] }),
      object({ a: string, b: string }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
      false,
    ],
  ];
  it('entries of two lists that a rule writes out are told apart, whatever their variables are called', () => {
    const asked = rules("!has(self.s) || ['c'].all(k, self.s <= k) || ['ca'].all(k, k <= self.s)");
    expect(effectOf(object({ s: short }), object({ s: short }, asked))).not.to.equal('safe');
  });

  for (const [title, old, next, isHarmless] of rows) {
    it(`${title}: ${isHarmless ? 'safe' : 'breaking'}`, () => {
      const effect = effectOf(old, next);
      if (isHarmless) expect(effect).to.be.oneOf(['safe', 'behavior']);
      else expect(effect).to.equal('breaking');
    });
  }

  it('an integer may be so large that adding to it fails', () => {
    const sums = (...said: string[]): JsonObject =>
      object({ n: integer }, { required: ['n'], ...rules('self.n >= 0', ...said) });
    expect(effectOf(sums(), sums('self.n + 1 == self.n + 1'))).not.to.equal('safe');
  });

  it('that a field is there cannot be read where it is an integer with a fraction', () => {
    const asked = (...said: string[]): JsonObject => object({ n: integer }, rules(...said));
    expect(effectOf(asked(), asked('has(self.n) ? true : true'))).to.equal('breaking');
  });

  const loose = { 'x-kubernetes-int-or-string': true };
  const may = (fields: JsonObject, said: string): [JsonObject, JsonObject] => [
    object(fields),
    object(fields, rules(said)),
  ];
  const must = (fields: JsonObject, said: string): [JsonObject, JsonObject] => {
    const required = { required: Object.keys(fields) };
    return [object(fields, required), object(fields, { ...required, ...rules(said) })];
  };
  const eitherText = "!has(self.v) || self.v.matches('^b') || !self.v.matches('^b')";
  const refused: [title: string, old: JsonObject, next: JsonObject][] = [
    ['counts entries of which one fails', ...may({ n: integer }, '[3, self.n].size() == 2')],
    ['counts entries of which one always fails', ...may({ n: integer }, '[7 % 0].size() == 1')],
    [
      'folds over entries of which one fails',
      ...may({ n: integer }, '[1, self.n].filter(x, true).size() > 0'),
    ],
    ['looks among entries of which one fails', ...may({ n: integer }, '2 in [2, self.n]')],
    [
      'looks among values that are made while it is asked',
      ...must({ n: integer }, "'a' in ['a', string(10 / self.n)]"),
    ],
    [
      'looks in a list for a text that a null becomes by default',
      object({ l: list({ pattern: '^b', nullable: true }) }),
      object({
        l: list({ pattern: '^b|^a$', nullable: true, default: 'a' }, rules("!('a' in self)")),
      }),
    ],
    [
      'looks in a list for a text that a new default has',
      object({ l: list({ pattern: '^b' }) }),
      object(
        { l: list({ pattern: '^b|^a$' }, { default: ['a'] }) },
        rules("!has(self.l) || !('a' in self.l)"),
      ),
    ],
    [
      'searches for a pattern that an object gives',
      ...must({ p: string }, "self.p.find(self.p) == '' || !(self.p.find(self.p) == '')"),
    ],
    [
      'looks for a text among none, beside more texts than are told apart',
      ...must(
        { t: { ...string, pattern: '^$' } },
        `self.t in [] || ${Array.from({ length: 14 }, (_, index) => `self.t == 'q${index}'`).join(' || ')}`,
      ),
    ],
    [
      'refuses a text beside integers, where the properties of objects are bounded',
      object({ v: { ...loose, maxProperties: 0 } }, rules(eitherText)),
      object(
        { v: { ...loose, maxProperties: 0 } },
        rules(eitherText, "!has(self.v) || !self.v.matches('^b')"),
      ),
    ],
    ['takes either type for a bool', ...must({ v: loose }, 'self.v || !self.v')],
    ['asks a value of either type', ...must({ v: loose }, 'self.v ? true : true')],
    ['negates a value of either type', ...must({ v: loose }, '[!self.v].size() == 1')],
    [
      'takes entries of a map for optional ones',
      object({ n: integer }, rules("{?'k': self.?n}.size() == 0")),
      object({ n: integer }, rules("{?'k': self.?n}.size() == 0", "{'k': self.?n}.size() == 0")),
    ],
    [
      'looks for a key of a map whose values have a default',
      ...must(
        { m: { type: 'object', additionalProperties: { ...string, default: 'd' } } },
        'has(self.m.key)',
      ),
    ],
    [
      'reads a null of a map',
      ...must(
        { m: { type: 'object', additionalProperties: { ...string, nullable: true } } },
        "!has(self.m.key) || self.m.key.startsWith('') || !self.m.key.startsWith('')",
      ),
    ],
    ['compares with an unsigned number', ...must({ t: string }, 'uint(size(self.t)) > 3u')],
    [
      'asks for what a rule only falls back to',
      object({ a: string, b: string }, rules("self.?a.orValue(self.b) != ''")),
      object({ a: string, b: string }, rules("self.?a.orValue(self.b) != ''", 'has(self.b)')),
    ],
    [
      'asks an escaped field that gets a default',
      object({ a__b: string }, rules('!has(self.a__underscores__b)')),
      object({ a__b: { ...string, default: 'x' } }, rules('!has(self.a__underscores__b)')),
    ],
    [
      'is what two rules were, with a text between that rules may hold',
      object({ n: integer }, rules('true//false\u0000self.n > 2')),
      object({ n: integer }, rules('true//', 'self.n > 2')),
    ],
    [
      'reads a text of a format that lists pass, too',
      ...must(
        { t: { ...string, format: 'ipv4' } },
        "self.t.startsWith('1') || !self.t.startsWith('1')",
      ),
    ],
  ];
  for (const [title, old, next] of refused) {
    it(`${title}: never safe`, () => {
      expect(effectOf(old, next)).to.be.oneOf(['breaking', 'undecided']);
    });
  }

  it('finds what a rule over nested values refuses', () => {
    const tls = object({ mode: listed('Terminate', 'Passthrough') });
    const item = object({ protocol: string, tls });
    const old = object({ listeners: { type: 'array', items: item } });
    const said =
      "self.all(l, l.protocol == 'HTTPS' && has(l.tls) ? l.tls.mode == 'Terminate' : true)";
    const next = object({ listeners: { type: 'array', items: item, ...rules(said) } });
    expect(effectOf(old, next)).to.equal('breaking');
  });

  it('do not hold for a fraction in what a default may have made up', () => {
    const integers = { type: 'array', maxItems: 3, items: { ...integer, maximum: 9 } };
    const pair = (more: JsonObject, said: JsonObject = {}): JsonObject =>
      object({ o: object({ n: integer }, more), l: { ...integers, ...said } });
    for (const rule of [
      '!has(self.o.n) || self.o.n < 1 || self.o.n >= 1',
      '2 in self.l || !(2 in self.l)',
    ]) {
      const next = pair({ default: {} }, { default: [] });
      const effect = effectOf(pair({}), { ...next, ...rules(rule) });
      expect(effect, rule).to.not.be.oneOf(['safe', 'behavior']);
    }
  });

  it('that are kept see what another default makes of null items', () => {
    const [old, next] = ['a', 'b'].map((given) =>
      object({ l: list({ default: given }, rules("self.all(x, x == 'a')")) }),
    );
    expect(effectOf(old ?? {}, next ?? {})).to.not.be.oneOf(['safe', 'behavior']);
  });

  it('are not said to hold for items that the default of null makes others', () => {
    const lists = (item: JsonObject, other: JsonObject, rule: string): void => {
      const [old, next] = [item, other].map((items) => ({ l: list({}, { items }) }));
      expect(effectOf(object(old ?? {}), object(next ?? {}, rules(rule)))).to.equal('undecided');
    };
    lists(
      object({ k: listed('a') }, { default: { k: 'a' } }),
      object({ k: listed('a', 'c') }, { default: { k: 'c' } }),
      "!has(self.l) || self.l.all(x, !has(x.k) || x.k == 'a')",
    );
    lists(
      { ...listed('a'), default: 'a' },
      { ...listed('a', 'c'), default: 'c' },
      "!has(self.l) || !('c' in self.l)",
    );
  });

  it('calls no random rule harmless that refuses an object', function () {
    this.timeout(samples(30_000));
    let [harmless, asked] = [0, 0];
    for (let seed = 1; seed <= samples(15); seed++) {
      const dice = new Dice(seed);
      const { old, next } = randomPair(dice);
      const effect = effectOf(old, next);
      if (effect !== 'safe' && effect !== 'behavior') continue;
      harmless++;
      const [before, after] = [old, next].map((each) =>
        compileValidator(definition(each), 'v1'),
      ) as [ObjectValidator, ObjectValidator];
      for (const spec of specs()) {
        const whole = { apiVersion: 'test.example.com/v1', kind: 'Sample', metadata, spec };
        if (before.validateCreate(whole).valid !== true) continue;
        asked++;
        const said = JSON.stringify({ seed, old, next, spec });
        expect(after.validateCreate(before.pruneAndDefault(whole)).valid, said).to.equal(true);
      }
    }
    expect(harmless).to.be.greaterThan(samples(1));
    expect(asked).to.be.greaterThan(samples(35));
  });
});

const metadata = { name: 'example', namespace: 'default' };

/** A schema of few fields with rules, and the same with another rule and perhaps another field. */
function randomPair(dice: Dice): { readonly old: JsonObject; readonly next: JsonObject } {
  const a = dice.pick<JsonObject>([
    listed('p', 'q'),
    string,
    { ...string, nullable: true },
    listed('p', 'q', 'r'),
  ]);
  const b = dice.pick<JsonObject>([{ type: 'boolean' }, { type: 'boolean', default: true }]);
  const inner = dice.pick<JsonObject>([
    { m: listed('p', 'q') },
    { m: string },
    { m: string, n: string },
  ]);
  const list = { type: 'array', items: object(inner) };
  const c = dice.pick<JsonObject>([string, listed('q', 'zzz'), listed('zzz')]);
  const fields: JsonObject = { a, b, c, list };
  const required = dice.some(['a', 'b', 'c', 'list'], 0.3);
  const known = dice.some([expression(dice, 2), expression(dice, 2)], 0.6);
  const more: JsonObject = dice.chance(0.5)
    ? { extra: dice.pick<JsonObject>([string, { ...string, default: 'p' }]) }
    : {};
  const shape = (properties: JsonObject, ...said: string[]): JsonObject =>
    object(properties, {
      ...(required.length === 0 ? {} : { required }),
      ...(said.length === 0 ? {} : rules(...said)),
    });
  const names = 'extra' in more ? ['a', 'extra'] : ['a'];
  return {
    old: shape(fields, ...known),
    next: shape({ ...fields, ...more }, ...known, expression(dice, 3, names)),
  };
}

function expression(dice: Dice, depth: number, names: readonly string[] = ['a']): string {
  const text = (): string => dice.pick(["'p'", "'q'", "'r'"]);
  const of = (): string => expression(dice, depth - 1, names);
  const leaf = (): string => {
    const name = dice.pick(names);
    return dice.pick([
      `has(self.${name})`,
      `!has(self.${name})`,
      `(!has(self.${name}) || self.${name} == ${text()})`,
      `self.${name} != ${text()}`,
      `self.${name} in [${text()}, ${text()}]`,
      `size(self.${name}) == 1`,
      ...['==', '!='].map((sign) => `(!has(self.c) || self.${name} ${sign} self.c)`),
      `(!has(self.c) || !has(self.${name}) || self.c in [self.${name}, ${text()}])`,
      `(!has(self.c) || !has(self.${name}) || !(self.${name} in [self.c]))`,
      `(!has(self.c) || !has(self.list) || self.list.all(x, !has(x.m) || x.m != self.c))`,
      'has(self.b)',
      'self.b',
      '!self.b',
      `(!has(self.list) || self.list.all(x, !has(x.m) || x.m == ${text()}))`,
      `(!has(self.list) || self.list.all(x, has(x.m) ? x.m != ${text()} : true))`,
      `(has(self.list) && self.list.exists(x, has(x.m)))`,
      `[has(self.a), has(self.b)].filter(x, x).size() <= ${dice.below(3)}`,
      `(has(self.a) ? 1 : 0) + (has(self.list) ? 1 : 0) >= ${dice.below(3)}`,
    ]);
  };
  if (depth <= 0 || dice.chance(0.25)) return leaf();
  switch (dice.below(4)) {
    case 0:
      return `(${of()} && ${of()})`;
    case 1:
      return `(${of()} || ${of()})`;
    case 2:
      return `(${of()} ? ${of()} : ${of()})`;
    default:
      return `(${of()} == ${of()})`;
  }
}

function* specs(): Generator<JsonObject> {
  const lists: (JsonValue | undefined)[] = [
    ...[undefined, [], [{}], [{ m: 'p' }], [{ m: 'q' }], [{ m: 'p', n: 'r' }, { m: 'q' }]],
    ...[[{ m: 'p' }, {}], [{ m: 'x' }]],
  ];
  for (const a of [undefined, null, 'p', 'q', 'r', 'zzz', 'other', '']) {
    for (const b of [undefined, true, false]) {
      for (const c of [undefined, 'q', 'zzz', 'other']) {
        for (const list of lists) {
          const all: [string, JsonValue | undefined][] = [
            ['a', a],
            ['b', b],
            ['c', c],
            ['list', list],
          ];
          const given = all.filter(([, value]) => value !== undefined);
          yield Object.fromEntries(given) as JsonObject;
        }
      }
    }
  }
}

describe('the search through the cases of a rule', () => {
  const before = readSchema({ type: 'object', properties: { t: string } }, '$');
  const numbers = (count: number): string => `[${[...Array(count).keys()].join(', ')}]`;
  const ask = (rule: string): { spent: number; isAlwaysTrue: boolean | undefined } => {
    const budget = new Budget(100_000);
    const [asked] = readSchema({ type: 'object', ...rules(rule) }, '$').rules;
    const found = asked && ruleCases(before, before, asked, [], false, budget);
    return { spent: budget.spent, isAlwaysTrue: found?.isAlwaysTrue };
  };

  it('ends with its budget where a rule writes out more entries than that', () => {
    const many = numbers(500);
    const { isAlwaysTrue } = ask(
      `${many}.all(x, ${many}.all(y, ${many}.all(z, has(self.t) || true)))`,
    );
    expect(isAlwaysTrue).to.equal(false);
  });

  it('pays for the length of what it writes out to know a question again', () => {
    const nested = (depth: number): string =>
      depth === 0
        ? "self.t == 'x'"
        : `self.?t.optMap(v${depth}, ${nested(depth - 1)}).orValue(${depth % 2 === 0})`;
    const rule = nested(20);
    expect(ask(rule).spent - 2 * rule.length).to.be.greaterThan(5_000);
  });

  it('pays for the length of texts that it computes with', () => {
    const of = (length: number): number =>
      ask(`${numbers(100)}.all(y, '${'x'.repeat(length)}'.size() > y)`).spent - 2 * length;
    expect(of(5_000) - of(100)).to.be.greaterThan(900);
  });
});
