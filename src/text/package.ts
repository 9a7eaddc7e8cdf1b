import manifest from '../../package.json' with { type: 'json' };

export const version = manifest.version;

/** Where the files of this version can be read: a release names its tag, else the package on npm. */
export const filesUrl =
  ('homepage' in manifest ? String(manifest.homepage) : undefined) ??
  `https://unpkg.com/olm-guard@${version}`;

/** The address of a file of schemas/, which stays the same from version to version. */
export function schemaUrl(file: string): string {
  return `https://unpkg.com/olm-guard/schemas/${file}`;
}
