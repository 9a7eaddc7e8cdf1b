/** Who breaks by an upgrade: made-up pairs of consumers, of which it is known what they need. */
import { expect } from 'chai';
import { Dice } from '../../upgrade/proof/testing/dice.js';
import { definitionAt, judgeConsumers } from '../../upgrade/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import { stringifyJson } from '../../text/documents/index.js';
import { consumersOf, judgeKnownConsumers } from './consumers.js';

/** What a consumer may need, and a change of the definition may take away. */
const parts = [
  'version',
  'size',
  'nested.deep',
  'items.name',
  'map.any',
  'status',
  'scale',
] as const;
type Part = (typeof parts)[number];

const text = { type: 'string' };
const group = 'example.com';

/** Two versions with all parts in each, without what is gone from the first. */
function definition(gone: ReadonlySet<Part>, version = 'v1beta1'): JsonObject {
  const kept = (part: Part, fields: JsonObject): JsonObject => (gone.has(part) ? {} : fields);
  const spec = (isFirst: boolean): JsonObject => {
    const keep = isFirst ? kept : (_: Part, fields: JsonObject): JsonObject => fields;
    return {
      type: 'object',
      properties: {
        other: text,
        ...keep('size', { size: text }),
        nested: {
          type: 'object',
          properties: { stays: text, ...keep('nested.deep', { deep: text }) },
        },
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { stays: text, ...keep('items.name', { name: text }) },
          },
        },
        map: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            properties: { ...keep('map.any', { any: text }) },
          },
        },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    };
  };
  const subresources = {
    ...kept('status', { status: {} }),
    ...kept('scale', {
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
    }),
  };
  const ofVersion = (name: string, isFirst: boolean): JsonObject => ({
    name,
    served: true,
    storage: !isFirst,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: spec(isFirst) } } },
    subresources: isFirst ? subresources : { status: {}, scale: {} },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        ...(gone.has('version') ? [] : [ofVersion(version, true)]),
        ofVersion('v1', false),
      ],
    },
  };
}

const object = (kind: string, apiVersion: string, rest: JsonObject): JsonObject => ({
  ...{ apiVersion, kind, metadata: { name: 'consumer', namespace: 'shop' } },
  ...rest,
});

function manifest(needs: ReadonlySet<Part>, version: string): JsonObject {
  const spec = {
    other: 'a',
    open: { anything: 1 },
    ...(needs.has('size') && { size: '1' }),
    nested: { stays: 'a', ...(needs.has('nested.deep') && { deep: 'a' }) },
    items: [{ stays: 'a' }, { ...(needs.has('items.name') && { name: 'a' }) }],
    map: { key: { ...(needs.has('map.any') && { any: 'a' }) } },
  } as JsonObject;
  return object('Widget', `${group}/${version}`, { spec });
}

function requirement(needs: ReadonlySet<Part>, dice: Dice): JsonObject {
  const action = dice.pick(['Deny', 'Warn']);
  const all = parts.filter((part) => part.includes('.') || part === 'size');
  const excluded = all.filter((part) => !needs.has(part) && part !== 'map.any');
  const gone = new Set<Part>(needs.has('map.any') ? [] : ['map.any']);
  return object('CompatibilityRequirement', 'apiextensions.openshift.io/v1alpha1', {
    spec: {
      customResourceDefinitionSchemaValidation: { action },
      compatibilitySchema: {
        requiredVersions: { defaultSelection: 'AllServed' },
        customResourceDefinition: { type: 'YAML', data: stringifyJson(definition(gone)) },
        excludedFields: excluded.map((part) => ({ path: `spec.${part}`, versions: ['v1beta1'] })),
      },
    },
  });
}

function csv(needs: ReadonlySet<Part>, which: 'required' | 'owned'): JsonObject {
  const paths = { size: 'size', 'nested.deep': 'nested.deep', 'items.name': 'items[0].name' };
  const specDescriptors = Object.entries(paths)
    .filter(([part]) => needs.has(part as Part))
    .map(([, path]) => ({ path }));
  const entry = { name: `widgets.${group}`, kind: 'Widget', version: 'v1beta1', specDescriptors };
  return object('ClusterServiceVersion', 'operators.coreos.com/v1alpha1', {
    spec: { customresourcedefinitions: { [which]: [entry] } },
  });
}

interface Made {
  readonly object: JsonObject;
  /** What of the parts it really needs. */
  readonly needs: ReadonlySet<Part>;
}

const fields: readonly Part[] = ['size', 'nested.deep', 'items.name', 'map.any'];

const makers: Readonly<Record<string, (dice: Dice) => Made>> = {
  manifest(dice) {
    const needs = new Set<Part>(['version', ...dice.some(fields)]);
    return { object: manifest(needs, 'v1beta1'), needs };
  },
  'manifest in another version'(dice) {
    return { object: manifest(new Set(dice.some(fields)), 'v1'), needs: new Set() };
  },
  'ClusterServiceVersion that requires it'(dice) {
    const needs = new Set<Part>(['version', ...dice.some(fields.slice(0, 3))]);
    return { object: csv(needs, 'required'), needs };
  },
  'ClusterServiceVersion that owns it'() {
    return { object: csv(new Set(fields), 'owned'), needs: new Set() };
  },
  'definition of another bundle'(dice) {
    const gone = new Set<Part>(dice.some(parts.slice(1)));
    const needs = new Set(parts.filter((part) => !gone.has(part)));
    return { object: definition(gone), needs };
  },
  autoscaler(dice) {
    const version = dice.pick(['v1', 'v1beta1']);
    const scaleTargetRef = { apiVersion: `${group}/${version}`, kind: 'Widget', name: 'a' };
    const made = object('HorizontalPodAutoscaler', 'autoscaling/v2', { spec: { scaleTargetRef } });
    // Whatever it names, v1 is what API servers prefer, and keeps everything.
    return { object: made, needs: new Set() };
  },
  role(dice) {
    const used = dice.some(['status', 'scale'] as const);
    const resources = ['widgets', ...used.map((name) => `widgets/${name}`)];
    const rules = [
      { apiGroups: [group], resources, verbs: ['update'] },
      {
        apiGroups: ['*'],
        resources: ['*/scale', 'widgets/status', 'widgets/scale'],
        verbs: ['get'],
      },
      // Of a group that is named, RBAC knows */scale, and takes widgets/* at its word.
      { apiGroups: [group], resources: ['*', '*/status', '*/scale', 'widgets/*'], verbs: ['*'] },
      { apiGroups: ['other.com'], resources: ['widgets/status'], verbs: ['get'] },
    ];
    return {
      object: object('ClusterRole', 'rbac.authorization.k8s.io/v1', { rules }),
      needs: new Set(used),
    };
  },
  CompatibilityRequirement(dice) {
    const needs = new Set<Part>(['version', ...dice.some(fields)]);
    return { object: requirement(needs, dice), needs };
  },
  'something else'() {
    return { object: manifest(new Set(fields), 'v1beta1'), needs: new Set() };
  },
};

/** What a finding says is gone. */
function partOf({ rule, message }: { rule: string; message: string }): Part {
  if (/version \S+, which is (?:no longer|not) served/.test(message)) return 'version';
  const subresource = /the (status|scale) subresource/.exec(message)?.[1];
  if (subresource !== undefined) return subresource as Part;
  const field = / spec\.(\S+) of version/
    .exec(message)?.[1]
    ?.replace('[*]', '')
    .replace('.*', '')
    .replace('.key', '');
  expect(fields, `${rule}: ${message}`).to.include(field);
  return field as Part;
}

describe('two consumers of one definition', () => {
  const missed: string[] = [];
  const accused: string[] = [];
  let found = 0;

  it('are named for what they lose in 300 scenarios, and for nothing else', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const dice = new Dice(seed);
      // A version that goes takes everything with it.
      const gone = new Set<Part>(dice.chance(0.2) ? ['version'] : dice.some(parts.slice(1), 0.4));
      const [old, next] = [definitionAt(definition(new Set())), definitionAt(definition(gone))];
      for (const kind of [dice.pick(Object.keys(makers)), dice.pick(Object.keys(makers))]) {
        const made = makers[kind]?.(dice) ?? { object: {}, needs: new Set() };
        const given = kind === 'something else' ? { ...made.object, kind: 'Gadget' } : made.object;
        const { consumers, unchecked } = consumersOf([{ object: given }], old.crd);
        expect(unchecked).to.deep.equal([]);
        const said = judgeConsumers(old.crd, next.crd, consumers);
        const lost = new Set(said.map(partOf));
        const wanted = new Set([...gone].filter((part) => made.needs.has(part)));
        found += wanted.size;
        for (const part of wanted) if (!lost.has(part)) missed.push(`${seed} ${kind}: ${part}`);
        for (const part of lost) if (!wanted.has(part)) accused.push(`${seed} ${kind}: ${part}`);
      }
    }
    expect({ missed, accused }).to.deep.equal({ missed: [], accused: [] });
    expect(found).to.be.greaterThan(200);
  });
});

describe('who of a cluster loses something', () => {
  it('is told by a label only for ClusterServiceVersions, whose copies OLM labels', async () => {
    const dice = new Dice(1);
    const objects = [
      csv(new Set(['version']), 'required'),
      requirement(new Set(['version']), dice),
    ].map((each): JsonObject => ({
      ...each,
      metadata: { name: 'consumer', namespace: 'shop', labels: { 'olm.copiedFrom': 'x' } },
    }));
    const kindOf: Record<string, string> = {
      clusterserviceversions: 'ClusterServiceVersion',
      compatibilityrequirements: 'CompatibilityRequirement',
    };
    const list = (
      { resource }: { resource: string },
      { labelSelector }: { labelSelector?: string } = {},
    ): Promise<JsonObject[]> => {
      expect(labelSelector).to.be.oneOf([undefined, '!olm.copiedFrom']);
      const ofKind = objects.filter(({ kind }) => kind === kindOf[resource]);
      return Promise.resolve(labelSelector === undefined ? ofKind : []);
    };
    const [old, next] = [new Set<Part>(), new Set<Part>(['version'])].map((gone) =>
      definitionAt(definition(gone)),
    );
    if (old === undefined || next === undefined) throw new Error('two definitions were made');
    const { found } = await judgeKnownConsumers(old.crd, next.crd, { list });
    expect(found.map(({ rule }) => rule)).to.deep.equal(['CompatibilityRequirementUnmet']);
  });
});
