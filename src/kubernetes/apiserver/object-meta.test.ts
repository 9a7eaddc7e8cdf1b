/** Metadata as metav1.ObjectMeta decodes it, errors as Go words them. */
import { expect } from 'chai';
import { parseJson, stringifyJson } from '../../text/documents/index.js';
import { BadRequest } from './field-error.js';
import { decodeObjectMeta } from './object-meta.js';

/** What becomes of metadata: its text, or Go's error. */
function decoded(text: string): string {
  try {
    return stringifyJson(decodeObjectMeta(parseJson(text)));
  } catch (error) {
    if (error instanceof BadRequest) return error.message;
    throw error;
  }
}

const number = (literal: string, field: string): string =>
  `json: cannot unmarshal number ${literal} into Go struct field ObjectMeta.${field} of type int64`;
const kind = (found: string, field: string, type: string): string =>
  `json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`;

describe('metadata of an object', () => {
  const rows: [name: string, metadata: string, expected: string][] = [
    ['an integer with a fraction of zero is an integer', '{"generation":1.0}', '{"generation":1}'],
    ['and so is one with an exponent', '{"generation":1e2}', '{"generation":100}'],
    ['a fraction is none', '{"generation":1.50}', number('1.5', 'generation')],
    [
      'nor is what 64 bits do not hold',
      '{"deletionGracePeriodSeconds":99999999999999999999}',
      number('100000000000000000000', 'deletionGracePeriodSeconds'),
    ],
    ['a uid has a type of its own', '{"uid":5}', kind('number', 'ObjectMeta.uid', 'types.UID')],
    [
      'also in an owner',
      '{"ownerReferences":[{"uid":{}}]}',
      kind('object', 'OwnerReference.ownerReferences.uid', 'types.UID'),
    ],
    [
      'so has an operation',
      '{"managedFields":[{"operation":1}]}',
      kind('number', 'ManagedFieldsEntry.managedFields.operation', 'v1.ManagedFieldsOperationType'),
    ],
    [
      'of two errors the one of the first key in order of bytes',
      '{"name":5,"annotations":[]}',
      kind('array', 'ObjectMeta.annotations', 'map[string]string'),
    ],
    [
      'of two values of a map likewise',
      '{"labels":{"b":1,"a":{}}}',
      kind('object', 'ObjectMeta.labels', 'string'),
    ],
    [
      'a time that cannot be read before all of them',
      '{"annotations":[],"creationTimestamp":"x"}',
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      'a time of another type too',
      '{"annotations":[],"deletionTimestamp":5}',
      kind('number', 'ObjectMeta.deletionTimestamp', 'string'),
    ],
  ];
  for (const [name, metadata, expected] of rows) {
    it(name, () => expect(decoded(metadata)).to.equal(expected));
  }

  const times: [text: string, expected: string][] = [
    ['2024-13-01T00:00:00Z', 'month out of range'],
    ['2024-00-01T00:00:00Z', 'month out of range'],
    ['2024-02-30T00:00:00Z', 'day out of range'],
    ['2024-01-01T24:00:00Z', 'hour out of range'],
    ['2024-01-01T00:60:00Z', 'minute out of range'],
    ['2024-01-01T00:00:60Z', 'second out of range'],
    ['2024-01-01T00:00:00+25:00', 'time zone offset hour out of range'],
    ['2024-01-01T00:00:00+24:61', 'time zone offset minute out of range'],
    ['2024-13-01T24:00:00Zx', 'month out of range'],
    ['2024-01-01T00:00:00Zx', 'extra text: "x"'],
  ];
  for (const [time, expected] of times) {
    it(`${time}: ${expected}`, () => {
      const metadata = JSON.stringify({ creationTimestamp: time });
      expect(decoded(metadata)).to.equal(`parsing time "${time}": ${expected}`);
    });
  }

  const taken: [text: string, as: string][] = [
    ['2024-01-01T1:02:03Z', '2024-01-01T01:02:03Z'],
    ['2024-01-02T00:00:00+24:60', '2023-12-31T23:00:00Z'],
    ['2024-01-01T00:00:00,5Z', '2024-01-01T00:00:00Z'],
  ];
  for (const [time, as] of taken) {
    it(`${time} is read as ${as}`, () => {
      const metadata = JSON.stringify({ creationTimestamp: time });
      expect(decoded(metadata)).to.equal(`{"creationTimestamp":"${as}"}`);
    });
  }
});
