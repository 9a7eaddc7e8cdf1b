import { own } from '../../text/documents/index.js';
import { readFlag } from '../../crd/typed-values.js';
import { defineRule } from './rule.js';
import { from } from '../source.js';

export const nullableRule = defineRule({
  name: 'nullable',
  kind: 'property',
  keyword: 'nullable',
  upstream: { crdify: from.crdify('pkg/validations/property/nullable.go') },
  checks: 'A field begins or ceases to accept null.',
  why: 'Clients meet a null they do not expect, or stored objects with null are refused.',
  compare(old, next) {
    const before = readFlag(own(old, 'nullable')) ?? false;
    const after = readFlag(own(next, 'nullable')) ?? false;
    if (before === after) return undefined;
    const text = `nullable ${after ? 'added' : 'removed'} : ${before} -> ${after}`;
    return { crdify: text };
  },
});
