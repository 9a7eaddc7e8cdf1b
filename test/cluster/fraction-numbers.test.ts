/**
 * Numbers of integer fields that are written with a fraction, on a real API server: what of them is
 * stored, and whether stored objects are still written once rules and a scale subresource read them.
 */
import { expect } from 'chai';
import type { JsonObject } from '../../src/text/documents/index.js';
import { proveDocuments } from '../../src/upgrade/proof/testing/prove-documents.js';
import { definition, json, object } from '../../src/upgrade/rules/crd/testing/definition.js';
import { useCluster } from '../apiserver/mocha.js';
import { install, objectsOf, replace } from './replaced-definition.js';

const rule = '!has(self.n) || self.n >= 0';
const listed = '!has(self.listed) || self.listed > 0';
const scale = { specReplicasPath: '.spec.scaled', statusReplicasPath: '.status.scaled' };

/** Rules that hold for every integer which the schema takes, and a scale subresource. */
function samples(isRead: boolean): JsonObject {
  const n = { type: 'integer', minimum: 0 };
  const properties = { n, scaled: n, listed: { type: 'integer', enum: [1, 2] } };
  const rules = { 'x-kubernetes-validations': [{ rule }, { rule: listed }] };
  const schema = object({ spec: object(properties, isRead ? rules : {}) });
  const subresources: JsonObject = isRead ? { scale } : {};
  const made = definition({ scope: 'Namespaced', versions: [{ schema, subresources }] });
  const names = { kind: 'Sample', plural: 'samples', singular: 'sample', listKind: 'SampleList' };
  return { ...made, spec: { ...(made['spec'] as JsonObject), names } };
}

const manifest = (name: string, spec: string): string =>
  `{"apiVersion":"test.example.com/v1","kind":"Sample","metadata":{"name":"${name}","namespace":"default"},"spec":${spec}}`;

/** As they are written, and as they are stored. */
const whole: readonly (readonly [spec: string, stored: JsonObject])[] = [
  ['{"n":3.0,"scaled":3.0,"listed":2.0}', { n: 3, scaled: 3, listed: 2 }],
  ['{"n":1e3,"scaled":1e3}', { n: 1000, scaled: 1000 }],
  ['{"n":-0.0,"scaled":-0.0}', { n: 0, scaled: 0 }],
];
const fractions = ['n', 'scaled', 'listed'].map((field) => `{"${field}":1.000000001}`);

describe('fractions in integer fields on a real API server', () => {
  const cluster = useCluster();
  const url = objectsOf(samples(false));

  const label = (name: string) =>
    cluster().request(
      'PATCH',
      `${url}/${name}?dryRun=All`,
      { metadata: { labels: { a: 'b' } } },
      { contentType: 'application/merge-patch+json' },
    );

  before('store objects, and let rules and a scale subresource come', async () => {
    await install(cluster(), samples(false));
    for (const [index, [spec, stored]] of whole.entries()) {
      const { code, body } = await cluster().request('POST', url, manifest(`whole-${index}`, spec));
      expect([code, body['spec']]).to.deep.equal([201, stored]);
    }
    for (const [index, spec] of fractions.entries()) {
      const { code, body } = await cluster().request('POST', url, manifest(`odd-${index}`, spec));
      expect([code, body['spec']]).to.deep.equal([201, json(spec)]);
    }
    await replace(cluster(), samples(true), async () => (await label('odd-0')).code === 422);
  });

  it('store 3.0 as 3, which every write takes', async () => {
    for (const [index, [spec]] of whole.entries()) {
      const name = `whole-${index}`;
      expect((await label(name)).code, name).to.equal(200);
      for (const way of [['apply'], ['apply', '--server-side', '--force-conflicts'], ['replace']]) {
        const args = [...way, '-f', '-'];
        const { code, stderr } = await cluster().kubectl(args, { stdin: manifest(name, spec) });
        expect(code, `${args.join(' ')}: ${stderr}`).to.equal(0);
      }
    }
  });

  it('refuse 3.0 of a client that sends it as it is', async () => {
    const [[spec] = ['']] = whole;
    const { code, text } = await cluster().request('POST', url, manifest('raw', spec));
    expect([code, text.includes('expected int, got float64')]).to.deep.equal([422, true]);
  });

  it('keep 1.000000001, which no write takes any more, as the proof says', async () => {
    for (const index of fractions.keys())
      expect((await label(`odd-${index}`)).code, fractions[index]).to.equal(422);
    const { results } = proveDocuments(samples(false), samples(true));
    const shown = results.map(({ effect, harm, witness }) => [
      effect,
      harm,
      (witness as JsonObject)['spec'],
    ]);
    expect(shown).to.have.deep.members(
      fractions.map((spec) => ['breaking', 'AbsurdValue', json(spec)]),
    );
  });
});
