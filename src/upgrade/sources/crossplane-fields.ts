/** Fields and columns that Crossplane adds. Source: crossplane-runtime v2.4, `pkg/xcrd/schemas.go`. */
import type { JsonObject } from '../../text/documents/index.js';
import { present } from './derived.js';

/** `LegacyCluster`: as of Crossplane 1, with claims and with its fields directly under `spec`. */
export type Scope = 'Namespaced' | 'Cluster' | 'LegacyCluster';

const text: JsonObject = { type: 'string' };
const time: JsonObject = { type: 'string', format: 'date-time' };

/** An object of texts, all of them required unless these are named. */
function record(names: readonly string[], required: readonly string[] = names): JsonObject {
  const properties = Object.fromEntries(names.map((name) => [name, text]));
  return { type: 'object', required: [...required], properties };
}

function choice(values: readonly string[], chosen?: string): JsonObject {
  return present({ type: 'string', enum: [...values], default: chosen });
}

const selector: JsonObject = {
  type: 'object',
  required: ['matchLabels'],
  properties: { matchLabels: { type: 'object', additionalProperties: text } },
};

const composition: JsonObject = {
  compositionRef: record(['name']),
  compositionSelector: selector,
  compositionRevisionRef: record(['name']),
  compositionRevisionSelector: selector,
};

function updatePolicy(chosen?: string): JsonObject {
  return choice(['Automatic', 'Manual'], chosen);
}

export function compositeSpec(scope: Scope, defaultUpdatePolicy: string | undefined): JsonObject {
  const place = scope === 'Namespaced' ? [] : ['namespace'];
  const fields: JsonObject = {
    ...composition,
    compositionUpdatePolicy: updatePolicy(defaultUpdatePolicy),
    resourceRefs: {
      type: 'array',
      items: record(['apiVersion', 'name', ...place, 'kind'], ['apiVersion', 'kind']),
      'x-kubernetes-list-type': 'atomic',
    },
  };
  if (scope !== 'LegacyCluster') return { crossplane: { type: 'object', properties: fields } };
  return {
    ...fields,
    claimRef: record(['apiVersion', 'kind', 'namespace', 'name']),
    writeConnectionSecretToRef: record(['name', 'namespace']),
  };
}

export function claimSpec(defaultDeletePolicy: string | undefined): JsonObject {
  return {
    ...composition,
    compositionUpdatePolicy: updatePolicy(),
    compositeDeletePolicy: choice(['Background', 'Foreground'], defaultDeletePolicy),
    resourceRef: record(['apiVersion', 'kind', 'name']),
    writeConnectionSecretToRef: record(['name']),
  };
}

export function status(scope: Scope): JsonObject {
  const condition = record(
    ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
    ['lastTransitionTime', 'reason', 'status', 'type'],
  );
  const properties = {
    ...(condition['properties'] as JsonObject),
    lastTransitionTime: time,
    observedGeneration: { type: 'integer', format: 'int64' },
  };
  const conditions: JsonObject = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
    items: { ...condition, properties },
  };
  if (scope !== 'LegacyCluster') return { conditions };
  return {
    conditions,
    connectionDetails: { type: 'object', properties: { lastPublishedTime: time } },
    claimConditionTypes: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  };
}

function column(name: string, jsonPath: string, type = 'string', priority?: number): JsonObject {
  return present({ name, type, jsonPath, priority });
}

const states = ['Synced', 'Ready'].map((type) =>
  column(type.toUpperCase(), `.status.conditions[?(@.type=='${type}')].status`),
);
const age = column('AGE', '.metadata.creationTimestamp', 'date');

export function compositeColumns(scope: Scope): JsonObject[] {
  const spec = scope === 'LegacyCluster' ? '.spec' : '.spec.crossplane';
  return [
    ...states,
    column('COMPOSITION', `${spec}.compositionRef.name`),
    column('COMPOSITIONREVISION', `${spec}.compositionRevisionRef.name`, 'string', 1),
    age,
  ];
}

export const claimColumns: readonly JsonObject[] = [
  ...states,
  column('CONNECTION-SECRET', '.spec.writeConnectionSecretToRef.name'),
  age,
];
