/** Rules over every library of CEL that Kubernetes has, by the type of the value they are for. */
import type { JsonObject } from '../../src/text/documents/index.js';
import type { Random } from './random-schemas.js';

const byType: Readonly<Record<string, readonly [string, ...string[]]>> = {
  string: [
    "self.startsWith('a') || self.endsWith('c') || self.contains('.')",
    "self.matches('^[a-z]+$')",
    "self.find('[0-9]+') == '12'",
    "self.findAll('[a-z]').size() < 3",
    "self.charAt(0) == 'a'",
    "self.indexOf('b') > self.lastIndexOf('c')",
    'self.lowerAscii() == self',
    "self.replace('a', 'b') != 'b'",
    "self.split('.').size() == 1",
    "self.substring(0, 1) == 'a'",
    'self.trim().size() == size(self)',
    'int(self) > 1',
    'double(self) > 1.0',
    'bool(self)',
    "isQuantity(self) && quantity(self).isGreaterThan(quantity('100m'))",
    "isURL(self) && url(self).getScheme() == 'http'",
    'isIP(self) && ip(self).family() == 4',
    "isCIDR(self) && cidr(self).containsIP('10.0.0.1')",
    "isSemver(self, true) && semver(self, true).isLessThan(semver('2.0.0'))",
    '!format.dns1123Label().validate(self).hasValue()',
    "format.named('uri').value().validate(self).hasValue()",
    "'%s has %d'.format([self, size(self)]) != 'a has 1'",
    "self in ['a', 'ab', '']",
    "optional.ofNonZeroValue(self).orValue('none') != 'none'",
    'strings.quote(self).size() < 8',
  ],
  integer: [
    'self > 1 && self < 9',
    'self % 2 == 0',
    '10 / self > 1',
    'self * 9223372036854775807 > 0',
    'string(self).size() == 1',
    'self in [1, 2, 3]',
    '[1, 2, 3].exists(x, x == self)',
    'double(self) < 2.5',
    '[0, 1, 2][self] == self',
    'timestamp(self).getFullYear() == 1970',
  ],
  number: [
    'self > 0.5',
    'int(self) == 1',
    "string(self) == '1.5'",
    'self * 2.0 < 3.0',
    'self == 1',
  ],
  boolean: ['self', '!self', 'self != true'],
  intOrString: [
    'type(self) == int ? self > 1 : self.size() > 1',
    'self == 5',
    'self > 1',
    "self.endsWith('%')",
    'isQuantity(self)',
    "quantity(self).isGreaterThan(quantity('1'))",
    'int(self) > 0',
  ],
  date: ["self > timestamp('2023-01-01T00:00:00Z')", 'self.getDayOfWeek() == 1'],
  'date-time': [
    'self.getFullYear() == 2024 && self.getHours() == 0',
    "self.getHours('+02:00') == 2",
    "string(self).endsWith('Z')",
    "self - timestamp('2024-01-01T00:00:00Z') == duration('0s')",
  ],
  duration: ["self > duration('30m')", 'self.getMinutes() == 60', "self + self > duration('0s')"],
  byte: ['size(self) == 3', "self == b'abc'", "string(self) == 'abc'"],
  list: [
    'self.size() < 2',
    'self == self',
    'self.exists(x, x == x)',
    'self.all(x, self.exists_one(y, y == x))',
    '(self + self).size() == 2 * self.size()',
    'self[0] == self[1]',
    'self.all(i, x, i < 2)',
    'self.map(x, x).size() == self.size()',
    'self.filter(x, x != self[0]).size() == 0',
  ],
  map: [
    "self.all(k, k != 'k')",
    "'k' in self",
    'has(self.k)',
    "self[?'k'].hasValue()",
    'self.size() == 1',
    "self.exists(k, v, k == 'l')",
  ],
  fields: [
    'has(self.a)',
    'has(self.a) != has(self.b)',
    '!has(self.a__dash__b) || has(self.c)',
    'has(self.__for__)',
    'self == self',
    'self.?a.hasValue() || self.?b.hasValue()',
    'has(self.c) ? self.c == self.c : true',
  ],
};

const aboutOld: readonly [string, ...string[]] = [
  'self == oldSelf',
  'self != oldSelf',
  'oldSelf == self || true',
];

const aboutOptionalOld: readonly [string, ...string[]] = [
  'oldSelf.hasValue()',
  '!oldSelf.hasValue() || oldSelf.value() == self',
  'oldSelf.optMap(o, o == self).orValue(true)',
];

/** One or two rules, or none for what rules cannot see. */
export function rulesFor(random: Random, schema: JsonObject): JsonObject[] {
  const candidates = byType[seenAs(schema)];
  if (candidates === undefined) return [];
  return random.times([1, 1, 2], () => ruleOf(random, candidates));
}

function seenAs(schema: JsonObject): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'intOrString';
  if (schema['type'] === 'array') return 'list';
  if (schema['type'] === 'object') {
    return schema['additionalProperties'] === undefined ? 'fields' : 'map';
  }
  const format = schema['format'];
  if (typeof format === 'string' && format in byType) return format;
  return typeof schema['type'] === 'string' ? schema['type'] : '';
}

function ruleOf(random: Random, candidates: readonly [string, ...string[]]): JsonObject {
  const kind = random.next();
  const rule: JsonObject =
    kind < 0.75
      ? { rule: random.pick(candidates) }
      : kind < 0.88
        ? { rule: random.pick(aboutOld) }
        : { rule: random.pick(aboutOptionalOld), optionalOldSelf: true };
  if (random.chance(0.3)) rule['message'] = random.pick(['told so', ' spaces ']);
  if (random.chance(0.15)) {
    rule['messageExpression'] = random.pick(["'is ' + string(1)", "'x'", "''"]);
  }
  if (random.chance(0.15)) {
    rule['reason'] = random.pick([
      'FieldValueForbidden',
      'FieldValueRequired',
      'FieldValueDuplicate',
      'FieldValueInvalid',
    ]);
  }
  return rule;
}
