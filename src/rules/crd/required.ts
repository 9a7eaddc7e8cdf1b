import { own, type JsonObject } from '../../text/documents/index.js';
import { readTextList } from '../../crd/typed-values.js';
import { defineRule } from './rule.js';
import { compareBytes, formatList } from '../../text/go/index.js';

const names = (schema: JsonObject): Set<string> => new Set(readTextList(own(schema, 'required')));

export const requiredRule = defineRule({
  name: 'required',
  kind: 'property',
  keyword: 'required',
  upstream: {
    'olm-v1': 'operator-controller crdupgradesafety.Required, worded as in OpenShift 4.17',
    crdify: 'crdify pkg/validations/property/required.go',
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
