/** Definitions that servers take or refuse by what differs between minors, one or more for each trait. */
import type { JsonObject } from '../../../src/text/documents/index.js';
import { exampleDefinition } from '../../../src/upgrade/rules/crd/example-definition.js';

export interface Tell {
  readonly new: JsonObject;
  readonly old?: JsonObject;
}

function definition(spec: JsonObject, more: JsonObject = {}): JsonObject {
  return exampleDefinition({
    type: 'object',
    properties: { spec: { type: 'object', ...spec } },
    ...more,
  });
}

const text = { type: 'string', maxLength: 20 };
const properties = {
  a: text,
  b: text,
  'c-d': text,
  list: { type: 'array', maxItems: 5, items: text },
  long: { type: 'array', maxItems: 1000, items: { type: 'string', maxLength: 1000 } },
  size: { 'x-kubernetes-int-or-string': true, maxLength: 30 },
};

const withRule = (rule: string, more: JsonObject = {}): Tell => ({
  new: definition({ properties, 'x-kubernetes-validations': [{ rule, ...more }] }),
});

/** About what brings no version of a library. */
const rules: readonly string[] = [
  '[1].first().hasValue() && [1].last().hasValue()',
  '"%d".format(["a"]) == ""',
  '(self.a + "%d").format([1]) == ""',
  '"%s".format([[1, "a"]]) == ""',
  '"%s".format([size([1, "a"])]) == ""',
  '"%s".format([[size([1, "a"])]]) == ""',
  'optional.of([]).optMap(x, x + [1]).hasValue()',
  'optional.none().optMap(x, x).hasValue()',
  'optional.of({}).optMap(x, x.a + 1).orValue(1) == 1',
  'optional.none().optFlatMap(x, optional.of(x)).hasValue()',
  'optional.of(dyn(1)).optMap(x, x + 1).hasValue()',
  '[?optional.none()].optMap(x, x).hasValue()',
  'dyn([1]).all(i, v, v > 0)',
  'dyn({"a": 1}).all(k, v, v > 0)',
  'dyn({"a": 1}).all(k, v, v.startsWith("a"))',
  'type(optional.none()) == optional_type',
  'type(optional.none()) == optional',
  'duration(size(self.a)) > duration("0s")',
  '{"c-d": 1}.`c-d` == 1',
  '[{"IP": 1}].all(net, net.IP == 1)',
  '[1].all(self, .self.a == "x")',
  'self.list.map(x, x + x).all(y, y.matches("^a+$"))',
  'self.list.map(x, [x, x]).all(y, y.all(z, z.matches("^a+$")))',
  'self.long.map(x, x).exists(x, self.long.map(y, y).exists(z, x == z))',
  'self.list.map(x, x).map(y, y + y).all(z, z.matches("^a+$"))',
  'self.list.filter(x, x != "").map(y, y).exists(z, z == "a")',
  '[self.a, self.b].all(x, x.matches("a+"))',
  'matches(self.a, "^[ab]*a[ab]{10}$")',
  'self.long.all(x, matches(x, "^[ab]*a[ab]{10}$"))',
  'url(self.a).getHost().matches("^a+$")',
  'url(self.a) == url(self.b)',
  'self.list.all(x, url(x).getEscapedPath().matches("^a+$"))',
  'self.long.all(x, quantity(x) == quantity("1"))',
  'self.long.all(x, isQuantity(x) && quantity(x).isGreaterThan(quantity("1")))',
  'self.long.all(x, ip(x) == ip("127.0.0.1"))',
  'string(self.size).matches("^a+$")',
];

const onObject = (rule: string): Tell => ({
  new: definition({ properties }, { 'x-kubernetes-validations': [{ rule }] }),
});

const withMetadata = (more: JsonObject): Tell => ({
  new: exampleDefinition({
    type: 'object',
    properties: { metadata: { type: 'object', ...more } },
  }),
});

const metaRule = 'self.metadata.name.matches("^[a-z]+$")';

const fieldPathRule = {
  rule: 'self.a == "x"',
  message: 'be x',
  fieldPath: '.a',
  reason: 'FieldValueInvalid',
};

const tooSmall: readonly JsonObject[] = [
  { type: 'string', minLength: 1, default: '' },
  { type: 'array', minItems: 2, items: text, default: ['a'] },
  { type: 'object', minProperties: 1, additionalProperties: text, default: {} },
];

export const tells: readonly Tell[] = [
  ...rules.map((rule) => withRule(rule)),
  onObject(metaRule),
  onObject(`${metaRule} && self.metadata.generateName.matches("^[a-z]+$")`),
  onObject('self.spec.long.all(x, x == self.metadata.name)'),
  {
    new: definition({
      properties: { a: { type: 'string', format: 'k8s-short-name', default: 'A_' } },
    }),
  },
  { new: definition({ properties: { a: { type: 'integer', format: 'int32', default: 3e9 } } }) },
  ...tooSmall.map((a): Tell => ({ new: definition({ properties: { a } }) })),
  withMetadata({ example: {} }),
  withMetadata({ externalDocs: { url: 'https://example.com' } }),
  {
    new: definition({
      properties: {
        list: {
          type: 'array',
          items: {
            type: 'object',
            properties: { a: text },
            'x-kubernetes-validations': [fieldPathRule],
          },
          default: [{ a: 'y' }, { a: 'z' }],
        },
      },
    }),
  },
  {
    new: definition({
      properties: {
        one: {
          type: 'object',
          properties: { a: text, b: text },
          'x-kubernetes-validations': [
            fieldPathRule,
            { ...fieldPathRule, rule: 'self.b == "x"', fieldPath: '.b' },
          ],
          default: { a: 'y', b: 'y' },
        },
      },
    }),
  },
  ...[
    ['true', '"a" + ip("1.2.3.4").family()'],
    ['self.a == "x"', '"%d".format(["a"])'],
    ['self.a == "x"', '[1].first().hasValue() ? "a" : "b"'],
    ['self.a == "x"', 'isIP(self.a) ? "a" : "b"'],
    // A library that only stored expressions may use yet.
    ['self.a == "x"', '["a"].includes("a") ? "a" : "b"'],
  ].flatMap(([rule = '', messageExpression]): Tell[] => {
    const rules = (each: JsonObject): JsonObject =>
      definition({ properties, 'x-kubernetes-validations': [each] });
    return [
      {
        old: rules({ rule, messageExpression } as JsonObject),
        new: rules({ rule: `${rule} || true`, messageExpression } as JsonObject),
      },
      {
        old: rules({ rule: `${rule} || true`, messageExpression } as JsonObject),
        new: rules({ rule, messageExpression: `${messageExpression} + ""` }),
      },
    ];
  }),
];

const withField = (rule: string): Tell => ({
  new: definition({
    properties: { ...properties, namespace: text },
    'x-kubernetes-validations': [{ rule }],
  }),
});

/** A new rule that needs the library, by its name in cel-environment.json. */
export const libraryRules: Readonly<Record<string, Tell>> = {
  strings: withRule('strings.quote(self.a) == ""'),
  sets: withRule('sets.contains(self.list, self.list)'),
  networks: withRule('isIP(self.a)'),
  formats: withRule('!format.named("dns1123Label").hasValue()'),
  twoVariables: withRule('self.list.all(i, x, x != "")'),
  semver: withRule('isSemver(self.a)'),
  lists: withRule('[1, 2].reverse() == [1]'),
  includes: withRule('["a"].includes("a")'),
  keywordFields: withField('self.namespace == "a"'),
};
