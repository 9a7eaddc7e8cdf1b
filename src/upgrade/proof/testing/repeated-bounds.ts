/** Pairs written by hand in which a rule says what a bound or another rule says already, or seems to. */
import { object } from '../../rules/crd/testing/definition.js';
import type { JsonObject } from '../../../text/documents/index.js';

export const text = (more: JsonObject = {}): JsonObject => ({
  type: 'string',
  maxLength: 63,
  ...more,
});
const whole = (more: JsonObject = {}): JsonObject => ({ type: 'integer', ...more });
const number = (more: JsonObject = {}): JsonObject => ({ type: 'number', ...more });
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'array', maxItems: 8, items },
  ...more,
});
const map = (values: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'object', maxProperties: 8, additionalProperties: values },
  ...more,
});
const rules = (...all: string[]): JsonObject => ({
  'x-kubernetes-validations': all.map((rule) => ({ rule })),
});
export const ruled = (node: JsonObject, ...all: string[]): JsonObject => ({
  ...node,
  ...rules(...all),
});

/** What stays, with the rule that is new. */
type Added = readonly [schema: JsonObject, ...rules: string[]];

/** New rules at the field itself. */
const atField: readonly Added[] = [
  [whole({ maximum: 10 }), 'self <= 10'],
  [whole({ maximum: 10 }), 'self < 11'],
  [whole({ minimum: 1 }), '!(self < 1)'],
  [whole({ minimum: 1 }), 'self > 0'],
  [whole({ minimum: 1, maximum: 10 }), 'self >= 1 && self <= 10'],
  [whole({ minimum: 1, maximum: 10 }), 'self in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]'],
  [whole({ minimum: 0, exclusiveMinimum: true }), 'self >= 1'],
  [whole({ maximum: 10 }), 'self + 1 <= 11'],
  [whole({ minimum: 1, maximum: 10 }), 'self * 2 <= 20'],
  [whole({ minimum: 1, maximum: 10 }), 'self - 1 >= 0'],
  [whole({ minimum: 1 }), '-self < 0'],
  [whole({ enum: [1, 3] }), 'self == 1 || self == 3'],
  [whole({ enum: [1, 3] }), 'self % 2 == 1'],
  [number({ maximum: 1.5 }), 'self <= 1.5'],
  [number({ minimum: 0 }), 'self >= 0.0'],
  [number({ minimum: 0, maximum: 1 }), 'self >= 0.0 && self <= 1.0'],
  [number({ minimum: 0, exclusiveMinimum: true }), 'self > 0.0'],
  [number({ minimum: 1, maximum: 10 }), 'self >= 1 && self <= 10'],
  [text(), 'size(self) <= 63'],
  [text(), 'self.size() < 64'],
  [text({ minLength: 1 }), "self != ''"],
  [text({ minLength: 1 }), 'self.size() > 0'],
  [text({ minLength: 3 }), 'size(self) >= 3'],
  [text({ pattern: '^[a-z]+$' }), "self.matches('^[a-z]+$')"],
  [text({ pattern: '^[a-z]+$' }), "self.matches('^[a-z0-9]*$')"],
  [text({ pattern: '^https://' }), "self.startsWith('https://')"],
  [text({ pattern: '\\.io$' }), "self.endsWith('.io')"],
  [text({ pattern: '^[a-z]+$' }), "!self.contains('-')"],
  [text({ enum: ['a', 'b'] }), "self in ['a', 'b']"],
  [text({ enum: ['a', 'b'] }), "self == 'a' || self == 'b'"],
  [text({ enum: ['a', 'b'] }), "['a', 'b'].exists(x, x == self)"],
  [text({ enum: ['a', 'b'] }), "self.matches('^(a|b)$')"],
  [text({ enum: ['1s', '5m'] }), "duration(self) > duration('0s')"],
  [text({ enum: ['1Gi', '2Gi'] }), 'isQuantity(self)'],
  [text({ format: 'duration' }), "self >= duration('-1000000h') || true"],
  [list(text()), 'self.size() <= 8'],
  [list(text(), { minItems: 1 }), 'size(self) > 0'],
  [list(text({ minLength: 1 })), "self.all(x, x != '')"],
  [list(text({ minLength: 1 })), "!self.exists(x, x == '')"],
  [list(text({ minLength: 1 })), "!('' in self)"],
  [list(text({ enum: ['a', 'b'] })), "self.all(x, x in ['a', 'b'])"],
  [list(whole({ minimum: 0, maximum: 9 })), 'self.all(x, x >= 0 && x < 10)'],
  [list(text(), { 'x-kubernetes-list-type': 'set' }), 'self.all(x, self.exists_one(y, x == y))'],
  [
    list(object({ name: text() }, { required: ['name'] }), {
      ...{ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    }),
    'self.all(x, self.exists_one(y, x.name == y.name))',
  ],
  [list(object({ name: text() }, { required: ['name'] })), 'self.all(x, has(x.name))'],
  [list(object({ port: whole({ minimum: 1 }) })), 'self.all(x, !has(x.port) || x.port > 0)'],
  [list(object({ port: whole({ minimum: 1 }) })), '!self.exists(x, has(x.port) && x.port < 1)'],
  [map(text()), 'size(self) <= 8'],
  [map(text(), { minProperties: 1 }), 'self.size() >= 1'],
  [map(text({ minLength: 1 })), "self.all(k, self[k] != '')"],
  [map(text({ enum: ['a', 'b'] })), "self.all(k, self[k] in ['a', 'b'])"],
  [map(whole({ maximum: 5 })), 'self.all(k, self[k] <= 5)'],
  [object({ a: text(), b: text() }, { required: ['a'] }), 'has(self.a)'],
  [object({ a: text(), b: text() }, { required: ['a'] }), 'has(self.a) || has(self.b)'],
  [object({ a: whole({ default: 1, minimum: 1 }) }), 'self.a >= 1'],
  [object({ a: text({ minLength: 1, nullable: true }) }), "!has(self.a) || self.a != ''"],
];

/** New rules above the field that has the bound. */
const above: readonly Added[] = [
  [object({ a: whole({ maximum: 10 }) }), '!has(self.a) || self.a <= 10'],
  [object({ a: whole({ maximum: 10 }) }), 'has(self.a) ? self.a <= 10 : true'],
  [object({ a: whole({ maximum: 10 }) }), '!(has(self.a) && self.a > 10)'],
  [object({ a: whole({ maximum: 10 }) }), 'self.?a.orValue(0) <= 10'],
  [object({ a: whole({ maximum: 10 }) }), '!self.?a.hasValue() || self.a <= 10'],
  [object({ a: number({ maximum: 0.5 }) }), '!has(self.a) || self.a <= 0.5'],
  [
    object({ a: whole({ minimum: 0, maximum: 10 }), b: whole({ minimum: 10 }) }),
    '!has(self.a) || !has(self.b) || self.a <= self.b',
  ],
  [
    object({ a: whole({ minimum: 0, maximum: 10 }), b: whole({ minimum: 0, maximum: 10 }) }),
    '!has(self.a) || !has(self.b) || self.a + self.b <= 20',
  ],
  [object({ a: text({ minLength: 1 }) }), "!has(self.a) || self.a != ''"],
  [object({ a: text({ pattern: '^x-' }) }), "!has(self.a) || self.a.startsWith('x-')"],
  [object({ a: text({ enum: ['p', 'q'] }) }), "!has(self.a) || self.a in ['p', 'q']"],
  [
    object({ b: object({ a: whole({ minimum: 1 }) }) }),
    '!has(self.b) || !has(self.b.a) || self.b.a > 0',
  ],
  [object({ b: object({ a: text() }, { required: ['a'] }) }), '!has(self.b) || has(self.b.a)'],
  [object({ l: list(text()) }), '!has(self.l) || self.l.size() <= 8'],
  [object({ l: list(text({ minLength: 1 })) }), "!has(self.l) || self.l.all(x, x != '')"],
  [
    object({ l: list(object({ p: list(whole({ minimum: 1 })) })) }),
    '!has(self.l) || self.l.all(x, !has(x.p) || x.p.all(n, n >= 1))',
  ],
  [object({ m: map(text({ minLength: 1 })) }), "!has(self.m) || self.m.all(k, self.m[k] != '')"],
  [
    object({ m: map(object({ n: whole({ maximum: 5 }) })) }),
    '!has(self.m) || self.m.all(k, !has(self.m[k].n) || self.m[k].n <= 5)',
  ],
  [
    object({ l: list(text(), { 'x-kubernetes-list-type': 'set' }) }),
    '!has(self.l) || self.l.all(x, self.l.exists_one(y, x == y))',
  ],
  [
    object({ a: ruled(text(), 'self == oldSelf') }),
    '!has(self.a) || !has(oldSelf.a) || self.a == oldSelf.a',
  ],
];

/** A rule that becomes another one at the same place, which says the same or less. */
type Rewritten = readonly [schema: JsonObject, old: string, next: string];
const two = object({ a: whole(), b: whole(), on: { type: 'boolean' } });
const texts = object({ a: text(), b: text() });
const rewritten: readonly Rewritten[] = [
  [two, '!(has(self.a) && has(self.b))', '!has(self.a) || !has(self.b)'],
  [two, 'has(self.a) || has(self.b)', '!(!has(self.a) && !has(self.b))'],
  [two, '!has(self.a) || has(self.b)', 'has(self.a) ? has(self.b) : true'],
  [two, 'has(self.a) ? has(self.b) : !has(self.b)', 'has(self.a) == has(self.b)'],
  [
    two,
    'has(self.a) != has(self.b)',
    '(has(self.a) && !has(self.b)) || (!has(self.a) && has(self.b))',
  ],
  [two, 'has(self.a) != has(self.b)', '[has(self.a), has(self.b)].filter(x, x).size() == 1'],
  [two, 'has(self.a) != has(self.b)', '[has(self.a), has(self.b)].exists_one(x, x)'],
  [two, 'has(self.a) != has(self.b)', '(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1'],
  [
    two,
    '!has(self.a) || !has(self.b) || self.a < self.b',
    '!has(self.a) || !has(self.b) || self.b > self.a',
  ],
  [
    two,
    '!has(self.a) || !has(self.b) || self.a < self.b',
    '!has(self.a) || !has(self.b) || self.a != self.b',
  ],
  [
    two,
    '!has(self.a) || !has(self.b) || self.a + self.b <= 9',
    '!has(self.a) || !has(self.b) || self.b + self.a <= 9',
  ],
  [
    two,
    '!has(self.a) || !has(self.b) || self.a + self.b <= 9',
    '!has(self.a) || !has(self.b) || self.a + self.b < 20',
  ],
  [
    two,
    '!has(self.a) || !has(self.b) || self.a <= 2 * self.b',
    '!has(self.a) || !has(self.b) || self.b * 2 >= self.a',
  ],
  [two, 'self.a <= self.b', '!has(self.a) || !has(self.b) || self.a <= self.b'],
  [two, 'has(self.on) && self.on', 'has(self.on) && self.on == true'],
  [two, '!has(self.on) || !self.on', '!(has(self.on) && self.on)'],
  [whole(), 'self >= 1 && self <= 9', '!(self < 1 || self > 9)'],
  [whole(), 'self >= 1 && self <= 9', 'self <= 10'],
  [whole(), 'self == 1 || self == 2', 'self in [1, 2]'],
  [whole(), 'self in [1, 2]', '[1, 2, 3].exists(x, x == self)'],
  [whole(), 'self % 2 == 0', '!(self % 2 != 0)'],
  [number(), 'self >= 0.5', '!(self < 0.5)'],
  [number(), 'self > 0.5', 'self >= 0.5'],
  [number(), 'self >= 1.0 && self <= 2.0', 'self >= 0.0'],
  [text(), "self in ['a', 'b']", "self == 'a' || self == 'b' || self == 'c'"],
  [text(), 'self.size() <= 10', 'size(self) < 11'],
  [text(), "self != ''", 'self.size() > 0'],
  [text(), 'self.size() > 0', "self != ''"],
  [text(), "self.startsWith('a/')", "self.contains('/')"],
  [text(), "self.matches('^[a-z]+$')", "self.matches('^[a-z]+$') || self == ''"],
  [text(), "self.split('/').size() == 2", "self.split('/').size() <= 2"],
  [text(), "duration(self) >= duration('1m')", "duration(self) >= duration('60s')"],
  [text(), "duration(self) >= duration('1m')", "duration(self) > duration('1s')"],
  [text(), "duration(self) >= duration('1m')", "!(duration(self) < duration('1m'))"],
  [text(), 'isIP(self) && ip(self).family() == 4', 'isIP(self)'],
  [
    text(),
    "isURL(self) && url(self).getScheme() == 'https'",
    "isURL(self) && url(self).getScheme() in ['http', 'https']",
  ],
  [text(), 'int(self) > 5', 'int(self) > 3'],
  [text(), 'self == oldSelf', 'oldSelf == self'],
  [text(), 'self == oldSelf', "oldSelf == '' || self == oldSelf"],
  [whole(), 'self >= oldSelf', '!(self < oldSelf)'],
  [whole(), 'self == oldSelf', 'self >= oldSelf'],
  [whole(), 'self > oldSelf', 'self >= oldSelf'],
  [texts, 'self.a == oldSelf.a', '!has(self.a) || !has(oldSelf.a) || self.a == oldSelf.a'],
  [texts, 'has(oldSelf.a) == has(self.a)', '!has(oldSelf.a) || has(self.a)'],
  [
    texts,
    '!has(self.a) || !has(self.b) || self.a == self.b',
    '!has(self.a) || !has(self.b) || self.b == self.a',
  ],
  [list(text()), "self.all(x, x.startsWith('a'))", "!self.exists(x, !x.startsWith('a'))"],
  [list(text()), "self.all(x, x.startsWith('a/'))", "self.all(y, y.startsWith('a'))"],
  [list(text()), "self.exists(x, x == 'a')", "'a' in self"],
  [list(text()), "'a' in self", "self.exists(x, x == 'a')"],
  [list(text()), "'a' in self", 'self.size() > 0'],
  [list(text()), "self.exists(x, x.startsWith('a'))", 'size(self) >= 1'],
  [
    list(text()),
    "!self.exists(x, x == 'a') || self.size() == 1",
    "!('a' in self && size(self) > 1)",
  ],
  [list(whole()), 'self.all(x, x > 5)', 'self.all(x, x > 3)'],
  [
    list(text()),
    'self.all(x, self.exists_one(y, x == y))',
    'self.all(a, self.exists_one(b, a == b))',
  ],
  [
    list(text()),
    'self.all(x, self.exists_one(y, x == y))',
    'self.all(a, self.exists_one(b, b == a))',
  ],
  [
    object({ a: text(), l: list(text()) }, { required: ['a', 'l'] }),
    'self.a in self.l',
    'size(self.l) > 0',
  ],
  [
    object({ a: text(), b: text() }, { required: ['a', 'b'] }),
    'self.a < self.b',
    '!(self.b < self.a)',
  ],
  [text(), "self.find('^[^/]+').endsWith('.io')", "self.find('^([^/]+)').contains('.')"],
  [text(), "self.startsWith('a.io/')", "self.find('^[^/]+') == 'a.io'"],
  [text(), "self.matches('b+')", "self.find('b+') != ''"],
  [list(text()), "self.filter(x, x != 'a').all(y, y == 'b')", "self.all(x, x == 'a' || x == 'b')"],
  [list(text()), "self.map(x, x + 'c').all(y, y != 'ac')", "self.all(x, (x + 'c') != 'ac')"],
  [map(text()), "!('x' in self)", "!self.exists(k, k == 'x')"],
  [map(text()), "!self.exists(k, k == 'x')", "!('x' in self)"],
  [map(text()), "self.all(k, k.startsWith('a/'))", "self.all(k, k.startsWith('a'))"],
  [map(text()), "self.all(k, self[k] != '')", 'self.all(k, size(self[k]) > 0)'],
  [map(text()), "!('x' in self) || self['x'] == 'y'", "!('x' in self) || self['x'] in ['y', 'z']"],
];

/** Rules that are repeated at another place than where they stand. */
const moved: readonly (readonly [title: string, old: JsonObject, next: JsonObject])[] = [
  [
    'from the field to the object',
    object({ a: ruled(whole(), 'self <= 5') }),
    ruled(object({ a: ruled(whole(), 'self <= 5') }), '!has(self.a) || self.a <= 5'),
  ],
  [
    'from the object to the field',
    ruled(object({ a: whole() }), '!has(self.a) || self.a <= 5'),
    ruled(object({ a: ruled(whole(), 'self <= 5') }), '!has(self.a) || self.a <= 5'),
  ],
  [
    'from the object to the field, in its place',
    ruled(object({ a: whole() }), '!has(self.a) || self.a <= 5'),
    object({ a: ruled(whole(), 'self <= 5') }),
  ],
  [
    'from the object to a bound',
    ruled(object({ a: whole() }), '!has(self.a) || self.a <= 5'),
    object({ a: whole({ maximum: 5 }) }),
  ],
  [
    'from items to the list',
    object({ l: list(ruled(text(), "self != ''")) }),
    object({ l: ruled(list(ruled(text(), "self != ''")), "self.all(x, x != '')") }),
  ],
  [
    'from the list to items',
    object({ l: ruled(list(text()), "self.all(x, x != '')") }),
    object({ l: list(ruled(text(), "self != ''")) }),
  ],
  [
    'from the list to a bound of items',
    object({ l: ruled(list(text()), "self.all(x, x != '')") }),
    object({ l: list(text({ minLength: 1 })) }),
  ],
  [
    'from a field of items to items',
    object({ l: list(object({ p: ruled(whole(), 'self > 0') })) }),
    object({ l: list(ruled(object({ p: whole() }), '!has(self.p) || self.p > 0')) }),
  ],
  ['from the object to required', ruled(texts, 'has(self.a)'), { ...texts, required: ['a'] }],
  [
    'from two levels below',
    object({ b: object({ a: ruled(whole(), 'self <= 5') }) }),
    ruled(
      object({ b: object({ a: ruled(whole(), 'self <= 5') }) }),
      '!has(self.b) || !has(self.b.a) || self.b.a <= 5',
    ),
  ],
  [
    'with another message',
    { ...whole(), 'x-kubernetes-validations': [{ rule: 'self <= 5', message: 'a' }] },
    {
      ...whole(),
      'x-kubernetes-validations': [
        { rule: 'self <= 5', message: 'b', reason: 'FieldValueForbidden' },
      ],
    },
  ],
  [
    'two rules in one',
    ruled(whole(), 'self > 0', 'self < 5'),
    ruled(whole(), 'self > 0 && self < 5'),
  ],
  [
    'one rule in two',
    ruled(whole(), 'self > 0 && self < 5'),
    ruled(whole(), 'self > 0', 'self < 5'),
  ],
];

/** What rules say of other fields as they were, and no longer as they are from now on. */
export const reshaped: readonly (readonly [title: string, old: JsonObject, next: JsonObject])[] = [
  [
    'a field that a default sets from now on',
    ruled(object({ a: text(), b: text() }), 'has(self.a) || !has(self.b)'),
    object({ a: text(), b: text({ default: 'x' }) }, { required: ['a'] }),
  ],
  [
    'a field that is gone',
    ruled(object({ a: text(), b: text() }), 'has(self.a) || has(self.b)'),
    object({ a: text() }, { required: ['a'] }),
  ],
];

/** All of the above that repeat or relax what is said; each row with its definition before and after. */
export const repeats: readonly (readonly [title: string, old: JsonObject, next: JsonObject])[] = [
  ...[...atField, ...above].map(
    ([schema, ...said]) =>
      [
        `beside ${JSON.stringify(schema)}: ${said.join(' ')}`,
        schema,
        ruled(schema, ...said),
      ] as const,
  ),
  ...rewritten.map(
    ([schema, old, next]) =>
      [`in place of ${old}: ${next}`, ruled(schema, old), ruled(schema, next)] as const,
  ),
  ...moved,
];
