import { own } from '../../text/documents/index.js';
import { readText } from '../../crd/typed-values.js';
import { defineRule } from './rule.js';
import { from } from '../source.js';
import { quote } from '../../text/go/index.js';

export const patternRule = defineRule({
  name: 'pattern',
  kind: 'property',
  keyword: 'pattern',
  upstream: { crdify: from.crdify('pkg/validations/property/pattern.go') },
  checks: 'The pattern of a field is added, changed or removed.',
  why: 'Stored objects that do not match are refused at their next update.',
  compare(old, next) {
    const before = readText(own(old, 'pattern')) ?? '';
    const after = readText(own(next, 'pattern')) ?? '';
    if (before === after) return undefined;
    const how = before === '' ? 'added' : after === '' ? 'removed' : 'changed';
    const text = `pattern ${how} : ${quote(before)} -> ${quote(after)}`;
    return { crdify: text };
  },
});
