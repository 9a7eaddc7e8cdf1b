import { from, sources } from '../../../rule/index.js';
import { formatList, quote } from '../../../text/go/index.js';
import { defineDefinitionRule } from './rule.js';

export const noStoredVersionRemoved = defineDefinitionRule({
  id: 'NoStoredVersionRemoved',
  crdify: 'storedVersionRemoval',
  refusedByServer: true,
  groupsWith: 'removed-version',
  checks: 'A version in status.storedVersions of the old definition is missing from the new one.',
  why: 'Objects that are stored in that version can no longer be read.',
  otherwise: 'status.storedVersions[0]: Invalid value: must appear in spec.versions',
  instead:
    'Stop serving the old version first. Remove it one release after every object was written again and status.storedVersions no longer names it: olm-guard migrate run NAME does both.',
  source: sources(
    from.operatorController417(
      'internal/operator-controller/rukpak/preflights/crdupgradesafety/validator.go',
      'NoStoredVersionRemoved',
    ),
    from.crdify('pkg/validations/crd/storedversionremoval/storedversionremoval.go'),
  ),
  example: {
    before: `
      spec: { versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }] }
      status: { storedVersions: [v1alpha1, v1] }`,
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'stored version "v1alpha1" removed',
    accepted:
      'spec: { versions: [{ name: v1alpha1, served: false }, { name: v1, served: true, storage: true }] }',
  },
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
