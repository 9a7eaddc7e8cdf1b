/** Where nothing is decided, the operator or keyword that was in the way is named. */
import { expect } from 'chai';
import { object, withSchema } from '../../rules/crd/testing/definition.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { proveDocuments } from '../testing/prove-documents.js';

const text = { type: 'string', maxLength: 9 };
const list = { type: 'array', maxItems: 3, items: text };
const ruled = (schema: JsonObject, ...rules: string[]): JsonObject => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});
const fields = { a: text, n: { type: 'integer', minimum: 0, maximum: 9 }, l: list };
const spec = object(fields, { required: ['a', 'n', 'l'] });
const never: JsonObject = { anyOf: [{ required: ['a'] }, { not: { required: ['a'] } }] };
const excluded = ruled(text, "self.startsWith('a')", "self.startsWith('b')");

const rows: readonly (readonly [obstacle: string, old: JsonObject, next: JsonObject])[] = [
  ['find', spec, ruled(spec, "self.a.find('k?') in ['k', '']")],
  ['%', spec, ruled(spec, 'self.n % 200 < 200')],
  ['map', spec, ruled(spec, 'self.l.map(x, x).size() < 4')],
  ['x-kubernetes-validations', object({ excluded }), object({})],
  ['not', object({ in: object(fields, { not: never }) }), object({ in: object({ n: fields.n }) })],
];

describe('what is in the way of a proof', () => {
  for (const [obstacle, old, next] of rows) {
    it(obstacle, () => {
      const [before, after] = [old, next].map((each) => withSchema(object({ spec: each })));
      const { results } = proveDocuments(before as JsonObject, after as JsonObject);
      const open = results.filter(({ effect }) => effect === 'undecided');
      expect(open.map((each) => each.obstacle)).to.include(obstacle);
      for (const each of open) expect(each.reason).to.include(`in the way is ${each.obstacle}`);
    });
  }
});
