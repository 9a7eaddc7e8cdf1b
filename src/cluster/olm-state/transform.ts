/**
 * The part of OLM's objects that the gate keeps: the fields that rules, scan and metrics read. Icons,
 * descriptions, examples and pod templates are most of a ClusterServiceVersion, and none of these.
 */
import { defineOwn, isObject, own, type JsonObject } from '../../text/documents/index.js';
import { rukpakAnnotation } from '../../olm/index.js';

const readAnnotations = [
  'olm.',
  'olm-guard.io/',
  'operatorframework.io/properties',
  rukpakAnnotation,
];
const keptMetadata = [
  'name',
  'namespace',
  'labels',
  'generation',
  'deletionTimestamp',
  'finalizers',
  'resourceVersion',
] as const;

/** Everything, with the bookkeeping of metadata left out. */
export function transformMetadata(object: JsonObject): JsonObject {
  return { ...object, metadata: metadataOf(object) };
}

/** With who owns the object, which scans look at. */
export function withOwners(trim: (object: JsonObject) => JsonObject) {
  return (object: JsonObject): JsonObject => {
    const kept = trim(object);
    const owners = own(objectOf(object, 'metadata'), 'ownerReferences');
    if (owners === undefined) return kept;
    return { ...kept, metadata: { ...objectOf(kept, 'metadata'), ownerReferences: owners } };
  };
}

/** Nothing but metadata. */
export function keepMetadata(object: JsonObject): JsonObject {
  return { metadata: metadataOf(object) };
}

export function transformCsv(object: JsonObject): JsonObject {
  const spec = objectOf(object, 'spec');
  const install = objectOf(objectOf(spec, 'install'), 'spec');
  return {
    metadata: metadataOf(object),
    spec: {
      ...pick(spec, ['installModes', 'replaces', 'skips', 'version', 'minKubeVersion']),
      customresourcedefinitions: descriptions(spec, 'customresourcedefinitions', [
        'name',
        'version',
        'kind',
      ]),
      apiservicedefinitions: descriptions(spec, 'apiservicedefinitions', [
        'name',
        'group',
        'version',
        'kind',
        'deploymentName',
      ]),
      webhookdefinitions: eachOf(spec, 'webhookdefinitions', [
        'generateName',
        'type',
        'rules',
        'conversionCRDs',
      ]),
      install: {
        spec: {
          ...pick(install, ['permissions', 'clusterPermissions']),
          deployments: eachOf(install, 'deployments', ['name']),
        },
      },
    },
    status: pick(objectOf(object, 'status'), ['phase', 'reason', 'message', 'lastTransitionTime']),
  };
}

export function transformSubscription(object: JsonObject): JsonObject {
  return {
    metadata: metadataOf(object),
    spec: pick(objectOf(object, 'spec'), [
      'name',
      'channel',
      'source',
      'sourceNamespace',
      'startingCSV',
      'installPlanApproval',
    ]),
    status: {
      ...pick(objectOf(object, 'status'), ['installedCSV', 'currentCSV', 'state', 'lastUpdated']),
      conditions: eachOf(objectOf(object, 'status'), 'conditions', conditionFields),
    },
  };
}

/** The steps, with whole manifests in them, only while there is something left to do; of a failure, its words. */
export function transformInstallPlan(object: JsonObject): JsonObject {
  const status = objectOf(object, 'status');
  const left: Readonly<Record<string, string[]>> = {
    Complete: [],
    Failed: ['message', 'conditions', 'bundleLookups'],
  };
  const phase = own(status, 'phase');
  const fields = (typeof phase === 'string' ? left[phase] : undefined) ?? ['plan'];
  return {
    metadata: metadataOf(object),
    spec: pick(objectOf(object, 'spec'), [
      'approval',
      'approved',
      'generation',
      'clusterServiceVersionNames',
    ]),
    status: pick(status, ['phase', ...fields]),
  };
}

const conditionFields = ['type', 'status', 'reason', 'message', 'lastTransitionTime'] as const;

export function transformEvent(object: JsonObject): JsonObject {
  return {
    metadata: metadataOf(object),
    involvedObject: pick(objectOf(object, 'involvedObject'), ['kind', 'namespace', 'name']),
    ...pick(object, ['reason', 'count']),
  };
}

/** Without the definition, which is as large as any: it is read when that definition is reviewed. */
export function transformRequirement(object: JsonObject): JsonObject {
  return {
    // The oldest are looked at first.
    metadata: {
      ...metadataOf(object),
      ...pick(objectOf(object, 'metadata'), ['creationTimestamp']),
    },
    spec: pick(objectOf(object, 'spec'), ['customResourceDefinitionSchemaValidation']),
    status: pick(objectOf(object, 'status'), ['crdName']),
  };
}

export function transformRole(object: JsonObject): JsonObject {
  return {
    metadata: metadataOf(object),
    rules: eachOf(object, 'rules', ruleFields),
    ...(own(object, 'aggregationRule') === undefined ? {} : { aggregationRule: {} }),
  };
}

const ruleFields = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'] as const;

/** A large cluster has tens of thousands of these. */
export function transformBinding(object: JsonObject): JsonObject {
  return {
    metadata: pick(objectOf(object, 'metadata'), ['name', 'namespace', 'resourceVersion']),
    roleRef: pick(objectOf(object, 'roleRef'), ['kind', 'name']),
    subjects: eachOf(object, 'subjects', ['kind', 'name', 'namespace']),
  };
}

function metadataOf(object: JsonObject): JsonObject {
  const metadata = objectOf(object, 'metadata');
  const annotations: JsonObject = {};
  for (const [key, value] of Object.entries(objectOf(metadata, 'annotations'))) {
    if (readAnnotations.some((prefix) => key.startsWith(prefix)))
      defineOwn(annotations, key, value);
  }
  // The manager that set a switch-off decides whether it counts.
  const isSwitch = Object.keys(annotations).some(
    (key) => key.startsWith('olm-guard.io/') || key === rukpakAnnotation,
  );
  const kept = pick(metadata, isSwitch ? [...keptMetadata, 'managedFields'] : keptMetadata);
  return Object.keys(annotations).length === 0 ? kept : { ...kept, annotations };
}

function descriptions(spec: JsonObject, field: string, keys: readonly string[]): JsonObject {
  const all = objectOf(spec, field);
  return { owned: eachOf(all, 'owned', keys), required: eachOf(all, 'required', keys) };
}

function eachOf(object: JsonObject, field: string, keys: readonly string[]): JsonObject[] {
  const list = own(object, field);
  return Array.isArray(list) ? list.filter(isObject).map((item) => pick(item, keys)) : [];
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const key of keys) {
    const value = own(object, key);
    if (value !== undefined) defineOwn(picked, key, value);
  }
  return picked;
}

function objectOf(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}
