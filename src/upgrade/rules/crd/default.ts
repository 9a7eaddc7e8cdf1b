import { from, sources } from '../../../rule/index.js';
import { own } from '../../../text/documents/index.js';
import { readJson } from '../../crd/typed-values.js';
import { quote } from '../../../text/go/index.js';
import { definePropertyRule } from './rule.js';

export const defaultRule = definePropertyRule({
  id: 'default',
  keyword: 'default',
  checks: 'The default value of a field is added, changed or removed.',
  why: 'Objects that leave the field out mean something else after the upgrade.',
  instead:
    'Leave the default as it is, and let the operator choose the value where the field is absent.',
  source: sources(
    from.operatorController417(
      'internal/operator-controller/rukpak/preflights/crdupgradesafety/checks.go',
      'Default',
    ),
    from.crdify('pkg/validations/property/default.go'),
  ),
  example: {
    before: 'properties: { size: { type: integer, default: 1 } }',
    after: 'properties: { size: { type: integer, default: 3 } }',
    says: 'default value changed : "1" -> "3"',
  },
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
