/** Changes that break objects, and whether such an object can still be updated once it is stored. */
import type { JsonObject } from '../../src/text/documents/index.js';
import { json } from '../../src/upgrade/rules/crd/testing/definition.js';

export interface StoredWriteRow {
  readonly when: string;
  /** Whole schemas. */
  readonly old: JsonObject;
  readonly next: JsonObject;
  readonly stored: 'updatable' | 'stuck';
  /** It is updatable without ratcheting too, so that no minor is named. */
  readonly isAlways?: true;
  /** Beside the schemas: the scale subresource of both definitions. */
  readonly scale?: JsonObject;
}

const root = (spec: string, more = '{}'): JsonObject => ({
  type: 'object',
  properties: { spec: json(spec) },
  ...json(more),
});

/** The same field of `spec` before and after. */
function field(
  when: string,
  before: string,
  after: string,
  stored: 'updatable' | 'stuck' = 'updatable',
  more: Partial<StoredWriteRow> = {},
): StoredWriteRow {
  const spec = (schema: string): string => `{"type":"object","properties":{"a":${schema}}}`;
  return { when, old: root(spec(before)), next: root(spec(after)), stored, ...more };
}

const fields = '{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}';

/** What is new at the root of the object, which no update leaves as it is. */
function whole(when: string, more: string): StoredWriteRow {
  return { when, old: root(fields), next: root(fields, more), stored: 'stuck' };
}

const rule = (text: string, more = ''): string =>
  `{"type":"integer","x-kubernetes-validations":[{"rule":"${text}"${more}}]}`;

export const storedWriteRows: readonly StoredWriteRow[] = [
  field('a maximum is new', '{"type":"integer"}', '{"type":"integer","maximum":3}'),
  field('a text is shorter', '{"type":"string"}', '{"type":"string","maxLength":2}'),
  field('a pattern is new', '{"type":"string"}', '{"type":"string","pattern":"^[a-z]+$"}'),
  field(
    'a value is no longer listed',
    '{"type":"string","enum":["x","y"]}',
    '{"type":"string","enum":["x"]}',
  ),
  field('the type is another one', '{"type":"integer"}', '{"type":"string"}'),
  field(
    'a list is shorter',
    '{"type":"array","items":{"type":"string"}}',
    '{"type":"array","maxItems":1,"items":{"type":"string"}}',
  ),
  field(
    'items of an atomic list are bounded',
    '{"type":"array","items":{"type":"integer"}}',
    '{"type":"array","items":{"type":"integer","maximum":3}}',
  ),
  field(
    'values of a map are bounded',
    '{"type":"object","additionalProperties":{"type":"integer"}}',
    '{"type":"object","additionalProperties":{"type":"integer","maximum":3}}',
  ),
  field(
    'a field is required deep inside',
    '{"type":"object","properties":{"x":{"type":"string"}}}',
    '{"type":"object","required":["x"],"properties":{"x":{"type":"string"}}}',
  ),
  field('a rule of a field is new', '{"type":"integer"}', rule('self < 3')),
  field(
    'a rule of the items of an atomic list is new',
    '{"type":"array","maxItems":5,"items":{"type":"integer"}}',
    `{"type":"array","maxItems":5,"items":${rule('self < 3')}}`,
  ),
  field(
    'alternatives are new',
    '{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"}}}',
    '{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"}},"oneOf":[{"required":["x"]},{"required":["y"]}]}',
  ),
  field(
    'a list becomes a set',
    '{"type":"array","items":{"type":"string"}}',
    '{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}',
    'updatable',
    { isAlways: true },
  ),
  field(
    'a list becomes a map by name',
    '{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}}',
    '{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}}',
    'updatable',
    { isAlways: true },
  ),
  field('a field cannot be changed', '{"type":"integer"}', rule('self == oldSelf'), 'updatable', {
    isAlways: true,
  }),
  field(
    'a rule that asks for the old value, where there is one',
    '{"type":"integer"}',
    rule('oldSelf.orValue(0) < 100 && self < 3', ',"optionalOldSelf":true'),
    'stuck',
  ),
  {
    when: 'spec must have a field',
    old: root('{"type":"object","properties":{"a":{"type":"integer"}}}'),
    next: root('{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}'),
    stored: 'updatable',
  },
  {
    when: 'a rule of spec is new',
    old: root(fields),
    next: root(
      '{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"x-kubernetes-validations":[{"rule":"!has(self.a) || has(self.b)"}]}',
    ),
    stored: 'updatable',
  },
  field('a number has to be a multiple', '{"type":"integer"}', '{"type":"integer","multipleOf":7}'),
  field('a text has to be a time', '{"type":"string"}', '{"type":"string","format":"date-time"}'),
  field(
    'a number or text becomes a number',
    '{"x-kubernetes-int-or-string":true}',
    '{"type":"integer"}',
  ),
  field(
    'a map has fewer keys',
    '{"type":"object","additionalProperties":{"type":"string"}}',
    '{"type":"object","maxProperties":1,"additionalProperties":{"type":"string"}}',
  ),
  field(
    'a map needs a key',
    '{"type":"object","additionalProperties":{"type":"string"}}',
    '{"type":"object","minProperties":1,"additionalProperties":{"type":"string"}}',
  ),
  field(
    'items of a list by name are bounded',
    '{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"x":{"type":"integer"}}}}',
    '{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"x":{"type":"integer","maximum":3}}}}',
  ),
  field(
    'items of a list by name need a field',
    '{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"x":{"type":"integer"}}}}',
    '{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name","x"],"properties":{"name":{"type":"string"},"x":{"type":"integer"}}}}',
  ),
  field(
    'items of a set have a pattern',
    '{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}',
    '{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string","pattern":"^[a-z]+$"}}',
  ),
  field(
    'what a field must not be is new',
    '{"type":"object","properties":{"x":{"type":"string"}}}',
    '{"type":"object","properties":{"x":{"type":"string"}},"not":{"required":["x"]}}',
  ),
  field(
    'a rule of the values of a map is new',
    '{"type":"object","maxProperties":5,"additionalProperties":{"type":"integer"}}',
    `{"type":"object","maxProperties":5,"additionalProperties":${rule('self < 3')}}`,
  ),
  whole('spec is required', '{"required":["spec"]}'),
  whole('a rule of the object is new', '{"x-kubernetes-validations":[{"rule":"has(self.spec)"}]}'),
  whole(
    'a rule of the object looks into spec',
    '{"x-kubernetes-validations":[{"rule":"!has(self.spec) || !has(self.spec.a) || self.spec.a < 3"}]}',
  ),
  whole(
    'a rule of the object asks for its name',
    '{"x-kubernetes-validations":[{"rule":"self.metadata.name == \'only\'"}]}',
  ),
  whole(
    'alternatives of the object are new',
    '{"anyOf":[{"properties":{"spec":{"required":["a"]}}},{"properties":{"spec":{"required":["b"]}}}]}',
  ),
  whole('what the object must not be is new', '{"not":{"required":["spec"]}}'),
  whole(
    'a bound of a field stands in allOf of the object',
    '{"allOf":[{"properties":{"spec":{"properties":{"a":{"maximum":3}}}}}]}',
  ),
  whole(
    'bounds of two fields stand in anyOf of the object',
    '{"anyOf":[{"properties":{"spec":{"properties":{"a":{"maximum":3}}}}},{"properties":{"spec":{"properties":{"b":{"maximum":3}}}}}]}',
  ),
  {
    when: 'a field of the object becomes required beside spec',
    old: { type: 'object', properties: { spec: json(fields), data: json('{"type":"string"}') } },
    next: {
      type: 'object',
      required: ['data'],
      properties: { spec: json(fields), data: json('{"type":"string"}') },
    },
    stored: 'stuck',
  },
  field(
    'an embedded resource is new',
    '{"type":"object","x-kubernetes-preserve-unknown-fields":true}',
    '{"type":"object","x-kubernetes-preserve-unknown-fields":true,"x-kubernetes-embedded-resource":true}',
    'stuck',
  ),
];
