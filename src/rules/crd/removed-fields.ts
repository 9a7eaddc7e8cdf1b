import { defineRule, type DefinitionDifference, type DefinitionRule } from './rule.js';
import { from, sources } from '../source.js';
import { PathRoom } from '../../crd/path-room.js';

export const removedFieldsRule = defineRule<DefinitionRule>({
  name: 'existingFieldRemoval',
  kind: 'definition',
  validator: 'NoExistingFieldRemoved',
  upstream: {
    'olm-v1': sources(
      from.operatorController417(
        'internal/operator-controller/rukpak/preflights/crdupgradesafety/validator.go',
        'NoExistingFieldRemoved',
      ),
      from.crdSchemaChecker('pkg/manifestcomparators/comp_no_field_removal.go', 'NoFieldRemoval'),
    ),
    crdify: from.crdify('pkg/validations/crd/existingfieldremoval/existingfieldremoval.go'),
  },
  checks: 'A field of a version that both definitions have is missing from the new one.',
  why: 'The API server drops the field from stored objects, and clients that use it lose it.',
  compare(upgrade) {
    const paths = new PathRoom();
    return upgrade.new.versions.flatMap((version): DefinitionDifference[] => {
      const previous = upgrade.old.version(version.name);
      if (previous === undefined) return [];
      const { told, others } = paths.inOrder(upgrade.sameVersion(previous, version).removed);
      const differences = told.map(({ path, spot }) => ({
        texts: {
          'olm-v1': `crd/${upgrade.new.name} version/${version.name} field/${path} may not be removed`,
          crdify: `removed field : ${version.name}.${path}`,
        },
        version: version.name,
        path,
        place: { side: 'old' as const, version: previous.index, spot },
      }));
      if (others.length === 0) return differences;
      const more = `${others.length} more fields of version ${version.name} may not be removed`;
      const texts = { 'olm-v1': more, crdify: more };
      const place = { side: 'old' as const, keys: ['spec', 'versions', previous.index] };
      return [...differences, { texts, version: version.name, place }];
    });
  },
});
