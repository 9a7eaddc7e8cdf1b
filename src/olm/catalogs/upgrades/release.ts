/** A bundle's version together with its release: the same version published again. */
import {
  compareIdentifiers,
  compareVersions,
  type Integer,
  InvalidVersionError,
  parseIdentifier,
  parseVersion,
  type Version,
} from '../../../text/versions/index.js';
import { field, mismatch, quote } from '../../../text/go/index.js';
import type { Bundle } from '../catalog.js';
import { isObject } from '../../../text/documents/index.js';
import { textField } from '../properties.js';
import { packagePropertyShape } from '../shapes.js';
import { attempt, valueUnless } from '../../once.js';

type Release = readonly (Integer | string)[];

/** An empty release is "none", which is lower than any. */
export interface VersionRelease {
  readonly version: Version;
  readonly release: Release;
}

const MAX_RELEASE_BYTES = 20;

/** Rule: operator-controller's ParseLegacyVersionRelease: build metadata that reads as a release is one. */
export function parseLegacyVersion(text: string): VersionRelease {
  const version = parseVersion(text);
  if (version.build.length === 0) return { version, release: [] };
  const release = valueUnless(InvalidVersionError, () => parseRelease(version.build.join('.')));
  if (release === undefined || release.length === 0) return { version, release: [] };
  const { major, minor, patch, prerelease } = version;
  return { version: { major, minor, patch, prerelease, build: [] }, release };
}

/** Rule: operator-controller's ParseExplicitRelease. Throws {@link InvalidVersionError}. */
export function parseExplicitRelease(version: string, release: string): VersionRelease {
  return {
    version: prefixed(`error parsing version ${quote(version)}`, () => parseVersion(version)),
    release: prefixed(`error parsing release ${quote(release)}`, () => parseRelease(release)),
  };
}

/** Rule: operator-registry's NewRelease. Throws {@link InvalidVersionError} that lists every bad segment. */
export function parseRelease(text: string): Release {
  if (text === '') return [];
  const invalid = `invalid release ${quote(text)}`;
  if (Buffer.byteLength(text) > MAX_RELEASE_BYTES) {
    throw new InvalidVersionError(
      `${invalid}: exceeds maximum length of ${MAX_RELEASE_BYTES} characters`,
    );
  }
  const problems: string[] = [];
  const release = text.split('.').flatMap((segment, index) => {
    const read = attempt(InvalidVersionError, () => parseIdentifier(segment));
    if (!(read instanceof InvalidVersionError)) return [read];
    problems.push(`segment ${index}: ${read.message}`);
    return [];
  });
  if (problems.length > 0) throw new InvalidVersionError(`${invalid}: ${problems.join('\n')}`);
  return release;
}

export function compareVersionReleases(a: VersionRelease, b: VersionRelease): -1 | 0 | 1 {
  return compareVersions(a.version, b.version) || compareIdentifiers(a.release, b.release);
}

function prefixed<Value>(prefix: string, parse: () => Value): Value {
  const read = attempt(InvalidVersionError, parse);
  if (!(read instanceof InvalidVersionError)) return read;
  throw new InvalidVersionError(`${prefix}: ${read.message}`);
}

export type BundleVersion = VersionRelease | { readonly error: string };

/** Rule: operator-controller's GetVersionAndRelease. @returns the version, or the text of what is wrong */
export function bundleVersion(bundle: Bundle, bundleReleaseSupport: boolean): BundleVersion {
  const property = bundle.properties.find(({ type }) => type === 'olm.package');
  if (property === undefined) {
    return { error: `no package property found in bundle ${quote(bundle.name)}` };
  }
  const { value } = property;
  const problem = mismatch(value, packagePropertyShape);
  if (problem !== undefined) return { error: `error unmarshalling package property: ${problem}` };
  const version = textField(value, 'version');
  const release = isObject(value) ? field(value, 'release') : undefined;
  const read = attempt(InvalidVersionError, () =>
    bundleReleaseSupport && typeof release === 'string'
      ? parseExplicitRelease(version, release)
      : parseLegacyVersion(version),
  );
  return read instanceof InvalidVersionError ? { error: read.message } : read;
}
