import type { JsonObject } from '../../../../../text/documents/index.js';
import { known } from '../../testing/queue-catalog.js';
import { makeObject } from '../../testing/harness.js';

export interface Fields {
  readonly packageName?: string;
  readonly version?: string;
  readonly channels?: string[];
  readonly selector?: JsonObject;
  readonly upgradeConstraintPolicy?: string;
}

const installedAs = (version: string): JsonObject => ({
  install: { bundle: { name: `queue.v${version}`, version } },
});

/** ClusterExtension `x` of package queue. */
export function extension(catalog: Fields = {}, installed?: string): JsonObject {
  return makeObject('ClusterExtension', 'x', '', {
    spec: {
      namespace: 'ns',
      source: { sourceType: 'Catalog', catalog: { packageName: 'queue', ...catalog } },
    },
    ...(installed === undefined ? {} : { status: installedAs(installed) }),
  });
}

/** The first shape of v1alpha1. */
export function older(spec: JsonObject, installed?: string): JsonObject {
  const bundle = { name: `queue.v${installed ?? ''}`, version: installed ?? '' };
  return makeObject('ClusterExtension', 'x', '', {
    spec: { packageName: 'queue', ...spec },
    ...(installed === undefined ? {} : { status: { installedBundle: bundle } }),
  });
}

export const catalogs = [known()];

export const two = [known('a'), known('b')];
