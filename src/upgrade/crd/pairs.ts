/** Which CustomResourceDefinition replaces which. */
import {
  invalidInput,
  isObject,
  own,
  type JsonValue,
  type Path,
} from '../../text/documents/index.js';
import { shareParts } from '../../text/documents/value.js';
import type { Collection, FoundCrd } from './collect.js';
import { readCustomResourceDefinition } from './custom-resource-definition.js';

export interface CrdPairs {
  readonly changed: readonly { readonly old: FoundCrd; readonly new: FoundCrd }[];
  readonly added: readonly FoundCrd[];
  readonly removed: readonly FoundCrd[];
}

/** @throws InvalidInputError when NEW has none, or files as OLD; when both have one and these have two names */
export function pairCrds(
  old: Collection,
  next: Collection,
  sources: { readonly old: string; readonly new: string },
): CrdPairs {
  // A cluster, or a commit, may be from before the first definition.
  if (sources.old !== 'cluster:' && !/^(?:go:)?git:/.test(sources.old)) {
    requireSome(old, sources.old);
  }
  requireSome(next, sources.new);
  const changed = [...next.crds.values()].flatMap((crd) => {
    const before = old.crds.get(crd.name);
    if (before === undefined) return [];
    const unknown = [...(before.madeFrom?.unknown ?? []), ...(crd.madeFrom?.unknown ?? [])];
    const pair = { old: withoutSchemas(before, unknown), new: withoutSchemas(crd, unknown) };
    shareParts(pair.old.crd.document, pair.new.crd.document);
    return [pair];
  });
  const added = [...next.crds.values()].filter(({ name }) => !old.crds.has(name));
  const removed = [...old.crds.values()].filter(({ name }) => !next.crds.has(name));
  const [onlyOld, onlyNew] = [removed[0], added[0]];
  if (
    changed.length === 0 &&
    onlyOld !== undefined &&
    onlyNew !== undefined &&
    old.crds.size === 1 &&
    next.crds.size === 1
  ) {
    throw invalidInput(
      `holds CustomResourceDefinition ${onlyNew.name}, but OLD holds ${onlyOld.name}; compare two releases of the same one`,
      { file: onlyNew.document.file ?? sources.new, line: onlyNew.document.line },
    );
  }
  return { changed, added, removed };
}

/** Drops the schemas that only the cluster knows of one side: they cannot be compared. */
function withoutSchemas(found: FoundCrd, places: readonly Path[]): FoundCrd {
  if (places.length === 0) return found;
  const document = places.reduce<JsonValue>(withoutSchema, found.crd.document);
  return { ...found, crd: readCustomResourceDefinition(document) };
}

function withoutSchema(value: JsonValue, [key, ...rest]: Path): JsonValue {
  if (key === undefined) return { 'x-kubernetes-preserve-unknown-fields': true };
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === key ? withoutSchema(item, rest) : item));
  }
  const inner = isObject(value) ? own(value, String(key)) : undefined;
  return isObject(value) && inner !== undefined
    ? { ...value, [key]: withoutSchema(inner, rest) }
    : value;
}

function requireSome(collection: Collection, source: string): void {
  if (collection.crds.size > 0) return;
  const { otherDocuments, meant = '' } = collection;
  const others =
    otherDocuments === 0
      ? 'nothing'
      : `${otherDocuments} ${otherDocuments === 1 ? 'document' : 'documents'} of other kinds`;
  throw invalidInput(
    `holds no CustomResourceDefinition (${others} found in .yaml, .yml and .json files)${meant}`,
    { file: source },
  );
}
