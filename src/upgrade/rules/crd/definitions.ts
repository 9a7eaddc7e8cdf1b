import { from, sources } from '../../../rule/index.js';
import { quote, formatList } from '../../../text/go/index.js';
import { defineDefinitionRule, type DefinitionDifference, olmValidator } from './rule.js';
import { PathBudget } from '../../crd/difference.js';
import { placeOfRemoved } from '../../crd/place.js';

export const noScopeChange = defineDefinitionRule({
  id: 'NoScopeChange',
  crdify: 'scope',
  refusedByServer: true,
  checks: 'The scope changes between Cluster and Namespaced.',
  why: 'Every stored object would be out of reach; the API server refuses the change too.',
  otherwise: 'spec.scope: Invalid value: field is immutable',
  instead: 'Ship a definition with another name, and move the objects there.',
  source: sources(olmValidator('NoScopeChange'), from.crdify('pkg/validations/crd/scope/scope.go')),
  example: {
    before: 'spec: { scope: Namespaced }',
    after: 'spec: { scope: Cluster }',
    says: 'scope changed from "Namespaced" to "Cluster"',
  },
  compare({ old, new: next }) {
    if (old.scope === next.scope) return [];
    const [before, after] = [quote(old.scope), quote(next.scope)];
    return [
      {
        texts: {
          'olm-v1': `scope changed from ${before} to ${after}`,
          crdify: `scope changed : ${before} -> ${after}`,
        },
        place: { side: 'new', keys: ['spec', 'scope'] },
      },
    ];
  },
});

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
    olmValidator('NoStoredVersionRemoved'),
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

export const noExistingFieldRemoved = defineDefinitionRule({
  id: 'NoExistingFieldRemoved',
  crdify: 'existingFieldRemoval',
  refusedByServer: false,
  groupsWith: 'removed-field',
  checks: 'A field of a version that both definitions have is missing from the new one.',
  why: 'The API server drops the field from stored objects, and clients that use it lose it.',
  instead:
    'Keep the field, say in its description that it is ignored, and remove it only in a new version.',
  source: sources(
    olmValidator('NoExistingFieldRemoved'),
    from.crdSchemaChecker('pkg/manifestcomparators/comp_no_field_removal.go', 'NoFieldRemoval'),
    from.crdify('pkg/validations/crd/existingfieldremoval/existingfieldremoval.go'),
  ),
  example: {
    before: 'properties: { size: { type: integer }, color: { type: string } }',
    after: 'properties: { size: { type: integer } }',
    says: 'crd/widgets.example.com version/v1 field/^.spec.color may not be removed',
    accepted:
      'properties: { size: { type: integer }, color: { type: string, description: Ignored. } }',
  },
  compare(upgrade) {
    const paths = new PathBudget();
    return upgrade.new.versions.flatMap((version): DefinitionDifference[] => {
      const previous = upgrade.old.version(version.name);
      if (previous === undefined) return [];
      const { reported, omitted } = paths.inOrder(upgrade.sameVersion(previous, version).removed);
      const differences = reported.map(({ path, spot }) => ({
        texts: {
          'olm-v1': `crd/${upgrade.new.name} version/${version.name} field/${path} may not be removed`,
          crdify: `removed field : ${version.name}.${path}`,
        },
        version: version.name,
        path,
        place: placeOfRemoved(spot, previous, version),
      }));
      if (omitted.length === 0) return differences;
      const more = `${omitted.length} more fields of version ${version.name} may not be removed`;
      const texts = { 'olm-v1': more, crdify: more };
      const place = { side: 'new' as const, keys: ['spec', 'versions', version.index] };
      return [...differences, { texts, version: version.name, fields: omitted.length, place }];
    });
  },
});
