/** Where `check crd` gets CustomResourceDefinitions from: files, or the cluster itself. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { didYouMean } from '../../text/nearest.js';
import { suggestCommand } from './suggest-command.js';
import { FolderCluster, type ClusterView } from '../../cluster/index.js';
import { mentionsSource } from '../../kubernetes/index.js';
import { collectCrds, definitionAt, type Collection, type FoundCrd } from '../../upgrade/index.js';
import {
  InvalidInputError,
  invalidInput,
  isObject,
  own,
  parseDocuments,
  sameJson,
  type Document,
  type JsonValue,
  type Path,
  type Place,
} from '../../text/documents/index.js';
import { append } from '../../text/long-lists.js';
import { firstNames } from '../../text/shortened.js';
import { textAt, valueAt } from '../../text/documents/fields.js';
import type { SkippedEntry } from '../../text/documents/folder-walk.js';
import { goDefinitions, goPrefix } from '../../repository/index.js';
import { openCluster, openDefault, type ClusterOptions } from './cluster-option.js';
import { printSkipped, readManifestsWithWarnings } from './skipped-files.js';
import { NotInCommitError } from '../../text/documents/git.js';
import { top } from '../../text/documents/git-revision.js';
import { readSource } from '../../text/documents/sources.js';
import { readRegularFile, type SourceFile } from '../../text/documents/regular-file.js';
import { printError } from '../output.js';
import type { NetworkOptions } from './flags.js';

export const clusterPrefix = 'cluster:';
export const definitions = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };

export interface OldDefinitions {
  readonly collection: Collection;
  /** Whether the commit does not have the path that was named, which is there now. */
  readonly isPathNew?: boolean | undefined;
  /** Where they were found instead of in the place that was named. */
  readonly movedFrom?: readonly string[];
  readonly view?: ClusterView;
  /** Objects that may own them: in the cluster, or beside the definitions where none is named. */
  readonly owners?: ClusterView;
  readonly close: () => void;
}

/** Definitions in files, folders, commits or standard input. @throws InvalidInputError */
export async function readDefinitions(
  source: string,
  options: NetworkOptions = {},
): Promise<Collection> {
  if (source.startsWith(clusterPrefix)) {
    const instead =
      'name a file that kubectl get -o yaml has written; for policies: olm-guard vap sync';
    const problem = `${source} can only be the old side of a comparison`;
    throw invalidInput(`${problem}; ${instead}`);
  }
  return (await readTogether(source, options)).collection;
}

interface ReadTogether {
  readonly collection: Collection;
  /** Everything that is beside the definitions too. */
  readonly documents: readonly Document[];
  readonly isPathNew?: boolean;
  readonly movedFrom?: readonly string[];
}

/** Every definition has them. */
const fieldsOfAll = ['group', 'names', 'versions'];

/** Definitions that controller-gen makes of Go types. */
async function readGoTypes(source: string): Promise<ReadTogether> {
  const { bytes, types, textOf } = await goDefinitions(source);
  const { crds } = collectCrds(parseDocuments(bytes, { file: source }));
  const folder = source.slice(goPrefix.length);
  const found = [...crds].map(([name, made]): [string, FoundCrd] => {
    const { document, versions } = made.crd;
    const kind = textAt(document, 'spec', 'names', 'kind') ?? '';
    const placeOf = (keys: Path): Place => {
      const version = typeof keys[2] === 'number' ? versions[keys[2]]?.name : undefined;
      return types.placeOf(kind, version, keys) ?? { file: folder };
    };
    return [name, { ...made, written: { placeOf, textOf } }];
  });
  const collection = { crds: new Map(found), otherDocuments: 0, whole: 'Go types' };
  return { collection, documents: [] };
}

async function readTogether(source: string, options: NetworkOptions): Promise<ReadTogether> {
  if (source.startsWith(goPrefix)) return readGoTypes(source);
  const {
    files,
    origins,
    patches,
    whole,
    unchecked = [],
  } = await readManifestsWithWarnings(source, options);
  const documents = files.flatMap(documentsOf);
  const isWalked = whole === 'folder' && origins.length === 0;
  const partial: SkippedEntry[] = [];
  const { crds, otherDocuments } = collectCrds(documents, (error, crd) => {
    // No API server accepts it: it is a patch that no kustomization of the folder names.
    if (!isWalked || fieldsOfAll.some((field) => valueAt(crd, 'spec', field) !== undefined)) {
      throw error;
    }
    partial.push({ file: error.where.file ?? '', why: 'a patch: it has no versions' });
  });
  printSkipped(partial);
  for (const document of new Set([...crds.values()].map((found) => found.document))) {
    tellMisreadKeys(document);
  }
  const places = definitionsIn(origins);
  const found = [...crds].map(([name, crd]) => {
    const origin = places.get(name);
    return [name, origin === undefined ? crd : { ...origin, crd: crd.crd }] as const;
  });
  const meant = crds.size === 0 ? suggestCommand(documents, 'check crd') : '';
  const collection = {
    crds: new Map(found),
    otherDocuments: otherDocuments + patches + partial.length,
    unchecked,
    whole,
    meant,
  };
  return { collection, documents };
}

/** A plain key whose meaning in YAML 1.1 differs from the one its author intends. */
const misread = /^(?:y|yes|n|no|on|off)(?=\s*:)/i;

/** Fields such as `n:` and `on:`, of which kubectl makes `false` and `true`. */
function tellMisreadKeys(document: Document): void {
  const { value, format, text } = document;
  if (format !== 'yaml' || !/\b(?:y|yes|n|no|on|off)\s*:/i.test(text)) return;
  const lines = text.split('\n');
  const spec = own(isObject(value) ? value : {}, 'spec') ?? null;
  const left: (readonly [node: JsonValue, path: Path])[] = [[spec, ['spec']]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [node, path] = next;
    if (Array.isArray(node)) node.forEach((each, index) => left.push([each, [...path, index]]));
    if (!isObject(node)) continue;
    for (const [key, each] of Object.entries(node)) {
      const at = [...path, key];
      left.push([each, at]);
      if ((key !== 'true' && key !== 'false') || path.at(-1) !== 'properties') continue;
      const { file = '', line = 1, column = 1 } = document.placeOf(at);
      const written = misread.exec(lines[line - document.line]?.slice(column - 1) ?? '')?.[0];
      if (written === undefined) continue;
      printError(
        `olm-guard: ${file}:${line}:${column}: kubectl reads the key ${written} as ${key} (YAML 1.1): write "${written}"`,
      );
    }
  }
}

/** A commit from before the first definition. */
const nothingYet: ReadTogether = {
  collection: { crds: new Map(), otherDocuments: 0 },
  documents: [],
};

/** @throws InvalidInputError, for a template of Helm with what to do with it */
function documentsOf({ file, bytes }: SourceFile): Document[] {
  try {
    return parseDocuments(bytes, { file });
  } catch (error) {
    if (!(error instanceof InvalidInputError) || !bytes.includes('{{')) throw error;
    const message =
      'is a template of Helm, not a manifest: helm template CHART --include-crds | olm-guard check crd OLD -';
    throw new InvalidInputError(error.code, message, { file });
  }
}

function commitOf(source: string): string | undefined {
  return /^(?:go:)?git:([^:]+):/.exec(source)?.[1];
}

/** A folder that was moved hides no change. What cannot be read there is unchecked. */
async function elsewhereInCommit(
  source: string,
  proposed: ReadonlyMap<string, FoundCrd>,
  isMeant: (file: string, name: string) => Promise<boolean> = () => Promise.resolve(true),
): Promise<ReadTogether> {
  const unchecked: string[] = [];
  const unread: string[] = [];
  const onUnreadable = (error: InvalidInputError): void => {
    unread.push(`${error.describe()}; a definition that was moved may be in it`);
  };
  const names = [...proposed.keys()];
  const isProposed = ({ bytes }: SourceFile): boolean =>
    mentionsSource(bytes) ||
    (bytes.includes('CustomResourceDefinition') && names.some((name) => bytes.includes(name)));
  const files = await readSource(`git:${commitOf(source) ?? ''}:`, { onUnreadable }).catch(
    (error: unknown) => {
      // A commit without a file has nothing that was moved.
      if (error instanceof NotInCommitError) return [];
      if (!(error instanceof InvalidInputError)) throw error;
      onUnreadable(error);
      return [];
    },
  );
  const crds = new Map<string, FoundCrd>();
  // Of several copies, the one whose file kept its name is the one that moved.
  const fileNames = new Set([...proposed.values()].map(fileNameOf));
  const isRenamed = ({ file }: SourceFile): boolean => !fileNames.has(posix.basename(file));
  const candidates = files
    .filter(isProposed)
    .toSorted((one, other) => Number(isRenamed(one)) - Number(isRenamed(other)));
  for (const file of candidates) {
    for (const [name, crd] of definitionsIn([file])) {
      const known = crds.get(name);
      if (!proposed.has(name) || isPatch(crd) || !(await isMeant(file.file, name))) continue;
      if (known === undefined) crds.set(name, crd);
      else if (
        !sameJson(own(known.crd.document, 'spec') ?? null, own(crd.crd.document, 'spec') ?? null)
      ) {
        const places = `${known.document.file ?? ''} and ${crd.document.file ?? ''}`;
        unchecked.push(
          `there is nothing at ${source}, and ${name} differs between ${places}: compared with the first`,
        );
      }
    }
  }
  const movedFrom = [...crds.values()].map(({ document }) => document.file ?? '');
  if (crds.size > 0) {
    const files = [...new Set(movedFrom)];
    const what = crds.size === 1 ? `${[...crds.keys()].join()} is` : `${crds.size} definitions are`;
    printError(
      `olm-guard: there is nothing at ${source}: ${what} compared with ${firstNames(files, 3)}`,
    );
  }
  if (crds.size < proposed.size) append(unchecked, unread);
  return { ...nothingYet, collection: { crds, otherDocuments: 0, unchecked }, movedFrom };
}

const fileNameOf = ({ document: { file = '' } }: FoundCrd): string => posix.basename(file);

/** No API server had accepted it. */
const isPatch = ({ crd }: FoundCrd): boolean =>
  fieldsOfAll.some((field) => valueAt(crd.document, 'spec', field) === undefined);

/** The same for single files that moved: a copy that stays, as of a test, is another definition. */
async function withMoved(
  source: string,
  old: ReadTogether,
  proposed: Collection,
): Promise<ReadTogether> {
  const added = new Map([...proposed.crds].filter(([name]) => !old.collection.crds.has(name)));
  const commit = commitOf(source);
  if (commit === undefined || source.startsWith(goPrefix) || added.size === 0) return old;
  const folder = top(source);
  const isGone = async (file: string, name: string): Promise<boolean> => {
    const here = join(folder, file.replace(/^git:[^:]+:/, ''));
    return !existsSync(here) || !(await readRegularFile(here)).includes(name);
  };
  const { collection, movedFrom = [] } = await elsewhereInCommit(source, added, isGone);
  const { crds, unchecked = [] } = old.collection;
  return {
    ...old,
    collection: {
      ...old.collection,
      crds: new Map([...crds, ...collection.crds]),
      unchecked: [...unchecked, ...(collection.unchecked ?? [])],
    },
    ...(movedFrom.length > 0 && { movedFrom: [source, ...movedFrom] }),
  };
}

/** Whether the path of a source, which its commit does not have, is in the working tree or where NEW is. */
function isThereNow(source: string, proposed: Collection): boolean {
  const path = pathOf(source);
  const isNew = ({ document: { file = '' } }: FoundCrd): boolean =>
    `${pathOf(file)}/`.startsWith(`${path}/`);
  const folders = [top(source), process.cwd()];
  return (
    folders.some((folder) => existsSync(join(folder, path))) ||
    [...proposed.crds.values()].some(isNew)
  );
}

function pathOf(source: string): string {
  return source.replace(/^(?:go:)?(?:git:[^:]*:)?/, '').replace(/^(?:\.\/)+|\/+$/g, '');
}

function neverThere(file: string): InvalidInputError {
  const message = 'the path is neither in that commit nor in the working tree: correct it';
  return invalidInput(message, { file });
}

/** Where definitions that were rendered are in their files. */
function definitionsIn(files: readonly SourceFile[]): Map<string, FoundCrd> {
  const found = new Map<string, FoundCrd>();
  for (const file of files) {
    try {
      for (const [name, crd] of collectCrds(documentsOf(file)).crds) found.set(name, crd);
    } catch (error) {
      // A definition that was not rendered is not judged either.
      if (!(error instanceof InvalidInputError)) throw error;
    }
  }
  return found;
}

/** Whether both are wholes of one kind, read as they were named: what is only in the old one is gone. */
export function areWholes(
  { collection: { whole }, isPathNew, movedFrom }: OldDefinitions,
  next: Collection,
): boolean {
  const isUnread = (next.unchecked ?? []).length > 0;
  const isAsNamed = movedFrom === undefined && isPathNew !== true;
  return whole !== undefined && whole === next.whole && isAsNamed && !isUnread;
}

/** The same, or `cluster:NAME` as the cluster has it, `cluster:` for every one that is proposed. */
export async function readOldDefinitions(
  source: string,
  proposed: Collection,
  options: ClusterOptions & NetworkOptions,
): Promise<OldDefinitions> {
  if (!source.startsWith(clusterPrefix)) {
    const cluster = await openCluster(options);
    const { collection, documents, isPathNew, movedFrom } = await readTogether(source, options)
      .then((old) => withMoved(source, old, proposed))
      .catch((error: unknown) => {
        cluster?.close();
        if (!(error instanceof NotInCommitError)) throw error;
        return isThereNow(source, proposed)
          ? elsewhereInCommit(source, proposed.crds).then((old) => ({ ...old, isPathNew: true }))
          : Promise.reject(neverThere(source));
      });
    const { crds, ...rest } = collection;
    const installed = [...crds].map(
      ([name, found]) => [name, { ...found, crd: found.crd.asInstalled() }] as const,
    );
    return {
      collection: { ...rest, crds: new Map(installed) },
      isPathNew,
      movedFrom,
      ...(cluster && { view: cluster.view }),
      owners: cluster?.view ?? FolderCluster.ofDocuments(documents.map(({ value }) => value)),
      close: () => cluster?.close(),
    };
  }
  const { view, close } = (await openCluster(options)) ?? (await openDefault(options));
  const wanted = source.slice(clusterPrefix.length);
  try {
    const names = wanted === '' ? [...proposed.crds.keys()] : [wanted];
    const crds = new Map<string, FoundCrd>();
    for (const name of names) {
      const found = await view.get(definitions, name);
      if (found !== undefined) crds.set(name, definitionAt(found, `${clusterPrefix}${name}`));
      else if (wanted !== '') throw notInstalled(name, proposed);
    }
    return { collection: { crds, otherDocuments: 0 }, view, owners: view, close };
  } catch (error) {
    close();
    throw error;
  }
}

function notInstalled(name: string, proposed: Collection): InvalidInputError {
  const meant = proposed.crds.has(name) ? '' : didYouMean(name, proposed.crds.keys());
  return invalidInput(
    `the cluster has no CustomResourceDefinition ${name}${meant}; there is nothing to compare with`,
  );
}
