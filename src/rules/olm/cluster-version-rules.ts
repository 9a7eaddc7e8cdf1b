/** Whether operators keep an OpenShift cluster from the version that somebody wants. */
import type { Catalog, Property } from '../../catalogs/index.js';
import { type JsonObject, type JsonValue, metaOf } from '../../text/documents/index.js';
import { InvalidVersionError, parseVersion, type Version } from '../../text/versions/index.js';
import { installedBundle } from '../../olm/cluster-extension.js';
import { objectsAt, textAt } from '../../olm/fields.js';
import type { KnownCatalog } from '../../olm/known-catalog.js';
import { blocksUpdate, bundleProperties } from '../../olm/open-shift-limit.js';
import { defineRule } from './rule.js';
import type { OlmView } from '../../olm/view.js';
import { from, sources } from '../source.js';

export const clusterUpdateBlocked = defineRule({
  name: 'ClusterUpdateBlocked',
  kind: 'ClusterVersion',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'resolution',
  prevents:
    'Upgradeable=False: ClusterServiceVersions blocking cluster upgrade: … is incompatible with OpenShift minor versions greater than …',
  source: sources(
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
  ),
  explain:
    'Installed operators declare by olm.maxOpenShiftVersion that they do not work on the minor version that is wanted, so the cluster refuses to go there. Update or remove these operators first.',
  *check({ object, oldObject, view }) {
    const desired = versionOf(textAt(object, 'spec', 'desiredUpdate', 'version'));
    const current = versionOf(currentVersion(object) ?? currentVersion(oldObject ?? {}));
    if (desired === undefined || current === undefined || !isLaterMinor(desired, current)) return;
    const before = minorBefore(desired);
    const blocking = [...blockingCsvs(view, before), ...blockingExtensions(view, before)];
    if (blocking.length === 0) return;
    const names = blocking.map(({ name, maximum }) => `${name} (up to ${maximum})`).sort();
    yield {
      message: `the update to ${textAt(object, 'spec', 'desiredUpdate', 'version') ?? ''} is blocked by installed operators that do not work on ${desired.major}.${desired.minor}: ${names.join(', ')}`,
      path: '$.spec.desiredUpdate.version',
    };
  },
});

interface Blocking {
  readonly name: string;
  readonly maximum: string;
}

function* blockingCsvs(view: OlmView, before: string): Generator<Blocking> {
  for (const { namespace, name, object } of view.csvs()) {
    const properties = bundleProperties(object);
    const maximum = properties === null ? undefined : blocksUpdate(before, properties);
    if (maximum !== undefined) yield { name: `${namespace}/${name}`, maximum };
  }
}

/** What OLM v1 has installed shows its properties only in the catalog. */
function* blockingExtensions(view: OlmView, before: string): Generator<Blocking> {
  if (view.knownCatalogs === null) return;
  for (const extension of view.clusterExtensions()) {
    const installed = installedBundle(extension);
    const maximum =
      installed === undefined ? undefined : limitIn(view.knownCatalogs, installed.name, before);
    const name = metaOf(extension).name;
    if (maximum !== undefined) yield { name: `ClusterExtension ${name}`, maximum };
  }
}

/** The greatest minor version that a bundle of a catalog allows, where that is not after `before`. */
export function limitIn(
  catalogs: readonly KnownCatalog[],
  bundle: string,
  before: string,
): string | undefined {
  for (const { catalog } of catalogs) {
    for (const limits of limitsOf(catalog).get(bundle) ?? []) {
      // A catalog's numbers are doubles: 4.2 may have been 4.20, so both must say so.
      const readings = ['', '0'].map((zero) =>
        blocksUpdate(
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

/** By bundle, of the few that have any: a large catalog is walked once, not for every operator. */
type Limits = ReadonlyMap<string, readonly (readonly Property[])[]>;
const known = new WeakMap<Catalog, Limits>();

function limitsOf(catalog: Catalog): Limits {
  let limits = known.get(catalog);
  if (limits === undefined) {
    const found = new Map<string, (readonly Property[])[]>();
    for (const { name, properties } of catalog.bundles) {
      const own = properties.filter(({ type }) => type === 'olm.maxOpenShiftVersion');
      if (own.length > 0) found.set(name, [...(found.get(name) ?? []), own]);
    }
    known.set(catalog, (limits = found));
  }
  return limits;
}

/** The release that was completed last, or the one that is wanted where there is no history. */
function currentVersion(object: JsonObject): string | undefined {
  const completed = objectsAt(object, 'status', 'history').find(
    (each) => textAt(each, 'state') === 'Completed',
  );
  return textAt(completed, 'version') ?? textAt(object, 'status', 'desired', 'version');
}

function versionOf(text: string | undefined): Version | undefined {
  try {
    return text === undefined ? undefined : parseVersion(text);
  } catch (error) {
    if (error instanceof InvalidVersionError) return undefined;
    throw error;
  }
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
