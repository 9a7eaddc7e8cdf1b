/** A CustomResourceDefinition of our own for API server suites, and changes to it. */
import type { JsonObject } from '../../src/text/documents/index.js';

export interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  enum?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
}

export interface Version {
  name: string;
  served: boolean;
  storage: boolean;
  schema: { openAPIV3Schema: Schema };
  subresources?: { scale: { specReplicasPath: string; statusReplicasPath: string } };
}

export interface Definition {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: {
    name: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    resourceVersion?: string;
    ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string }[];
  };
  spec: {
    group: string;
    scope: 'Namespaced' | 'Cluster';
    names: { kind: string; plural: string };
    versions: Version[];
  };
}

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const definitionPath = (plural: string): string => `${definitions}/${plural}.example.com`;

/** Two properties under `spec`, one of them required, in the only version. */
export function widgets(plural = 'widgets'): Definition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: `${plural.slice(0, 1).toUpperCase()}${plural.slice(1, -1)}`, plural },
      versions: [version('v1', { storage: true })],
    },
  };
}

export function version(name: string, { storage = false } = {}): Version {
  return {
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            required: ['mode'],
            properties: {
              mode: { type: 'string', enum: ['Fast', 'Slow'] },
              replicas: { type: 'integer', minimum: 1, maximum: 5 },
              pollInterval: { type: 'string' },
            },
          },
        },
      },
    },
  };
}

/** The schema of `spec` in the first version. */
export function specOf(definition: Definition): Required<Pick<Schema, 'properties' | 'required'>> {
  const spec = definition.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'];
  if (spec?.properties === undefined || spec.required === undefined) {
    throw new Error('the first version has no spec with properties and required');
  }
  return spec as Required<Pick<Schema, 'properties' | 'required'>>;
}

/** `widgets` with a change made by `edit`. */
export function changed(
  edit: (spec: ReturnType<typeof specOf>, whole: Definition) => void,
  plural?: string,
): Definition {
  const definition = widgets(plural);
  edit(specOf(definition), definition);
  return definition;
}

/** `widgets` with a scale subresource. */
export function scaled(plural: string): Definition {
  const definition = widgets(plural);
  for (const each of definition.spec.versions) {
    each.subresources = {
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    };
  }
  return definition;
}

/** A definition of Things with one version, which is stored. */
export function things(group: string, version: JsonObject): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
      versions: [{ name: 'v1', storage: true, ...version }],
    },
  };
}
