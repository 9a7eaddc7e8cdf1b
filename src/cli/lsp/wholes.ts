/** The bundle or the catalog that a text is a part of, judged with the text as it is typed. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readBundle, type LoadedCatalog } from '../../olm/index.js';
import type { TargetMinors } from '../../kubernetes/index.js';
import { isObject, own, parseDocuments, type Document } from '../../text/documents/index.js';
import { readSource } from '../../text/documents/sources.js';
import type { Policy } from '../../policy/index.js';
import type { EditedText } from '../../checks/index.js';
import { readCatalogFolder } from '../../repository/index.js';
import type { CheckResult } from '../../report/index.js';
import { judgeCatalog } from '../catalog/catalog-validate.js';
import { decideBundle, judgeBundle } from '../check/check-bundle.js';

/** Bytes of a catalog: a larger one is not read again for each keystroke. */
const maxCatalogBytes = 16 * 1024 * 1024;

/** A package may lie in folders of its own, e.g. `PACKAGE/bundles/v1.0.0.yaml`. */
const maxFoldersUp = 3;

export async function judgeWholes(
  edited: EditedText,
  policy: Policy,
  minors: TargetMinors,
): Promise<CheckResult[]> {
  const packages = packagesIn(edited.documents);
  if (packages.size > 0) return [await judgeCatalogAround(edited, packages, policy)];
  const folder = bundleAround(edited.file);
  return folder === undefined ? [] : [await judgeBundleAt(folder, edited, policy, minors)];
}

/** The bundle of a file in its `manifests` or `metadata`. */
function bundleAround(file: string): string | undefined {
  const folder = dirname(dirname(file));
  const isBundle = ['yaml', 'yml'].some((ending) =>
    existsSync(join(folder, 'metadata', `annotations.${ending}`)),
  );
  return isBundle ? folder : undefined;
}

async function judgeBundleAt(
  folder: string,
  { file, documents }: EditedText,
  policy: Policy,
  minors: TargetMinors,
): Promise<CheckResult> {
  const others = (await readSource(folder)).filter((each) => resolve(each.file) !== resolve(file));
  const bundle = readBundle(
    [...others.flatMap((each) => parseDocuments(each.bytes, { file: each.file })), ...documents],
    folder,
  );
  const judged = judgeBundle(bundle, policy, { minors, isWhole: true, against: undefined });
  return decideBundle(folder, bundle, judged, policy);
}

function packagesIn(documents: readonly Document[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { value } of documents) {
    const schema = isObject(value) ? own(value, 'schema') : undefined;
    if (!isObject(value) || typeof schema !== 'string' || !schema.startsWith('olm.')) continue;
    const name = own(value, schema === 'olm.package' ? 'name' : 'package');
    if (typeof name === 'string') names.add(name);
  }
  return names;
}

/** The nearest folder that has the packages; without any, the one of the file, where they are missed. */
async function judgeCatalogAround(
  edited: EditedText,
  packages: ReadonlySet<string>,
  policy: Policy,
): Promise<CheckResult> {
  let folder = dirname(edited.file);
  const nearest = await catalogAt(folder, edited);
  let found: LoadedCatalog | undefined = nearest;
  for (let up = 0; up < maxFoldersUp && found?.error === undefined; up++) {
    if (hasPackages(found, packages)) return judgeCatalog(folder, found, policy, []);
    if (resolve(folder) === process.cwd()) break;
    folder = dirname(folder);
    found = await catalogAt(folder, edited).catch(() => undefined);
    if (found === undefined) break;
  }
  return judgeCatalog(dirname(edited.file), nearest, policy, []);
}

function catalogAt(folder: string, { file, text }: EditedText): Promise<LoadedCatalog> {
  const options = { edited: { file, text }, maxBytes: maxCatalogBytes, keep: 'graph' } as const;
  return readCatalogFolder(folder, options);
}

function hasPackages({ catalog }: LoadedCatalog, wanted: ReadonlySet<string>): boolean {
  const known = new Set(catalog.packages.map(({ name }) => name));
  return [...wanted].every((name) => known.has(name));
}
