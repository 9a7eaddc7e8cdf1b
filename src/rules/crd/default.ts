import { own } from '../../text/documents/index.js';
import { readJson } from '../../crd/typed-values.js';
import { defineRule } from './rule.js';
import { from } from '../source.js';
import { quote } from '../../text/go/index.js';

export const defaultRule = defineRule({
  name: 'default',
  kind: 'property',
  keyword: 'default',
  upstream: {
    'olm-v1': from.operatorController417(
      'internal/operator-controller/rukpak/preflights/crdupgradesafety/checks.go',
      'Default',
    ),
    crdify: from.crdify('pkg/validations/property/default.go'),
  },
  checks: 'The default value of a field is added, changed or removed.',
  why: 'Objects that leave the field out mean something else after the upgrade.',
  compare(old, next) {
    const before = readJson(own(old, 'default'));
    const after = readJson(own(next, 'default'));
    if (before === after) return undefined;
    if (before === undefined) {
      const added = quote(after ?? '');
      return {
        'olm-v1': `default value ${added} added when there was no default previously`,
        crdify: `default added when there was none previously : ${added}`,
      };
    }
    if (after === undefined) {
      return {
        'olm-v1': `default value ${quote(before)} removed`,
        crdify: `default value removed : ${quote(before)}`,
      };
    }
    return {
      'olm-v1': `default value changed from ${quote(before)} to ${quote(after)}`,
      crdify: `default value changed : ${quote(before)} -> ${quote(after)}`,
    };
  },
});
