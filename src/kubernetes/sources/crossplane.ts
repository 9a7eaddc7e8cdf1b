/**
 * The definitions that Crossplane makes of a CompositeResourceDefinition: of its composite resource,
 * and of its claim where it offers one.
 *
 * Source: crossplane-runtime v2.4, `pkg/xcrd/crd.go`; what the API server fills in, the definition of
 * CompositeResourceDefinitions of Crossplane v2.4.
 */
import type { JsonObject, Path } from '../../text/documents/index.js';
import { present, refused, type DefinitionSource, type DerivedDefinition } from './derived.js';
import {
  flagAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  valueAt,
} from '../../text/documents/fields.js';

// Fields and columns that Crossplane adds. Source: crossplane-runtime v2.4, `pkg/xcrd/schemas.go`.

/** `LegacyCluster`: as in Crossplane 1, with claims and with its fields directly under `spec`. */
type Scope = 'Namespaced' | 'Cluster' | 'LegacyCluster';

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

function compositeSpec(scope: Scope, defaultUpdatePolicy: string | undefined): JsonObject {
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

function status(scope: Scope): JsonObject {
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

function compositeColumns(scope: Scope): JsonObject[] {
  const spec = scope === 'LegacyCluster' ? '.spec' : '.spec.crossplane';
  return [
    ...states,
    column('COMPOSITION', `${spec}.compositionRef.name`),
    column('COMPOSITIONREVISION', `${spec}.compositionRevisionRef.name`, 'string', 1),
    age,
  ];
}

const claimColumns: readonly JsonObject[] = [
  ...states,
  column('CONNECTION-SECRET', '.spec.writeConnectionSecretToRef.name'),
  age,
];

export const compositeResourceDefinitions: DefinitionSource = {
  kind: 'CompositeResourceDefinition',
  group: 'apiextensions.crossplane.io',
  derive: (xrd) => {
    const scope = scopeOf(xrd);
    const composite = compositeResource(xrd, scope);
    return objectAt(xrd, 'spec', 'claimNames') === undefined
      ? [composite]
      : [composite, claim(xrd, scope)];
  },
};

/** Names are used as values of labels. */
const maxNameLength = 63;

function scopeOf(xrd: JsonObject): Scope {
  const isFirst = textAt(xrd, 'apiVersion') === 'apiextensions.crossplane.io/v1';
  const scope = textAt(xrd, 'spec', 'scope') ?? (isFirst ? 'LegacyCluster' : 'Namespaced');
  const known = ['Namespaced', 'Cluster', ...(isFirst ? ['LegacyCluster'] : [])];
  if (!known.includes(scope))
    throw refused(`must be one of ${known.join(', ')}`, ['spec', 'scope']);
  return scope as Scope;
}

function compositeResource(xrd: JsonObject, scope: Scope): DerivedDefinition {
  const updatePolicy = textAt(xrd, 'spec', 'defaultCompositionUpdatePolicy') ?? 'Automatic';
  return definition(xrd, {
    name: textAt(xrd, 'metadata', 'name') ?? '',
    names: 'names',
    category: 'composite',
    scope: scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    columns: compositeColumns(scope),
    spec: compositeSpec(scope, updatePolicy),
    status: status(scope),
  });
}

function claim(xrd: JsonObject, scope: Scope): DerivedDefinition {
  if (scope !== 'LegacyCluster') {
    throw refused('only composite resources of scope LegacyCluster can offer claims', [
      'spec',
      'claimNames',
    ]);
  }
  for (const key of ['kind', 'plural', 'singular', 'listKind']) {
    const name = textAt(xrd, 'spec', 'claimNames', key);
    if (name !== undefined && name !== '' && name === textAt(xrd, 'spec', 'names', key)) {
      throw refused(`${name} is the name of the composite resource already`, [
        'spec',
        'claimNames',
        key,
      ]);
    }
  }
  const deletePolicy = textAt(xrd, 'spec', 'defaultCompositeDeletePolicy') ?? 'Background';
  return definition(xrd, {
    name: `${textAt(xrd, 'spec', 'claimNames', 'plural') ?? ''}.${textAt(xrd, 'spec', 'group') ?? ''}`,
    names: 'claimNames',
    category: 'claim',
    scope: 'Namespaced',
    columns: claimColumns,
    spec: {
      ...composition,
      compositionUpdatePolicy: updatePolicy(),
      compositeDeletePolicy: choice(['Background', 'Foreground'], deletePolicy),
      resourceRef: record(['apiVersion', 'kind', 'name']),
      writeConnectionSecretToRef: record(['name']),
    },
    status: status('LegacyCluster'),
  });
}

/** The parts in which the two definitions of an XRD differ. */
interface Part {
  readonly name: string;
  readonly names: 'names' | 'claimNames';
  readonly category: string;
  readonly scope: string;
  readonly columns: readonly JsonObject[];
  readonly spec: JsonObject;
  readonly status: JsonObject;
}

function definition(xrd: JsonObject, part: Part): DerivedDefinition {
  const names = objectAt(xrd, 'spec', part.names) ?? {};
  const labels = {
    ...objectAt(xrd, 'metadata', 'labels'),
    ...objectAt(xrd, 'spec', 'metadata', 'labels'),
  };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: present({
      name: part.name,
      labels: Object.keys(labels).length > 0 ? labels : undefined,
      annotations: objectAt(xrd, 'spec', 'metadata', 'annotations'),
    }),
    spec: present({
      group: valueAt(xrd, 'spec', 'group'),
      names: { ...names, categories: [...listAt(names, 'categories'), part.category] },
      scope: part.scope,
      versions: objectsAt(xrd, 'spec', 'versions').map((version, index) =>
        crdVersion(version, index, part),
      ),
      conversion: objectAt(xrd, 'spec', 'conversion'),
    }),
  };
  return { crd, keysInSource: (keys) => keysInXrd(keys, part) };
}

function crdVersion(version: JsonObject, index: number, part: Part): JsonObject {
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  if (schema === undefined) {
    throw refused('has no schema.openAPIV3Schema, so that Crossplane makes no definition of it', [
      'spec',
      'versions',
      index,
    ]);
  }
  const scale = objectAt(version, 'subresources', 'scale');
  return present({
    name: valueAt(version, 'name'),
    served: valueAt(version, 'served'),
    storage: valueAt(version, 'referenceable'),
    deprecated: flagAt(version, 'deprecated') ? true : undefined,
    deprecationWarning: valueAt(version, 'deprecationWarning'),
    schema: { openAPIV3Schema: openApiSchema(schema, part) },
    subresources: present({ status: {}, scale }),
    additionalPrinterColumns: [...objectsAt(version, 'additionalPrinterColumns'), ...part.columns],
  });
}

/** Crossplane uses only some keywords of the author's root, `spec` and `status`, and their fields. */
function openApiSchema(schema: JsonObject, part: Part): JsonObject {
  const nameLength = numberAt(schema, 'properties', 'metadata', 'properties', 'name', 'maxLength');
  const maxLength = Math.min(nameLength ?? maxNameLength, maxNameLength);
  const spec = objectAt(schema, 'properties', 'spec');
  return present({
    ...taken(schema, ['description', 'x-kubernetes-validations']),
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength } } },
      spec: {
        ...section(spec, part.spec),
        ...taken(spec, ['x-kubernetes-preserve-unknown-fields']),
      },
      status: section(objectAt(schema, 'properties', 'status'), part.status),
    },
  });
}

function section(schema: JsonObject | undefined, added: JsonObject): JsonObject {
  return {
    ...taken(schema, ['description', 'required', 'oneOf', 'x-kubernetes-validations']),
    type: 'object',
    properties: { ...objectAt(schema, 'properties'), ...added },
  };
}

function taken(schema: JsonObject | undefined, keywords: readonly string[]): JsonObject {
  return present(
    Object.fromEntries(keywords.map((keyword) => [keyword, valueAt(schema, keyword)])),
  );
}

function keysInXrd(keys: Path, { names }: Part): Path {
  const [root, field, index, key, ...rest] = keys;
  if (root === 'metadata' && field === 'annotations') return ['spec', ...keys];
  if (root !== 'spec') return keys;
  if (field === 'names') return ['spec', names, ...keys.slice(2)];
  if (field === 'versions' && key === 'storage')
    return ['spec', field, index ?? 0, 'referenceable', ...rest];
  return keys;
}
