/** Read access to a cluster, the same for a live API server and a folder of files. */
import type { JsonObject } from '../../text/documents/index.js';

/** A resource by group and plural name, whichever version of it the cluster serves. */
export interface ResourceName {
  readonly group: string;
  /** Plural: `clusterextensions`. */
  readonly resource: string;
}

/** `clusterextensions.olm.operatorframework.io`, as kubectl takes it. */
export function formatResource({ group, resource }: ResourceName): string {
  return group === '' ? resource : `${resource}.${group}`;
}

export interface ListOptions {
  readonly namespace?: string;
  /** As in kubectl's `-l`: `!olm.copiedFrom`. */
  readonly labelSelector?: string;
  readonly signal?: AbortSignal;
}

export interface KindOfResource extends ResourceName {
  readonly namespaced: boolean;
}

export interface UpdatedObject extends ResourceName {
  readonly name?: string;
  readonly namespace?: string;
  readonly subresource?: 'status';
}

export interface User {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[] | null;
  readonly extra?: Readonly<Record<string, readonly string[] | null>> | null;
}

/** Reads of the present state. A kind that is not installed has no objects. */
export interface ClusterView {
  /** True if no cluster was named: there is nothing to read. */
  readonly isEmpty?: boolean;
  /** True for a folder, where `managedFields` do not prove who set a field. */
  readonly isOfFiles?: boolean;
  /** @throws ClusterError when the cluster could not or would not say. */
  get(
    resource: ResourceName,
    name: string,
    namespace?: string,
    signal?: AbortSignal,
  ): Promise<JsonObject | undefined>;
  /** Undefined if there was none, or it is no longer kept. Missing in a folder. @throws ClusterError */
  getAt?(
    resource: ResourceName,
    name: string,
    namespace: string | undefined,
    resourceVersion: string,
  ): Promise<JsonObject | undefined>;
  /** @throws ClusterError when the cluster could not or would not say. */
  list(resource: ResourceName, options?: ListOptions): Promise<readonly JsonObject[]>;
  /** The `gitVersion` of the API server. Missing in a folder. @throws ClusterError */
  serverVersion?(): Promise<string | undefined>;
  /** Undefined if the cluster has no such kind. @throws ClusterError */
  resourceOf?(apiVersion: string, kind: string): Promise<KindOfResource | undefined>;
  /** In a namespace or in all of them. Missing in a folder: there every user may. @throws ClusterError */
  mayList?(user: User, resource: ResourceName, namespace?: string): Promise<boolean>;
  /** The object or its status. @throws ClusterError */
  mayUpdate?(user: User, object: UpdatedObject): Promise<boolean>;
}

/** How to repeat a request that an API server has refused. */
export interface RetryHint {
  /** Retry-After of 429 and 503, in seconds. */
  readonly afterSeconds?: number;
  /** The token with which a list continues after its own has expired (410), from a later state. */
  readonly continueToken?: string;
  /** The answer exceeded its limit: request fewer objects at a time. */
  readonly isTooLarge?: boolean;
}

export class ClusterError extends Error {
  override readonly name = 'ClusterError';

  constructor(
    message: string,
    /** HTTP status, when there was an answer at all. */
    readonly status?: number,
    /** Hints of the answer about asking again. */
    readonly again: RetryHint = {},
  ) {
    super(message);
  }

  /** The caller lacks a right; trying again does not help. */
  get isForbidden(): boolean {
    return this.status === 401 || this.status === 403;
  }
}
