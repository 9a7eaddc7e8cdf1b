import { expect } from 'chai';
import { parseJson, type JsonObject } from '../../../text/documents/index.js';
import { compileValidator, type ObjectResult } from '../validator.js';

function validatorOf(spec: string): ReturnType<typeof compileValidator> {
  const crd =
    parseJson(`{"spec": {"group": "example.com", "scope": "Cluster", "names": {"kind": "Widget"},
    "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": ${spec}}}}}]}}`);
  return compileValidator(crd as JsonObject, 'v1');
}

function widget(spec: string): JsonObject {
  return parseJson(
    `{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a", "resourceVersion": "1"}, "spec": ${spec}}`,
  ) as JsonObject;
}

function details(result: ObjectResult): string[] {
  return result.errors.map(({ detail }) => detail);
}

/** What a rule on a schema says about a value; undefined when it holds. */
function judged(schema: string, rule: string, value: string): string | undefined {
  const withRule = `${schema.slice(0, -1)},"x-kubernetes-validations":[{"rule":${JSON.stringify(rule)}}]}`;
  return details(validatorOf(withRule).validateCreate(widget(value)))[0];
}

const text = '{"type":"string"}';
const integer = '{"type":"integer"}';
const names = '{"type":"array","items":{"type":"string"}}';
const set = '{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}';
const fields =
  '{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"},"a-b":{"type":"integer"},"n":{"type":"string","nullable":true}}}';

describe('rules that hold', () => {
  const rows: readonly (readonly [rule: string, schema: string, value: string])[] = [
    ["self.matches('^[a-z]+$') && self.size() == 2", text, '"ab"'],
    ["self.find('[0-9]+') == '12' && self.findAll('[a-z]').size() == 2", text, '"a12b"'],
    ["quantity(self).isGreaterThan(quantity('1Gi'))", text, '"1.5Gi"'],
    [
      "url(self).getHostname() == '::1' && url(self).getPort() == '8080'",
      text,
      '"http://[::1]:8080/x"',
    ],
    ["cidr('10.0.0.0/8').containsIP(ip(self)) && ip(self).family() == 4", text, '"10.1.2.3"'],
    ["semver(self).isLessThan(semver('1.10.0'))", text, '"1.9.0"'],
    ['!format.dns1123Label().validate(self).hasValue()', text, '"a-b"'],
    ["self.all(x, x != 'a' || true) && self.exists_one(x, x == 'b')", names, '["a","b"]'],
    ['self.all(i, x, i == 0 || x > self[i - 1])', names, '["a","b"]'],
    ["self.transformMap(i, x, x + string(i))[1] == 'b1'", names, '["a","b"]'],
    ["sets.contains(['a','b','c'], self)", names, '["c","a"]'],
    ["self == ['b','a']", set, '["a","b"]'],
    ['self.isSorted() && self.min() == "a"', names, '["a","b"]'],
    ['self.a__dash__b > 0 && !has(self.n)', fields, '{"a-b":1,"n":null}'],
    ["self.?a.orValue('x') == 'x' && self.?b.optMap(v, v + 1).orValue(7) == 7", fields, '{}'],
    ["duration(self) == duration('90m')", text, '"1h30m"'],
    ['int(self) > 9007199254740992', text, '"9007199254740993"'],
    ["'%d of %s: %.1f'.format([1, self, 2.0]) == '1 of x: 2.0'", text, '"x"'],
    [
      'type(self) == int ? self > 1 : self == "all"',
      '{"x-kubernetes-int-or-string":true}',
      '"all"',
    ],
    ["self == 'a' || 1 / 0 > 1", text, '"a"'],
    ['self != null', fields, '{}'],
    ['optional.ofNonZeroValue(self).hasValue()', fields, '{}'],
    ['[].all(x, x == 1) && [[], [1]].flatten() == [1]', fields, '{}'],
    [
      "string(self) == '2024-01-01T00:00:00+02:00' && self.getFullYear() == 2023",
      '{"type":"string","format":"date-time"}',
      '"2024-01-01T00:00:00+02:00"',
    ],
    ["double('0x1.8p1') == 3.0", fields, '{}'],
    ['!self[?0].hasValue() && !self.?a.hasValue()', '{"x-kubernetes-int-or-string":true}', '"x"'],
  ];
  for (const [rule, schema, value] of rows) {
    it(rule, () => {
      expect(judged(schema, rule, value)).to.equal(undefined);
    });
  }
});

describe('rules that refuse', () => {
  const rows: readonly (readonly [
    rule: string,
    schema: string,
    value: string,
    expected: string,
  ])[] = [
    ['self > 3', integer, '3', 'failed rule: self > 3'],
    ['10 / self > 1', integer, '0', 'division by zero evaluating rule: 10 / self > 1'],
    ["self.a == 'x'", fields, '{}', "no such key: a evaluating rule: self.a == 'x'"],
    [
      'int(self) > 1',
      text,
      '"x"',
      "type conversion error from 'string' to 'int' evaluating rule: int(self) > 1",
    ],
    ['self[2] == "a"', names, '["a"]', 'index out of bounds: 2 evaluating rule: self[2] == "a"'],
    [
      'self < 5',
      '{"x-kubernetes-int-or-string":true}',
      '"5"',
      "'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self < 5",
    ],
    [
      'isQuantity(self)',
      '{"x-kubernetes-int-or-string":true}',
      '5',
      "'no such overload: isQuantity(int)': call arguments did not match a supported operator, function or macro signature for rule: isQuantity(self)",
    ],
    [
      'has(self.b)',
      fields,
      '{"b":1.0}',
      'invalid data, expected int, got float64 evaluating rule: has(self.b)',
    ],
    [
      "'%d'.format([self]) == '1'",
      '{"x-kubernetes-int-or-string":true}',
      '"x"',
      "error during formatting: decimal clause can only be used on integers, was given string evaluating rule: '%d'.format([self]) == '1'",
    ],
    [
      'self.c == 1',
      fields,
      '{}',
      "rule compile error: compilation failed: ERROR: <input>:1:5: undefined field 'c'\n | self.c == 1\n | ....^",
    ],
    [
      "self == 'a'",
      integer,
      '1',
      "rule compile error: compilation failed: ERROR: <input>:1:6: found no matching overload for '_==_' applied to '(int, string)'\n | self == 'a'\n | .....^",
    ],
    [
      'self',
      '{"x-kubernetes-int-or-string":true}',
      '1',
      'rule compile error: cel expression must evaluate to a bool',
    ],
  ];
  for (const [rule, schema, value, expected] of rows) {
    it(rule, () => {
      expect(judged(schema, rule, value)).to.equal(expected);
    });
  }
});

describe('rules around an update', () => {
  const immutable = validatorOf(
    '{"type":"object","properties":{"a":{"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf","message":"immutable"}]}}}',
  );

  it('are not run on create, and refuse a change', () => {
    expect(details(immutable.validateCreate(widget('{"a":"x"}')))).to.deep.equal([]);
    expect(
      details(immutable.validateUpdate(widget('{"a":"y"}'), widget('{"a":"x"}'))),
    ).to.deep.equal(['immutable']);
  });

  it('find the old item of a map list by its key', () => {
    const list = validatorOf(
      '{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},"v":{"type":"integer"}},"x-kubernetes-validations":[{"rule":"oldSelf.v <= self.v","message":"shrinks"}]}}',
    );
    const old = widget('[{"k":"a","v":2},{"k":"b","v":2}]');
    const result = list.validateUpdate(
      widget('[{"k":"b","v":1},{"k":"a","v":3},{"k":"c","v":0}]'),
      old,
    );
    expect(result.errors.map(({ field, detail }) => `${field} ${detail}`)).to.deep.equal([
      'spec[0] shrinks',
    ]);
  });

  it('forgive what is unchanged when they do not look at the old value', () => {
    const validator = validatorOf(
      '{"type":"object","properties":{"a":{"type":"string","x-kubernetes-validations":[{"rule":"self != \'x\'"}]},"b":{"type":"integer"}}}',
    );
    const old = widget('{"a":"x","b":1}');
    expect(validator.validateUpdate(widget('{"a":"x","b":2}'), old).valid).to.equal(true);
    expect(validator.validateCreate(widget('{"a":"x","b":2}')).valid).to.equal(false);
  });

  it('see an optional old value when they ask for one', () => {
    const validator = validatorOf(
      '{"type":"string","x-kubernetes-validations":[{"rule":"oldSelf.hasValue() || self == \'init\'","optionalOldSelf":true,"message":"must start as init"}]}',
    );
    expect(details(validator.validateCreate(widget('"x"')))).to.deep.equal(['must start as init']);
    expect(validator.validateUpdate(widget('"x"'), widget('"init"')).valid).to.equal(true);
  });
});

describe('what rules of one place share', () => {
  const rule = "(self + ['c']).exists(x, x == 'c')";

  it('is one set, which remembers what was added to it', () => {
    const twice = validatorOf(
      `${set.slice(0, -1)},"x-kubernetes-validations":[{"rule":"${rule}"},{"rule":"${rule}","message":"again"}]}`,
    );
    expect(details(twice.validateCreate(widget('["a"]')))).to.deep.equal(['again']);
  });
});

describe('an optional old value', () => {
  const optional = (rule: string): ReturnType<typeof compileValidator> =>
    validatorOf(
      `${fields.slice(0, -1)},"x-kubernetes-validations":[{"rule":"${rule}","optionalOldSelf":true,"message":"no"}]}`,
    );
  const rows: readonly (readonly [title: string, rule: string, holds: boolean])[] = [
    ['has the names of the JSON', 'oldSelf.?a__dash__b.hasValue()', false],
    ['has its nulls', 'oldSelf.optMap(o, has(o.n)).orValue(false)', true],
    [
      'differs from a value whose nulls are absent',
      'oldSelf.optMap(o, o == self).orValue(true)',
      false,
    ],
    ['gives its fields', "oldSelf.a.orValue('') == 'x'", true],
  ];
  for (const [title, rule, holds] of rows) {
    it(title, () => {
      const object = widget('{"a":"x","a-b":1,"n":null}');
      expect(optional(rule).validateUpdate(object, object).valid).to.equal(holds);
    });
  }

  it('is there when it cannot be read, and an error once it is', () => {
    const bytes = (rule: string): ReturnType<typeof compileValidator> =>
      validatorOf(
        `{"type":"string","format":"byte","x-kubernetes-validations":[{"rule":"${rule}","optionalOldSelf":true}]}`,
      );
    const old = widget('"+/+/"');
    const next = widget('"YWJj"');
    expect(bytes('oldSelf.hasValue()').validateUpdate(next, old).valid).to.equal(true);
    expect(details(bytes('oldSelf.value() == self').validateUpdate(next, old))).to.deep.equal([
      'unsupported conversion to ref.Val: (*errors.errorString)Invalid byte formatted string +/+/: illegal base64 data at input byte 0 evaluating rule: oldSelf.value() == self',
    ]);
  });
});

describe('rules that cannot be judged', () => {
  it('end after a bounded number of steps and are named, never passed', () => {
    const rule = 'self.all(a, self.all(b, self.all(c, self.all(d, a == b || c == d || true))))';
    const validator = validatorOf(
      `{"type":"array","items":{"type":"integer"},"x-kubernetes-validations":[{"rule":"${rule}"}]}`,
    );
    const many = JSON.stringify(Array.from({ length: 200 }, (_, index) => index));
    const result = validator.validateCreate(widget(many));
    expect(result.valid).to.equal(null);
    expect(result.notEvaluated).to.deep.equal([
      { field: 'spec', reason: 'the rules need more steps than are allowed' },
    ]);
  });

  it('are blocked by an object whose types are wrong, which is said', () => {
    const validator = validatorOf(
      '{"type":"object","required":["a"],"properties":{"a":{"type":"string"}},"x-kubernetes-validations":[{"rule":"self.a != \'\'"}]}',
    );
    expect(details(validator.validateCreate(widget('{}')))).to.deep.equal([
      '',
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });
});

describe('sets of what Go cannot hash', () => {
  const listSet =
    '{"type":"array","x-kubernetes-list-type":"set","items":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"string"}}}';
  const panic = 'internal error: runtime error: hash of unhashable type []interface {}';
  const rows: [rule: string, value: string, expected: string | undefined][] = [
    ['self == self', '[["a"]]', `${panic} evaluating rule: self == self`],
    ['self == self || true', '[["a"]]', `${panic} evaluating rule: self == self || true`],
    ['(self + self).size() > 0', '[["a"]]', `${panic} evaluating rule: (self + self).size() > 0`],
    ['true || self == self', '[["a"]]', undefined],
    ['self == self', '[]', undefined],
  ];
  for (const [rule, value, expected] of rows) {
    it(`${rule} on ${value}: ${expected === undefined ? 'holds' : 'refuses the object'}`, () => {
      expect(judged(listSet, rule, value)).to.equal(expected);
    });
  }
});
