import { own } from '../../text/documents/index.js';
import { readText } from '../../crd/typed-values.js';
import { defineRule } from './rule.js';
import { from } from '../source.js';
import { quote } from '../../text/go/index.js';

export const typeRule = defineRule({
  name: 'type',
  kind: 'property',
  keyword: 'type',
  upstream: {
    'olm-v1': from.operatorController417(
      'internal/operator-controller/rukpak/preflights/crdupgradesafety/checks.go',
      'Type',
    ),
    crdify: from.crdify('pkg/validations/property/type.go'),
  },
  checks: 'The type of a field changes.',
  why: 'Stored objects and clients hold values of the old type.',
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
