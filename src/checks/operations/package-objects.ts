/** The objects of a file-based catalog that belong to one package, for `src/olm/catalogs/upgrades`. */
import type { JsonObject } from '../../text/documents/index.js';
import type { PackageInCatalog } from '../../olm/index.js';
import { numberAt, objectsAt, textAt, textsAt, valueAt } from '../../text/documents/fields.js';

/** The catalog of an `upgrade-v1` input; undefined when it does not have the package. */
export function readCatalogPackage(
  catalog: JsonObject,
  packageName: string,
): PackageInCatalog | undefined {
  const objects = objectsAt(catalog, 'objects').filter((object) => ownerOf(object) === packageName);
  if (objects.length === 0) return undefined;
  const ofSchema = (schema: string): JsonObject[] =>
    objects.filter((object) => textAt(object, 'schema') === schema);
  return {
    catalog: textAt(catalog, 'name') ?? '',
    priority: numberAt(catalog, 'priority') ?? 0,
    channels: ofSchema('olm.channel').map(readChannel),
    bundles: ofSchema('olm.bundle').map(readBundle),
    deprecatedBundles: readDeprecations(ofSchema('olm.deprecations')[0]),
  };
}

function ownerOf(object: JsonObject): string | undefined {
  return textAt(object, textAt(object, 'schema') === 'olm.package' ? 'name' : 'package');
}

function readChannel(object: JsonObject): PackageInCatalog['channels'][number] {
  return {
    name: textAt(object, 'name') ?? '',
    entries: objectsAt(object, 'entries').map((entry) => ({
      name: textAt(entry, 'name') ?? '',
      replaces: textAt(entry, 'replaces') ?? '',
      skips: textsAt(entry, 'skips'),
      skipRange: textAt(entry, 'skipRange') ?? '',
    })),
  };
}

function readBundle(object: JsonObject): PackageInCatalog['bundles'][number] {
  return {
    name: textAt(object, 'name') ?? '',
    properties: objectsAt(object, 'properties').map((property) => ({
      type: textAt(property, 'type') ?? '',
      value: valueAt(property, 'value'),
    })),
  };
}

function readDeprecations(object: JsonObject | undefined): Set<string> {
  const references = objectsAt(object, 'entries').filter(
    (entry) => textAt(entry, 'reference', 'schema') === 'olm.bundle',
  );
  return new Set(references.map((entry) => textAt(entry, 'reference', 'name') ?? ''));
}
