import { from, sources } from '../../../rule/index.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { readTextList } from '../../crd/typed-values.js';
import { compareBytes, formatList } from '../../../text/go/index.js';
import { definePropertyRule } from './rule.js';

const names = (schema: JsonObject): Set<string> => new Set(readTextList(own(schema, 'required')));

export const requiredRule = definePropertyRule({
  id: 'required',
  keyword: 'required',
  checks: 'A field becomes required.',
  why: 'Stored objects without the field are refused when they are created or restored, and when they are updated at that place; before Kubernetes 1.30, at every update.',
  instead:
    'Give the field a default and leave it optional, or let the operator fill in what is missing.',
  source: sources(
    from.operatorController417(
      'internal/operator-controller/rukpak/preflights/crdupgradesafety/checks.go',
      'Required',
    ),
    from.openShift('CRD upgrade safety'),
    from.crdify('pkg/validations/property/required.go'),
  ),
  example: {
    before: 'properties: { size: { type: integer } }',
    after: '{ properties: { size: { type: integer } }, required: [size] }',
    says: 'new required fields: [size]',
    accepted: 'properties: { size: { type: integer } }',
  },
  compare(old, next) {
    const before = names(old);
    const added = [...names(next)].filter((name) => !before.has(name)).sort(compareBytes);
    if (added.length === 0) return undefined;
    return {
      'olm-v1': `new required fields added: ${formatList(added)}`,
      crdify: `new required fields: ${formatList(added)}`,
    };
  },
});
