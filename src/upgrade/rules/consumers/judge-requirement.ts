/** Judges a definition by a CompatibilityRequirement. */
import type { CustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import { locationOf } from '../../crd/place.js';
import { Upgrade } from '../../crd/upgrade.js';
import { noExistingFieldRemoved } from '../crd/no-existing-field-removed.js';
import { olmReference } from '../crd/olm-v1.js';
import { compatibilityRequirementUnmet } from './compatibility-requirement-unmet.js';
import type { ConsumerFinding } from './consumer.js';
import type { Requirement } from './requirement.js';

/**
 * Finds each served version of the requirement that the definition does not serve, and each field that it
 * lacks in versions that both have. What the definition was before does not matter.
 *
 * Source: openshift/cluster-capi-operator 409c6b4, `pkg/crdchecker`, which runs crdify's
 * `existingFieldRemoval` (v0.5.0, which names fields as OLM v1 does) beside a check of its own.
 *
 * @param consumer the name of the requirement in findings
 */
export function judgeRequirement(
  { action, definition }: Requirement,
  next: CustomResourceDefinition,
  consumer: string,
): ConsumerFinding[] {
  const severity = action === 'Warn' ? 'warning' : 'error';
  const rule = compatibilityRequirementUnmet;
  const versions = definition.versions
    .filter(({ name, served }) => served && next.version(name)?.served !== true)
    .map(({ name: version }): ConsumerFinding => {
      const data = { consumer, version };
      const index = next.version(version)?.index;
      return {
        finding: rule.finding({ id: 'version', data, version, severity }),
        keys: ['spec', 'versions', ...(index === undefined ? [] : [index, 'served'])],
      };
    });
  const gone = new Set<string>();
  const removed = noExistingFieldRemoved.compare(new Upgrade(definition, next, olmReference));
  const fields = removed.flatMap(
    ({ version = '', path, fields: count = 1, place }): ConsumerFinding[] => {
      const { keys } = locationOf(place);
      if (path === undefined) {
        const data = { consumer, version, count };
        return [{ finding: rule.finding({ id: 'fields', data, version, severity }), keys }];
      }
      // A removed field is reported once, without the fields below it.
      const at = (end: number): string => `${version}${path.slice(0, end)}`;
      const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index);
      gone.add(at(path.length));
      if (ends.some((end) => gone.has(at(end)))) return [];
      const data = { consumer, version, field: path.replace(/^\^\.?/, '') };
      return [{ finding: rule.finding({ id: 'field', data, version, path, severity }), keys }];
    },
  );
  return [...versions, ...fields];
}
