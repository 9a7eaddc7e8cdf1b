/** Definitions with something of everything beside their schemas, and changes to each of it. */
import type { Dice } from '../../../proof/testing/dice.js';
import type { JsonObject, JsonValue } from '../../../../text/documents/index.js';

interface Version {
  name: string;
  served: boolean;
  storage: boolean;
  [key: string]: JsonValue;
}

type Names = Record<string, JsonValue>;

interface Parts {
  readonly definition: JsonObject;
  readonly spec: JsonObject;
  readonly names: Names;
  readonly versions: Version[];
}

function partsOf(definition: JsonObject): Parts {
  const spec = definition['spec'] as JsonObject;
  return {
    definition,
    spec,
    names: spec['names'] as Names,
    versions: spec['versions'] as Version[],
  };
}

const columns = (dice: Dice): JsonValue =>
  dice.some(['Owner', 'Mode', 'Age'], 0.6).map((name) => ({
    name,
    type: 'string',
    jsonPath: dice.pick(['.spec.owner', '.spec.mode']),
    ...(dice.chance(0.3) ? { priority: 1 } : {}),
  }));
const selectable = (dice: Dice): JsonValue =>
  dice.some(['.spec.owner', '.spec.mode'], 0.6).map((jsonPath) => ({ jsonPath }));
const scale = (dice: Dice): JsonObject => ({
  specReplicasPath: dice.pick(['.spec.replicas', '.spec.wanted']),
  statusReplicasPath: dice.pick(['.status.replicas', '.status.ready']),
  ...(dice.chance(0.5)
    ? { labelSelectorPath: dice.pick(['.status.selector', '.status.other']) }
    : {}),
});
const conversion = (dice: Dice): JsonObject =>
  dice.chance(0.4)
    ? { strategy: 'None' }
    : {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: dice.pick([['v1'], ['v1', 'v1beta1']]),
          clientConfig: dice.pick<JsonObject>([
            { url: 'https://one.example.com/convert' },
            { url: 'https://two.example.com/convert', caBundle: 'YQ==' },
            { service: { namespace: 'a', name: 'b', path: dice.pick(['/c', '/d']), port: 443 } },
          ]),
        },
      };
const annotations = [
  'api-approved.kubernetes.io',
  'helm.sh/resource-policy',
  'cert-manager.io/inject-ca-from',
  'example.com/any',
];

function version(dice: Dice, name: string): Version {
  return {
    name,
    served: dice.chance(0.8),
    storage: false,
    ...(dice.chance(0.2) ? { deprecated: true } : {}),
    ...(dice.chance(0.2) ? { deprecationWarning: 'use another' } : {}),
    ...(dice.chance(0.5) ? { additionalPrinterColumns: columns(dice) } : {}),
    ...(dice.chance(0.5) ? { selectableFields: selectable(dice) } : {}),
    subresources: {
      ...(dice.chance(0.5) ? { status: {} } : {}),
      ...(dice.chance(0.5) ? { scale: scale(dice) } : {}),
    },
    schema: { openAPIV3Schema: schema() },
  };
}

const string = { type: 'string' };

function schema(): JsonObject {
  const list = { type: 'array', items: { type: 'object', properties: { k: string, l: string } } };
  const spec = {
    owner: string,
    mode: string,
    list,
    map: { type: 'object', properties: { a: string } },
  };
  return { type: 'object', properties: { spec: { type: 'object', properties: spec } } };
}

const versionNames = ['v1alpha1', 'v1beta1', 'v1', 'v2'];

export function randomDefinition(dice: Dice): JsonObject {
  const names = dice.some(versionNames, 0.6);
  const versions = (names.length === 0 ? ['v1'] : names).map((name) => version(dice, name));
  const stored = dice.pick(versions);
  Object.assign(stored, { storage: true, served: true });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'widgets.example.com',
      ...(dice.chance(0.5)
        ? {
            annotations: {
              'example.com/some': 'a',
              ...Object.fromEntries(dice.some(annotations).map((key) => [key, 'a'])),
            },
          }
        : {}),
      ...(dice.chance(0.3) ? { labels: { 'argocd.argoproj.io/instance': 'a' } } : {}),
    },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: {
        kind: 'Widget',
        plural: 'widgets',
        singular: 'widget',
        listKind: 'WidgetList',
        ...(dice.chance(0.5) ? { shortNames: dice.some(['wd', 'wg']) } : {}),
        ...(dice.chance(0.5) ? { categories: dice.some(['all', 'example']) } : {}),
      },
      ...(dice.chance(0.4) ? { conversion: conversion(dice) } : {}),
      ...(dice.chance(0.2) ? { preserveUnknownFields: dice.chance(0.5) } : {}),
      versions: versions as unknown as JsonValue,
    },
  };
}

export type Change = (definition: JsonObject, dice: Dice) => void;

const ofSpec =
  (edit: (parts: Parts, dice: Dice) => void): Change =>
  (definition, dice) =>
    edit(partsOf(definition), dice);
const ofVersion = (edit: (version: Version, dice: Dice) => void): Change =>
  ofSpec(({ versions }, dice) => edit(dice.pick(versions), dice));
const ofField = (field: string, keyword: string, values: readonly JsonValue[]): Change =>
  ofVersion((version, dice) => {
    const { openAPIV3Schema } = version['schema'] as { openAPIV3Schema: JsonObject };
    const { spec } = openAPIV3Schema['properties'] as { spec: { properties: JsonObject } };
    const target = spec.properties[field] as JsonObject;
    target[keyword] = dice.pick(values);
    if (target['x-kubernetes-list-type'] === 'map')
      target['x-kubernetes-list-map-keys'] = dice.pick([['k'], ['l'], ['k', 'l']]);
  });

function setOrDrop(object: JsonObject, key: string, value: JsonValue, dice: Dice): void {
  if (dice.chance(0.4)) delete object[key];
  else object[key] = value;
}

/** Each by its name; one that happens to change nothing is nobody's difference. */
export const changes: readonly (readonly [name: string, change: Change])[] = [
  ['a version served or not', ofVersion((version) => (version.served = !version.served))],
  [
    'a version removed',
    ofSpec(({ versions }) => {
      const at = versions.findIndex(({ storage }) => !storage);
      if (at >= 0) versions.splice(at, 1);
    }),
  ],
  ['a version added', ofSpec(({ versions }, dice) => void versions.push(version(dice, 'v3')))],
  [
    'another stored version',
    ofSpec(({ versions }, dice) => {
      const chosen = dice.pick(versions);
      for (const each of versions) each.storage = each === chosen;
    }),
  ],
  ['versions in another order', ofSpec(({ versions }) => void versions.reverse())],
  ['deprecation', ofVersion((version, dice) => setOrDrop(version, 'deprecated', true, dice))],
  [
    'the words of a deprecation',
    ofVersion((version, dice) => setOrDrop(version, 'deprecationWarning', 'other words', dice)),
  ],
  [
    'printer columns',
    ofVersion((version, dice) =>
      setOrDrop(version, 'additionalPrinterColumns', columns(dice), dice),
    ),
  ],
  [
    'selectable fields',
    ofVersion((version, dice) => setOrDrop(version, 'selectableFields', selectable(dice), dice)),
  ],
  [
    'the status subresource',
    ofVersion((version, dice) =>
      setOrDrop(version['subresources'] as JsonObject, 'status', {}, dice),
    ),
  ],
  [
    'the scale subresource',
    ofVersion((version, dice) =>
      setOrDrop(version['subresources'] as JsonObject, 'scale', scale(dice), dice),
    ),
  ],
  ['the subresources', ofVersion((version) => delete version['subresources'])],
  ['scope', ofSpec(({ spec }) => (spec['scope'] = 'Cluster'))],
  ['group', ofSpec(({ spec }) => (spec['group'] = 'other.example.com'))],
  [
    'a name',
    ofSpec(({ names }, dice) => {
      const key = dice.pick(['kind', 'plural', 'singular', 'listKind']);
      setOrDrop(names, key, `Other${key}`, dice);
    }),
  ],
  [
    'short names',
    ofSpec(({ names }, dice) =>
      setOrDrop(names, 'shortNames', dice.some(['wd', 'wg', 'wx']), dice),
    ),
  ],
  [
    'categories',
    ofSpec(({ names }, dice) => setOrDrop(names, 'categories', dice.some(['all', 'other']), dice)),
  ],
  ['conversion', ofSpec(({ spec }, dice) => setOrDrop(spec, 'conversion', conversion(dice), dice))],
  [
    'preserveUnknownFields',
    ofSpec(({ spec }, dice) => setOrDrop(spec, 'preserveUnknownFields', dice.chance(0.5), dice)),
  ],
  [
    'an annotation',
    (definition, dice) => {
      const metadata = definition['metadata'] as JsonObject;
      const known = {
        'example.com/other': 'a',
        ...(metadata['annotations'] as JsonObject | undefined),
      };
      setOrDrop(known, dice.pick(annotations), 'b', dice);
      setOrDrop(metadata, 'annotations', known, dice);
    },
  ],
  [
    'a label',
    (definition, dice) =>
      setOrDrop(definition['metadata'] as JsonObject, 'labels', { 'example.com/a': 'b' }, dice),
  ],
  ['a list type', ofField('list', 'x-kubernetes-list-type', ['map', 'atomic'])],
  ['a map type', ofField('map', 'x-kubernetes-map-type', ['granular', 'atomic'])],
];
