/**
 * Harm that the schema of a version does not show by itself: by its subresources, and to those who apply.
 * What a real API server does with a stored object is what the verdict says.
 */
import { expect } from 'chai';
import { answer } from '../../src/checks/operations/answer.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { object } from '../../src/upgrade/rules/crd/testing/definition.js';
import { useCluster } from '../apiserver/mocha.js';
import { install, objectsOf, replace } from './replaced-definition.js';

const group = 'beside.example.com';
const text = { type: 'string' };
const integer = { type: 'integer' };
const scale = {
  scale: {
    specReplicasPath: '.spec.n',
    statusReplicasPath: '.status.n',
    labelSelectorPath: '.status.m',
  },
};

interface Side {
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly root?: JsonObject;
  readonly subresources?: JsonObject;
}

interface Row {
  readonly what: string;
  readonly old: Side;
  readonly next: Side;
  readonly stored: JsonObject;
  /** A further one that is applied by somebody else before the update. */
  readonly applied?: JsonObject;
  /** What is refused afterwards; nothing where the update does no harm. */
  readonly refused?: 'label' | 'create' | 'apply';
}

const set = { type: 'array', items: text, 'x-kubernetes-list-type': 'set' };
const one = (more: JsonObject): Side => ({
  spec: { l: { type: 'array', maxItems: 1, items: text, ...more } },
});
const asked: Side = { spec: { a: text }, root: { required: ['status'] } };

const rows: readonly Row[] = [
  {
    what: 'a default that an unchanged scale subresource refuses',
    old: { spec: { n: integer }, subresources: scale },
    next: { spec: { n: { ...integer, default: -1 } }, subresources: scale },
    stored: { spec: {} },
    refused: 'label',
  },
  {
    what: 'a default that an unchanged scale subresource takes',
    old: { spec: { n: integer }, subresources: scale },
    next: { spec: { n: { ...integer, default: 1 } }, subresources: scale },
    stored: { spec: {} },
  },
  {
    what: 'a default selector',
    old: { status: { m: object({ a: text }) }, subresources: scale },
    next: { status: { m: { ...object({ a: text }), default: {} } }, subresources: scale },
    stored: { status: {} },
    refused: 'label',
  },
  {
    what: 'a new scale subresource that looks for a field in a list',
    old: { spec: { n: { type: 'array', items: text } } },
    next: {
      spec: { n: { type: 'array', items: text } },
      subresources: {
        scale: { specReplicasPath: '.spec.n.o', statusReplicasPath: '.status.n' },
      },
    },
    stored: { spec: { n: ['a'] } },
    refused: 'label',
  },
  {
    what: 'a new status subresource where a status is required',
    old: asked,
    next: { ...asked, subresources: { status: {} } },
    stored: { spec: {}, status: { n: 1 } },
    refused: 'create',
  },
  {
    what: 'a new status subresource',
    old: { spec: { a: text } },
    next: { spec: { a: text }, subresources: { status: {} } },
    stored: { spec: {}, status: { n: 1 } },
  },
  {
    what: 'a map that becomes atomic, with a list whose items appliers share',
    old: { spec: { o: object({ set }) } },
    next: { spec: { o: object({ set }, { 'x-kubernetes-map-type': 'atomic' }) } },
    stored: { spec: { o: { set: ['a'] } } },
    applied: { spec: { o: { set: ['b'] } } },
    refused: 'apply',
  },
  {
    what: 'a list of one item that becomes a set',
    old: one({}),
    next: one({ 'x-kubernetes-list-type': 'set' }),
    stored: { spec: { l: ['a'] } },
  },
];

function definition(plural: string, side: Side, isNew = false): JsonObject {
  const kind = `K${plural}`;
  const { spec = {}, status = {}, root = {}, subresources } = side;
  const marker: JsonObject = isNew ? { marker: { type: 'boolean' } } : {};
  const openAPIV3Schema = object(
    { spec: object(spec), status: object({ n: integer, ...status }), ...marker },
    root,
  );
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope: 'Namespaced' },
      names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } },
          ...(subresources === undefined ? {} : { subresources }),
        },
      ],
    },
  };
}

describe('harm beside the schema', () => {
  const cluster = useCluster();

  rows.forEach(({ what, old, next, stored, applied, refused }, index) => {
    it(`${what}: ${refused ?? 'none'}`, async () => {
      const plural = `beside${'abcdefghij'[index] ?? ''}s`;
      const [before, after] = [definition(plural, old), definition(plural, next, true)];
      expect(answer('crd', { old: before, new: definition(plural, next) })).to.have.nested.property(
        'verdict.allowed',
        refused === undefined,
      );

      await install(cluster(), before);
      const url = objectsOf(before);
      const whole = (fields: JsonObject, name = 'stored'): JsonObject => ({
        ...{ apiVersion: `${group}/v1`, kind: `K${plural}`, metadata: { name } },
        ...fields,
      });
      const apply = async (fields: JsonObject, manager: string): Promise<number> => {
        const path = `${url}/stored?fieldManager=${manager}`;
        const contentType = 'application/apply-patch+yaml';
        return (await cluster().request('PATCH', path, whole(fields), { contentType })).code;
      };
      expect(await apply(stored, 'one')).to.equal(201);
      if (applied !== undefined) expect(await apply(applied, 'two')).to.equal(200);
      const { body } = await cluster().request('GET', `${url}/stored`);

      await replace(cluster(), after, async () => {
        const path = `${url}?dryRun=All&fieldValidation=Strict`;
        const { text: said } = await cluster().request('POST', path, {
          ...whole(stored, 'probe'),
          marker: true,
        });
        return !said.includes('unknown field \\"marker\\"');
      });
      const label = await cluster().request(
        'PATCH',
        `${url}/stored`,
        { metadata: { labels: { a: 'b' } } },
        { contentType: 'application/merge-patch+json' },
      );
      expect(label.code, label.text).to.equal(refused === 'label' ? 422 : 200);
      const again = { ...stored, ...whole({}, 'again') };
      const created = await cluster().request('POST', `${url}?dryRun=All`, again);
      const isRefused = refused === 'label' || refused === 'create';
      expect(created.code, created.text).to.equal(isRefused ? 422 : 201);
      expect(await apply(stored, 'one')).to.equal(
        refused === 'apply' ? 409 : refused === 'label' ? 422 : 200,
      );
      if (refused !== undefined) return;
      const now = await cluster().request('GET', `${url}/stored`);
      expect(now.body['spec']).to.deep.include(body['spec']);
      expect(now.body['status']).to.deep.equal(body['status']);
    });
  });
});
