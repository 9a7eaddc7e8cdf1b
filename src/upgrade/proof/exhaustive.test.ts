/** Random rules over a schema so small that each of its objects, and each update of one, can be tried. */
import { expect } from 'chai';
import { compileValidator } from '../../kubernetes/apiserver/validator.js';
import { samples } from '../../rule/testing/samples.js';
import { object, withSchema } from '../rules/crd/testing/definition.js';
import type { JsonObject, JsonValue } from '../../text/documents/index.js';
import { Dice } from './testing/dice.js';
import { proveDocuments } from './testing/prove-documents.js';

const fields: JsonObject = {
  n: { type: 'integer', minimum: 0, maximum: 2 },
  t: { type: 'string', maxLength: 2, pattern: '^[ab]*$' },
  l: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['p', 'q'] } },
};
const added: readonly JsonObject[] = [
  {},
  { d: { type: 'string', default: 'a' } },
  { d: { type: 'string', default: '' } },
  { d: { type: 'string' } },
];
/** An integer field accepts it, and no rule can read it. */
const fraction = 1.000000001;
const values: readonly [string, readonly (JsonValue | undefined)[]][] = [
  ['n', [undefined, 0, 1, fraction, 2]],
  ['t', [undefined, '', 'a', 'b', 'aa', 'ab', 'ba', 'bb']],
  ['l', [undefined, [], ['p'], ['q'], ['p', 'q'], ['q', 'q'], ['q', 'p'], ['p', 'p']]],
];

/** Doubles, maps and sets, and numbers that rules compute with. */
const others: JsonObject = {
  n: { type: 'integer', minimum: 0, maximum: 2 },
  k: { type: 'integer', enum: [0, 2] },
  f: { type: 'number', minimum: 0.5, maximum: 1.5 },
  m: {
    type: 'object',
    maxProperties: 2,
    additionalProperties: { type: 'string', enum: ['p', 'q'] },
  },
  s: {
    type: 'array',
    maxItems: 2,
    'x-kubernetes-list-type': 'set',
    items: { type: 'string', enum: ['p', 'q'] },
  },
};
const otherValues: typeof values = [
  ['n', [undefined, 0, 1, 2]],
  ['k', [undefined, 0, 2]],
  // An integer below the bound passes, for the bound is cut.
  ['f', [undefined, 0, 0.5, 1, 1.25, 1.5]],
  ['m', [undefined, {}, { x: 'p' }, { x: 'q' }, { y: 'p' }, { x: 'q', y: 'p' }]],
  ['s', [undefined, [], ['p'], ['q'], ['q', 'p']]],
];

/** Texts and integers of which rules work something out. */
const worked: JsonObject = {
  n: { type: 'integer', minimum: -4, maximum: 5 },
  u: { type: 'string', maxLength: 3, pattern: '^[aB1/ -]*$' },
  v: { type: 'string', enum: ['', 'a', 'B', 'a/', '1'] },
  l: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['a', 'B'] } },
};
const characters = ['a', 'B', '1', '/', ' ', '-'];
const longer = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => characters.map((each) => text + each));
const [single, double] = [characters, longer(characters)];
const workedValues: typeof values = [
  ['n', [undefined, ...Array.from({ length: 10 }, (_, at) => at - 4)]],
  ['u', [undefined, '', ...single, ...double, 'a/B', '1/1', 'a/ ', '///', 'aB/', '-11', '111']],
  ['v', [undefined, '', 'a', 'B', 'a/', '1']],
  ['l', [undefined, [], ['a'], ['B'], ['B', 'a'], ['a', 'a']]],
];

function specs(all: typeof values): JsonObject[] {
  return all.reduce<JsonObject[]>(
    (all, [name, each]) =>
      all.flatMap((spec) =>
        each.map((value) => (value === undefined ? spec : { ...spec, [name]: value })),
      ),
    [{}],
  );
}

function expression(
  dice: Dice,
  depth: number,
  isUpdate: boolean,
  names: readonly string[],
): string {
  if (depth <= 0 || dice.chance(0.2)) return leaf(dice, isUpdate, names);
  const of = (): string => expression(dice, depth - 1, isUpdate, names);
  return dice.pick([
    () => `(${of()} && ${of()})`,
    () => `(${of()} || ${of()})`,
    () => `(${of()} ? ${of()} : ${of()})`,
    () => `!(${of()})`,
  ])();
}

function leaf(dice: Dice, isUpdate: boolean, names: readonly string[]): string {
  const root = isUpdate && dice.chance(0.5) ? 'oldSelf' : 'self';
  const sign = dice.pick(['<', '<=', '==', '!=', '>=', '>']);
  const limit = dice.below(4);
  const text = dice.pick(["'a'", "'b'", "'ab'", "''"]);
  const item = dice.pick(["'p'", "'q'", "'r'"]);
  const name = dice.pick(names);
  const at = `${root}.${name}`;
  const double = dice.pick(['0.0', '0.5', '1.0', '1', '1.5', '1.25']);
  const whole = `(has(${root}.n) && has(${root}.k))`;
  const asked: Readonly<Record<string, readonly string[]>> = {
    n: [
      ...[`${at} ${sign} ${limit}`, `${limit} ${sign} ${at}`, `${at} + 1 ${sign} ${limit}`],
      ...(names.includes('u') ? askedOfNumber(dice, at, sign, limit) : []),
      ...askedIfThere(`${root}.?n`, (each) => `${each} ${sign} ${limit}`, '1', dice),
    ],
    t: [
      ...['startsWith', 'endsWith', 'contains'].map((test) => `${at}.${test}(${text})`),
      ...[`${at} == ${text}`, `${at} != ${text}`, `${at} in ['a', ${text}]`],
      ...[`size(${at}) ${sign} ${limit}`, `${at}.matches('^(a|bb)*$')`, `${at}.matches('a$')`],
      ...['^[a]+', '^([^b]*)', 'b+', 'a|^$'].map(
        (pattern) => `${at}.find('${pattern}') ${dice.pick(['==', '!='])} ${text}`,
      ),
      ...['startsWith', 'endsWith', 'contains'].map(
        (test) => `${at}.find('^${dice.pick(['[^b]+', '([a]*)'])}').${test}(${text})`,
      ),
      ...askedIfThere(`${root}.?t`, (each) => `${each}.startsWith(${text})`, text, dice),
    ],
    l: [
      ...['all', 'exists', 'exists_one'].map((each) => `${at}.${each}(x, x == ${item})`),
      ...[
        `${item} in ${at}`,
        `size(${at}) ${sign} ${limit}`,
        `${at}.${dice.pick(['all', 'exists', 'exists_one'])}(x, ${dice.chance(0.5)})`,
        `${at} ${dice.pick(['==', '!='])} []`,
        `${at}.filter(x, x != ${item}).size() > 0`,
        `${at}.filter(x, x != 'p').${dice.pick(['all', 'exists'])}(y, y == ${item})`,
        `${at}.map(x, x + 'r').${dice.pick(['all', 'exists'])}(y, y.startsWith(${item}))`,
        `${at}.map(x, x != 'p', [x][size(x) - 1]).exists(y, y == ${item})`,
        ...['all', 'exists', 'exists_one'].map(
          (each) => `${at}.${dice.pick(['all', 'exists'])}(x, ${at}.${each}(y, x ${sign} y))`,
        ),
      ],
    ],
    k: [
      ...[`${at} ${sign} ${limit}`, `${at} % 2 ${sign} 0`, `${at} * 2 - 1 ${sign} ${limit}`],
      ...[`${root}.n + ${at} ${sign} ${limit}`, `${root}.n - ${at} ${sign} ${limit} - 2`],
      ...[`${root}.n ${sign} ${at}`, `!${whole} || 2 * ${root}.n ${sign} ${at} + 1`],
      ...[`${root}.?n.orValue(1) ${sign} ${limit}`, `-${at} ${sign} -${limit}`],
    ],
    f: [`${at} ${sign} ${double}`, `${double} ${sign} ${at}`],
    m: [
      ...["'x' in", "!('y' in"].map((test) => `${test} ${at}${test.startsWith('!') ? ')' : ''}`),
      ...['all', 'exists', 'exists_one'].flatMap((each) => [
        `${at}.${each}(x, ${at}[x] == ${item})`,
        `${at}.${each}(y, y ${dice.pick(['==', '!='])} 'x')`,
      ]),
      ...[
        `size(${at}) ${sign} ${limit}`,
        `${at}['x'] == ${item}`,
        `${at}.all(k, ${at}[k] in ['p', 'r'])`,
        `has(${root}.?m.x)`,
      ],
      ...[`${root}.?m.x`, `${root}.?m[?'x']`].flatMap((each) =>
        askedIfThere(each, (value) => `${value} == ${item}`, "'q'", dice),
      ),
    ],
    s: [
      `${at}.all(x, ${at}.exists_one(y, x == y))`,
      ...['all', 'exists', 'exists_one'].map((each) => `${at}.${each}(x, x == ${item})`),
      ...[`${item} in ${at}`, `size(${at}) ${sign} ${limit}`, `!${at}.exists(y, y != ${item})`],
      ...[
        `${at}.filter(x, x == ${item}).size() ${sign} ${limit}`,
        `['p', 'q'].exists(x, x in ${at})`,
      ],
    ],
    u: askedOfText(dice, root, sign, limit),
    v: [`${at} == ${text}`, `${root}.u == ${at} || ${root}.u == 'a'`, `${at} in ['', 'B']`],
    d: [`${at} == ${text}`, `${at}.startsWith(${text})`, `size(${at}) ${sign} ${limit}`],
  };
  const said = dice.pick(asked[name] ?? []);
  const isSame = isUpdate && dice.chance(0.3);
  const compared = isSame ? `self.${name} == oldSelf.${name}` : said;
  const given = isSame ? `!has(self.${name}) || !has(oldSelf.${name})` : `!has(${at})`;
  return dice.pick([
    `(${given} || ${compared})`,
    `(${given} || ${compared})`,
    `has(${at})`,
    compared,
  ]);
}

function askedIfThere(
  at: string,
  of: (value: string) => string,
  other: string,
  dice: Dice,
): string[] {
  const either = dice.pick([true, false]);
  return [
    ...[of(`${at}.orValue(${other})`), `${at}.hasValue()`, of(`${at}.value()`)],
    `${at}.optMap(v, ${of('v')}).orValue(${either})`,
    of(`${at}.or(optional.of(${other})).value()`),
    of(`(${either} ? ${at} : optional.none()).orValue(${other})`),
    `${at}.optFlatMap(v, ${of('v')} ? optional.of(v) : optional.none()).hasValue()`,
  ];
}

function askedOfText(dice: Dice, root: string, sign: string, limit: number): string[] {
  const [at, other] = [`${root}.u`, `${root}.v`];
  const text = dice.pick(["'a'", "'B'", "'b'", "'A'", "'a/'", "''", "'1'", "'ab'"]);
  const part = dice.pick(["'/'", "'a'", "'-'", "'1'", "'//'"]);
  const made = dice.pick(['lowerAscii()', 'upperAscii()', 'trim()']);
  const test = dice.pick(['startsWith', 'endsWith', 'contains']);
  const count = dice.pick([`indexOf(${part})`, `lastIndexOf(${part})`, `split(${part}).size()`]);
  const index = dice.below(3);
  const amount = dice.pick(["'1'", "'10m'", "'0'"]);
  return [
    ...[`${at}.${made} == ${text}`, `${at}.${made}.${test}(${text})`, `${at} == ${at}.${made}`],
    `${at}.${made} in ['a', ${text}]`,
    ...[`${at}.${count} ${sign} ${limit - 1}`, `${limit} ${sign} ${at}.${count}`],
    `${at}.split(${part})[${index}] == ${text}`,
    `${at}.split(${part})[${index}].${test}(${text})`,
    `${at}.split(${part})[${index}].matches('${dice.pick(['^a?$', 'a|^b', '[^b]', '^.B', '^$', '(?i)b$', '[0-9a-]+', '^(a|/)$'])}')`,
    `${at}.split(${part}).${dice.pick(['all', 'exists'])}(x, x ${dice.pick(['==', '!='])} ${text})`,
    ...[`${at}.substring(${index}) == ${text}`, `${at}.charAt(${index}) == ${text}`],
    `${at}.substring(${dice.below(2)}, ${index}) == ${text}`,
    ...[`int(${at}) ${sign} ${limit * 4}`, `int(${at}) ${sign} -${limit}`],
    ...[`double(${at}) ${sign} ${limit}.0`, `!(double(${at}) ${sign} ${limit}.5)`],
    ...[`${at} ${dice.pick(['==', '!='])} ${other}`, `${at}.${test}(${other})`],
    ...[
      `${other}.${test}(${at})`,
      `${at} in [${other}, 'a']`,
      `size(${at}) ${sign} size(${other})`,
    ],
    ...[`isQuantity(${at})`, `quantity(${at}).compareTo(quantity(${amount})) ${sign} ${limit - 1}`],
    `quantity(${at}).${dice.pick(['isLessThan', 'isGreaterThan'])}(quantity(${amount}))`,
    `${other}.${made} == ${at}.${made}`,
  ];
}

function askedOfNumber(dice: Dice, at: string, sign: string, limit: number): string[] {
  const by = dice.pick([2, 3, 4, 5]);
  return [
    ...[`${at} % ${by} ${sign} ${limit - 1}`, `(${at} + 1) % ${by} == ${limit}`],
    ...[`${at} / ${by} ${sign} ${limit - 2}`, `${limit - 1} ${sign} ${at} / ${by}`],
    ...[`double(${at}) ${sign} ${limit}.5`, `${at} % ${by} in [0, ${limit}]`],
    `${at} % 2 == ${at} % ${by}`,
  ];
}

const ofFields: Readonly<Record<string, readonly string[]>> = {
  n: ['self >= 1', 'self < 2', 'self != 1', 'self == self || true'],
  t: ["self.startsWith('a')", 'size(self) > 0', "self != 'b' && self != ''", "self.matches('^a')"],
};
const ofOthers: typeof ofFields = {
  n: ['self >= 1', 'self + 1 < 3'],
  k: ['self > 0', 'self * 2 < 4'],
  f: ['self >= 1.0', 'self < 1.5'],
  m: ["'x' in self", "self.all(k, self[k] == 'p')", 'size(self) > 0'],
  s: ["'p' in self", "self.all(x, x == 'p')", "!self.exists(x, x == 'q')"],
};
/** Rules of the whole that say of a field what others say of it in their own. */
function lifted(dice: Dice, all: typeof ofFields): string {
  const name = dice.pick(Object.keys(all));
  const rule = dice.pick(all[name] ?? []).replaceAll('self', `self.${name}`);
  return dice.chance(0.8) ? `!has(self.${name}) || ${rule}` : rule;
}
const bounds: Readonly<Record<string, readonly JsonObject[]>> = {
  n: [{ minimum: 1 }, { maximum: 1 }, { minimum: 0, exclusiveMinimum: true }, { default: 0 }],
  k: [{ minimum: 1 }, { maximum: 1 }],
  f: [{ minimum: 1 }, { maximum: 1 }, { exclusiveMinimum: true }],
  m: [{ minProperties: 1 }, { maxProperties: 1 }],
  s: [{ minItems: 1 }, { maxItems: 1 }],
  t: [{ minLength: 1 }, { maxLength: 1 }, { pattern: '^a' }, { default: 'b' }],
  u: [{ minLength: 1 }, { maxLength: 2 }, { pattern: '^[aB1/-]*$' }],
  l: [{ minItems: 1 }, { maxItems: 1 }],
};

/** Rules that fields have, which the new schema drops or keeps, and says in other words or not. */
function withOwnRules(
  dice: Dice,
  all: JsonObject = fields,
  rules = ofFields,
): [old: JsonObject, next: JsonObject] {
  const [old, next] = [{ ...all }, { ...all }];
  for (const name of Object.keys(rules)) {
    if (dice.chance(0.6)) continue;
    const field = all[name] as JsonObject;
    const own = { 'x-kubernetes-validations': [{ rule: dice.pick(rules[name] ?? []) }] };
    old[name] = { ...field, ...own };
    const said = dice.chance(0.5) ? dice.pick(bounds[name] ?? []) : {};
    next[name] = { ...field, ...(dice.chance(0.5) && !('default' in said) ? own : {}), ...said };
  }
  return [old, next];
}

interface Change {
  readonly old: JsonObject;
  readonly next: JsonObject;
  readonly isUpdate: boolean;
  readonly unasked?: readonly string[];
  /** Whether the fields are within one field of the whole. */
  readonly isNested?: boolean;
}

function randomChange(dice: Dice): Change {
  const isUpdate = dice.chance(0.3);
  const more = dice.pick(added);
  const [old, now] = dice.chance(0.5) ? withOwnRules(dice) : [fields, fields];
  const known = dice
    .some([0, 1, 2], 0.6)
    .map((index) => expression(dice, 1 + (index % 2), isUpdate && index === 2, ['n', 't', 'l']));
  const made = expression(dice, 2, isUpdate, [...Object.keys(fields), ...Object.keys(more)]);
  const spec = (properties: JsonObject, rules: readonly string[]): JsonObject =>
    withSchema(
      object({
        spec: object(properties, { 'x-kubernetes-validations': rules.map((rule) => ({ rule })) }),
      }),
    );
  return {
    old: spec(old, known),
    next: spec({ ...now, ...more }, [...known, made]),
    isUpdate: isUpdate && made.includes('oldSelf'),
  };
}

/** Rules of fields, of the whole or both become others there, or bounds. */
function randomOther(dice: Dice): Change {
  const isUpdate = dice.chance(0.2);
  const [old, next] = withOwnRules(dice, others, ofOthers);
  const names = Object.keys(others);
  const rule = (isOfUpdate = false): string =>
    dice.chance(0.4) && !isOfUpdate
      ? lifted(dice, ofOthers)
      : expression(dice, dice.below(3), isOfUpdate, names);
  const known = dice.some([0, 1], 0.6).map((index) => rule(isUpdate && index === 1));
  const made = dice.chance(0.7) ? [rule(isUpdate)] : [];
  if (dice.chance(0.4)) {
    const name = dice.pick(names);
    const own = [{ rule: dice.pick(ofOthers[name] ?? []) }];
    // A default that its own rules refuse is no definition.
    const field = Object.entries(next[name] as JsonObject).filter(([key]) => key !== 'default');
    next[name] = { ...Object.fromEntries(field), 'x-kubernetes-validations': own };
  }
  const spec = (properties: JsonObject, rules: readonly string[], more: JsonObject): JsonObject =>
    withSchema(
      object({
        spec: object(properties, {
          ...more,
          'x-kubernetes-validations': rules.map((each) => ({ rule: each })),
        }),
      }),
    );
  const required: JsonObject = dice.chance(0.15) ? { required: [dice.pick(names)] } : {};
  return {
    old: spec(old, known, {}),
    next: spec(next, [...dice.some(known, 0.8), ...made], required),
    isUpdate: isUpdate && made.some((each) => each.includes('oldSelf')),
  };
}

const ofWorked: typeof ofFields = {
  n: ['self % 2 == 0', 'self % 4 == 0', 'self / 2 >= 1', 'self > -3'],
  u: [
    'self.trim() == self',
    "self.split('/').size() == 2",
    "self.indexOf('a') > 0",
    'int(self) > 0',
  ],
  l: ['self.exists(x, true)', "self.all(x, x == 'a')", 'size(self) == 1'],
};

/** Rules about what is worked out of texts and integers, before and after. */
function randomWorked(dice: Dice): Change {
  const [old, next] = withOwnRules(dice, worked, ofWorked);
  const names = dice.chance(0.5) ? ['u', 'v'] : ['n', 'u', 'l'];
  const rule = (): string => expression(dice, dice.below(3), false, names);
  const known = dice.some([0, 1], 0.8).map(rule);
  const made = dice.chance(0.3)
    ? known.map((each) => `${each} || ${rule()}`)
    : dice.chance(0.5)
      ? [lifted(dice, ofWorked)]
      : [rule()];
  const spec = (properties: JsonObject, rules: readonly string[]): JsonObject =>
    withSchema(
      object({
        spec: object(properties, {
          'x-kubernetes-validations': rules.map((each) => ({ rule: each })),
        }),
      }),
    );
  const said = [...known, ...made].join();
  const unasked = Object.keys(worked).filter(
    (name) =>
      !said.includes(`self.${name}`) && [old, next].every((each) => each[name] === worked[name]),
  );
  return { old: spec(old, known), next: spec(next, made), isUpdate: false, unasked };
}

/** Lists whose items are compared with each other, and read by their positions. */
const listed: typeof values = [
  [
    'o',
    [
      undefined,
      ...[0, 1, 2, 3].flatMap((size) => {
        const items = specs(['k', 'v'].map((key) => [key, [undefined, 'p', 'q']]));
        let all: JsonValue[][] = [[]];
        for (let left = size; left > 0; left--)
          all = all.flatMap((each) => items.map((item) => [...each, item]));
        return all;
      }),
    ],
  ],
  ['s', [undefined, [], ['p'], ['q'], ['q', 'p'], ['p', 'p'], ['p', 'q', 'r']]],
];

function askedOfItems(dice: Dice): string {
  const isOfTexts = dice.chance(0.3);
  const at = isOfTexts ? 'self.s' : 'self.o';
  const of = (): string =>
    isOfTexts
      ? dice.pick(["x != 'p'", "x == 'p'", 'true'])
      : dice.pick(['has(x.k)', 'has(x.v)', "x.k == 'p'", "has(x.v) && x.v != 'q'", 'true']);
  const ofTwo = (): string =>
    isOfTexts
      ? dice.pick(['x == y', 'y == x', "x == y && x != 'q'", 'x < y'])
      : dice.pick([
          ...[
            'x.k == y.k',
            'y.v == x.v',
            'has(x.v) && has(y.v) && y.v == x.v',
            'has(x.v) && has(y.v)',
          ],
          ...['x.k == y.k && x.v == y.v', 'has(x.v) == has(y.v)', "x.k == y.k && x.k != 'q'"],
          '(has(x.v) && has(y.v) ? x.v == y.v : !has(x.v) && !has(y.v))',
        ]);
  const [size, limit] = [dice.below(3), dice.below(4)];
  const sign = dice.pick(['<=', '==', '<', '>']);
  const one = `${at}[${size}]`;
  const isThere = `${at}.size() > ${dice.chance(0.8) ? size : limit}`;
  const is = of().replaceAll(/\bx\b/g, one);
  const summed = [0, 1, 2].slice(0, 1 + dice.below(3)).map((index) => {
    const said = of().replaceAll(/\bx\b/g, `${at}[${index}]`);
    return `(size(${at}) > ${index} ? (${said} ? ${dice.pick([1, 1, 2])} : 0) : 0)`;
  });
  const asked = dice.pick([
    `${at}.all(x, !(${of()}) || ${at}.exists_one(y, ${ofTwo()}))`,
    `${at}.all(x, ${of()} ? ${at}.exists_one(y, ${ofTwo()}) : true)`,
    `${at}.all(x, ${at}.exists_one(y, ${ofTwo()}))`,
    `${at}.exists(x, ${of()} && ${at}.exists_one(y, ${ofTwo()}))`,
    `${at}.filter(x, ${at}.filter(y, ${ofTwo()}).size() > 1).size() == 0`,
    `${at}.all(x, ${at}.filter(y, ${ofTwo()}).size() ${sign} ${limit})`,
    `${at}.all(x, ${at}.exists(y, ${ofTwo()}))`,
    `${at}.filter(x, ${of()}).size() <= 1`,
    `${summed.join(' + ')} ${sign} ${limit}`,
    `!(${isThere}) || (${is})`,
    `${at}.all(x, ${of()})`,
  ]);
  return dice.chance(0.7) ? `!has(${at}) || ${asked}` : asked;
}

/** What is known to hold is asked of fewer items, or of the same in other words. */
function randomItems(dice: Dice): Change {
  const text = { type: 'string', enum: ['p', 'q'] };
  const keys = dice.pick([['k'], ['k', 'v'], []]);
  const listType: JsonObject =
    keys.length > 0 && dice.chance(0.6)
      ? { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys }
      : {};
  const required: JsonObject = keys.length > 0 && dice.chance(0.8) ? { required: keys } : {};
  const set: JsonObject = dice.chance(0.5) ? { 'x-kubernetes-list-type': 'set' } : {};
  const known = dice.some([0, 1], 0.6).map(() => askedOfItems(dice));
  const made = dice.pick([
    () => known.map((each) => each.replace('exists_one(y, ', 'exists_one(y, has(x.v) && ')),
    () => known.map((each) => each.replace('all(x, ', 'all(x, !has(x.v) || ')),
    () => [...known, askedOfItems(dice)],
    () => [askedOfItems(dice)],
    () => [...known, askedOfItems(dice), askedOfItems(dice)],
  ])();
  const spec = (rules: readonly string[], ofLists: JsonObject, ofSets: JsonObject): JsonObject =>
    withSchema(
      object({
        spec: object(
          {
            o: {
              type: 'array',
              maxItems: 3,
              items: object({ k: text, v: text }, required),
              ...ofLists,
            },
            s: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 1 }, ...ofSets },
          },
          { 'x-kubernetes-validations': rules.map((rule) => ({ rule })) },
        ),
      }),
    );
  const isKept = dice.chance(0.7);
  const said = [...known, ...made].join();
  return {
    old: spec(known, listType, set),
    next: spec(made, isKept ? listType : {}, isKept ? set : {}),
    isUpdate: false,
    unasked: ['o', 's'].filter((name) => !said.includes(`self.${name}`)),
  };
}

/** A union whose members rules tell apart. */
const union: JsonObject = {
  k: { type: 'string', enum: ['p', 'q', 'r'] },
  a: { type: 'string', maxLength: 1 },
  b: { type: 'string', maxLength: 1 },
  o: { type: 'object', properties: { x: { type: 'string', enum: ['p', 'q'] } } },
  i: {
    type: 'array',
    maxItems: 1,
    items: { type: 'object', properties: { y: { type: 'string', maxLength: 1 } } },
  },
};
const unionValues: typeof values = [
  ['k', [undefined, 'p', 'q', 'r']],
  ['a', [undefined, '', 'a']],
  ['b', [undefined, '', 'b']],
  ['o', [undefined, {}, { x: 'p' }, { x: 'q' }]],
  ['i', [undefined, [], [{}], [{ y: '' }], [{ y: 'y' }]]],
];

/** Fields and values of a union go, or are bounded or required from now on. */
function randomUnion(dice: Dice): Change {
  const leaf = (): string =>
    dice.pick([
      ...[`self.k == 'p'`, `self.k != 'q'`, `self.k in ['q', 'r']`, `self.?k.orValue('p') == 'r'`],
      ...['has(self.k)', 'has(self.a)', 'has(self.b)', 'has(self.o) && has(self.o.x)'],
      ...[`self.a == ''`, `self.b.size() > 0`, `self.o.x == 'p'`, `self.?o.x.orValue('') != 'q'`],
      ...['self.i.exists(e, has(e.y))', `self.i.all(e, e.y == '')`, 'has(self.i)'],
    ]);
  const half = (): string => (dice.chance(0.4) ? `!(${leaf()})` : leaf());
  const rule = (): string =>
    dice.pick([
      () => `${half()} ? ${half()} : ${half()}`,
      () => `${half()} ? ${half()} : true`,
      () => `!(${leaf()}) || (${half()})`,
      () => `(${half()}) == (${half()})`,
      half,
    ])();
  const base = dice.chance(0.3) ? { ...union, k: { ...fieldOf('k'), default: 'p' } } : union;
  const next: Record<string, JsonValue> = { ...base };
  const inner = { x: { type: 'string', enum: ['p'] } };
  const change = dice.pick<() => void>([
    () => delete next['b'],
    () => delete next['i'],
    () => (next['o'] = { type: 'object', properties: { z: { type: 'string' } } }),
    () => (next['o'] = { type: 'object', properties: inner }),
    () => (next['k'] = { ...fieldOf('k'), enum: ['p', 'q'] }),
    () => (next['a'] = { ...fieldOf('a'), minLength: 1 }),
    () => (next['b'] = { ...fieldOf('b'), maxLength: 0 }),
    () => (next['a'] = { ...fieldOf('a'), pattern: '^b?$' }),
    () => (next['i'] = { ...fieldOf('i'), minItems: 1 }),
    () => (next['i'] = { ...fieldOf('i'), items: { type: 'object' } }),
  ]);
  change();
  const old = Array.from({ length: 1 + dice.below(4) }, rule);
  const spec = (properties: JsonObject, rules: readonly string[]): JsonObject =>
    withSchema(
      object({
        spec: object(properties, {
          'x-kubernetes-validations': rules.map((each) => ({ rule: each })),
        }),
      }),
    );
  return { old: spec(base, old), next: spec(next, []), isUpdate: false };
}

function fieldOf(name: string): JsonObject {
  return union[name] as JsonObject;
}

const defaults: Readonly<Record<string, readonly JsonValue[]>> = {
  ...{ n: [0, 1, 2], t: ['a', 'b', ''], l: [['p'], []] },
};

/** Fields whose defaults come, go or change, or that are pruned, and rules that stay and others. */
function randomDefaults(dice: Dice): Change {
  const isUpdate = dice.chance(0.3);
  const [old, next] = [{ ...fields }, { ...fields }];
  const names = Object.keys(fields);
  for (const name of names) {
    const given = (): JsonObject =>
      dice.chance(0.5) ? {} : { default: dice.pick(defaults[name] ?? []) };
    old[name] = { ...(fields[name] as JsonObject), ...given() };
    next[name] = dice.chance(0.4) ? old[name] : { ...(fields[name] as JsonObject), ...given() };
    if (dice.chance(0.15)) delete next[name];
  }
  const left = names.filter((name) => name in next);
  const rule = (all: readonly string[], isOfTwo: boolean): string =>
    expression(dice, dice.below(3), isOfTwo, all);
  const known = dice
    .some([0, 1, 2], 0.7)
    .map((index) =>
      rule(index === 0 ? names : left.length > 0 ? left : names, isUpdate && index > 0),
    );
  const readable = known.filter((each) =>
    names.every((name) => name in next || !new RegExp(`elf\\.\\??${name}\\b`).test(each)),
  );
  const made = left.length > 0 && dice.chance(0.6) ? [rule(left, isUpdate)] : [];
  const isNested = dice.chance(0.4);
  const required = dice.some(names, 0.2);
  const spec = (properties: JsonObject, rules: readonly string[]): JsonObject => {
    const kept = required.filter((name) => name in properties);
    const inner = object(properties, kept.length === 0 ? {} : { required: kept });
    const said = isNested
      ? rules.map((each) => each.replaceAll(/elf\.(\??)([ntl])\b/g, 'elf.o.$1$2'))
      : rules;
    const ruled = { 'x-kubernetes-validations': said.map((each) => ({ rule: each })) };
    const whole = isNested ? object({ o: inner }, ruled) : { ...inner, ...ruled };
    return withSchema(object({ spec: whole }));
  };
  return {
    old: spec(old, known),
    next: spec(next, [...readable, ...made]),
    isUpdate: isUpdate && [...readable, ...made].some((each) => each.includes('oldSelf')),
    isNested,
  };
}

const metadata = { name: 'example', namespace: 'default' };
const wholesOf = (all: typeof values): JsonObject[] =>
  specs(all).map((spec) => ({
    ...{ apiVersion: 'test.example.com/v1', kind: 'Sample', metadata },
    spec,
  }));
const [wholes, otherWholes, workedWholes, listedWholes, unionWholes] = [
  ...[values, otherValues, workedValues, listed, unionValues],
].map(wholesOf) as [JsonObject[], JsonObject[], JsonObject[], JsonObject[], JsonObject[]];

/** Whether all of the one is in the other, which may have more fields. */
function isIn(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (typeof one !== 'object' || one === null) return one === other;
  const more = other as JsonObject;
  return Object.entries(one as JsonObject).every(([name, each]) => isIn(each, more[name]));
}

const nestedWholes = [{}, ...specs(values).map((o) => ({ o }))].map((spec) => ({
  ...wholes[0],
  spec,
}));

/** The first object, or update, that the old definition accepts and the new one refuses. */
function modelOf(
  { old, next, isUpdate, unasked = [], isNested = false }: Change,
  dice: Dice,
  hasFractions: boolean,
  plain = wholes,
): JsonValue | undefined {
  const all = isNested ? nestedWholes : plain;
  const [before, after] = [compileValidator(old, 'v1'), compileValidator(next, 'v1')];
  // A field of which nothing is asked is left out.
  const isPlain = (whole: JsonObject): boolean =>
    unasked.every((name) => !Object.hasOwn(whole['spec'] as JsonObject, name));
  const accepted = all.filter(
    (whole) =>
      isPlain(whole) &&
      (hasFractions || !JSON.stringify(whole).includes(String(fraction))) &&
      before.validateCreate(whole).valid === true,
  );
  const isHarmed = (whole: JsonObject): boolean =>
    after.validateCreate(whole).valid !== true ||
    !isIn(before.pruneAndDefault(whole), after.pruneAndDefault(before.pruneAndDefault(whole)));
  if (!isUpdate) return accepted.find((whole) => isHarmed(whole));
  for (let left = 1_500; left > 0 && accepted.length > 0; left--) {
    const [from, to] = [dice.pick(accepted), dice.pick(accepted)];
    if (before.validateUpdate(to, from).valid !== true) continue;
    if (after.validateUpdate(to, from).valid !== true) return { from, to };
  }
  return undefined;
}

/** Each run of so many samples begins elsewhere. */
const firstSeed = 1 + (Number(process.env['OLM_GUARD_SEED'] ?? 1) - 1) * 1_000_000;

describe('rules over every object of a small schema', () => {
  for (const [title, random, all, least] of [
    ['', randomChange, wholes, 5],
    [' with maps, sets and sums', randomOther, otherWholes, 3],
    [' of what is worked out', randomWorked, workedWholes, 3],
    [' of items and their positions', randomItems, listedWholes, 3],
    [' of a union that loses members', randomUnion, unionWholes, 3],
    [' of fields with other defaults', randomDefaults, wholes, 3],
  ] as const)
    it(`are never said to be harmless where an object, or an update, is refused${title}`, function () {
      this.timeout(samples(60_000));
      const counts = { safe: 0, absurd: 0, harmful: 0, undecided: 0 };
      for (let seed = firstSeed; seed < firstSeed + samples(60); seed++) {
        const dice = new Dice(seed);
        const change = random(dice);
        const { effect, results } = proveDocuments(change.old, change.next);
        const isSafe = effect === 'safe' || effect === 'behavior';
        const harms = results.filter(({ effect }) => effect !== 'safe' && effect !== 'behavior');
        const isAbsurd = !isSafe && harms.every(({ harm }) => harm === 'AbsurdValue');
        const of = effect === 'undecided' ? 'undecided' : 'harmful';
        counts[isSafe ? 'safe' : isAbsurd ? 'absurd' : of]++;
        if (!isSafe && !isAbsurd) continue;
        const model = modelOf(change, dice, isSafe, all);
        expect(model, JSON.stringify({ seed, ...change, model })).to.equal(undefined);
      }
      expect(counts.safe + counts.absurd).to.be.greaterThan(samples(least));
      expect(counts.undecided / samples(60)).to.be.lessThan(0.2);
    });
});
