import { own, type JsonObject } from '../../text/documents/index.js';
import { readTextList } from '../../crd/typed-values.js';
import { defineRule } from './rule.js';
import { from, sources } from '../source.js';
import { compareBytes, formatList } from '../../text/go/index.js';

const names = (schema: JsonObject): Set<string> => new Set(readTextList(own(schema, 'required')));

export const requiredRule = defineRule({
  name: 'required',
  kind: 'property',
  keyword: 'required',
  upstream: {
    'olm-v1': sources(
      from.operatorController417(
        'internal/operator-controller/rukpak/preflights/crdupgradesafety/checks.go',
        'Required',
      ),
      from.openShift('CRD upgrade safety'),
    ),
    crdify: from.crdify('pkg/validations/property/required.go'),
  },
  checks: 'A field becomes required.',
  why: 'Stored objects without the field are refused at their next update.',
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
