/** CustomResourceDefinitions among whatever else a folder, a bundle or a rendered chart holds. */
import {
  documentOf,
  InvalidInputError,
  isObject,
  objectsOf,
  own,
  parsePath,
  sameJson,
  type Document,
  type JsonObject,
  type Path,
  type Place,
} from '../../text/documents/index.js';
import {
  isCustomResourceDefinition,
  readCustomResourceDefinition,
  type CustomResourceDefinition,
} from './custom-resource-definition.js';

/** A CustomResourceDefinition and where it stands. */
export interface FoundCrd {
  readonly name: string;
  readonly crd: CustomResourceDefinition;
  readonly document: Document;
  /** From the document's root to the CustomResourceDefinition, for those inside a List. */
  readonly path: Path;
}

/**
 * A definition that is a whole document, such as one that a cluster has.
 *
 * @throws InvalidInputError `E_INPUT` when it is no v1 CustomResourceDefinition
 */
export function definitionAt(value: JsonObject, source?: string): FoundCrd {
  const crd = readCustomResourceDefinition(value, { file: source });
  return { name: crd.name, crd, document: documentOf(value, source), path: [] };
}

/** Where a value of it stands; what comes from a cluster has no lines. */
export function placeInFile({ document, path }: FoundCrd, keys: Path): Place {
  return document.placeOf([...path, ...keys]);
}

export interface Collection {
  readonly crds: ReadonlyMap<string, FoundCrd>;
  /** Documents of other kinds. */
  readonly passedOver: number;
  /** What was probably meant where there is none; begins with its separator. */
  readonly meant?: string;
  /** What may hold further ones and could not be read, a sentence each. */
  readonly unchecked?: readonly string[];
}

/** Told of a definition that is left out: it cannot be read, or another has its name. */
type OnRefused = (
  error: InvalidInputError,
  crd: JsonObject,
  why: 'unreadable' | 'second of its name',
) => void;

const refuse: OnRefused = (error) => {
  throw error;
};

/**
 * Finds every CustomResourceDefinition, inside Lists too. One that stands in several places with the
 * same spec, as under `config/` and `bundle/` of one repository, counts once.
 *
 * @throws InvalidInputError for one that cannot be judged, and for two that differ under one name; unless
 *   `onRefused` takes them
 */
export function collectCrds(
  documents: Iterable<Document>,
  onRefused: OnRefused = refuse,
): Collection {
  const crds = new Map<string, FoundCrd>();
  let passedOver = 0;
  for (const document of documents) {
    for (const { value, path } of objectsOf(document.value)) {
      if (!isCustomResourceDefinition(value)) {
        passedOver++;
        continue;
      }
      const place = placeOf(document);
      const crd = read(value, document, path, onRefused);
      if (crd === undefined) continue;
      const { name } = crd;
      const other = crds.get(name);
      if (other !== undefined) {
        if (sameJson(own(other.crd.document, 'spec') ?? null, own(value, 'spec') ?? null)) continue;
        onRefused(
          secondOfItsName(name, placeOf(other.document), place),
          value,
          'second of its name',
        );
        continue;
      }
      crds.set(name, { name, crd, document, path });
    }
  }
  return { crds, passedOver };
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

/** The error is at the line of the part that is not as it must be. */
function read(
  value: JsonObject,
  document: Document,
  path: Path,
  onRefused: OnRefused,
): CustomResourceDefinition | undefined {
  try {
    return readCustomResourceDefinition(value);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const place = document.placeOf([...path, ...parsePath(error.where.path ?? '$')]);
    onRefused(error.at(place), value, 'unreadable');
    return undefined;
  }
}

interface Start {
  readonly file?: string;
  readonly line: number;
}

function placeOf(document: Document): Start {
  return { file: document.file, line: document.line };
}

function secondOfItsName(name: string, first: Start, second: Start): InvalidInputError {
  return new InvalidInputError(
    'E_INPUT',
    `CustomResourceDefinition ${name} is here a second time, with another spec; the first is at ${first.file ?? 'line'}:${first.line}; name the folder of the one that is meant`,
    second,
  );
}
