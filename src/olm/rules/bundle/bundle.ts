/** The parts of a registry+v1 bundle among its files: told apart by what they hold, not by their names. */
import { collectCrds, type FoundCrd } from '../../../upgrade/index.js';
import {
  InvalidInputError,
  isObject,
  own,
  type Document,
  type JsonObject,
  type JsonValue,
  type Path,
} from '../../../text/documents/index.js';
import { readCsv, type Csv } from '../../objects/cluster-service-version.js';
import { append } from '../../../text/long-lists.js';

/** A value of the bundle and where it stands. */
export interface Part<Value = JsonObject> {
  readonly value: Value;
  readonly document: Document;
  /** From the document's root. */
  readonly path: Path;
}

/** An entry of metadata/properties.yaml or metadata/dependencies.yaml. */
export type MetadataEntry = Part<JsonValue>;

export interface Bundle {
  readonly csv: Part<Csv> | undefined;
  readonly crds: ReadonlyMap<string, FoundCrd>;
  readonly properties: readonly MetadataEntry[];
  readonly dependencies: readonly MetadataEntry[];
  /** `annotations` of metadata/annotations.yaml. */
  readonly annotations: Part | undefined;
  readonly serviceAccounts: readonly Part[];
  /** Every Kubernetes object of the bundle. */
  readonly objects: readonly Part[];
  /** Other objects that the bundle brings. */
  readonly others: number;
}

/**
 * Sorts the documents of a bundle: manifests and metadata of a folder, one file of it, or a rendered
 * `olm.bundle`.
 *
 * @throws InvalidInputError `E_INPUT` when nothing of a bundle is there, when there are two
 *   ClusterServiceVersions or two definitions of one name, and when a list of metadata is no list
 */
export function readBundle(documents: readonly Document[], source: string): Bundle {
  const { crds } = collectCrds(documents);
  const csvs: Part<Csv>[] = [];
  const properties: MetadataEntry[] = [];
  const dependencies: MetadataEntry[] = [];
  const serviceAccounts: Part[] = [];
  const objects: Part[] = [];
  let annotations: Part | undefined;
  let others = 0;
  for (const document of documents) {
    const { value } = document;
    if (isObject(value) && own(value, 'kind') !== undefined) {
      objects.push({ value, document, path: [] });
    }
    if (!isObject(value)) {
      others++;
    } else if (own(value, 'kind') === 'ClusterServiceVersion') {
      csvs.push({ value: readCsv(value), document, path: [] });
    } else if (own(value, 'kind') !== undefined) {
      if (own(value, 'kind') !== 'CustomResourceDefinition') others++;
      if (own(value, 'kind') === 'ServiceAccount') {
        serviceAccounts.push({ value, document, path: [] });
      }
    } else {
      append(properties, entriesOf(document, value, 'properties'));
      append(dependencies, entriesOf(document, value, 'dependencies'));
      const found = own(value, 'annotations');
      if (isObject(found)) annotations ??= { value: found, document, path: ['annotations'] };
      const known = ['properties', 'dependencies', 'annotations'];
      if (!known.some((key) => own(value, key) !== undefined)) others++;
    }
  }
  const [csv, second] = csvs;
  if (csv !== undefined && second !== undefined) {
    const first = csv.document;
    throw new InvalidInputError(
      'E_INPUT',
      `holds a second ClusterServiceVersion; a bundle has exactly one, and the first is ${csv.value.name} at ${first.file ?? 'line'}:${first.line}`,
      placeOf(second.document),
    );
  }
  const isEmpty =
    csv === undefined &&
    crds.size === 0 &&
    properties.length + dependencies.length === 0 &&
    annotations === undefined;
  if (isEmpty) {
    throw new InvalidInputError(
      'E_INPUT',
      `holds nothing of a bundle: no ClusterServiceVersion, CustomResourceDefinition, properties, dependencies or annotations (${others} ${others === 1 ? 'document' : 'documents'} of other kinds)`,
      { file: source },
    );
  }
  return { csv, crds, properties, dependencies, annotations, serviceAccounts, objects, others };
}

function entriesOf(
  document: Document,
  value: JsonObject,
  key: 'properties' | 'dependencies',
): MetadataEntry[] {
  const list = own(value, key);
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    throw new InvalidInputError('E_INPUT', `${key} must be a list of entries with type and value`, {
      ...placeOf(document),
      path: `$.${key}`,
    });
  }
  return list.map((entry, index) => ({ value: entry, document, path: [key, index] }));
}

function placeOf({ file, line }: Document): { file?: string; line: number } {
  return { ...(file === undefined ? {} : { file }), line };
}
