/** The parts of a registry+v1 bundle among its files: told apart by what they hold, not by their names. */
import { collectCrds, type FoundCrd } from '../../../upgrade/index.js';
import {
  type Document,
  formatPath,
  invalidInput,
  isObject,
  type JsonObject,
  type JsonValue,
  objectsOf,
  own,
  type Path,
} from '../../../text/documents/index.js';
import { type Csv, readCsv } from '../../objects/classic-objects.js';
import { append } from '../../../text/long-lists.js';
import { type Finding, foundAt } from '../../../rule/index.js';

/** The first API version of CustomResourceDefinitions, which no API server has served since 1.22. */
export const v1beta1 = 'apiextensions.k8s.io/v1beta1';

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
  /** Definitions that can be judged, the first of each name. */
  readonly crds: ReadonlyMap<string, FoundCrd>;
  /** Every CustomResourceDefinition, of any API version and as often as it is there. */
  readonly definitions: readonly Part[];
  readonly properties: readonly MetadataEntry[];
  readonly dependencies: readonly MetadataEntry[];
  /** `annotations` of metadata/annotations.yaml. */
  readonly annotations: Part | undefined;
  readonly objects: readonly Part[];
}

/**
 * Sorts the documents of a bundle: manifests and metadata of a folder, one file of it, or a rendered
 * `olm.bundle`.
 *
 * @throws InvalidInputError `E_INPUT` when nothing of a bundle is there, when there are two
 *   ClusterServiceVersions, when a v1 definition cannot be read, and when a list of metadata is no list
 */
export function readBundle(documents: readonly Document[], source: string): Bundle {
  const { crds } = collectCrds(
    documents,
    (error, crd, why) => {
      // The rules judge how OLM treats a second definition and one of v1beta1.
      if (why === 'unreadable' && own(crd, 'apiVersion') !== v1beta1) throw error;
    },
    { areDerivedTaken: false },
  );
  const objects: Part[] = [];
  const properties: MetadataEntry[] = [];
  const dependencies: MetadataEntry[] = [];
  let annotations: Part | undefined;
  for (const document of documents) {
    const { value } = document;
    if (isObject(value) && own(value, 'kind') !== undefined) {
      append(objects, objectParts(document));
    } else if (isObject(value)) {
      append(properties, entriesOf(document, value, 'properties'));
      append(dependencies, entriesOf(document, value, 'dependencies'));
      const found = own(value, 'annotations');
      if (isObject(found)) annotations ??= { value: found, document, path: ['annotations'] };
    }
  }
  const ofKind = (kind: string): Part[] =>
    objects.filter(({ value }) => own(value, 'kind') === kind);
  const csvs = ofKind('ClusterServiceVersion').map((part): Part<Csv> => ({
    ...part,
    value: readCsv(part.value),
  }));
  const definitions = ofKind('CustomResourceDefinition');
  const [csv, second] = csvs;
  if (csv !== undefined && second !== undefined) {
    const first = csv.document;
    throw invalidInput(
      `holds a second ClusterServiceVersion; a bundle has exactly one, and the first is ${csv.value.name} at ${first.file ?? 'line'}:${first.line}`,
      placeOf(second.document),
    );
  }
  const isEmpty =
    csv === undefined &&
    definitions.length === 0 &&
    properties.length + dependencies.length === 0 &&
    annotations === undefined;
  if (isEmpty) {
    const count = documents.length;
    throw invalidInput(
      `holds nothing of a bundle: no ClusterServiceVersion, CustomResourceDefinition, properties, dependencies or annotations (${count} ${count === 1 ? 'document' : 'documents'} of other kinds)`,
      { file: source },
    );
  }
  return { csv, crds, definitions, properties, dependencies, annotations, objects };
}

/** A List is what it holds, as for kubectl. */
function objectParts(document: Document): Part[] {
  return [...objectsOf(document.value)].flatMap(({ value, path }) =>
    isObject(value) ? [{ value, document, path }] : [],
  );
}

function entriesOf(
  document: Document,
  value: JsonObject,
  key: 'properties' | 'dependencies',
): MetadataEntry[] {
  const list = own(value, key);
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    throw invalidInput(`${key} must be a list of entries with type and value`, {
      ...placeOf(document),
      path: `$.${key}`,
    });
  }
  return list.map((entry, index) => ({ value: entry, document, path: [key, index] }));
}

function placeOf({ file, line }: Document): { file?: string; line: number } {
  return { file, line };
}

type At = Pick<Part<unknown>, 'document' | 'path'>;

/** Without a part it is about the bundle as a whole. */
export function locate(finding: Finding, part?: At, ...below: Path): Finding {
  if (part === undefined) return finding;
  return { ...placeIn(finding, part, ...below), path: formatPath([...part.path, ...below]) };
}

/** Leaves the finding the path that it has. */
export function placeIn(finding: Finding, { document, path }: At, ...below: Path): Finding {
  return { ...finding, [foundAt]: { document, keys: [...path, ...below] } };
}
