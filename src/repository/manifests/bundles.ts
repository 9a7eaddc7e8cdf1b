/** Folders with one bundle per release: the newest of each operator stands for what is offered now. */
import { posix } from 'node:path';
import { isObject, own, parseDocuments } from '../../text/documents/index.js';
import { compareVersions, readVersion, type Version } from '../../text/versions/index.js';

interface BundleFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Folders of bundles that a newer one of the same parent folder replaces: `0.1.0/` beside `0.2.0/`,
 * with `manifests/` in it or without. Bundles of one version stay, whatever their folders.
 */
export function olderBundles(files: readonly BundleFile[]): string[] {
  const families = new Map<string, { folder: string; version: Version }[]>();
  for (const { path, bytes } of files) {
    if (!bytes.includes('ClusterServiceVersion')) continue;
    const version = versionOf(path, bytes);
    if (version === undefined) continue;
    const own = posix.dirname(path);
    const folder = posix.basename(own) === 'manifests' ? posix.dirname(own) : own;
    if (folder === '.' || folder === '') continue;
    const parent = posix.dirname(folder);
    families.set(parent, [...(families.get(parent) ?? []), { folder, version }]);
  }
  return [...families.values()].flatMap((bundles) =>
    bundles
      .filter(({ version }) => bundles.some((other) => compareVersions(version, other.version) < 0))
      .map(({ folder }) => folder),
  );
}

function versionOf(path: string, bytes: Buffer): Version | undefined {
  for (const { value } of parseDocuments(bytes, { file: path })) {
    if (!isObject(value) || own(value, 'kind') !== 'ClusterServiceVersion') continue;
    const spec = own(value, 'spec');
    const version = isObject(spec) ? own(spec, 'version') : undefined;
    return typeof version === 'string' ? readVersion(version) : undefined;
  }
  return undefined;
}
