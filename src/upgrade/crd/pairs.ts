/** Which CustomResourceDefinition replaces which. */
import { InvalidInputError } from '../../text/documents/index.js';
import { shareParts } from '../../text/documents/shared-parts.js';
import type { Collection, FoundCrd } from './collect.js';

export interface CrdPairs {
  readonly changed: readonly { readonly old: FoundCrd; readonly new: FoundCrd }[];
  readonly added: readonly FoundCrd[];
  readonly removed: readonly FoundCrd[];
}

/**
 * Matches two collections by name.
 *
 * @throws InvalidInputError when NEW has none, or files as OLD; when both have one and these have two names
 */
export function pairCrds(
  old: Collection,
  next: Collection,
  sources: { readonly old: string; readonly new: string },
): CrdPairs {
  // A cluster, or a commit, may be from before the first definition.
  if (sources.old !== 'cluster:' && !sources.old.startsWith('git:')) {
    requireSome(old, sources.old);
  }
  requireSome(next, sources.new);
  const changed = [...next.crds.values()].flatMap((crd) => {
    const before = old.crds.get(crd.name);
    if (before === undefined) return [];
    shareParts(before.crd.document, crd.crd.document);
    return [{ old: before, new: crd }];
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
    throw new InvalidInputError(
      'E_INPUT',
      `holds CustomResourceDefinition ${onlyNew.name}, but OLD holds ${onlyOld.name}; compare two releases of the same one`,
      { file: onlyNew.document.file ?? sources.new, line: onlyNew.document.line },
    );
  }
  return { changed, added, removed };
}

function requireSome(collection: Collection, source: string): void {
  if (collection.crds.size > 0) return;
  const { passedOver, meant = '' } = collection;
  const others =
    passedOver === 0
      ? 'nothing'
      : `${passedOver} ${passedOver === 1 ? 'document' : 'documents'} of other kinds`;
  throw new InvalidInputError(
    'E_INPUT',
    `holds no CustomResourceDefinition (${others} found in .yaml, .yml and .json files)${meant}`,
    { file: source },
  );
}
