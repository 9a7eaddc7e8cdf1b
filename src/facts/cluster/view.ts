/** What anything here may ask about a cluster; a folder and a live API server answer alike. */
import type { JsonObject } from '../../text/documents/index.js';

/** A resource by group and plural name, whichever version of it the cluster serves. */
export interface ResourceName {
  /** Empty for the core group. */
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

/** Reads of the present state. A kind that is not installed has no objects. */
export interface ClusterView {
  /** @throws ClusterError when the cluster could not or would not say. */
  get(
    resource: ResourceName,
    name: string,
    namespace?: string,
    signal?: AbortSignal,
  ): Promise<JsonObject | undefined>;
  /** @throws ClusterError when the cluster could not or would not say. */
  list(resource: ResourceName, options?: ListOptions): Promise<readonly JsonObject[]>;
}

/** Why the cluster gave no answer, in one sentence. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';

  constructor(
    message: string,
    /** HTTP status, when there was an answer at all. */
    readonly status?: number,
  ) {
    super(message);
  }

  /** The caller lacks a right; trying again does not help. */
  get isForbidden(): boolean {
    return this.status === 401 || this.status === 403;
  }
}
