import type { CustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import { type Finding, foundAt } from '../../../rule/index.js';
import { locationOf } from '../../crd/place.js';
import { Upgrade } from '../../crd/upgrade.js';
import { noExistingFieldRemoved } from '../crd/no-existing-field-removed.js';
import { olmReference } from '../crd/olm-v1.js';
import { compatibilityRequirementUnmet } from './compatibility-requirement-unmet.js';
import type { Requirement } from './requirement.js';

/**
 * Finds each served version of the requirement that the definition does not serve, and each field that it lacks in
 * versions that both have. What the definition was before does not matter. Source: openshift/cluster-capi-operator
 * 409c6b4, `pkg/crdchecker`, which runs crdify's `existingFieldRemoval` (v0.5.0, which names fields as OLM v1 does)
 * beside a check of its own.
 */
export function judgeRequirement(
  { action, definition }: Requirement,
  next: CustomResourceDefinition,
  consumer: string,
): Finding[] {
  const severity = action === 'Warn' ? 'warning' : 'error';
  const rule = compatibilityRequirementUnmet;
  const versions = definition.versions
    .filter(({ name, served }) => served && next.version(name)?.served !== true)
    .map(({ name: version }): Finding => {
      const data = { consumer, version };
      const index = next.version(version)?.index;
      const keys = ['spec', 'versions', ...(index === undefined ? [] : [index, 'served'])];
      return rule.finding({ id: 'version', data, version, severity, [foundAt]: { keys } });
    });
  const gone = new Set<string>();
  const removed = noExistingFieldRemoved.compare(new Upgrade(definition, next, olmReference));
  const fields = removed.flatMap(({ version = '', path, fields: count = 1, place }): Finding[] => {
    const at = { version, severity, [foundAt]: locationOf(place) } as const;
    if (path === undefined) {
      const data = { consumer, version, count };
      return [rule.finding({ id: 'fields', data, ...at })];
    }
    // A removed field is reported once, without the fields below it.
    const upTo = (end: number): string => `${version}${path.slice(0, end)}`;
    const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index);
    gone.add(upTo(path.length));
    if (ends.some((end) => gone.has(upTo(end)))) return [];
    const data = { consumer, version, field: path.replace(/^\^\.?/, '') };
    return [rule.finding({ id: 'field', data, path, ...at })];
  });
  return [...versions, ...fields];
}
