import { defineRule, type DefinitionRule } from './rule.js';
import { from } from '../source.js';
import { formatList, quote } from '../../text/go/index.js';

export const storedVersionsRule = defineRule<DefinitionRule>({
  name: 'storedVersionRemoval',
  kind: 'definition',
  validator: 'NoStoredVersionRemoved',
  upstream: {
    'olm-v1': from.operatorController417(
      'internal/operator-controller/rukpak/preflights/crdupgradesafety/validator.go',
      'NoStoredVersionRemoved',
    ),
    crdify: from.crdify('pkg/validations/crd/storedversionremoval/storedversionremoval.go'),
  },
  checks: 'A version in status.storedVersions of the old definition is missing from the new one.',
  why: 'Objects that are stored in that version can no longer be read.',
  compare({ old, new: next }) {
    const kept = new Set(next.versions.map((version) => version.name));
    const removed = old.storedVersions.filter((version) => !kept.has(version));
    const [first] = removed;
    if (first === undefined) return [];
    return [
      {
        texts: {
          'olm-v1': `stored version ${quote(first)} removed`,
          crdify: `stored versions removed : ${formatList(removed)}`,
        },
        version: first,
        place: { side: 'new', keys: ['spec', 'versions'] },
      },
    ];
  },
});
