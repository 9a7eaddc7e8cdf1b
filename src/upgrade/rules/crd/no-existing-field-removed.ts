import { from, sources } from '../../../rule/index.js';
import { PathBudget } from '../../crd/path-budget.js';
import { placeOfRemoved } from '../../crd/place.js';
import { defineDefinitionRule, type DefinitionDifference } from './rule.js';

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
    from.operatorController417(
      'internal/operator-controller/rukpak/preflights/crdupgradesafety/validator.go',
      'NoExistingFieldRemoved',
    ),
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
