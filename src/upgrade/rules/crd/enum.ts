import { from, sources } from '../../../rule/index.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { readJsonList } from '../../crd/typed-values.js';
import { compareBytes, formatList } from '../../../text/go/index.js';
import { definePropertyRule } from './rule.js';

/** Values as canonical JSON: compared, sorted and printed as such. */
const values = (schema: JsonObject): Set<string> => new Set(readJsonList(own(schema, 'enum')));

/** The configuration with which OLM v1 runs crdify. */
const ofOlm = { additionPolicy: 'Allow' } as const;

export const enumRule = definePropertyRule({
  id: 'enum',
  keyword: 'enum',
  checks: 'A field gets a list of allowed values, or loses values from the list it has.',
  why: 'Stored objects with another value are refused when they are created or restored, and when they are updated at that place; before Kubernetes 1.30, at every update.',
  instead: 'Keep the value and treat it as another one; add values freely.',
  source: sources(
    from.operatorController417(
      'internal/operator-controller/rukpak/preflights/crdupgradesafety/checks.go',
      'Enum',
    ),
    from.crdify('pkg/validations/property/enum.go'),
  ),
  example: {
    before: 'properties: { size: { type: string, enum: [small, large] } }',
    after: 'properties: { size: { type: string, enum: [large] } }',
    says: 'allowed enum values removed : ["small"]',
    accepted: 'properties: { size: { type: string, enum: [small, large, huge] } }',
  },
  compare(old, next, _sides, options) {
    const before = values(old);
    const after = values(next);
    if (before.size === 0) {
      if (after.size === 0) return undefined;
      const added = formatList([...after].sort(compareBytes));
      return {
        'olm-v1': `enum constraints ${added} added when there were no restrictions previously`,
        crdify: `enum constraint added when there was none previously : ${added}`,
      };
    }
    const gone = [...before].filter((value) => !after.has(value)).sort(compareBytes);
    if (gone.length === 0) {
      const added = [...after].filter((value) => !before.has(value)).sort(compareBytes);
      const isAllowed = (options?.enum ?? ofOlm).additionPolicy === 'Allow';
      return added.length > 0 && !isAllowed
        ? { crdify: `allowed enum values added : ${formatList(added)}` }
        : undefined;
    }
    const removed = formatList(gone);
    return {
      'olm-v1': `enums ${removed} removed from the set of previously allowed values`,
      crdify: `allowed enum values removed : ${removed}`,
    };
  },
});
