/** Definitions that a folder, bundle or chart holds, and those that controllers make of what it holds. */
import {
  documentOf,
  InvalidInputError,
  invalidInput,
  isObject,
  objectsOf,
  own,
  parsePath,
  sameJson,
  type Document,
  type JsonObject,
  type JsonValue,
  type Path,
  type Place,
} from '../../text/documents/index.js';
import { definitionSource, type DerivedDefinition } from '../../kubernetes/index.js';
import {
  isCustomResourceDefinition,
  readCustomResourceDefinition,
  type CustomResourceDefinition,
} from './custom-resource-definition.js';

export interface FoundCrd {
  readonly name: string;
  readonly crd: CustomResourceDefinition;
  readonly document: Document;
  /** From the document's root to the CustomResourceDefinition, for those inside a List. */
  readonly path: Path;
  /** For a definition that a controller creates: the kind that the document has instead. */
  readonly madeFrom?: MadeFrom;
  /** For a definition that a program generated from other files: the places in these. */
  readonly written?: WrittenElsewhere;
}

export interface WrittenElsewhere {
  /** Where a value of the definition comes from. */
  readonly placeOf: (keys: Path) => Place;
  readonly textOf: (file: string) => string | undefined;
}

interface MadeFrom extends Omit<DerivedDefinition, 'crd'> {
  readonly kind: string;
}

export function definitionAt(value: JsonObject, source?: string): FoundCrd {
  const crd = readCustomResourceDefinition(value, { file: source });
  return { name: crd.name, crd, document: documentOf(value, source), path: [] };
}

/** Where a value of it is; what comes from a cluster has no lines. */
export function placeInFile({ document, path, madeFrom, written }: Standing, keys: Path): Place {
  if (written !== undefined) return written.placeOf(keys);
  return document.placeOf([...path, ...(madeFrom?.keysInSource(keys) ?? keys)]);
}

export interface Collection {
  readonly crds: ReadonlyMap<string, FoundCrd>;
  readonly otherDocuments: number;
  /** A suggestion where no definition was found; begins with its separator. */
  readonly meant?: string;
  /** The kind of whole that this is, such as a folder or a chart; undefined for a part. */
  readonly whole?: string | undefined;
  /** Files that may hold more definitions and could not be read, a sentence each. */
  readonly unchecked?: readonly string[];
}

type OnRefused = (
  error: InvalidInputError,
  crd: JsonObject,
  why: 'unreadable' | 'second of its name',
) => void;

const refuse: OnRefused = (error) => {
  throw error;
};

interface CollectOptions {
  /** Whether those count, too, that controllers make of other objects; the default. */
  readonly areDerivedTaken?: boolean;
}

/**
 * Finds every CustomResourceDefinition, inside Lists too. One that is in several places with the
 * same spec, as under `config/` and `bundle/` of one repository, counts once.
 *
 * @throws InvalidInputError for one that cannot be judged, and for two that differ under one name; unless
 *   `onRefused` takes them
 */
export function collectCrds(
  documents: Iterable<Document>,
  onRefused: OnRefused = refuse,
  { areDerivedTaken = true }: CollectOptions = {},
): Collection {
  const crds = new Map<string, FoundCrd>();
  let otherDocuments = 0;
  for (const document of documents) {
    for (const { value, path } of objectsOf(document.value)) {
      const isTaken = areDerivedTaken || isCustomResourceDefinition(value);
      const definitions = isTaken ? definitionsIn(value, { document, path }, onRefused) : undefined;
      if (definitions === undefined) otherDocuments++;
      for (const found of definitions ?? []) {
        const other = crds.get(found.name);
        if (other === undefined) {
          crds.set(found.name, found);
        } else if (!hasSameSpec(other, found)) {
          const places = [placeOf(other.document), placeOf(document)] as const;
          const error = secondOfItsName(found.name, ...places);
          onRefused(error, found.crd.document, 'second of its name');
        }
      }
    }
  }
  return { crds, otherDocuments };
}

function hasSameSpec(one: FoundCrd, other: FoundCrd): boolean {
  const [spec, otherSpec] = [one, other].map(({ crd }) => own(crd.document, 'spec') ?? null);
  return sameJson(spec, otherSpec);
}

type Standing = Pick<FoundCrd, 'document' | 'path' | 'madeFrom' | 'written'>;

function definitionsIn(
  value: JsonValue,
  standing: Standing,
  onRefused: OnRefused,
): FoundCrd[] | undefined {
  if (isCustomResourceDefinition(value)) return foundAt(value, standing, onRefused);
  const source = definitionSource(value);
  if (source === undefined || !isObject(value)) return undefined;
  try {
    return source.derive(value).flatMap(({ crd, ...rest }) => {
      const madeFrom = { kind: source.kind, ...rest };
      return foundAt(crd, { ...standing, madeFrom }, onRefused);
    });
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    onRefused(placed(error, standing), value, 'unreadable');
    return [];
  }
}

/** The definition of an object's kind, whatever version the object is in. */
export function definitionOf(
  object: JsonObject,
  crds: ReadonlyMap<string, FoundCrd>,
): FoundCrd | undefined {
  const apiVersion = own(object, 'apiVersion');
  if (typeof apiVersion !== 'string') return undefined;
  const [group] = apiVersion.split('/');
  for (const found of crds.values()) {
    const spec = own(found.crd.document, 'spec');
    const names = isObject(spec) ? own(spec, 'names') : undefined;
    if (!isObject(spec) || !isObject(names)) continue;
    if (own(spec, 'group') === group && own(names, 'kind') === own(object, 'kind')) return found;
  }
  return undefined;
}

function foundAt(value: JsonObject, standing: Standing, onRefused: OnRefused): FoundCrd[] {
  try {
    const crd = readCustomResourceDefinition(value);
    return [{ ...standing, name: crd.name, crd }];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    onRefused(placed(error, standing), value, 'unreadable');
    return [];
  }
}

/** At the line of the part that is not as it must be. */
function placed(error: InvalidInputError, standing: Standing): InvalidInputError {
  return error.at(placeInFile(standing, parsePath(error.where.path ?? '$')));
}

interface Start {
  readonly file?: string;
  readonly line: number;
}

function placeOf(document: Document): Start {
  return { file: document.file, line: document.line };
}

function secondOfItsName(name: string, first: Start, second: Start): InvalidInputError {
  return invalidInput(
    `CustomResourceDefinition ${name} is here a second time, with another spec; the first is at ${first.file ?? 'line'}:${first.line}; name the file or folder of the one that is meant`,
    second,
  );
}
