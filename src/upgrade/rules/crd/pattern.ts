import { from } from '../../../rule/index.js';
import { own } from '../../../text/documents/index.js';
import { readText } from '../../crd/typed-values.js';
import { quote } from '../../../text/go/index.js';
import { definePropertyRule } from './rule.js';

export const patternRule = definePropertyRule({
  id: 'pattern',
  keyword: 'pattern',
  checks: 'The pattern of a field is added, changed or removed.',
  why: 'Stored objects that do not match are refused when they are created or restored, and when they are updated at that place; before Kubernetes 1.30, at every update.',
  instead: 'Keep the pattern; put a narrower one into a new version.',
  source: from.crdify('pkg/validations/property/pattern.go'),
  example: {
    before: 'properties: { size: { type: string } }',
    after: "properties: { size: { type: string, pattern: '^[a-z]+$' } }",
    says: 'pattern added',
  },
  compare(old, next, _sides, options) {
    const before = readText(own(old, 'pattern')) ?? '';
    const after = readText(own(next, 'pattern')) ?? '';
    if (before === after) return undefined;
    if (after === '' && options?.pattern?.removalPolicy === 'Allow') return undefined;
    const how = before === '' ? 'added' : after === '' ? 'removed' : 'changed';
    const text = `pattern ${how} : ${quote(before)} -> ${quote(after)}`;
    return { crdify: text };
  },
});
