import { expect } from 'chai';
import { parseJson, type JsonObject } from '../../text/documents/index.js';
import { compileValidator } from './validator.js';

/** Kubernetes reads JSON of at most 10,000 levels; the object around the value has a few. */
const levels = 9_990;
const lists = (inner: string): string => '['.repeat(levels) + inner + ']'.repeat(levels);
const maps = (inner: string): string => '{"a":'.repeat(levels) + inner + '}'.repeat(levels);

function definition(spec: string): JsonObject {
  return parseJson(`{
    "spec": {
      "group": "example.com", "scope": "Namespaced", "names": {"kind": "Widget", "plural": "widgets"},
      "versions": [{"name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": ${spec}}}}}]
    }
  }`) as JsonObject;
}

const widget = (spec: string, metadata = ''): JsonObject =>
  parseJson(
    `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","namespace":"n","resourceVersion":"1"${metadata}},"spec":${spec}}`,
  ) as JsonObject;

const open = '{"x-kubernetes-preserve-unknown-fields":true}';
const inOpen = (more: string): string =>
  `{"type":"object","properties":{"x":{"x-kubernetes-preserve-unknown-fields":true,${more}}}}`;

interface Row {
  readonly name: string;
  readonly schema: string;
  readonly spec: string;
  /** Types and fields of the refusals of a create. */
  readonly refused?: readonly string[];
}

const rows: readonly Row[] = [
  { name: 'an unknown field', schema: '{"type":"object"}', spec: `{"x":${maps('1')}}` },
  { name: 'what is preserved', schema: open, spec: maps('null') },
  { name: 'lists that are preserved', schema: open, spec: lists('{"a":1}') },
  {
    name: 'lists where text belongs',
    schema: '{"type":"object","properties":{"x":{"type":"string"}}}',
    spec: `{"x":${lists('{"a":1}')}}`,
    refused: ['FieldValueTypeInvalid spec.x'],
  },
  {
    name: 'maps where text belongs',
    schema: '{"type":"object","properties":{"x":{"type":"string"}}}',
    spec: `{"x":${maps('1')}}`,
    refused: ['FieldValueTypeInvalid spec.x'],
  },
  {
    name: 'values of a map without a schema',
    schema: '{"type":"object","additionalProperties":true}',
    spec: `{"x":${lists('{"a":1}')}}`,
  },
  {
    name: 'a set of maps',
    schema: `{"type":"array","x-kubernetes-list-type":"set","items":${open}}`,
    spec: `[${maps('1')},${maps('2')},${maps('1')}]`,
    refused: ['FieldValueDuplicate spec[2]'],
  },
  {
    name: 'the keys of a map list',
    schema:
      '{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","l"],"items":{"type":"object","properties":{"k":{"x-kubernetes-preserve-unknown-fields":true},"l":{"x-kubernetes-preserve-unknown-fields":true}}}}',
    spec: `[{"k":${lists('1')}},{"k":${lists('1')}}]`,
    refused: ['FieldValueDuplicate spec[1]'],
  },
  {
    name: 'what must not repeat',
    schema: inOpen('"uniqueItems":true'),
    spec: `{"x":[${maps('1')},${maps('1')}]}`,
    refused: ['FieldValueInvalid spec.x'],
  },
  {
    name: 'a value beside an enum',
    schema: inOpen(`"enum":[${lists('2')}]`),
    spec: `{"x":${lists('1')}}`,
    refused: ['FieldValueNotSupported spec.x'],
  },
  {
    name: 'a value of an enum',
    schema: inOpen(`"enum":[${lists('1')}]`),
    spec: `{"x":${lists('1')}}`,
  },
  {
    name: 'a default',
    schema: inOpen(`"default":${maps('1')}`),
    spec: '{}',
  },
  {
    name: 'a default that is pruned',
    schema: `{"type":"object","properties":{"x":{"type":"object","default":{"a":${lists('{"a":1}')}},"additionalProperties":true}}}`,
    spec: '{}',
  },
  {
    name: 'a resource in it',
    schema:
      '{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}',
    spec: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":${maps('"b"')}},"data":${maps('"b"')}}`,
    refused: ['BadRequest '],
  },
  {
    name: 'a size that is not enough',
    schema: inOpen('"minItems":2,"minProperties":2'),
    spec: `{"x":${lists('1')}}`,
    refused: ['FieldValueInvalid spec.x'],
  },
];

describe('objects of ten thousand levels', () => {
  for (const { name, schema, spec, refused = [] } of rows) {
    it(`are judged as others are: ${name}`, () => {
      const validator = compileValidator(definition(schema), 'v1');
      const created = validator.validateCreate(widget(spec));
      expect(created.errors.map(({ type, field }) => `${type} ${field}`)).to.deep.equal(refused);
      expect(created.valid).to.equal(refused.length === 0);
      // Two readings, so that nothing is equal by being the same.
      const updated = validator.validateUpdate(widget(spec), widget(spec));
      if (refused.length === 0) expect(updated.errors).to.deep.equal([]);
    });
  }

  it('are judged with metadata that nests as deep', () => {
    const validator = compileValidator(definition(open), 'v1');
    const managed = `,"managedFields":[{"manager":"m","operation":"Update","apiVersion":"example.com/v1","fieldsType":"FieldsV1","fieldsV1":${maps('{}')}}]`;
    expect(validator.validateCreate(widget('{}', managed)).valid).to.equal(true);
    const unknown = validator.validateCreate(widget('{}', `,"unknown":${maps('1')}`));
    expect(unknown.valid).to.equal(true);
    const { errors } = validator.validateCreate(widget('{}', `,"labels":{"a":${lists('1')}}`));
    expect(errors.map(({ type }) => type)).to.deep.equal(['BadRequest']);
  });
});
