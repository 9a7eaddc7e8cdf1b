/** A bundle's version together with its release: the same version published again. */
import {
  type Integer,
  InvalidVersionError,
  type Version,
  compareIdentifiers,
  compareVersions,
  parseIdentifier,
  parseVersion,
} from '../../../text/versions/index.js';
import { quote } from '../../../text/go/index.js';

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
  const release = readRelease(version.build.join('.'));
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
function parseRelease(text: string): Release {
  if (text === '') return [];
  const invalid = `invalid release ${quote(text)}`;
  if (Buffer.byteLength(text) > MAX_RELEASE_BYTES) {
    throw new InvalidVersionError(
      `${invalid}: exceeds maximum length of ${MAX_RELEASE_BYTES} characters`,
    );
  }
  const problems: string[] = [];
  const release = text.split('.').flatMap((segment, index) => {
    try {
      return [parseIdentifier(segment)];
    } catch (error) {
      if (!(error instanceof InvalidVersionError)) throw error;
      problems.push(`segment ${index}: ${error.message}`);
      return [];
    }
  });
  if (problems.length > 0) throw new InvalidVersionError(`${invalid}: ${problems.join('\n')}`);
  return release;
}

export function compareVersionReleases(a: VersionRelease, b: VersionRelease): -1 | 0 | 1 {
  return compareVersions(a.version, b.version) || compareIdentifiers(a.release, b.release);
}

function readRelease(text: string): Release | undefined {
  try {
    return parseRelease(text);
  } catch (error) {
    if (error instanceof InvalidVersionError) return undefined;
    throw error;
  }
}

function prefixed<Value>(prefix: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof InvalidVersionError)) throw error;
    throw new InvalidVersionError(`${prefix}: ${error.message}`);
  }
}
