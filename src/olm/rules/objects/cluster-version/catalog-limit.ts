import type { Catalog, Property } from '../../../catalogs/index.js';
import type { KnownCatalog, OlmView } from '../../../objects/view.js';
import { isBelowNextMinor } from '../../../catalogs/upgrades/index.js';
import { readVersion, type Version } from '../../../../text/versions/index.js';
import { clusterUpgradeBlocker, limitOfCsv } from '../../../objects/open-shift-limit.js';
import { metaOf, type JsonObject, type JsonValue } from '../../../../text/documents/index.js';
import { textAt } from '../../../../text/documents/fields.js';
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

/** Undefined where the cluster is not OpenShift. @param object its ClusterVersion `version` */
export function openShiftVersion(object: JsonObject | null | undefined): string | undefined {
  return textAt(object ?? undefined, 'status', 'desired', 'version');
}

/** Why OpenShift stays at its minor version once OLM has installed a bundle of a catalog. */
export function limitAhead(
  catalogs: readonly KnownCatalog[],
  bundle: string | undefined,
  view: Pick<OlmView, 'lookUp'>,
): string | undefined {
  if (bundle === undefined || !catalogs.some(({ catalog }) => limitsOf(catalog, bundle).length > 0))
    return undefined;
  const version = openShiftVersion(view.lookUp('ClusterVersion', 'version'));
  const because = version && limitIn(catalogs, bundle, version);
  return because && limitSentence(bundle, because, version);
}

/** The same of a ClusterServiceVersion that is to be created, by the annotations that it brings. */
export function csvLimitAhead(csv: JsonObject, view: Pick<OlmView, 'lookUp'>): string | undefined {
  if (limitOfCsv(csv).kind === 'none') return undefined;
  const version = openShiftVersion(view.lookUp('ClusterVersion', 'version')) ?? '';
  const current = readVersion(version);
  const because = current && csvLimit(csv, current);
  return because && limitSentence(metaOf(csv).name, because, version);
}

/** Why a ClusterServiceVersion keeps a cluster of this version from its next minor version: `up to 4.15`. */
export function csvLimit(csv: JsonObject, current: Version): string | undefined {
  const limit = limitOfCsv(csv);
  if (limit.kind === 'unreadable') return `invalid olm.maxOpenShiftVersion: ${limit.problem}`;
  return limit.kind === 'limit' && isBelowNextMinor(limit.version, current)
    ? `up to ${limit.version.major}.${limit.version.minor}`
    : undefined;
}

export function limitSentence(bundle: string, because: string, version: string): string {
  return `${bundle} works on OpenShift ${because}: once it is installed, the cluster (${version}) does not go to its next minor version`;
}

function asText(value: JsonValue | undefined, zero: string): JsonValue | undefined {
  return typeof value === 'number' ? `${value}${zero}` : value;
}

function limitsOf({ bundles }: Catalog, bundle: string): (readonly Property[])[] {
  return bundles
    .filter(({ name }) => name === bundle)
    .map(({ properties }) => properties.filter(({ type }) => type === 'olm.maxOpenShiftVersion'))
    .filter((limits) => limits.length > 0);
}
