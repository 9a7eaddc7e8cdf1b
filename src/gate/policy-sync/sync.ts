/** Policies in a cluster that are those of its definitions, and of what their objects use. */
import {
  isObject,
  metaOf,
  own,
  readList,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';
import {
  useInCluster,
  bindingsPath,
  definitionsPath,
  policiesPath,
  syncedLabel,
} from './coverage.js';
import { append } from '../../text/long-lists.js';
import { definitionAnnotation, policyOf } from '../admission-policy/policy.js';
import { boundedPages, type Connection, LiveCluster } from '../../cluster/index.js';

export interface SyncOptions {
  readonly names: readonly string[];
  readonly isAudit: boolean;
  /** Whether the deletion of a definition that has objects is denied; else it is warned of. */
  readonly deniesDeletion: boolean;
  /** Have the API server try each write, and store nothing. */
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

export interface SyncResult {
  readonly definitions: number;
  readonly written: number;
  readonly removed: readonly string[];
  /** Definitions of which policies stay as they were, and why. */
  readonly left: readonly { readonly name: string; readonly reason: string }[];
  readonly notCovered: readonly { readonly name: string; readonly sentence: string }[];
}

const pageSize = 100;
/** No request holds a run longer than this. */
const requestMilliseconds = 60_000;

/**
 * Writes, then removes, so that nothing passes in between; removes only what a sync made. @throws ClusterError
 */
export async function syncPolicies(
  connection: Connection,
  { names, isAudit, deniesDeletion, isDryRun, signal }: SyncOptions,
): Promise<SyncResult> {
  const list = (path: string, query = {}): Promise<JsonObject[]> =>
    listAll(connection, path, query, signal);
  const write = async (method: 'PATCH' | 'DELETE', path: string, body?: JsonObject) => {
    const query = new URLSearchParams({
      ...(method === 'PATCH' ? { fieldManager, force: 'true' } : {}),
      ...(isDryRun ? { dryRun: 'All' } : {}),
    });
    await connection.read({
      method,
      path: `${path}?${query.toString()}`,
      ...(body && { body: stringifyJson(body), contentType: 'application/apply-patch+yaml' }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestMilliseconds)]),
    });
  };
  const crds = (await list(definitionsPath)).map((crd) => ({ ...kindOfCrd, ...crd }));
  const made = new Set<string>();
  const kept = new Set<string>();
  const left: { name: string; reason: string }[] = [];
  const notCovered: { name: string; sentence: string }[] = [];
  const cluster = new LiveCluster(connection);
  for (const crd of crds) {
    const { name } = metaOf(crd);
    if (names.length > 0 && !names.includes(name)) {
      kept.add(name);
      continue;
    }
    try {
      const use = await useInCluster(crd, cluster, signal);
      const { objects, notCovered: sentences } = policyOf(crd, { use, isAudit, deniesDeletion });
      append(
        notCovered,
        sentences.map((sentence) => ({ name, sentence })),
      );
      // The others of a definition deny what they can where an API server refuses one.
      const refused = new Map<string, string>();
      for (const object of objects) {
        const path = pathOf(object);
        const policy = textAt(object, 'spec', 'policyName') ?? metaOf(object).name;
        if (refused.has(policy)) continue;
        try {
          await write('PATCH', path, withLabel(object));
          made.add(path);
        } catch (error) {
          signal.throwIfAborted();
          kept.add(name);
          refused.set(policy, (error as Error).message);
        }
      }
      for (const [policy, reason] of refused) {
        left.push({ name, reason: `${policyKind}/${policy}: ${reason}` });
      }
    } catch (error) {
      signal.throwIfAborted();
      kept.add(name);
      left.push({ name, reason: (error as Error).message });
    }
  }
  for (const name of names) {
    if (!crds.some((crd) => metaOf(crd).name === name)) {
      left.push({ name, reason: 'there is no such definition' });
    }
  }
  const removed: string[] = [];
  const query = { labelSelector: `${syncedLabel}=true` };
  // A policy without its binding denies nothing, so the binding is removed first.
  for (const [collection, kind] of [
    [bindingsPath, bindingKind],
    [policiesPath, policyKind],
  ] as const) {
    for (const object of await list(collection, query)) {
      const { name } = metaOf(object);
      const path = `${collection}/${name}`;
      if (made.has(path) || kept.has(metaOf(object).annotation(definitionAnnotation) ?? ''))
        continue;
      await write('DELETE', path);
      removed.push(`${kind}/${name}`);
    }
  }
  return { definitions: crds.length - kept.size, written: made.size, removed, left, notCovered };
}

const fieldManager = 'olm-guard';
const kindOfCrd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const policyKind = 'ValidatingAdmissionPolicy';
const bindingKind = 'ValidatingAdmissionPolicyBinding';

function pathOf(object: JsonObject): string {
  const collection = own(object, 'kind') === policyKind ? policiesPath : bindingsPath;
  return `${collection}/${metaOf(object).name}`;
}

function withLabel(object: JsonObject): JsonObject {
  const metadata = own(object, 'metadata') as JsonObject;
  const labels = own(metadata, 'labels') as JsonObject;
  return { ...object, metadata: { ...metadata, labels: { ...labels, [syncedLabel]: 'true' } } };
}

async function listAll(
  connection: Connection,
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const objects: JsonObject[] = [];
  const pages = boundedPages(connection, {
    path: (page) => `${path}?${new URLSearchParams({ ...page, ...query }).toString()}`,
    limit: pageSize,
    signal: AbortSignal.any([signal, AbortSignal.timeout(requestMilliseconds)]),
  });
  for await (const { list } of pages) append(objects, isObject(list) ? readList(list).objects : []);
  return objects;
}
