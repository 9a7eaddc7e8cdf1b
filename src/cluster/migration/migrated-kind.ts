/** A CustomResourceDefinition as its migration needs it: the stored versions, those to leave, and the one to move to. */
import {
  droppedFields,
  readCustomResourceDefinition,
  unnamedVersions,
} from '../../upgrade/index.js';
import { didYouMean } from '../../text/nearest.js';
import { invalidInput, metaOf, own, type JsonObject } from '../../text/documents/index.js';
import { largest } from '../../text/long-lists.js';
import { textAt } from '../../text/documents/fields.js';

export interface MigratedKind {
  /** `widgets.example.com` */
  readonly name: string;
  readonly uid: string;
  /** Grows with each change of the definition's spec. */
  readonly generation: number;
  readonly group: string;
  /** Plural: `widgets`. */
  readonly resource: string;
  readonly kind: string;
  /** The version in which objects are stored, under which they are read and written here. */
  readonly storage: string;
  /** All that the definition has, as it lists them. */
  readonly versions: readonly string[];
  readonly served: readonly string[];
  /** `status.storedVersions` */
  readonly stored: readonly string[];
  /** Versions that a user may have taken out of `status.storedVersions`, and that the definition still has. */
  readonly trimmed: readonly string[];
  /** Versions that are to be found nowhere afterwards; beside them every one that the definition has no more. */
  readonly leaving: readonly string[];
  readonly convertsByWebhook: boolean;
  /** Fields that an object stored in another version loses when it is written: conversion None prunes them. */
  readonly dropped: readonly { readonly version: string; readonly fields: readonly string[] }[];
  /** When the definition was written last, in milliseconds since 1970; 0 where nothing says. */
  readonly writtenAt: number;
}

/**
 * @param named versions that are to leave; where none is named, those that are stored still, are
 *   deprecated or are not served
 * @throws InvalidInputError for a definition whose objects cannot be migrated, and for a version that
 *   cannot leave
 */
export function migratedKind(document: JsonObject, named: readonly string[] = []): MigratedKind {
  const definition = readCustomResourceDefinition(document);
  const { name, versions, storedVersions: stored, convertsByWebhook } = definition;
  const meta = metaOf(document);
  if (meta.deletionTimestamp !== undefined) throw invalidInput(`${name} is being deleted`);
  const storage = versions.find((version) => version.storage);
  if (storage === undefined) throw invalidInput(`${name} has no storage version`);
  if (!storage.served) {
    throw invalidInput(
      `the storage version of ${name}, ${storage.name}, is not served, so its objects cannot be written in it; serve it first`,
    );
  }
  const known = namesOf(versions);
  for (const version of named) {
    if (!known.includes(version)) {
      throw invalidInput(
        `${name} has no version ${version}${didYouMean(version, known)}; what it does not have any more leaves without --leaving`,
      );
    }
    if (version !== storage.name) continue;
    throw invalidInput(
      `${version} is the storage version of ${name} and cannot leave; make another version the storage version first`,
    );
  }
  const leaves = versions.filter(
    (version) =>
      stored.includes(version.name) || !version.served || own(version.document, 'deprecated'),
  );
  return {
    name,
    uid: meta.uid,
    generation: meta.generation,
    group: textAt(document, 'spec', 'group') ?? '',
    resource: textAt(document, 'spec', 'names', 'plural') ?? '',
    kind: textAt(document, 'spec', 'names', 'kind') ?? '',
    storage: storage.name,
    versions: known,
    served: versions.filter(({ served }) => served).map((version) => version.name),
    stored,
    trimmed: unnamedVersions(document, {}),
    leaving: [...new Set([...named, ...(named.length > 0 ? [] : namesOf(leaves))])].filter(
      (version) => version !== storage.name,
    ),
    convertsByWebhook,
    dropped: convertsByWebhook
      ? []
      : versions.flatMap(({ name, schema }) => {
          const fields = stored.includes(name) ? droppedFields(schema, storage.schema) : [];
          return fields.length === 0 ? [] : [{ version: name, fields }];
        }),
    writtenAt: largest(
      meta.managedFields.map((entry) => Date.parse(textAt(entry, 'time') ?? '') || 0),
      0,
    ),
  };
}

function namesOf(versions: readonly { readonly name: string }[]): string[] {
  return versions.map(({ name }) => name);
}

/** Whether an entry of managedFields with this apiVersion is to be moved to the storage version. */
export function leaves({ group, versions, leaving }: MigratedKind, apiVersion: string): boolean {
  const version = apiVersion.slice(group.length + 1);
  // No server-side apply gets past an entry whose version the definition does not have.
  if (apiVersion !== `${group}/${version}`) return false;
  return leaving.includes(version) || !versions.includes(version);
}
