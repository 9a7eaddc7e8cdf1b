/** CustomResourceDefinitions among whatever else a folder, a bundle or a rendered chart holds. */
import {
  InvalidInputError,
  objectsOf,
  own,
  sameJson,
  type Document,
  type JsonObject,
  type JsonValue,
  type Path,
} from '../../text/documents/index.js';
import {
  isCustomResourceDefinition,
  readCustomResourceDefinition,
} from './custom-resource-definition.js';

/** A CustomResourceDefinition and where it stands. */
export interface FoundCrd {
  readonly name: string;
  readonly crd: JsonObject;
  readonly document: Document;
  /** From the document's root to the CustomResourceDefinition, for those inside a List. */
  readonly path: Path;
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

/**
 * Finds every CustomResourceDefinition, inside Lists too. One that stands in several places with the
 * same spec, as under `config/` and `bundle/` of one repository, counts once.
 *
 * @throws InvalidInputError for one that cannot be judged, and for two that differ under one name
 */
export function collectCrds(documents: Iterable<Document>): Collection {
  const crds = new Map<string, FoundCrd>();
  let passedOver = 0;
  for (const document of documents) {
    for (const { value, path } of objectsOf(document.value)) {
      if (!isCustomResourceDefinition(value)) {
        passedOver++;
        continue;
      }
      const place = placeOf(document);
      const name = nameOf(value, document, path);
      const other = crds.get(name);
      if (other !== undefined) {
        if (sameJson(own(other.crd, 'spec') ?? null, own(value, 'spec') ?? null)) continue;
        throw secondOfItsName(name, placeOf(other.document), place);
      }
      crds.set(name, { name, crd: value, document, path });
    }
  }
  return { crds, passedOver };
}

/** @throws InvalidInputError at the line of the part that is not as it must be */
function nameOf(value: JsonValue, document: Document, path: Path): string {
  try {
    return readCustomResourceDefinition(value).name;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const steps = [...(error.where.path ?? '').matchAll(/\.(?<key>[^.[]+)|\[(?<index>\d+)\]/g)].map(
      ({ groups }) => groups?.['key'] ?? Number(groups?.['index']),
    );
    throw error.at(document.placeOf([...path, ...steps]));
  }
}

interface Start {
  readonly file?: string;
  readonly line: number;
}

function placeOf(document: Document): Start {
  return { ...(document.file === undefined ? {} : { file: document.file }), line: document.line };
}

function secondOfItsName(name: string, first: Start, second: Start): InvalidInputError {
  return new InvalidInputError(
    'E_INPUT',
    `CustomResourceDefinition ${name} is here a second time, with another spec; the first is at ${first.file ?? 'line'}:${first.line}; name the folder of the one that is meant`,
    second,
  );
}
