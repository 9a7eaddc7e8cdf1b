/**
 * Bounds on lists whose items have rules and required fields, on a real API server: what the proof made
 * up is taken by the old definition, and refused by the version that has the bound.
 */
import { expect } from 'chai';
import { proveDocuments } from '../../src/upgrade/proof/testing/prove-documents.js';
import { Dice } from '../../src/upgrade/proof/testing/dice.js';
import { ruledListPair, type RuledListPair } from '../../src/upgrade/proof/testing/ruled-lists.js';
import { isObject, own, type JsonObject } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { install, objectsOf, replace } from './replaced-definition.js';

const count = 48;
const atOnce = 6;

describe('bounds on lists of objects with rules', () => {
  const cluster = useCluster();

  async function refuses(url: string, object: JsonObject): Promise<boolean> {
    const { code } = await cluster().request('POST', `${url}?dryRun=All`, object);
    return code === 422;
  }

  /** What the API server says of the witness, where that is not what the proof says. */
  async function contradiction(pair: RuledListPair): Promise<string | undefined> {
    const { results } = proveDocuments(pair.old, pair.new);
    const witness = results
      .filter(({ effect }) => effect === 'breaking')
      .map((result) => result.witness ?? null)
      .find((each) => isObject(each) && own(each, 'spec') !== undefined) as JsonObject | undefined;
    if (witness === undefined) return `${pair.title}: no object was found`;
    const { group, versions } = pair.new['spec'] as unknown as {
      group: string;
      versions: { name: string }[];
    };
    const version = versions[0]?.name ?? '';
    const as = (object: JsonObject, name: string): JsonObject => ({
      ...object,
      apiVersion: `${group}/${version}`,
      metadata: { name, namespace: 'default' },
    });
    await install(cluster(), pair.old);
    const url = objectsOf(pair.old);
    for (const object of [witness, pair.breaking]) {
      const { code, body } = await cluster().request('POST', url, object);
      if (code !== 201) return `${pair.title}: not taken before: ${JSON.stringify(body)}`;
    }
    const read = url.replace('/v1/', `/${version}/`);
    await replace(cluster(), pair.new, () => refuses(read, as(pair.breaking, 'again')));
    if (await refuses(read, as(witness, 'again'))) return undefined;
    return `${pair.title}: not refused: ${JSON.stringify(witness)}`;
  }

  it(`${count} random definitions: each witness is taken before and refused after`, async function () {
    this.timeout(600_000);
    const pairs = Array.from({ length: count }, (_, seed) =>
      ruledListPair(seed + 1, new Dice(seed + 1)),
    );
    const said: string[] = [];
    const workers = Array.from({ length: atOnce }, async () => {
      for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
        const wrong = await contradiction(pair);
        if (wrong !== undefined) said.push(wrong);
      }
    });
    await Promise.all(workers);
    expect(said).to.deep.equal([]);
  });
});
