import { isObject, type JsonValue } from '../../text/documents/index.js';
import { parseBlangRange, type Version, type VersionPredicate } from '../../text/versions/index.js';
import { apiKey, type BundleFacts, readApi } from './predicate.js';
import { mismatch, type Shape } from '../../text/go/index.js';
import { struct, text } from '../../text/go/decode-json.js';
import { textField } from '../catalogs/properties.js';
import { packagePropertyShape } from '../catalogs/shapes.js';
import { gvkShape, type Property, type Requirement, type Requirements } from './requirement.js';

/** The name under which the CSVs installed in the namespace appear as a catalog. */
export const existing = '@existing';

export interface CatalogKey {
  readonly name: string;
  readonly namespace: string;
}

export interface EntryBundle extends BundleFacts {
  readonly deprecated: boolean;
  readonly requirements: readonly Requirement[];
}

export interface Entry {
  /** Its number among all entries that are loaded; those of a catalog follow each other as listed. */
  readonly slot: number;
  /** `catalog/namespace/channel/csv`: what OLM's texts call it. */
  readonly id: string;
  readonly name: string;
  readonly catalog: CatalogKey;
  /** The package in the catalog; for an installed CSV, that of its last olm.package property. */
  readonly package: string;
  readonly channel: string;
  readonly inDefaultChannel: boolean;
  readonly replaces: string;
  readonly skips: readonly string[];
  readonly skipRange: VersionPredicate | undefined;
  readonly bundle: EntryBundle;
  readonly installed: boolean;
  readonly subscription: string | undefined;
}

export function catalogId({ name, namespace }: CatalogKey): string {
  return `${name}/${namespace}`;
}

export function entryId(catalog: CatalogKey, channel: string, name: string): string {
  return `${catalogId(catalog)}/${channel}/${name}`;
}

const labelShape = struct('registry.LabelProperty', { label: text });

/** Reads each property once; a property that OLM cannot decode is ignored. */
export function readBundle(
  given: readonly Property[],
  version: Version | undefined,
  requirements: Requirements,
): EntryBundle {
  const properties =
    requirements.semantics === 'documents' ? given.map(withConstraintBesideValue) : given;
  const packages: { name: string; version: Version | undefined }[] = [];
  let apis = none;
  let labels = none;
  const needed: Requirement[] = [];
  const kept: Property[] = [];
  let deprecated = false;
  for (const property of properties) {
    const requirement = requirements.of(property);
    // Bundles that need the same hold the same object, so that a large catalog stays small.
    kept.push(requirement?.property ?? property);
    if (requirement !== undefined) needed.push(requirement);
    switch (property.type) {
      case 'olm.package': {
        if (!fits(property.value, packagePropertyShape)) break;
        packages.push({
          name: requirements.name(textField(property.value, 'packageName')),
          version: requirements.version(textField(property.value, 'version')),
        });
        break;
      }
      case 'olm.gvk': {
        if (!fits(property.value, gvkShape)) break;
        apis = [...apis, requirements.name(apiKey(readApi(property.value)))];
        break;
      }
      case 'olm.label': {
        if (!fits(property.value, labelShape)) break;
        labels = [...labels, requirements.name(textField(property.value, 'label'))];
        break;
      }
      case 'olm.deprecated':
        deprecated = true;
    }
  }
  // Copies, because lists that have grown keep spare capacity, and a large catalog has a hundred thousand.
  return {
    packages: packages.slice(),
    apis,
    labels,
    version,
    properties: kept.slice(),
    deprecated,
    requirements: needed.slice(),
  };
}

/** An invalid skipRange is ignored. */
export function readSkipRange(range: string): VersionPredicate | undefined {
  try {
    return range === '' ? undefined : parseBlangRange(range);
  } catch {
    return undefined;
  }
}

function fits(value: JsonValue, shape: Shape): boolean {
  return mismatch(value, shape) === undefined;
}

/** Most bundles share these, so that a large catalog stays small. */
const none: readonly string[] = [];

const kinds = ['gvk', 'package', 'all', 'any', 'not', 'cel'];

/** The documents' `not` example has its constraint beside an empty `value`, not below it. */
function withConstraintBesideValue(property: Property): Property {
  if (property.type !== 'olm.constraint' || isObject(property.value)) return property;
  const beside = Object.entries(property).filter(([key]) => key !== 'type' && key !== 'value');
  if (!beside.some(([key]) => kinds.includes(key))) return property;
  return { type: property.type, value: Object.fromEntries(beside) };
}
