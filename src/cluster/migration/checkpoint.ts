/** Where a migration goes on after it was ended in the middle: a file, or a ConfigMap. */
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { ClusterError } from '../view/view.js';
import {
  InvalidInputError,
  invalidInput,
  isObject,
  metaOf,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { readRegularFile, writeRegularFile } from '../../text/documents/regular-file.js';
import type { MigratedKind } from './migrated-kind.js';
import type { Requests } from './requests.js';
import type { ObjectName } from './survey.js';
import { valueAt } from '../../text/documents/fields.js';

/** How far it is: everything on pages before `next` is written, but for what failed. */
export interface Checkpoint {
  /** The state before the first write: what is newer was written in the storage version. */
  readonly resourceVersion: string;
  /** Where the next page begins; empty before the first one. */
  readonly next: string;
  /** Whether the last page has been written. */
  readonly isListed: boolean;
  readonly looked: number;
  readonly written: number;
  readonly moved: number;
  /** Objects that could not be written: the first of them by name, to be tried again. */
  readonly failed: readonly ObjectName[];
  readonly failures: number;
}

export interface CheckpointStore {
  /** Undefined where there is none, or one of another migration. @throws InvalidInputError, ClusterError */
  read(): Promise<Checkpoint | undefined>;
  /** Undefined once nothing is left to go on with. @throws InvalidInputError, ClusterError */
  write(checkpoint: Checkpoint | undefined): Promise<void>;
}

const key = 'checkpoint.json';

/** @param place a file, or `configmap:NAMESPACE/NAME` @throws InvalidInputError for another place */
export function checkpointStore(
  place: string,
  kind: MigratedKind,
  requests: Requests,
  isInTree = false,
): CheckpointStore {
  const identity = identityOf(kind, isInTree);
  const prefix = 'configmap:';
  if (!place.startsWith(prefix)) return fileStore(place, identity);
  const [namespace = '', name = '', ...more] = place.slice(prefix.length).split('/');
  if (namespace === '' || name === '' || more.length > 0) {
    const message = `--checkpoint ${place} names no ConfigMap; write configmap:NAMESPACE/NAME`;
    throw invalidInput(message);
  }
  return configMapStore({ namespace, name }, identity, requests);
}

function fileStore(file: string, identity: JsonObject): CheckpointStore {
  return {
    async read() {
      if (!existsSync(file)) return undefined;
      const bytes = await readRegularFile(file);
      return decoded(bytes, identity, `${file} is not a checkpoint; name another file`);
    },
    async write(checkpoint) {
      // A process killed while writing leaves the last one whole.
      await writeRegularFile(`${file}.new`, encoded(checkpoint, identity));
      await rename(`${file}.new`, file);
    },
  };
}

function configMapStore(
  { namespace, name }: ObjectName,
  identity: JsonObject,
  requests: Requests,
): CheckpointStore {
  const collection = `/api/v1/namespaces/${encodeURIComponent(namespace)}/configmaps`;
  const path = `${collection}/${encodeURIComponent(name)}`;
  let known: JsonObject | undefined;
  const textIn = (map: JsonObject): JsonValue | undefined => valueAt(map, 'data', key);
  return {
    async read() {
      known = await requests.find(path);
      if (known === undefined) return undefined;
      const data = own(known, 'data');
      const text = textIn(known);
      if (typeof text === 'string') {
        const foreign = `${key} in the ConfigMap ${namespace}/${name} is not a checkpoint; name another`;
        return decoded(text, identity, foreign);
      }
      if (!isObject(data) || Object.keys(data).length === 0) return undefined;
      const message = `the ConfigMap ${namespace}/${name} holds something else; name another for the checkpoint`;
      throw invalidInput(message);
    },
    async write(checkpoint) {
      const text = encoded(checkpoint, identity);
      const data = { [key]: text };
      const body = (metadata: JsonValue): string =>
        stringifyJson({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
      try {
        known =
          known === undefined
            ? await requests.json({
                path: collection,
                method: 'POST',
                body: body({ name, namespace }),
              })
            : await requests.json({
                path,
                method: 'PUT',
                body: body(own(known, 'metadata') ?? {}),
              });
      } catch (error) {
        if (!(error instanceof ClusterError) || error.status !== 409) throw error;
        // A write without an answer is sent again, and may have been stored the first time.
        known = await requests.find(path);
        if (known !== undefined && textIn(known) === text) return;
        const message = `the ConfigMap ${namespace}/${name} is written by somebody else too; one migration at a time may use it`;
        throw invalidInput(message);
      }
    },
  };
}

/** Tells the migration of one state of a definition from any other. */
function identityOf(
  { name, uid, generation, storage, leaving }: MigratedKind,
  isInTree: boolean,
): JsonObject {
  const by: JsonObject = isInTree ? { inTree: true } : {};
  return { name, uid, generation, storage, leaving: [...leaving], ...by };
}

function encoded(checkpoint: Checkpoint | undefined, identity: JsonObject): string {
  const made = { definition: identity, checkpoint };
  return `${JSON.stringify(made)}\n`;
}

/** @throws InvalidInputError with `foreign` for what none of us has written */
function decoded(
  bytes: Buffer | string,
  identity: JsonObject,
  foreign: string,
): Checkpoint | undefined {
  let value: JsonValue | undefined;
  try {
    value = parseJson(bytes);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
  }
  const definition = isObject(value) ? own(value, 'definition') : undefined;
  if (!isObject(value) || !isObject(definition)) throw invalidInput(foreign);
  const checkpoint = own(value, 'checkpoint');
  if (!isObject(checkpoint)) return undefined;
  if (stringifyJson(definition) !== stringifyJson(identity)) return undefined;
  const text = (name: string): string => {
    const said = own(checkpoint, name);
    return typeof said === 'string' ? said : '';
  };
  const number = (name: string): number => {
    const said = own(checkpoint, name);
    return typeof said === 'number' ? said : 0;
  };
  // Without it the earlier writes are not known.
  if (text('resourceVersion') === '') throw invalidInput(foreign);
  const failed = own(checkpoint, 'failed');
  return {
    resourceVersion: text('resourceVersion'),
    next: text('next'),
    isListed: own(checkpoint, 'isListed') === true,
    looked: number('looked'),
    written: number('written'),
    moved: number('moved'),
    failed: (Array.isArray(failed) ? failed : []).map((each) => {
      const { namespace, name } = metaOf({ metadata: each });
      return { namespace, name };
    }),
    failures: number('failures'),
  };
}
