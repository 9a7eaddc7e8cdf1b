/** Versions that come and go beside the one that stores the objects: what an API server makes of it. */
import { expect } from 'chai';
import { judgeContract } from '../../src/upgrade/rules/contract/judge.js';
import type { JsonObject } from '../../src/text/documents/index.js';

import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { create, replace } from './installed-gate.js';
import { widgets, type Definition, type Schema } from './widgets.js';
import { UpgradePair } from '../../src/upgrade/pair.js';

interface Shape {
  readonly title: string;
  /** Schema and value of `spec` with these fields inside. */
  readonly schema: (fields: Schema) => Schema;
  readonly value: (fields: JsonObject) => JsonObject;
}

const shapes: readonly Shape[] = [
  { title: 'in spec', schema: (fields) => fields, value: (fields) => fields },
  {
    title: 'in the items of a list',
    schema: (fields) => ({
      type: 'object',
      properties: { parts: { type: 'array', items: fields } },
    }),
    value: (fields) => ({ parts: [fields] }),
  },
  {
    title: 'two levels down',
    schema: (fields) => ({
      type: 'object',
      properties: { pod: { type: 'object', properties: { settings: fields } } },
    }),
    value: (fields) => ({ pod: { settings: fields } }),
  },
];

const fields = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
const size: Schema = { type: 'integer' };
const text: Schema = { type: 'string' };

describe('a version that comes', () => {
  const cluster = useCluster();

  function definitionOf(plural: string, schemas: Record<string, Schema>): Definition {
    const definition = widgets(plural);
    definition.spec.versions = Object.entries(schemas).map(([name, spec], index) => ({
      ...{ name, served: true, storage: index === 0 },
      schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    }));
    return definition;
  }

  const listOf = (plural: string, version: string): string =>
    `/apis/example.com/${version}/namespaces/default/${plural}`;

  const objectOf = (plural: string, version: string, spec: JsonObject): JsonObject => ({
    apiVersion: `example.com/${version}`,
    kind: widgets(plural).spec.names.kind,
    metadata: { name: 'example' },
    spec,
  });

  /** v1 with an object, and v2 served beside it from now on. */
  async function serve(
    plural: string,
    [stored, served]: readonly [Schema, Schema],
    spec?: JsonObject,
  ): Promise<readonly string[]> {
    const old = definitionOf(plural, { v1: stored });
    const next = definitionOf(plural, { v1: stored, v2: served });
    await create(cluster(), old);
    await until(`${plural} to be served`, async () => {
      const path = listOf(plural, 'v1');
      const { code } =
        spec === undefined
          ? await cluster().request('GET', path)
          : await cluster().request('POST', path, objectOf(plural, 'v1', spec));
      return code < 300 || code === 409 ? true : undefined;
    });
    await replace(cluster(), next);
    await until(`v2 of ${plural} to be served`, async () =>
      (await cluster().request('GET', listOf(plural, 'v2'))).code === 200 ? true : undefined,
    );
    return judgeContract(
      UpgradePair.read(old as unknown as JsonObject, next as unknown as JsonObject),
    )
      .findings.filter(({ rule }) => rule === 'ServedVersionAdded')
      .map(({ message }) => message);
  }

  const get = (plural: string, version: string): Promise<Answer> =>
    cluster().request('GET', `${listOf(plural, version)}/example`);
  const specOf = ({ body }: Answer): unknown => (body as { spec?: unknown }).spec;

  for (const [index, { title, schema, value }] of shapes.entries()) {
    const letter = 'abc'[index] ?? '';

    it(`drops what it does not declare when an object is updated through it: ${title}`, async () => {
      const plural = `drops${letter}s`;
      const both = [schema(fields({ size, color: text })), schema(fields({ size }))] as const;
      const said = await serve(plural, both, value({ size: 1, color: 'red' }));
      expect(said[0]).to.match(/it drops \^\.spec.*\.color$/);
      const read = await get(plural, 'v2');
      expect(specOf(read)).to.deep.equal(value({ size: 1 }));
      expect(specOf(await get(plural, 'v1'))).to.deep.equal(value({ size: 1, color: 'red' }));
      const written = await cluster().request('PUT', `${listOf(plural, 'v2')}/example`, read.body);
      expect(written.code).to.equal(200);
      expect(specOf(await get(plural, 'v1'))).to.deep.equal(value({ size: 1 }));
    });

    it(`refuses an update of what it shows itself: ${title}`, async () => {
      const plural = `refuses${letter}s`;
      const both = [
        schema(fields({ size })),
        schema({ ...fields({ size: { ...size, maximum: 5 } }), required: ['size'] }),
      ] as const;
      const said = await serve(plural, both, value({ size: 20 }));
      expect(said[0]).to.match(/may refuse .*\^\.spec.*\.size \(maximum\)$/);
      const read = await get(plural, 'v2');
      expect(specOf(read)).to.deep.equal(value({ size: 20 }));
      const again = objectOf(plural, 'v2', value({ size: 21 }));
      const patched = await cluster().request('PATCH', `${listOf(plural, 'v2')}/example`, again, {
        contentType: 'application/merge-patch+json',
      });
      expect(patched.code).to.equal(422);
    });

    it(`loses what the stored version does not declare: ${title}`, async () => {
      const plural = `loses${letter}s`;
      const both = [schema(fields({ size })), schema(fields({ size, shape: text }))] as const;
      const said = await serve(plural, both);
      expect(said[0]).to.match(/"v1", which is stored, does not have \^\.spec.*\.shape: /);
      const object = objectOf(plural, 'v2', value({ size: 1, shape: 'round' }));
      expect((await cluster().request('POST', listOf(plural, 'v2'), object)).code).to.equal(201);
      expect(specOf(await get(plural, 'v2'))).to.deep.equal(value({ size: 1 }));
    });
  }

  it('takes server-side apply with it when it goes, though it was not served any more', async () => {
    const plural = 'leavers';
    const schema = fields({ size });
    const both = definitionOf(plural, { v1: schema, v1alpha1: schema });
    await create(cluster(), both);
    const apply = (version: string, manager: string): Promise<Answer> =>
      cluster().request(
        'PATCH',
        `${listOf(plural, version)}/example?fieldManager=${manager}`,
        objectOf(plural, version, { size: 1 }),
        { contentType: 'application/apply-patch+yaml' },
      );
    await until('an apply as v1alpha1', async () =>
      (await apply('v1alpha1', 'first')).code < 300 ? true : undefined,
    );
    const unserved = definitionOf(plural, { v1: schema, v1alpha1: schema });
    for (const version of unserved.spec.versions.slice(1)) version.served = false;
    await replace(cluster(), unserved);
    await until('v1alpha1 to be gone from discovery', async () =>
      (await cluster().request('GET', listOf(plural, 'v1alpha1'))).code === 404 ? true : undefined,
    );
    expect((await apply('v1', 'second')).code).to.equal(200);

    const gone = definitionOf(plural, { v1: schema });
    const { findings } = judgeContract(
      UpgradePair.read(unserved as unknown as JsonObject, gone as unknown as JsonObject),
    );
    expect(findings.map(({ rule }) => rule)).to.deep.equal(['AppliedVersionRemoved']);
    await replace(cluster(), gone);
    const refused = await until('the new definition to be in use', async () => {
      const answer = await apply('v1', 'second');
      return answer.code === 200 ? undefined : answer;
    });
    expect(refused.text).to.include('request to convert CR to an invalid group/version');
  });
});
