/** The version of a bundle: its first `olm.package` property, decoded as Go's encoding/json does. */
import { InvalidVersionError } from '../../../text/versions/index.js';
import type { Bundle } from '../catalog.js';
import { type VersionRelease, parseExplicitRelease, parseLegacyVersion } from './release.js';
import { isObject } from '../../../text/documents/index.js';
import { field, mismatch, quote } from '../../../text/go/index.js';
import { textField } from '../properties.js';
import { packagePropertyShape } from '../shapes.js';

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
  try {
    return bundleReleaseSupport && typeof release === 'string'
      ? parseExplicitRelease(version, release)
      : parseLegacyVersion(version);
  } catch (error) {
    if (!(error instanceof InvalidVersionError)) throw error;
    return { error: error.message };
  }
}
