import { from, sources } from '../../../rule/index.js';
import { own } from '../../../text/documents/index.js';
import { readText } from '../../crd/typed-values.js';
import { quote } from '../../../text/go/index.js';
import { definePropertyRule } from './rule.js';

export const typeRule = definePropertyRule({
  id: 'type',
  keyword: 'type',
  checks: 'The type of a field changes.',
  why: 'Stored objects and clients hold values of the old type.',
  instead:
    'Add a field of the new type beside the old one; where both forms are wanted, x-kubernetes-int-or-string.',
  source: sources(
    from.operatorController417(
      'internal/operator-controller/rukpak/preflights/crdupgradesafety/checks.go',
      'Type',
    ),
    from.crdify('pkg/validations/property/type.go'),
  ),
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: string } }',
    says: 'type changed : "integer" -> "string"',
    accepted: 'properties: { size: { type: integer }, sizeName: { type: string } }',
  },
  compare(old, next) {
    const before = readText(own(old, 'type')) ?? '';
    const after = readText(own(next, 'type')) ?? '';
    if (before === after) return undefined;
    return {
      'olm-v1': `type changed from ${quote(before)} to ${quote(after)}`,
      crdify: `type changed : ${quote(before)} -> ${quote(after)}`,
    };
  },
});
