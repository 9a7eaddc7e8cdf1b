import { expect } from 'chai';
import type { Operation } from 'fast-json-patch';
import { object, withSchema } from '../../rules/crd/testing/definition.js';
import type { JsonObject, JsonValue } from '../../../text/documents/index.js';
import { markersFor } from './markers.js';

const root = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties';
const at = (path: string, value?: JsonValue): Operation =>
  value === undefined
    ? { op: 'remove', path: `${root}/${path}` }
    : { op: 'add', path: `${root}/${path}`, value };

function generated(properties: JsonObject): JsonObject {
  const { metadata, ...definition } = withSchema(object({ spec: object(properties) }));
  const annotations = { 'controller-gen.kubebuilder.io/version': 'v0.19.0' };
  return { ...definition, metadata: { ...(metadata as JsonObject), annotations } };
}

const rule = { message: 'too "small"', rule: "self != '' && self > 1" };
const definition = generated({
  size: { type: 'integer', minimum: 3, 'x-kubernetes-validations': [rule, { rule: 'self < 9' }] },
  minimum: { type: 'string' },
  list: {
    type: 'array',
    items: { type: 'string', maxLength: 3, items: { maxLength: 3 } },
    'x-kubernetes-list-map-keys': ['a', 'b'],
  },
  map: { type: 'object', additionalProperties: { type: 'string', maxLength: 3 } },
  inner: object({ a: { type: 'string' } }, { required: ['a'] }),
});

const rows: readonly (readonly [string, Operation, readonly string[]])[] = [
  ['a bound that is to be another', at('size/minimum', 0), ['+kubebuilder:validation:Minimum=0']],
  ['a bound that is to go', at('size/minimum'), ['remove +kubebuilder:validation:Minimum=3']],
  ['a bound that is new', at('size/maximum', -1.5), ['+kubebuilder:validation:Maximum=-1.5']],
  [
    'values',
    at('minimum/enum', ['On', 'two words', 3, true, 'true', '']),
    ['+kubebuilder:validation:Enum=On;"two words";3;true;"true";""'],
  ],
  ['a pattern', at('minimum/pattern', '^\\d+$'), ['+kubebuilder:validation:Pattern=`^\\d+$`']],
  [
    'a pattern that no raw text holds',
    at('minimum/pattern', '^`\\d$'),
    ['+kubebuilder:validation:Pattern="^`\\\\d$"'],
  ],
  ['a format', at('minimum/format', 'date-time'), ['+kubebuilder:validation:Format=date-time']],
  ['a default', at('inner/default', { a: ['x', 1] }), ['+kubebuilder:default={a: {x,1}}']],
  ['null', at('minimum/nullable', true), ['+nullable']],
  [
    'unknown fields',
    at('map/x-kubernetes-preserve-unknown-fields', true),
    ['+kubebuilder:pruning:PreserveUnknownFields'],
  ],
  ['a kind of list', at('list/x-kubernetes-list-type', 'set'), ['+listType=set']],
  ['keys of a list', at('list/x-kubernetes-list-map-keys', ['b']), ['remove +listMapKey=a']],
  ['items', at('list/items/maxLength', 9), ['+kubebuilder:validation:items:MaxLength=9']],
  [
    'rules',
    at('size/x-kubernetes-validations', [{ rule: 'self < 9' }, { rule: 'self < 10' }]),
    [
      'remove +kubebuilder:validation:XValidation:rule="self != \'\' && self > 1",message=`too "small"`',
      '+kubebuilder:validation:XValidation:rule="self < 10"',
    ],
  ],
  ['a field that may be left out', at('inner/required'), ['+optional']],
  ['a field that is required again', at('inner/required', ['a', 'b']), ['+required']],
  ['items of items, which have no marker', at('list/items/items/maxLength', 9), []],
  ['values of a map, which have no marker', at('map/additionalProperties/maxLength', 9), []],
  ['items that have no such marker', at('list/items/nullable', true), []],
  ['a field of a keyword’s name', at('minimum', { type: 'string' }), []],
  ['keywords without a marker', at('size/allOf', []), []],
  [
    'the scope',
    { op: 'add', path: '/spec/scope', value: 'Cluster' },
    ['+kubebuilder:resource:scope=Cluster'],
  ],
  [
    'a version that is to be served',
    { op: 'add', path: '/spec/versions/0/served', value: true },
    ['remove +kubebuilder:unservedversion'],
  ],
  ['a whole version', { op: 'add', path: '/spec/versions/-', value: {} }, []],
];

describe('markers of a fix', () => {
  for (const [name, operation, expected] of rows) {
    it(name, () => expect(markersFor(definition, [operation])).to.deep.equal(expected));
  }

  it('names none for a definition that controller-gen has not made', () => {
    const byHand = withSchema(object({ spec: object({ size: { type: 'integer' } }) }));
    expect(markersFor(byHand, [at('size/minimum', 0)])).to.deep.equal([]);
  });
});
