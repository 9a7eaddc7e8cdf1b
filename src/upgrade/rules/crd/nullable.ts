import { from } from '../../../rule/index.js';
import { own } from '../../../text/documents/index.js';
import { readFlag } from '../../crd/typed-values.js';
import { definePropertyRule } from './rule.js';

export const nullableRule = definePropertyRule({
  id: 'nullable',
  keyword: 'nullable',
  checks: 'A field begins or ceases to accept null.',
  why: 'Clients meet a null they do not expect, or stored objects with null are refused.',
  instead: 'Leave nullable as it is.',
  source: from.crdify('pkg/validations/property/nullable.go'),
  example: {
    before: 'properties: { size: { type: array, items: { type: string, nullable: true } } }',
    after: 'properties: { size: { type: array, items: { type: string } } }',
    says: 'nullable removed : true -> false',
  },
  compare(old, next, _sides, { nullable = {} } = {}) {
    const before = readFlag(own(old, 'nullable')) ?? false;
    const after = readFlag(own(next, 'nullable')) ?? false;
    if (before === after) return undefined;
    if ((after ? nullable.additionPolicy : nullable.removalPolicy) === 'Allow') return undefined;
    const text = `nullable ${after ? 'added' : 'removed'} : ${before} -> ${after}`;
    return { crdify: text };
  },
});
