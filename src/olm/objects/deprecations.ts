import type { Catalog } from '../catalogs/catalog.js';

export interface Deprecations {
  readonly package: string | undefined;
  readonly channels: ReadonlyMap<string, string>;
  readonly bundles: ReadonlyMap<string, string>;
}

/** Rule: newOperatorFromBundle of OLM classic: `olm.channel/NAME: MESSAGE`. */
export function deprecationsOf(catalog: Catalog, packageName: string): Deprecations {
  const entries = catalog.deprecations.find((each) => each.package === packageName)?.entries ?? [];
  const of = (schema: string): Map<string, string> =>
    new Map(
      entries
        .filter((entry) => entry.schema === schema)
        .map(({ name, message }) => [name, `${schema}/${name}: ${message}`]),
    );
  const [ofPackage] = entries.filter(({ schema }) => schema === 'olm.package');
  return {
    package:
      ofPackage === undefined ? undefined : `olm.package/${packageName}: ${ofPackage.message}`,
    channels: of('olm.channel'),
    bundles: of('olm.bundle'),
  };
}
