import { installedBundle } from '../../../objects/cluster-extension.js';
import { objectsAt, textAt } from '../../../../text/documents/fields.js';
import type { KnownCatalog, OlmView } from '../../../objects/view.js';
import { type JsonObject, type JsonValue, metaOf } from '../../../../text/documents/index.js';
import { parseVersion, readVersion, type Version } from '../../../../text/versions/index.js';
import { defineOlmRule } from '../rule.js';
import type { Catalog, Property } from '../../../catalogs/catalog.js';
import { isBelowNextMinor } from '../../../catalogs/upgrades/open-shift-limit.js';
import { clusterUpgradeBlocker, limitOfCsv } from '../../../objects/open-shift-limit.js';
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

export const clusterUpdateBlocked = defineOlmRule({
  id: 'ClusterUpdateBlocked',
  subject: 'ClusterVersion',
  family: 'resolution',
  severity: 'warning',
  protects: 'cluster',
  checks:
    'No installed operator declares that it does not work on the OpenShift minor version that a ClusterVersion asks for.',
  withoutNames: 'an installed operator does not work on this version',
  why: 'Operators declare it by olm.maxOpenShiftVersion, and the cluster refuses to go there.',
  otherwise:
    'Upgradeable=False: ClusterServiceVersions blocking cluster upgrade: … is incompatible with OpenShift minor versions greater than …',
  instead: 'Update or remove these operators first.',
  source: limitSource,
  messages: {
    blocked:
      'the update to {version} is blocked by installed operators that do not work on {release}: {names}',
  },
  example: {
    before: `
      kind: ClusterServiceVersion
      metadata:
        name: cats.v1
        namespace: pets
        annotations:
          olm.properties: '[{"type": "olm.maxOpenShiftVersion", "value": "4.15"}]'
      spec:
        installModes:
          - { type: OwnNamespace, supported: true }
          - { type: SingleNamespace, supported: true }
          - { type: MultiNamespace, supported: true }
          - { type: AllNamespaces, supported: true }
        customresourcedefinitions: { owned: [{ name: cats.example.com, version: v1, kind: Cat }] }`,
    after: `
      kind: ClusterVersion
      metadata: { name: version }
      spec: { desiredUpdate: { version: 4.16.0 } }
      status: { history: [{ state: Completed, version: 4.15.3 }] }`,
    says: 'the update to 4.16.0 is blocked by installed operators that do not work on 4.16: pets/cats.v1 (up to 4.15)',
    accepted: `
      kind: ClusterVersion
      metadata: { name: version }
      spec: { desiredUpdate: { version: 4.15.9 } }
      status: { history: [{ state: Completed, version: 4.15.3 }] }`,
  },
  *judge({ object, oldObject, view }) {
    const desired = readVersion(textAt(object, 'spec', 'desiredUpdate', 'version') ?? '');
    const current = readVersion(currentVersion(object) ?? currentVersion(oldObject ?? {}) ?? '');
    if (desired === undefined || current === undefined || !isLaterMinor(desired, current)) return;
    const before = minorBefore(desired);
    const blocking = [...blockingCsvs(view, before), ...blockingExtensions(view, before)];
    if (blocking.length === 0) return;
    const names = blocking.map(({ name, because }) => `${name} (${because})`).sort();
    yield {
      id: 'blocked',
      data: {
        version: textAt(object, 'spec', 'desiredUpdate', 'version') ?? '',
        release: `${desired.major}.${desired.minor}`,
        // As text and not as a list, which would be shortened: each of them blocks the update.
        names: names.join(', '),
      },
      path: '$.spec.desiredUpdate.version',
    };
  },
});

interface Blocking {
  readonly name: string;
  readonly because: string;
}

function* blockingCsvs(view: OlmView, before: string): Generator<Blocking> {
  const current = parseVersion(before);
  for (const { namespace, name: csv, object } of view.csvs()) {
    const because = csvLimit(object, current);
    if (because !== undefined) yield { name: `${namespace}/${csv}`, because };
  }
}

/** The properties of bundles that OLM v1 has installed are only in their catalog. */
function* blockingExtensions(view: OlmView, before: string): Generator<Blocking> {
  if (view.knownCatalogs === null) return;
  for (const extension of view.clusterExtensions()) {
    const installed = installedBundle(extension);
    const because =
      installed === undefined ? undefined : limitIn(view.knownCatalogs, installed.name, before);
    if (because !== undefined) {
      yield { name: `ClusterExtension ${metaOf(extension).name}`, because };
    }
  }
}

/** The release that was completed last, or without a history the desired one. */
function currentVersion(object: JsonObject): string | undefined {
  const completed = objectsAt(object, 'status', 'history').find(
    (each) => textAt(each, 'state') === 'Completed',
  );
  return textAt(completed, 'version') ?? textAt(object, 'status', 'desired', 'version');
}

function isLaterMinor(a: Version, b: Version): boolean {
  const major = BigInt(a.major) - BigInt(b.major);
  return major > 0n || (major === 0n && BigInt(a.minor) > BigInt(b.minor));
}

/** 4.23 is another name of 5.0, and 4.22 comes before both. */
function minorBefore({ major, minor }: Version): string {
  if (BigInt(major) === 5n && BigInt(minor) === 0n) return '4.22.0';
  return `${major}.${BigInt(minor) > 0n ? BigInt(minor) - 1n : 0n}.0`;
}

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
function csvLimit(csv: JsonObject, current: Version): string | undefined {
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
