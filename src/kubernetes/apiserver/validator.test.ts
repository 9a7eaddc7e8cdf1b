import { expect } from 'chai';
import { parseJson, type JsonObject } from '../../text/documents/index.js';
import { compileValidator } from './validator.js';
import { sortErrors } from './field-error.js';

/** A definition whose spec has the given schema. */
function definition(spec: string, version = ''): JsonObject {
  return parseJson(`{
    "spec": {
      "group": "example.com", "scope": "Namespaced", "names": {"kind": "Widget", "plural": "widgets"},
      "versions": [{"name": "v1", "served": true, "storage": true${version},
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": ${spec}}}}}]
    }
  }`) as JsonObject;
}

function widget(spec: string, meta = ''): JsonObject {
  return parseJson(
    `{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a", "namespace": "n"${meta}}, "spec": ${spec}}`,
  ) as JsonObject;
}

function refusals(schema: string, value: string): string[] {
  const { errors } = compileValidator(definition(schema), 'v1').validateCreate(widget(value));
  return sortErrors(errors).map(({ type, field, detail }) => `${type} ${field} ${detail}`.trim());
}

it('what is too short or too few is named since 1.38', () => {
  const schema = `{"type": "object", "minProperties": 1, "properties": {
    "text": {"type": "string", "minLength": 2}, "list": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "map": {"type": "object", "minProperties": 2, "x-kubernetes-preserve-unknown-fields": true}}}`;
  const object = widget('{"text": "a", "list": [], "map": {}}');
  const [before, since] = (['1.36', '1.38'] as const).map((release) => {
    const { errors } = compileValidator(definition(schema), 'v1', release).validateCreate(object);
    return sortErrors(errors).map(({ type, field, detail }) => `${type} ${field}: ${detail}`);
  });
  expect(before).to.deep.equal([
    'FieldValueInvalid spec.list: spec.list in body should have at least 1 items',
    'FieldValueInvalid spec.map: spec.map in body should have at least 2 properties',
    'FieldValueInvalid spec.text: spec.text in body should be at least 2 chars long',
  ]);
  expect(since).to.deep.equal([
    'FieldValueTooFew spec.list: must have at least 1 item',
    'FieldValueTooFew spec.map: must have at least 2 items',
    'FieldValueTooShort spec.text: must be at least 2 characters',
  ]);
});

describe('what the API server says to a create', () => {
  const rows: readonly (readonly [
    rule: string,
    schema: string,
    value: string,
    expected: string[],
  ])[] = [
    ['an integer meets a bound cut to an integer', '{"type":"number","minimum":0.5}', '0', []],
    [
      'a float meets the bound itself',
      '{"type":"number","minimum":0.5}',
      '0.0',
      ['FieldValueInvalid spec spec in body should be greater than or equal to 0.5'],
    ],
    [
      'a bound past 64 bits refuses every integer',
      '{"type":"integer","maximum":9223372036854775808}',
      '1',
      ['FieldValueInvalid spec spec in body should be less than or equal to -9223372036854775808'],
    ],
    [
      'a factor below one cuts to zero for integers',
      '{"type":"number","multipleOf":0.5}',
      '1',
      ['FieldValueInvalid spec factor MultipleOf declared for spec must be positive: 0'],
    ],
    ['1.0 is an integer', '{"type":"integer"}', '1.0', []],
    [
      '2^63 is not',
      '{"type":"integer"}',
      '9223372036854775808',
      ['FieldValueTypeInvalid spec spec in body must be of type integer: "number"'],
    ],
    ['1 is in an enum of 1.0', '{"type":"number","enum":[1.0]}', '1', []],
    [
      '1 and 1.0 differ in a set',
      '{"type":"array","x-kubernetes-list-type":"set","items":{"type":"number"}}',
      '[1, 1.0, 1]',
      ['FieldValueDuplicate spec[2]'],
    ],
    ['formats of numbers are ignored', '{"type":"integer","format":"int32"}', '4294967296', []],
    [
      'a format lets any list through',
      '{"type":"string","format":"date","maxLength":1}',
      '[1,2]',
      [],
    ],
    ['dashes in a format are ignored', '{"type":"string","format":"i-p-v-4"}', '"010.0.0.1"', []],
    [
      'byte refuses the empty text',
      '{"type":"string","format":"byte"}',
      '""',
      ['FieldValueTypeInvalid spec spec in body must be of type byte: ""'],
    ],
    [
      'an enum refuses null even when it lists it',
      '{"type":"object","properties":{"a":{"type":"string","nullable":true,"enum":["x",null]}}}',
      '{"a":null}',
      ['FieldValueNotSupported spec.a supported values: "x", "null"'],
    ],
    [
      'nulls are dropped before required is checked',
      '{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}',
      '{"a":null}',
      ['FieldValueRequired spec.a'],
    ],
    [
      'nulls in lists stay and fail',
      '{"type":"array","items":{"type":"string"}}',
      '[null]',
      ['FieldValueTypeInvalid spec[0] spec[0] in body must be of type string: "null"'],
    ],
    [
      'a default fills what is required',
      '{"type":"object","required":["a"],"properties":{"a":{"type":"string","default":"x"}}}',
      '{"a":null}',
      [],
    ],
    [
      'pruned fields do not count',
      '{"type":"object","minProperties":1}',
      '{"a":1}',
      ['FieldValueInvalid spec spec in body should have at least 1 properties'],
    ],
    [
      'maxLength counts runes and says bytes',
      '{"type":"string","maxLength":1}',
      '"\u{1f600}a"',
      ['FieldValueTooLong spec may not be more than 1 byte'],
    ],
    [
      'logic names the whole object',
      '{"type":"integer","oneOf":[{"minimum":1},{"minimum":2}]}',
      '5',
      [
        'FieldValueInvalid <nil> "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ],
    ],
    [
      'anyOf reports the branch that got furthest',
      '{"type":"object","properties":{"a":{"type":"integer"}},"anyOf":[{"required":["b"]},{"properties":{"a":{"minimum":5}}}]}',
      '{"a":1}',
      [
        'FieldValueInvalid <nil> "spec" must validate at least one schema (anyOf)',
        'FieldValueInvalid spec.a spec.a in body should be greater than or equal to 5',
      ],
    ],
    [
      'patterns are RE2',
      '{"type":"string","pattern":"(?i)^a\\\\z"}',
      '"A\\n"',
      ["FieldValueInvalid spec spec in body should match '(?i)^a\\z'"],
    ],
    [
      'patterns may use a group name twice',
      '{"type":"string","pattern":"^(?P<n>a)(?P<n>b)$"}',
      '"ab"',
      [],
    ],
    [
      'an embedded resource needs its type',
      '{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}',
      '{"kind":"a_b","metadata":{"name":"a/b"}}',
      [
        'FieldValueRequired spec.apiVersion',
        "FieldValueInvalid spec.kind may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        "FieldValueInvalid spec.metadata.name may not contain '/'",
      ],
    ],
  ];
  for (const [rule, schema, value, expected] of rows) {
    it(rule, () => {
      expect(refusals(schema, value)).to.deep.equal(expected);
    });
  }

  it('refuses what it cannot decode before it judges anything', () => {
    const validator = compileValidator(definition('{"type":"integer"}'), 'v1');
    const result = validator.validateCreate(widget('"x"', ', "generation": "1"'));
    expect(result.errors).to.deep.equal([
      {
        type: 'BadRequest',
        field: '',
        detail:
          'json: cannot unmarshal string into Go struct field ObjectMeta.generation of type int64',
      },
    ]);
  });

  it('checks the paths of the scale subresource', () => {
    const scale =
      ', "subresources": {"scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}}';
    const schema = '{"type":"object","properties":{"n":{"type":"number"}}}';
    const validator = compileValidator(definition(schema, scale), 'v1');
    expect(validator.validateCreate(widget('{"n": 1}')).valid).to.equal(true);
    expect(validator.validateCreate(widget('{"n": 1.0}')).errors).to.deep.equal([
      {
        type: 'FieldValueInvalid',
        field: '.spec.n',
        detail: '.spec.n accessor error: 1 is of the type float64, expected int64',
      },
    ]);
  });
});

describe('what the API server says to an update', () => {
  const schema = '{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}';
  const validator = compileValidator(definition(schema), 'v1');
  const stored = widget('{"a": "x", "b": 1}', ', "resourceVersion": "1"');

  it('reads an object without the defaults of a version that is not the stored one', () => {
    const spec = `{"type": "object", "properties": {"a": {"type": "integer", "default": 9}},
      "x-kubernetes-validations": [{"rule": "self.a <= 5"}]}`;
    const isUpdatable = (crd: JsonObject): boolean | null =>
      compileValidator(crd, 'v1').validateUpdate(
        widget('{}', ', "labels": {"x": "y"}, "resourceVersion": "1", "uid": "u"'),
        widget('{}', ', "resourceVersion": "1", "uid": "u"'),
      ).valid;
    const stored = definition(spec);
    const other = parseJson(JSON.stringify(stored).replace('"storage":true', '"storage":false'));
    expect([stored, other as JsonObject].map(isUpdatable)).to.deep.equal([true, false]);
  });

  it('tolerates an invalid value that is unchanged', () => {
    const changed = widget('{"a": "x", "b": 2}', ', "resourceVersion": "1"');
    expect(validator.validateCreate(changed).valid).to.equal(false);
    expect(validator.validateUpdate(changed, stored).valid).to.equal(true);
  });

  it('refuses what is made worse, and a write without a resource version', () => {
    const changed = widget('{"a": "y", "b": 1}');
    const fields = validator.validateUpdate(changed, stored).errors.map(({ field }) => field);
    expect(fields).to.have.members(['metadata.resourceVersion', 'spec.a']);
  });
});

describe('an object as it would be stored', () => {
  it('is pruned and defaulted, and the given one is left alone', () => {
    const schema =
      '{"type":"object","properties":{"a":{"type":"object","default":{},"properties":{"b":{"type":"integer","default":3}}},"k":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}';
    const object = widget('{"x": 1, "k": {"y": 2}}');
    const before = JSON.stringify(object);
    const stored = compileValidator(definition(schema), 'v1').pruneAndDefault(object);
    expect(stored['spec']).to.deep.equal({ k: { y: 2 }, a: { b: 3 } });
    expect(JSON.stringify(object)).to.equal(before);
  });

  it('keeps names that JavaScript treats specially', () => {
    const schema = '{"type":"object","additionalProperties":{"type":"string"}}';
    const object = widget('{"__proto__": "p", "constructor": "c"}');
    const stored = compileValidator(definition(schema), 'v1').pruneAndDefault(object);
    expect(Object.keys(stored['spec'] as JsonObject)).to.deep.equal(['__proto__', 'constructor']);
  });
});

describe('type and managers of an object', () => {
  const refusalsOf = (object: string): string[] => {
    const { errors } = compileValidator(definition('{"type":"object"}'), 'v1').validateCreate(
      parseJson(object),
    );
    return sortErrors(errors).map(({ type, field, detail }) => `${type} ${field} ${detail}`.trim());
  };

  it('a version that cannot be parsed hides the kind', () => {
    const object = (apiVersion: string): string =>
      `{"apiVersion":"${apiVersion}","kind":"Widget","metadata":{"name":"a","namespace":"n"}}`;
    const version = 'FieldValueInvalid apiVersion must be example.com/v1';
    expect(refusalsOf(object('example.com/v2'))).to.deep.equal([version]);
    expect(refusalsOf(object('example.com/v1/x'))).to.deep.equal([
      version,
      'FieldValueInvalid kind must be Widget',
    ]);
  });

  it('a manager is printable, by the byte where it is not', () => {
    const entries =
      '[{"manager":"é\\u0009","operation":"Apply"},{"manager":"é 日","operation":"Update"}]';
    expect(
      refusalsOf(
        `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","namespace":"n","managedFields":${entries}}}`,
      ),
    ).to.deep.equal([
      'FieldValueInvalid metadata.managedFields[0].manager invalid character U+0009 (at position 2)',
    ]);
  });
});
