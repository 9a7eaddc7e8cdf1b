/** Up to which OpenShift version a catalog says that a bundle works. */
import type { Catalog, Property } from '../../../catalogs/index.js';
import type { KnownCatalog } from '../../../objects/view.js';
import { clusterUpgradeBlocker } from '../../../objects/open-shift-limit.js';
import type { JsonValue } from '../../../../text/documents/index.js';
import { from, sources } from '../../../../rule/index.js';

export const limitSource = sources(
  from.olm(
    'pkg/controller/operators/openshift/helpers.go',
    'incompatibleOperators',
    'maxOpenShiftVersion',
  ),
  from.clusterOlmOperator(
    'pkg/controller/incompatible_operator_controller.go',
    'checkIncompatibility',
  ),
  from.openShift('Update paths'),
);

/** Why a bundle of a catalog keeps a cluster from the minor version after `before`: `up to 4.15`. */
export function limitIn(
  catalogs: readonly KnownCatalog[],
  bundle: string,
  before: string,
): string | undefined {
  for (const { catalog } of catalogs) {
    for (const limits of limitsOf(catalog, bundle)) {
      // A catalog's numbers are doubles: 4.2 may have been 4.20, so both must say so.
      const readings = ['', '0'].map((zero) =>
        clusterUpgradeBlocker(
          before,
          JSON.stringify(limits.map(({ type, value }) => ({ type, value: asText(value, zero) }))),
        ),
      );
      if (readings.every((reading) => reading !== undefined)) return readings[0];
    }
  }
  return undefined;
}

function asText(value: JsonValue | undefined, zero: string): JsonValue | undefined {
  return typeof value === 'number' ? `${value}${zero}` : value;
}

/** The limits of each bundle with that name. */
function limitsOf({ bundles }: Catalog, bundle: string): (readonly Property[])[] {
  return bundles
    .filter(({ name }) => name === bundle)
    .map(({ properties }) => properties.filter(({ type }) => type === 'olm.maxOpenShiftVersion'))
    .filter((limits) => limits.length > 0);
}
