/** The version of a bundle: its first `olm.package` property, decoded as Go's encoding/json does. */
import { InvalidVersionError } from '../../../text/versions/index.js';
import type { Bundle } from '../catalog.js';
import { type VersionRelease, parseExplicitRelease, parseLegacyVersion } from './release.js';
import { isObject } from '../../../text/documents/index.js';
import { cannotUnmarshal, jsonKind, quote } from '../../../text/go/index.js';

export type BundleVersion = VersionRelease | { readonly error: string };

/** Rule: operator-controller's GetVersionAndRelease. @returns the version, or the text of what is wrong */
export function bundleVersion(bundle: Bundle, bundleReleaseSupport: boolean): BundleVersion {
  const property = bundle.properties.find(({ type }) => type === 'olm.package');
  if (property === undefined) {
    return { error: `no package property found in bundle ${quote(bundle.name)}` };
  }
  const decoded = decodePackage(property.value);
  if ('error' in decoded) {
    return { error: `error unmarshalling package property: ${decoded.error}` };
  }
  try {
    return bundleReleaseSupport && decoded.release !== undefined
      ? parseExplicitRelease(decoded.version, decoded.release)
      : parseLegacyVersion(decoded.version);
  } catch (error) {
    if (!(error instanceof InvalidVersionError)) throw error;
    return { error: error.message };
  }
}

interface DecodedPackage {
  readonly version: string;
  readonly release: string | undefined;
}

const fields = ['packageName', 'version', 'release'] as const;

/** Field names match in any case and the last one counts; null leaves a field as it was. */
function decodePackage(value: unknown): DecodedPackage | { readonly error: string } {
  if (value === undefined) return { error: 'unexpected end of JSON input' };
  if (value === null) return { version: '', release: undefined };
  if (!isObject(value)) {
    return { error: cannotUnmarshal(jsonKind(value), 'property.Package') };
  }
  const decoded = new Map<string, string>();
  for (const [key, content] of Object.entries(value)) {
    const field = fields.find((name) => name.toLowerCase() === key.toLowerCase());
    if (field === undefined || content === null) continue;
    if (typeof content !== 'string') {
      return { error: cannotUnmarshal(jsonKind(content), 'string', `Package.${field}`) };
    }
    decoded.set(field, content);
  }
  return { version: decoded.get('version') ?? '', release: decoded.get('release') };
}
