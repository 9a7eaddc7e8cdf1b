/** Changes that a denial offers, on a real API server: it refuses nothing of them that it took before. */
import { expect } from 'chai';
import { isObject, own, type JsonObject } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { goldenRows } from '../golden/golden.js';
import { patched, patchesOf } from './offered-patches.js';
import { shapes } from './shapes.js';
import { definitions } from './widgets.js';

const group = 'fixes.example.com';

interface Pair {
  readonly id: string;
  readonly old: JsonObject;
  readonly next: JsonObject;
}

/** Each tenth of the made pairs. */
const pairs = (): Pair[] => [
  ...shapes.map(({ title, old, new: next }): Pair => ({ id: title, old, next })),
  ...goldenRows('crd-synthetic').flatMap((row, index): Pair[] => {
    const [old, next] = [own(row, 'old') ?? null, own(row, 'new') ?? null];
    const isTaken = index % 10 === 0 && isObject(old) && isObject(next);
    return isTaken ? [{ id: row.id, old, next }] : [];
  }),
];

/** Under a name of its own, so that pairs do not meet. */
function renamed(definition: JsonObject, plural: string): JsonObject {
  const kind = `K${plural}`;
  const names = { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` };
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.${group}` },
    spec: { ...(own(definition, 'spec') as JsonObject), group, names },
  };
}

describe('fixes that are offered', () => {
  const cluster = useCluster();

  async function refusals(definition: JsonObject, plural: string): Promise<Set<string>> {
    const url = `${definitions}/${plural}.${group}`;
    for (;;) {
      const { body } = await cluster().request('GET', url);
      const resourceVersion = body.metadata?.resourceVersion ?? '';
      const made = renamed(definition, plural);
      const metadata = { name: `${plural}.${group}`, resourceVersion };
      const answered = await cluster().request('PUT', `${url}?dryRun=All`, { ...made, metadata });
      // Its conditions are written meanwhile.
      if (answered.code === 409) continue;
      if (answered.code === 200) return new Set();
      const causes = answered.body.details?.causes ?? [];
      return new Set(causes.map(({ field = '', message = '' }) => `${field}: ${message}`));
    }
  }

  it('are accepted', async function () {
    this.timeout(600_000);
    let fixes = 0;
    for (const [index, pair] of pairs().entries()) {
      const patches = patchesOf(pair.old, pair.next);
      if (patches.length === 0) continue;
      const plural = `fixed${index}s`;
      const created = await cluster().request('POST', definitions, renamed(pair.old, plural));
      if (created.code !== 201) continue;
      const before = await refusals(pair.next, plural);
      for (const patch of patches) {
        const definition = patched(pair.next, patch);
        if (definition === undefined) continue;
        const now = [...(await refusals(definition, plural))].filter((each) => !before.has(each));
        expect(now, `${pair.id}: ${JSON.stringify(patch)}`).to.deep.equal([]);
        fixes++;
      }
      await cluster().request('DELETE', `${definitions}/${plural}.${group}`);
    }
    expect(fixes).to.be.greaterThan(20);
  });
});
