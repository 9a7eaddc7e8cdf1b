/** Idioms of validation rules in public definitions: each is new, relaxed or rewritten, and decided. */
import { expect } from 'chai';
import { object, withSchema } from '../rules/crd/testing/definition.js';
import type { JsonObject } from '../../text/documents/index.js';
import { proveDocuments } from './testing/prove-documents.js';

const text = (more: JsonObject = {}): JsonObject => ({ type: 'string', maxLength: 63, ...more });
const listed = (...values: string[]): JsonObject => ({ type: 'string', enum: values });
const whole = (more: JsonObject = {}): JsonObject => ({ type: 'integer', ...more });
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'array', maxItems: 8, items },
  ...more,
});
const map = (values: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'object', maxProperties: 8, additionalProperties: values },
  ...more,
});

const reference = {
  group: text({ default: '', pattern: '^$|^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' }),
  kind: text({
    default: 'Service',
    minLength: 1,
    pattern: '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$',
  }),
  name: text({ minLength: 1 }),
  port: whole({ format: 'int32', minimum: 1, maximum: 65_535 }),
};
const condition = object(
  { type: text(), status: listed('True', 'False', 'Unknown'), reason: text() },
  { required: ['type', 'status'] },
);
const conditions = list(condition, {
  ...{ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
});
const known: JsonObject = {
  ...{ a: text(), b: text(), c: text(), mode: listed('Auto', 'Manual', 'Off') },
  ...{ preset: listed('x', 'y'), fallback: text({ default: 'none' }), on: { type: 'boolean' } },
  ...{
    min: whole(),
    max: whole(),
    replicas: whole({ minimum: 0, default: 1 }),
    share: { type: 'number' },
  },
  hosts: list(text({ minLength: 1 })),
  tags: list(text(), { 'x-kubernetes-list-type': 'set' }),
  conditions,
  labels: map(text()),
  backend: object(reference, { required: ['name'] }),
  backends: list(object(reference, { required: ['name'] })),
  template: object({ image: text(), tier: listed('gold', 'silver'), args: list(text()) }),
  amount: { 'x-kubernetes-int-or-string': true, maxLength: 20 },
  ...{ time: text({ format: 'date-time' }), wait: text(), memory: text() },
};

const spec = (
  rules: readonly string[],
  fields: JsonObject = {},
  more: JsonObject = {},
): JsonObject =>
  object(
    { ...known, ...fields },
    { ...more, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) },
  );

const ruled = (rules: readonly string[]): JsonObject => ({
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});

function effectOf(old: JsonObject, next: JsonObject): string {
  const [before, after] = [old, next].map((each) => withSchema(object({ spec: each })));
  const { results, effect } = proveDocuments(before as JsonObject, after as JsonObject);
  const open = results.filter((each) => each.effect === 'undecided').map(({ reason }) => reason);
  if (results.some(({ harm }) => harm === 'AbsurdValue')) return 'absurd';
  return open.length === 0 ? effect : open.join('\n');
}

/** New rules that refuse something. */
const breaking = [
  // Presence
  'has(self.a)',
  'has(self.a) != has(self.b)',
  'has(self.a) == has(self.b)',
  '!has(self.a) || has(self.b)',
  '!(has(self.a) && has(self.b))',
  'has(self.a) || has(self.b) || has(self.c)',
  '[has(self.a), has(self.b), has(self.c)].filter(x, x).size() == 1',
  '[has(self.a), has(self.b), has(self.c)].exists_one(x, x)',
  '(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0) <= 1',
  'has(self.template) ? has(self.template.image) : true',
  '!has(self.template) || !has(self.template.tier) || has(self.template.image)',
  // Unions
  "self.mode == 'Auto' ? has(self.a) : !has(self.a)",
  "has(self.mode) && self.mode == 'Manual' ? has(self.replicas) && has(self.max) : true",
  "!has(self.mode) || self.mode != 'Off' || !has(self.template)",
  "has(self.mode) && self.mode == 'Auto' && has(self.preset) ? self.preset == 'x' : true",
  "!(has(self.mode) && has(self.preset) && self.mode == 'Off' && self.preset == 'y')",
  // Constants over fields with defaults
  "!has(self.backend) || !(self.backend.group == 'example.io' && self.backend.kind == 'Pool' && has(self.backend.port))",
  "has(self.backend) && self.backend.group == '' && self.backend.kind == 'Service' ? has(self.backend.port) : true",
  "!has(self.backends) || self.backends.all(r, (r.group == 'example.io' && r.kind == 'Pool') ? !has(r.port) : true)",
  "!has(self.backends) || !self.backends.exists(r, r.kind == 'Pool' && r.group == 'example.io' && r.port == 443)",
  "self.fallback != 'none' || has(self.a)",
  "self.fallback == 'none' || (has(self.a) && self.a == self.fallback)",
  "self.replicas == 1 || (has(self.mode) && self.mode == 'Auto')",
  // Numbers
  '!has(self.min) || !has(self.max) || self.min <= self.max',
  '!has(self.min) || !has(self.max) || self.max - self.min >= 10',
  '!has(self.max) || self.replicas <= self.max',
  '!has(self.min) || (self.min >= 1 && self.min <= 100)',
  '!has(self.min) || self.min in [1, 3, 5]',
  '!has(self.min) || self.min % 2 == 1',
  'self.replicas == 0 || self.replicas >= 3',
  '!has(self.share) || (self.share > 0.0 && self.share <= 1.0)',
  '!has(self.share) || (self.share >= 0 && self.share <= 100)',
  "self.?mode.orValue('Auto') != 'Off'",
  '!self.?backend.name.hasValue() || has(self.a)',
  "self.?a.optMap(v, v.startsWith('/')).orValue(true)",
  "self.?template.tier.or(self.?mode).orValue('') != 'gold'",
  '!has(self.min) || !has(self.max) || self.min + self.max <= 1000',
  '!has(self.min) || self.min * 2 <= self.replicas',
  // Texts
  "!has(self.a) || self.a != ''",
  "!has(self.a) || self.a == '' || self.a.startsWith('https://')",
  "!has(self.a) || self.a.startsWith('prefix-') && self.a.endsWith('-suffix')",
  "!has(self.a) || !self.a.contains('..')",
  "!has(self.a) || self.a.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
  "!has(self.a) || !self.a.matches('^v[0-9]+$')",
  '!has(self.a) || size(self.a) <= 20',
  '!has(self.a) || self.a.size() >= 3',
  '!has(self.a) || !has(self.b) || self.a != self.b',
  '!has(self.a) || !has(self.b) || self.a == self.b',
  '!has(self.a) || !has(self.b) || self.a.startsWith(self.b)',
  "!has(self.a) || self.a in ['one', 'two'] || self.a.startsWith('x-')",
  "!has(self.a) || self.a.split('/').size() == 2",
  '!has(self.a) || self.a.lowerAscii() == self.a',
  "!has(self.a) || self.a.indexOf('@') > 0",
  // Lists
  '!has(self.hosts) || self.hosts.size() > 0',
  '!has(self.hosts) || size(self.hosts) <= 3',
  "!has(self.hosts) || self.hosts.all(h, h != '*')",
  "!has(self.hosts) || !self.hosts.exists(h, h == '*') || self.hosts.size() == 1",
  "!has(self.hosts) || !('*' in self.hosts && size(self.hosts) > 1)",
  '!has(self.hosts) || self.hosts.all(x, self.hosts.exists_one(y, x == y))',
  "!has(self.hosts) || self.hosts.filter(h, h.startsWith('a')).size() <= 1",
  '!has(self.hosts) || self.hosts.map(h, size(h)).all(n, n < 10)',
  '!has(self.backends) || self.backends.all(x, self.backends.exists_one(y, x.name == y.name))',
  '!has(self.backends) || self.backends.all(x, has(x.port))',
  "!has(self.backends) || self.backends.exists(x, x.kind == 'Service')",
  "!has(self.backends) || self.backends.exists_one(x, x.kind == 'Service')",
  '!has(self.hosts) || !has(self.tags) || size(self.hosts) == size(self.tags)',
  "!has(self.tags) || self.tags.all(t, t in ['one', 'two'])",
  '!has(self.tags) || !has(self.a) || self.a in self.tags',
  '!has(self.template) || !has(self.template.args) || size(self.template.args) < 4',
  "!has(self.conditions) || self.conditions.all(c, c.status != 'Unknown' || has(c.reason))",
  // Maps
  "!has(self.labels) || !('app' in self.labels)",
  "!has(self.labels) || self.labels.all(k, k.startsWith('example.io/'))",
  "!has(self.labels) || self.labels.all(k, self.labels[k] != '')",
  '!has(self.labels) || size(self.labels) <= 4',
  "!has(self.labels) || !('app' in self.labels) || self.labels['app'] == 'web'",
  // Libraries
  "!has(self.wait) || duration(self.wait) >= duration('1s')",
  "!has(self.wait) || self.wait == '' || duration(self.wait) <= duration('1h')",
  '!has(self.memory) || isQuantity(self.memory)',
  "!has(self.memory) || quantity(self.memory).isGreaterThan(quantity('1Gi'))",
  '!has(self.a) || isIP(self.a)',
  '!has(self.a) || isCIDR(self.a) && cidr(self.a).prefixLength() <= 24',
  "!has(self.a) || isURL(self.a) && url(self.a).getScheme() == 'https'",
  "!has(self.amount) || (type(self.amount) == int ? self.amount >= 0 : self.amount.endsWith('%'))",
  "!has(self.a) || self.?b.orValue('') == '' || self.a != ''",
  // Updates
  'self == oldSelf',
  'self.a == oldSelf.a',
  '!has(oldSelf.a) || has(self.a)',
  'has(oldSelf.a) == has(self.a)',
  '!has(oldSelf.a) || (has(self.a) && self.a == oldSelf.a)',
  '!has(oldSelf.min) || !has(self.min) || self.min >= oldSelf.min',
  "!has(oldSelf.mode) || oldSelf.mode != 'Off' || (has(self.mode) && self.mode == 'Off')",
  "!(has(oldSelf.conditions) && oldSelf.conditions.exists(c, c.type == 'Ready' && c.status == 'True')) || (has(oldSelf.a) == has(self.a) && (!has(oldSelf.a) || oldSelf.a == self.a))",
  '!has(oldSelf.hosts) || (has(self.hosts) && oldSelf.hosts.all(h, h in self.hosts))',
  "self.fallback == oldSelf.fallback || oldSelf.fallback == 'none'",
  '!has(oldSelf.tags) || !has(self.tags) || size(self.tags) >= size(oldSelf.tags)',
] as const;

type Row = readonly [title: string, old: JsonObject, next: JsonObject];

const lookOver =
  '!has(self.backends) || self.backends.all(x, self.backends.exists_one(y, x.name == y.name))';

/** Changes that refuse nothing. */
const safe: readonly Row[] = [
  [
    'reads only a new field with a default',
    spec([]),
    spec(["self.level != 'preferred' || (has(self.a) && self.replicas > 3)"], {
      level: { ...listed('required', 'preferred'), default: 'required' },
    }),
  ],
  [
    'reads a new field that no object has',
    spec([]),
    spec(['!has(self.fresh) || self.fresh == self.a'], { fresh: text() }),
  ],
  [
    'relaxes a condition',
    spec(["!has(self.a) || self.a == ''"]),
    spec(["!has(self.a) || self.a == '' || self.a.startsWith('x')"]),
  ],
  [
    'relaxes a bound',
    spec(['!has(self.min) || self.min <= 10']),
    spec(['!has(self.min) || self.min <= 20']),
  ],
  [
    'relaxes what two fields are to each other',
    spec(['!has(self.min) || !has(self.max) || self.min < self.max']),
    spec(['!has(self.min) || !has(self.max) || !(self.min > self.max)']),
  ],
  [
    'says of the whole what a field said of itself',
    object({ a: text({ 'x-kubernetes-validations': [{ rule: "self.startsWith('a')" }] }) }),
    object(
      { a: text() },
      { 'x-kubernetes-validations': [{ rule: "!has(self.a) || self.a.contains('a')" }] },
    ),
  ],
  [
    'says as a bound what a rule says',
    object({ a: text({ 'x-kubernetes-validations': [{ rule: "self.startsWith('a')" }] }) }),
    object({ a: text({ minLength: 1, pattern: '^a' }) }),
  ],
  [
    'names every listed number',
    object({ n: { type: 'integer', enum: [1, 2] } }),
    object(
      { n: { type: 'integer', enum: [1, 2] } },
      { 'x-kubernetes-validations': [{ rule: '!has(self.n) || self.n in [1, 2, 3]' }] },
    ),
  ],
  [
    'says what the bounds say',
    spec([]),
    spec(['!has(self.backend) || !has(self.backend.port) || self.backend.port > 0']),
  ],
  ['says what a length says', spec([]), spec(['!has(self.a) || size(self.a) <= 63'])],
  [
    'says what the values say',
    spec([]),
    spec(["!has(self.preset) || self.preset in ['x', 'y', 'z']"]),
  ],
  [
    'is another way to write an implication',
    spec(['!has(self.a) || has(self.b)']),
    spec(['has(self.a) ? has(self.b) : true']),
  ],
  [
    'permits a value to be cleared',
    spec(['self == oldSelf']),
    spec(["!has(self.a) || self.a == '' || self == oldSelf"]),
  ],
  [
    'asks only of items that have the field that no two of them may be alike',
    spec([
      '!has(self.backends) || self.backends.all(x, self.backends.exists_one(y, x.port == y.port))',
    ]),
    spec([
      '!has(self.backends) || self.backends.all(x, !has(x.port) || self.backends.exists_one(y, has(y.port) && x.port == y.port))',
    ]),
  ],
  [
    'counts the items of a set that are alike',
    spec([]),
    spec([
      '!has(self.tags) || size(self.tags.filter(i, size(self.tags.filter(j, j == i)) > 1)) == 0',
    ]),
  ],
  [
    'sums what the first items have',
    spec([]),
    spec([
      '!has(self.hosts) || (size(self.hosts) > 0 ? self.hosts[0].size() : 0) + (size(self.hosts) > 1 ? self.hosts[1].size() : 0) <= 126',
    ]),
  ],
  [
    'reads a field that a default sets from now on',
    spec(['!(has(self.on) && self.on && has(self.a))']),
    spec(['!(has(self.on) && self.on && has(self.a))'], {
      on: { type: 'boolean', default: false },
    }),
  ],
  [
    'forbids what is bounded from now on',
    spec(['!has(self.template) || !has(self.template.args)']),
    spec(['!has(self.template) || !has(self.template.args)'], {
      template: object({
        ...{ image: text(), tier: listed('gold', 'silver') },
        args: list(text({ pattern: '^a' })),
      }),
    }),
  ],
  [
    'reads other fields of items than one that a default sets',
    spec([lookOver]),
    spec([lookOver], {
      backends: list(
        object({ ...reference, weight: whole({ default: 1 }) }, { required: ['name'] }),
      ),
    }),
  ],
];

/** Rules of a text, before and after. */
const ofTexts: readonly (readonly [old: string, next: string, isSafe: boolean])[] = [
  ['self == oldSelf', "self == '' || oldSelf == '' || self == oldSelf", true],
  ["self == '' || self == oldSelf", "self == '' || oldSelf == '' || self == oldSelf", true],
  ["self != 'x'", "self == '' || oldSelf == '' || self == oldSelf", false],
  ["self.startsWith('abc')", "self.startsWith('ab')", true],
  ["self.startsWith('ab')", "self.startsWith('abc')", false],
  ["self.matches('^[a-z]+$')", "self.matches('^[a-z0-9]+$') && !self.contains('-')", true],
  ["self in ['a', 'b']", "self in ['a', 'b', 'c'] || self.endsWith('-x')", true],
  ["self.startsWith('😀')", "self.startsWith('😀😀') || self.contains('é')", false],
  ["self != '😀' && self in ['😀', 'é']", "self == 'é'", true],
  ["size(self) < 5 && self != ''", 'size(self) >= 1 && size(self) <= 4', true],
];

/** Schemas of a list of which the later one says nothing of the items. */
const freed: readonly (readonly [title: string, old: JsonObject, next: JsonObject])[] = [
  ['nothing is said of items', { type: 'array', items: text() }, { type: 'array' }],
  [
    'anything is kept',
    { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } },
    { 'x-kubernetes-preserve-unknown-fields': true },
  ],
];

/** Rules of a text that work something out of it: the first implies the second, and not the other way round. */
const workedOut: readonly (readonly [stricter: string, looser: string])[] = [
  ['int(self) >= 10', 'int(self) >= 5'],
  ['double(self) > 0.0 && double(self) <= 1.0', 'double(self) >= 0.0 && double(self) <= 1.0'],
  ["self == 'abc'", "self.lowerAscii() == 'abc'"],
  ["self.lowerAscii() in ['abc']", "self.lowerAscii() in ['abc', 'd']"],
  ["self.startsWith('https')", "self.lowerAscii().startsWith('http')"],
  ['self.trim() == self', "!self.startsWith(' ')"],
  ["self.indexOf('@') > 0", "self.contains('@')"],
  ["self.indexOf('@') > 0", "!self.startsWith('@')"],
  ["self.split('/').size() == 2", "self.contains('/')"],
  ["self.split('.').size() <= 3", "self.split('.').size() <= 4"],
  ["self.split(',').all(p, p in ['x', 'y'])", "self.split(',').all(p, p in ['x', 'y', 'z'])"],
  ["size(self) > 0 && self.substring(0, 1) == 'x'", 'size(self) > 0'],
  ['self.size() <= 20', "self.split('/')[0].size() <= 20"],
  ["self.split('/')[0].size() < 4", "!self.startsWith('abcd')"],
  [
    "self.matches('^/ids/[0-9a-f]{4}-x/names/[a-z]+$')",
    "self.split('/')[2].matches('^[{]?[0-9a-f]{4}-[wx][}]?$') && self.split('/')[4].matches('[a-z]{1,9}')",
  ],
  ["self.matches('^v-[a-z]+$')", "self.startsWith('v-') && self.substring(2).matches('^[a-z]+$')"],
  ["self.matches('^v-(a|b|[|^])$')", "self.substring(2).matches('^(a|b|[|^])$')"],
  ["self.startsWith('v-')", 'self.size() >= 2 && self.substring(2).size() <= 61'],
  [
    "self.matches('^v-a.*c$')",
    "self.substring(2).startsWith('a') && self.substring(2).endsWith('c')",
  ],
  [
    "quantity(self).isGreaterThan(quantity('2Gi'))",
    "quantity(self).isGreaterThan(quantity('1Gi'))",
  ],
  ["quantity(self).compareTo(quantity('2')) >= 0", "!quantity(self).isLessThan(quantity('1'))"],
  ["quantity(self).isGreaterThan(quantity('1'))", 'isQuantity(self)'],
  ["duration(self) >= duration('2s')", "duration(self) >= duration('1s')"],
  [
    "timestamp(self) > timestamp('2020-01-01T00:00:00Z')",
    "timestamp(self) > timestamp('2019-01-01T00:00:00Z')",
  ],
];

/** Rules that say the same of a text. */
const sameOfText: readonly (readonly [string, string])[] = [
  ['self.lowerAscii() == self', "!self.matches('[A-Z]')"],
  ["self.lowerAscii() == 'abc'", "self.matches('^[aA][bB][cC]$')"],
  ["self.indexOf('@') == -1", "!self.contains('@')"],
  ["self.indexOf('ab') == 0", "self.startsWith('ab')"],
  ["self.lastIndexOf('.') < 0", "!self.contains('.')"],
  ["self.split('/').size() == 2", "self.contains('/') && !self.matches('/(?s:.*)/')"],
  ["self.charAt(0) == 'x'", "self.startsWith('x')"],
];

/** The first does not imply the second. */
const notImplied: readonly (readonly [string, string])[] = [
  ["self.startsWith('v-')", "self.substring(2).matches('^a|b$')"],
  ["self.matches('^v-(?s:.)*$')", "self.substring(2).matches('^(^a|b)$')"],
  ['self.size() > 1 && self.substring(2).size() <= 5', 'size(self) <= 6'],
  ["self.split('/')[0].size() <= 5", 'size(self) <= 6'],
  ["self.contains('/')", "self.split('/')[1].matches('^$')"],
  ["self.split('/')[0].matches('^{2}a')", "self.startsWith('{')"],
];

/** The first implies the second; of the other fields too. */
const ofFields: readonly (readonly [stricter: string, looser: string])[] = [
  ['!has(self.min) || self.min % 4 == 0', '!has(self.min) || self.min % 2 == 0'],
  ['!has(self.min) || self.min % 2 == 1', '!has(self.min) || self.min % 2 != 0'],
  ['!has(self.min) || self.min in [4, 8]', '!has(self.min) || self.min % 4 == 0'],
  ['!has(self.min) || self.min <= 30', '!has(self.min) || self.min / 10 <= 3'],
  ['self.a == self.b', 'self.a.startsWith(self.b)'],
  ['self.a == self.b', 'size(self.a) == size(self.b)'],
  ['self.a == self.b && self.b == self.c', 'self.a == self.c'],
  ['self.a == self.b', "self.a in [self.b, 'x']"],
  [
    "!has(self.hosts) || self.hosts.exists(x, x == 'a')",
    '!has(self.hosts) || self.hosts.exists(x, true)',
  ],
];

const frozen = '!has(oldSelf.a) || self == oldSelf';
/** Whether it follows from what may not change as a whole. */
const ofFrozen: readonly (readonly [rule: string, isSafe: boolean])[] = [
  ['has(self.b) == has(oldSelf.b)', false],
  ['!has(oldSelf.a) || has(self.b) == has(oldSelf.b)', true],
  ['!has(oldSelf.a) || (has(self.a) && self.a == oldSelf.a)', true],
  ['!has(oldSelf.a) || !has(self.labels) || self.labels == oldSelf.labels', true],
  ['!has(oldSelf.a) || has(self.template) == has(oldSelf.template)', true],
  ['!has(oldSelf.a) || !has(self.mode) || self.mode == oldSelf.mode', true],
  ['!has(oldSelf.b) || (has(self.b) && self.b == oldSelf.b)', false],
  ['!has(oldSelf.a) || self.b == oldSelf.b', false],
  ['!has(self.a) || !has(self.b) || self.a == self.b', false],
];

const sameOfFields: readonly (readonly [string, string])[] = [
  ['!has(self.hosts) || self.hosts.exists(x, true)', '!has(self.hosts) || size(self.hosts) > 0'],
  ['!has(self.hosts) || self.hosts.all(x, false)', '!has(self.hosts) || size(self.hosts) == 0'],
  ['!has(self.hosts) || self.hosts != []', '!has(self.hosts) || size(self.hosts) != 0'],
];

const two = { a: text(), b: text() };
/** Keywords that say what a rule says. */
const keywordRules: readonly (readonly [keywords: JsonObject, rule: string])[] = [
  [{ minProperties: 1 }, 'has(self.a) || has(self.b)'],
  [{ maxProperties: 1 }, '!(has(self.a) && has(self.b))'],
  [{ minProperties: 1, maxProperties: 1 }, 'has(self.a) != has(self.b)'],
  [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }, 'has(self.a) != has(self.b)'],
  [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, 'has(self.a) || has(self.b)'],
];

describe('idioms of rules', () => {
  const ofText = (rule: string): JsonObject =>
    object({ a: text({ 'x-kubernetes-validations': [{ rule }] }) });
  const harmless = ['safe', 'behavior', 'absurd'];
  for (const [stricter, looser] of [...workedOut, ...sameOfText]) {
    it(`safe: ${stricter} becomes ${looser}`, () => {
      expect(effectOf(ofText(stricter), ofText(looser))).to.equal('safe');
    });
  }
  for (const [one, other] of sameOfText) {
    it(`safe: ${other} becomes ${one}`, () => {
      // Where there is no such character, the rule fails.
      if (!one.includes('charAt')) expect(effectOf(ofText(other), ofText(one))).to.equal('safe');
    });
  }
  for (const [rule, other] of notImplied) {
    it(`not safe: ${rule} becomes ${other}`, () => {
      expect(effectOf(ofText(rule), ofText(other))).to.equal('breaking');
    });
  }
  for (const [stricter, looser] of ofFields) {
    it(`safe: ${stricter} becomes ${looser}`, () => {
      expect(effectOf(spec([stricter]), spec([looser]))).to.be.oneOf(harmless);
    });
  }
  for (const [rule, isSafe] of ofFrozen) {
    it(`${isSafe ? 'safe' : 'not safe'}: ${frozen} becomes ${rule}`, () => {
      const effect = effectOf(spec([frozen]), spec([rule]));
      expect(harmless.includes(effect), effect).to.equal(isSafe);
    });
  }
  for (const [one, other] of sameOfFields) {
    it(`safe both ways: ${one} and ${other}`, () => {
      expect(effectOf(spec([one]), spec([other]))).to.be.oneOf(harmless);
      expect(effectOf(spec([other]), spec([one]))).to.be.oneOf(harmless);
    });
  }
  for (const [keywords, rule] of keywordRules) {
    it(`safe both ways: ${JSON.stringify(keywords)} and ${rule}`, () => {
      const [said, ruled] = [keywords, { 'x-kubernetes-validations': [{ rule }] }].map((each) =>
        object({ o: object(two, each) }),
      ) as [JsonObject, JsonObject];
      expect(effectOf(said, ruled)).to.equal('safe');
      expect(effectOf(ruled, said)).to.equal('safe');
    });
  }
  it('safe: a rule names what is listed', () => {
    const listing = object({ a: text({ enum: ['x', 'y'] }) });
    expect(effectOf(ofText("self in ['x', 'y']"), listing)).to.equal('safe');
  });
  it('safe: a rule bounds what a keyword bounds', () => {
    const ruled = object({
      l: list(text(), { 'x-kubernetes-validations': [{ rule: 'size(self) < 4' }] }),
    });
    expect(effectOf(ruled, object({ l: list(text(), { maxItems: 3 }) }))).to.equal('safe');
  });

  for (const rule of breaking) {
    it(`breaks: ${rule}`, () => {
      expect(effectOf(spec([]), spec([rule]))).to.equal('breaking');
    });
  }
  for (const [title, old, next] of safe) {
    it(`safe: ${title}`, () => {
      expect(effectOf(old, next)).to.be.oneOf(['safe', 'behavior', 'absurd']);
    });
  }
  for (const [old, next, isSafe] of ofTexts) {
    it(`${isSafe ? 'safe' : 'breaks'}: ${old} becomes ${next}`, () => {
      const [before, after] = [old, next].map((rule) =>
        object({ a: text({ 'x-kubernetes-validations': [{ rule }] }) }),
      ) as [JsonObject, JsonObject];
      expect(effectOf(before, after)).to.equal(isSafe ? 'safe' : 'breaking');
    });
  }
  for (const [title, old, next] of freed) {
    it(`safe: ${title} where scalars or anything were`, () => {
      expect(effectOf(object({ l: old }), object({ l: next }))).to.equal('safe');
    });
  }
  it('safe: a field goes that rules around it let no object have', () => {
    const ref = { type: listed('own', 'other'), id: text(), at: object(reference) };
    const union = (fields: JsonObject, rules: readonly string[]): JsonObject =>
      object({ ref: object(fields, { ...ruled(rules) }) });
    const own = ["self.type != 'other'", "self.type == 'own' ? !has(self.id) : true"];
    const rules = [...own, 'has(self.type) || !has(self.id)'];
    const { type, at } = ref;
    expect(effectOf(union(ref, rules), union({ type, at }, []))).to.equal('safe');
    expect(effectOf(union(ref, own.slice(1)), union({ type, at }, []))).to.equal('data-loss');
    const fewer = union({ ...ref, type: listed('own') }, []);
    expect(effectOf(union(ref, own.slice(0, 1)), fewer)).to.equal('safe');
    expect(effectOf(union(ref, []), fewer)).to.equal('breaking');
  });
  it('breaks: objects in a list lose their fields once nothing is said of items', () => {
    const old = object({ l: { type: 'array', items: object({ a: text() }) } });
    expect(effectOf(old, object({ l: { type: 'array' } }))).not.to.be.oneOf(['safe', 'behavior']);
  });

  const kinds = ['Redirect', 'Rewrite', 'Mirror', 'Cors'];
  const once = (kind: string): string => `self.filter(f, f.type == '${kind}').size() <= 1`;
  const only = kinds.flatMap((kind) => [
    `!(has(self.f${kind}) && self.type != '${kind}')`,
    `!(!has(self.f${kind}) && self.type == '${kind}')`,
  ]);
  const filters = (onFilters: readonly string[], onNames: readonly string[]): JsonObject => {
    const set = { 'x-kubernetes-list-type': 'set', ...ruled(onNames) };
    const names = list(text({ minLength: 1, pattern: '^[A-Za-z*]+$' }), set);
    const fields = kinds.map((kind) => [`f${kind}`, object({ names })] as const);
    const filter = object(
      { type: listed(...kinds), ...Object.fromEntries(fields) },
      { required: ['type'], ...ruled(only) },
    );
    return object({ rules: list(object({ filters: list(filter, ruled(onFilters)) })) });
  };
  it('breaks: one more kind of item may not be repeated', () => {
    const others = ['Redirect', 'Rewrite', 'Mirror'].map(once);
    const next = filters([...others, once('Cors')], []);
    expect(effectOf(filters(others, []), next)).to.equal('breaking');
    const ofNone = "self.filter(f, f.type == 'None').size() == 0";
    expect(effectOf(filters(others, []), filters([...others, ofNone], []))).to.equal('safe');
    expect(effectOf(next, filters([`${once('Cors')} || size(self) > 9`], []))).to.equal('safe');
  });
  it('breaks: a text may not stand beside others in a set within a union', () => {
    const next = filters([], ["!('*' in self && self.size() > 1)"]);
    expect(effectOf(filters([], []), next)).to.equal('breaking');
  });
});
