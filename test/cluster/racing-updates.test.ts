/**
 * Updates that race: the verdict is about the object that the API server has read, and a write on top of
 * another one is read, judged and refused anew. So two together do nothing that one may not.
 */
import { expect } from 'chai';
import { useCluster, useGate } from '../apiserver/mocha.js';
import { breaking, create, replace } from './installed-gate.js';
import { changed, definitionPath, specOf, widgets, type Definition } from './widgets.js';

const merge = { contentType: 'application/merge-patch+json' };
const rounds = 12;

describe('updates of one definition that race', function () {
  this.timeout(240_000);
  const cluster = useCluster();
  useGate(cluster, {
    name: 'crds.olm-guard.io',
    timeoutSeconds: 10,
    rules: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        apiVersions: ['v1'],
        operations: ['UPDATE'],
        resources: ['customresourcedefinitions'],
      },
    ],
    isAsked: async () => {
      await create(cluster(), widgets('probes'));
      const { code } = await replace(cluster(), breaking('probes'), { query: '?dryRun=All' });
      return code === 403;
    },
  });

  const path = definitionPath('widgets');
  const withModes = (modes: readonly string[], description: string): Definition =>
    changed(({ properties }) => {
      properties['mode'] = { type: 'string', description, enum: [...modes] };
    });
  const stored = async (): Promise<Definition> =>
    (await cluster().request('GET', path)).body as unknown as Definition;
  const storedModes = async (): Promise<readonly string[]> =>
    specOf(await stored()).properties['mode']?.enum ?? [];
  const patch = async (modes: readonly string[], description: string): Promise<number> => {
    const { spec } = withModes(modes, description);
    for (;;) {
      const { code } = await cluster().request('PATCH', path, { spec }, merge);
      // The API server reads and judges a patch anew a few times before it gives up.
      if (code !== 409) return code;
    }
  };

  before('create the definition', () => create(cluster(), widgets()));

  it('keep every value that one of them has added, whoever patches it away at that time', async () => {
    let known: readonly string[] = ['Fast', 'Slow'];
    const refused: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const added = `Added${round}`;
      // By itself each of the others changes a description, of the object as it was before.
      const [code, ...others] = await Promise.all([
        patch([...known, added], `with ${added}`),
        ...[1, 2, 3].map((each) => patch(known, `round ${round}, patch ${each}`)),
      ]);
      expect(code).to.equal(200);
      refused.push(...others.filter((each) => each !== 200));
      known = [...known, added];
      expect(await storedModes()).to.deep.equal(known);
    }
    for (const each of refused) expect(each).to.equal(403);
    expect(await patch(known.slice(0, -1), 'afterwards')).to.equal(403);
  });

  it('are refused by the API server where they name the version that they have read', async () => {
    const { metadata } = await stored();
    const known = await storedModes();
    const put = async (definition: Definition): Promise<number> => {
      const { resourceVersion } = metadata;
      const body = { ...definition, metadata: { ...definition.metadata, resourceVersion } };
      return (await cluster().request('PUT', path, body)).code;
    };
    const codes = await Promise.all([
      put(withModes([...known, 'Last'], 'one')),
      put(withModes(known, 'two')),
      put(withModes(known, 'three')),
    ]);
    expect(codes.toSorted((left, right) => left - right)).to.deep.equal([200, 409, 409]);
    expect((await storedModes()).slice(0, known.length)).to.deep.equal(known);
  });
});
