/**
 * Random definitions with lists of objects that have required fields and rules in CEL, one or two
 * versions, and a bound that is lower in the next release or in the version that it adds; with an
 * object, made by whoever wrote the rules, that keeps all of them and not the new bound.
 */
import { own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import type { Dice } from './dice.js';

interface Part {
  readonly properties: JsonObject;
  readonly required?: readonly string[];
  /** Of each item, and of the list. */
  readonly rules?: readonly string[];
  readonly listRules?: readonly string[];
  /** What the rules want an item to have. */
  readonly fill: (index: number) => JsonObject;
}

const text = { type: 'string', maxLength: 63 } as const;
const listOf = (items: JsonObject, maxItems = 16): JsonObject => ({
  type: 'array',
  maxItems,
  items,
});

const reference = {
  type: 'object',
  required: ['name'],
  properties: {
    group: { ...text, default: '', pattern: '^$|^[a-z0-9]+(\\.[a-z0-9]+)*$' },
    kind: { ...text, default: 'Service', pattern: '^[a-zA-Z]+$' },
    name: { ...text, minLength: 1 },
    port: { type: 'integer', minimum: 1, maximum: 65535 },
  },
  'x-kubernetes-validations': [
    { rule: "(size(self.group) == 0 && self.kind == 'Service') ? has(self.port) : true" },
  ],
} as const;

const parts: readonly Part[] = [
  {
    properties: { backendRefs: { ...listOf(reference as unknown as JsonObject), minItems: 1 } },
    required: ['backendRefs'],
    fill: (index) => ({ backendRefs: [{ name: `backend-${index}`, port: 80 }] }),
  },
  {
    properties: { mode: { type: 'string', enum: ['Auto', 'Fixed'] }, size: { type: 'integer' } },
    required: ['mode'],
    rules: ["self.mode == 'Fixed' ? has(self.size) && self.size > 3 : !has(self.size)"],
    fill: () => ({ mode: 'Auto' }),
  },
  {
    properties: { from: { type: 'integer' }, to: { type: 'integer' } },
    required: ['from', 'to'],
    rules: ['self.from < self.to'],
    fill: (index) => ({ from: index, to: index + 1 }),
  },
  {
    properties: { secret: { ...text, minLength: 1 }, inline: { ...text, minLength: 1 } },
    rules: ['has(self.secret) != has(self.inline)'],
    fill: () => ({ secret: 'keys' }),
  },
  {
    properties: { hosts: listOf({ ...text }) },
    required: ['hosts'],
    rules: ["self.hosts.size() > 0 && self.hosts.all(h, h.endsWith('.com'))"],
    fill: (index) => ({ hosts: [`h${index}.com`] }),
  },
  {
    properties: { path: { ...text } },
    required: ['path'],
    rules: ["self.path.startsWith('/')"],
    fill: (index) => ({ path: `/${index}` }),
  },
  {
    properties: {
      protocol: { type: 'string', enum: ['TCP', 'UDP'], default: 'TCP' },
      port: { type: 'integer', minimum: 1, maximum: 65535 },
    },
    required: ['port'],
    rules: ["self.protocol != 'UDP' || self.port > 1024"],
    fill: (index) => ({ port: 80 + index }),
  },
  {
    properties: { labels: { type: 'object', maxProperties: 8, additionalProperties: { ...text } } },
    required: ['labels'],
    rules: ["self.labels.all(k, k.startsWith('k'))", 'size(self.labels) > 0'],
    fill: () => ({ labels: { k0: 'a' } }),
  },
];

/** How items are told apart. */
const namings: readonly Part[] = [
  {
    properties: { name: { ...text, pattern: '^[a-z0-9-]+$' } },
    listRules: ['self.all(x, !has(x.name) || self.exists_one(y, has(y.name) && x.name == y.name))'],
    fill: () => ({}),
  },
  {
    properties: { name: { ...text, minLength: 1 } },
    required: ['name'],
    listRules: ['self.all(x, self.exists_one(y, x.name == y.name))'],
    fill: (index) => ({ name: `n${index}` }),
  },
  { properties: {}, fill: () => ({}) },
];

interface Bound {
  readonly keyword: string;
  readonly value: JsonValue;
  /** Where it is below the list, as keys of the schema. */
  readonly at: readonly string[];
  /** Takes an item that all rules accept to the bound's wrong side; without it the list does. */
  readonly exceed?: (item: JsonObject) => void;
}

function boundsOf(item: JsonObject): Bound[] {
  const properties = item['properties'] as JsonObject;
  const within = (name: string, ...more: string[]): string[] => [
    'items',
    'properties',
    name,
    ...more,
  ];
  const all: [string, Bound][] = [
    [
      'backendRefs',
      {
        keyword: 'maxItems',
        value: 1,
        at: within('backendRefs'),
        exceed: (each) => {
          each['backendRefs'] = [1, 2].map((port) => ({ name: `b${port}`, port }));
        },
      },
    ],
    [
      'backendRefs',
      {
        keyword: 'maxLength',
        value: 4,
        at: within('backendRefs', 'items', 'properties', 'name'),
        exceed: (each) => {
          each['backendRefs'] = [{ name: 'longer', port: 80 }];
        },
      },
    ],
    [
      'hosts',
      {
        keyword: 'maxItems',
        value: 1,
        at: within('hosts'),
        exceed: (each) => {
          each['hosts'] = ['a.com', 'b.com'];
        },
      },
    ],
    [
      'hosts',
      {
        keyword: 'maxLength',
        value: 8,
        at: within('hosts', 'items'),
        exceed: (each) => {
          each['hosts'] = ['much-longer.com'];
        },
      },
    ],
    [
      'path',
      {
        keyword: 'maxLength',
        value: 4,
        at: within('path'),
        exceed: (each) => {
          each['path'] = '/longer';
        },
      },
    ],
    [
      'path',
      {
        keyword: 'pattern',
        value: '^/[a-z]*$',
        at: within('path'),
        exceed: (each) => {
          each['path'] = '/A';
        },
      },
    ],
    [
      'port',
      {
        keyword: 'maximum',
        value: 1000,
        at: within('port'),
        exceed: (each) => {
          each['port'] = 2000;
        },
      },
    ],
    [
      'from',
      {
        keyword: 'minimum',
        value: 0,
        at: within('from'),
        exceed: (each) => {
          each['from'] = -5;
        },
      },
    ],
    [
      'labels',
      {
        keyword: 'maxProperties',
        value: 1,
        at: within('labels'),
        exceed: (each) => {
          each['labels'] = { k0: 'a', k1: 'b' };
        },
      },
    ],
    [
      'labels',
      {
        keyword: 'maxLength',
        value: 3,
        at: within('labels', 'additionalProperties'),
        exceed: (each) => {
          each['labels'] = { k0: 'longer' };
        },
      },
    ],
    [
      'secret',
      {
        keyword: 'minLength',
        value: 9,
        at: within('secret'),
        exceed: () => undefined,
      },
    ],
  ];
  const lists = [1, 2, 3].map((value): Bound => ({ keyword: 'maxItems', value, at: [] }));
  return [...lists, ...all.flatMap(([name, bound]) => (own(properties, name) ? [bound] : []))];
}

export interface RuledListPair {
  readonly title: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
  /** Kept by the old definition, refused by the version that has the bound. */
  readonly breaking: JsonObject;
}

const group = 'lists.example.com';

function definition(plural: string, versions: readonly JsonObject[]): JsonObject {
  const kind = `K${plural}`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      versions: [...versions],
      names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
    },
  };
}

function version(name: string, storage: boolean, rules: JsonObject): JsonObject {
  const spec = { type: 'object', required: ['rules'], properties: { rules } };
  const openAPIV3Schema = { type: 'object', required: ['spec'], properties: { spec } };
  return { name, served: true, storage, schema: { openAPIV3Schema } };
}

function withBound(list: JsonObject, { at, keyword, value }: Bound): JsonObject {
  const changed = structuredClone(list);
  const place = at.reduce((node, key) => own(node, key) as JsonObject, changed);
  place[keyword] = value;
  return changed;
}

export function ruledListPair(seed: number, dice: Dice): RuledListPair {
  const plural = `list${seed}s`;
  const chosen = new Set([dice.pick(namings)]);
  for (let left = 1 + dice.below(3); left > 0; left--) chosen.add(dice.pick(parts));
  const all = [...chosen];
  const required = all.flatMap((part) => part.required ?? []);
  const rulesOf = (rules: readonly string[]): JsonObject =>
    rules.length === 0 ? {} : { 'x-kubernetes-validations': rules.map((rule) => ({ rule })) };
  const items: JsonObject = {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.assign({}, ...all.map((part) => part.properties)) as JsonObject,
    ...rulesOf(all.flatMap((part) => part.rules ?? [])),
  };
  const list: JsonObject = {
    ...listOf(items),
    minItems: 1,
    ...rulesOf(all.flatMap((part) => part.listRules ?? [])),
  };
  const bound = dice.pick(boundsOf(items));
  const bounded = withBound(list, bound);
  const isAdded = dice.chance(0.5);
  const item = (index: number): JsonObject =>
    Object.assign({}, ...all.map((part) => structuredClone(part.fill(index)))) as JsonObject;
  const count = bound.at.length === 0 ? Number(bound.value) + 1 : 1;
  const rules = Array.from({ length: count }, (_, index) => item(index));
  bound.exceed?.(rules[0] as JsonObject);
  return {
    title: `${bound.keyword} at ${['rules', ...bound.at].join('.')}, ${isAdded ? 'in an added version' : 'in the next release'}`,
    old: definition(plural, [version('v1', true, list)]),
    new: isAdded
      ? definition(plural, [version('v2', true, bounded), version('v1', false, list)])
      : definition(plural, [version('v1', true, bounded)]),
    breaking: {
      apiVersion: `${group}/v1`,
      kind: `K${plural}`,
      metadata: { name: 'breaking', namespace: 'default' },
      spec: { rules },
    },
  };
}
