import { expect } from 'chai';
import { collectCrds, type FoundCrd } from '../../upgrade/index.js';
import { endedBy } from '../../rule/index.js';
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import { judgeDefinition } from '../../kubernetes/definition/testing/judge-definition.js';
import { knownMinors } from '../../kubernetes/definition/minors.js';
import type { Repaired } from './fixed-text.js';
import { parseDocuments, stringifyJson, type JsonObject } from '../../text/documents/index.js';
import { judgeChange } from './pair-judgement.js';
import { hintsForReaders, withFixes, type HintBudget } from './pair-fixes.js';

const found = (maximum: number): FoundCrd =>
  foundOf({ type: 'object', properties: { size: { type: 'integer', maximum } } });

function foundOf(spec: JsonObject): FoundCrd {
  const definition = exampleOfSpec(spec);
  const { crds } = collectCrds(parseDocuments(stringifyJson(definition), { file: 'widgets.json' }));
  return [...crds.values()][0] as FoundCrd;
}

describe('fixes of a pair', () => {
  const [old, next] = [found(20), found(10)];
  const judged = judgeChange(old, next, { profile: 'olm-v1', enforce: 'proven' });

  const fixes = (isFixWanted: boolean, hints?: HintBudget): readonly unknown[] => {
    const { findings, notes = [] } = withFixes(old, next, judged, {
      ...{ isFixWanted, repaired: [] },
      hints,
    });
    return [...findings.flatMap((each) => each[endedBy]?.title ?? []), ...notes];
  };

  const fix = 'keep the old maximum of ^.spec.size';
  const note = 'not every fix was looked for; --fix FILE takes the time to';
  for (const [name, isFixWanted, hints, expected] of [
    ['wanted', true, undefined, [fix]],
    ['hinted at', false, hintsForReaders(), [fix]],
    ['hinted at, with nothing left to spend', false, { ...hintsForReaders(), left: 0 }, [note]],
    ['told to nobody', false, undefined, []],
  ] as const) {
    it(name, () => {
      expect(fixes(isFixWanted, hints)).to.deep.equal(expected);
    });
  }

  it('leave no schema that API servers refuse', () => {
    const item = (more: JsonObject): JsonObject => ({
      type: 'object',
      properties: {
        list: {
          type: 'array',
          maxItems: 9,
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          ...more,
        },
      },
    });
    const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
    const [before, after] = [foundOf(item({})), foundOf(item({ ...keyed, maxItems: 3 }))];
    const judged = judgeChange(before, after, { profile: 'olm-v1', enforce: 'proven' });
    const repaired: Repaired[] = [];
    withFixes(before, after, judged, { isFixWanted: true, repaired });
    const [{ repair } = expect.fail('no repair')] = repaired;
    expect(repair.fixes).to.have.length.above(0);
    expect(repair.left).to.deep.equal([]);
    for (const old of [undefined, before.crd.document])
      expect(judgeDefinition(repair.patched, old, knownMinors)).to.deep.equal([]);
  });
});
