/**
 * Up to which OpenShift version an operator of OLM classic works. Rule: `maxOpenShiftVersion` and
 * `incompatibleOperators` of operator-lifecycle-manager: laxer about what it reads than OLM v1's, and what
 * it cannot read keeps the cluster from its next minor version too.
 */
import {
  compareVersions,
  InvalidVersionError,
  parseTolerantVersion,
  type Version,
} from '../../../text/versions/index.js';
import { sameRelease } from './cluster-compatibility.js';
import { readRawProperties } from './raw-properties.js';

export type ClassicLimit =
  | { readonly kind: 'none' }
  | { readonly kind: 'limit'; readonly version: Version }
  /** OLM's words. */
  | { readonly kind: 'unreadable'; readonly problem: string };

const propertyName = 'olm.maxOpenShiftVersion';

/** @param properties the list of properties as JSON text */
export function classicLimit(properties: string): ClassicLimit {
  const read = readRawProperties(properties);
  if ('error' in read) {
    return unreadable(`failed to unmarshal properties annotation: ${read.error}`);
  }
  const [first, second] = read.filter(({ type }) => type === propertyName);
  if (first === undefined) return { kind: 'none' };
  if (second !== undefined) {
    return unreadable(`defining more than one "${propertyName}" property is not allowed`);
  }
  const value = first.value.replaceAll(/^"+|"+$/g, '');
  if (value === '') return unreadable('value cannot be "" (an empty string)');
  try {
    const version = parseTolerantVersion(value);
    const { major, minor, patch, prerelease } = version;
    if (patch !== 0 || prerelease.length > 0) {
      return unreadable(
        `property ${propertyName} must specify only <major>.<minor> version, got invalid value ${value}`,
      );
    }
    return { kind: 'limit', version: { major, minor, patch: 0, prerelease: [], build: [] } };
  } catch (error) {
    if (!(error instanceof InvalidVersionError)) throw error;
    return unreadable(`failed to parse "${value}" as semver: ${error.message}`);
  }
}

export function isBelowNextMinor(limit: Version, cluster: Version): boolean {
  const { major, minor } = sameRelease(cluster);
  const next = { ...sameRelease(cluster), major, minor: Number(minor) + 1 };
  return compareVersions(sameRelease(limit), next) < 0;
}

function unreadable(problem: string): ClassicLimit {
  return { kind: 'unreadable', problem };
}
