import { readVersion, type Version } from '../../text/versions/index.js';
import { addTo, groupBy } from '../../text/group.js';
import { oncePer } from '../once.js';
import { type Catalog, type CatalogBundle, contentsOf, type Property } from './catalog.js';
import { textField } from './properties.js';
import { rangePredicate } from './validate.js';

const offers = oncePer(({ bundles }: Catalog) => {
  const packages = new Map<string, Version[]>();
  const apis = new Set<string>();
  for (const bundle of bundles) {
    const version = readVersion(bundle.packageProperties[0]?.version ?? '');
    if (version !== undefined) addTo(packages, bundle.package, version);
    for (const { type, value } of bundle.properties) if (type === 'olm.gvk') apis.add(apiOf(value));
  }
  return { packages, apis };
});

function apiOf(value: Property['value']): string {
  const [group, version, kind] = ['group', 'version', 'kind'].map((name) => textField(value, name));
  return `${group}/${version}, Kind=${kind}`;
}

/** A range is compared with each version of its package, and a catalog may have thousands of both. */
export const requirementBudget = (): { comparisons: number } => ({ comparisons: 1_000_000 });

/** `package queue >=1.0.0`, `example.com/v1, Kind=Queue`. Once the budget is spent, packages count as met. */
export function unmetRequirements(
  { properties }: Pick<CatalogBundle, 'properties'>,
  catalogs: readonly Catalog[],
  budget = requirementBudget(),
): string[] {
  const offered = catalogs.map(offers);
  return properties.flatMap(({ type, value }) => {
    if (type === 'olm.gvk.required') {
      const api = apiOf(value);
      return offered.some(({ apis }) => apis.has(api)) ? [] : [api];
    }
    if (type !== 'olm.package.required') return [];
    const [name, range] = [textField(value, 'packageName'), textField(value, 'versionRange')];
    const covers = rangePredicate(range);
    if (name === '' || covers === undefined) return [];
    const isMet = offered.some(({ packages }) =>
      (packages.get(name) ?? []).some((version) => budget.comparisons-- <= 0 || covers(version)),
    );
    return isMet ? [] : [`package ${name} ${range}`];
  });
}

/** Sentences about requirements that keep OLM classic from the bundles of a package, as far as the catalogs tell. */
export function requirementSentences(
  packageName: string,
  names: Iterable<string>,
  catalogs: readonly Catalog[],
): { readonly bundle: string; readonly sentence: string }[] {
  const bundles = groupBy(
    catalogs.flatMap((catalog) => contentsOf(catalog, packageName).bundles),
    ({ name }) => name,
  );
  return [...new Set(names)].flatMap((bundle) =>
    unmetRequirements({ properties: bundles.get(bundle)?.[0].properties ?? [] }, catalogs).map(
      (requirement) => ({
        bundle,
        sentence: `${bundle} requires ${requirement}, which none of these catalogs has: OLM passes it over, unless another catalog has it`,
      }),
    ),
  );
}
