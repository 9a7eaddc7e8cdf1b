/** Bundles whose content changed under the same name. */
import type { Finding } from '../../../rule/index.js';
import { sameJson } from '../../../text/documents/index.js';
import type { CatalogBundle } from '../../catalogs/index.js';
import { groupBy } from '../../../text/group.js';
import type { PackageState } from '../../catalogs/upgrades/package-state.js';
import { diffFinding } from './rules.js';

export function* bundleFindings(old: PackageState, now: PackageState): Generator<Finding> {
  for (const [name, bundle] of now.bundles) {
    const was = old.bundles.get(name);
    if (was === undefined) continue;
    const contents = contentChanges(was, bundle);
    const about = `${now.name} ${name}`;
    if (contents.length > 0) {
      yield diffFinding('CatalogBundleChanged', {
        id: 'changed',
        data: { bundle: name, changes: contents.join('; ') },
        place: bundle.place,
        about,
      });
      continue;
    }
    const types = changedProperties(was, bundle);
    if (types.length === 0) continue;
    yield diffFinding('CatalogBundlePropertiesChanged', {
      id: 'changed',
      data: { bundle: name, types: types.join(', ') },
      place: bundle.place,
      about,
    });
  }
}

function contentChanges(was: CatalogBundle, is: CatalogBundle): string[] {
  const [before] = was.packageProperties;
  const [after] = is.packageProperties;
  return [
    ...(was.image === is.image ? [] : [`image ${shown(was.image)} → ${shown(is.image)}`]),
    ...(before?.version === after?.version
      ? []
      : [`version ${shown(before?.version)} → ${shown(after?.version)}`]),
    ...(sameObjects(was, is) ? [] : ['the manifests that it carries (olm.bundle.object)']),
  ];
}

/** Catalogs of newer clusters carry `olm.csv.metadata` instead: the same bundle in another form. */
function sameObjects(was: CatalogBundle, is: CatalogBundle): boolean {
  const [before, after] = [was, is].map(({ properties }) =>
    valuesOf(properties.filter(({ type }) => type === 'olm.bundle.object')),
  ) as [string[], string[]];
  return before.length === 0 || after.length === 0 || sameJson(before, after);
}

const contentTypes = new Set(['olm.bundle.object', 'olm.csv.metadata', 'olm.package']);

function changedProperties(was: CatalogBundle, is: CatalogBundle): string[] {
  const [before, after] = [was, is].map(({ properties }) => groupBy(properties, textOfType));
  const types = new Set([...was.properties, ...is.properties].map(({ type }) => type));
  return [...types]
    .filter((type) => !contentTypes.has(type))
    .filter((type) => !sameJson(valuesOf(before?.get(type)), valuesOf(after?.get(type))))
    .toSorted();
}

const textOfType = ({ type }: CatalogBundle['properties'][number]): string => type;

/** Resolution does not depend on their order, so the order is not compared. */
function valuesOf(properties: CatalogBundle['properties'] = []): string[] {
  return properties.map(({ value }) => JSON.stringify(value) ?? '').toSorted();
}

function shown(text: string | undefined): string {
  return text === undefined || text === '' ? 'none' : text;
}
