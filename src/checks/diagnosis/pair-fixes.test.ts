import { expect } from 'chai';
import { collectCrds, type FoundCrd } from '../../upgrade/index.js';
import { endedBy } from '../../rule/index.js';
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import { parseDocuments, stringifyJson } from '../../text/documents/index.js';
import { judgeChange } from './pair-judgement.js';
import { hintsForReaders, withFixes, type HintBudget } from './pair-fixes.js';

function found(maximum: number): FoundCrd {
  const properties = { size: { type: 'integer', maximum } };
  const definition = exampleOfSpec({ type: 'object', properties });
  const { crds } = collectCrds(parseDocuments(stringifyJson(definition), { file: 'widgets.json' }));
  return [...crds.values()][0] as FoundCrd;
}

describe('fixes of a pair', () => {
  const [old, next] = [found(20), found(10)];
  const judged = judgeChange(old, next, { profile: 'olm-v1', enforce: 'proven' });

  const fixes = (isFixWanted: boolean, hints?: HintBudget): readonly unknown[] => {
    const { findings, note } = withFixes(old, next, judged, {
      ...{ isFixWanted, repaired: [] },
      hints,
    });
    return [...findings.flatMap((each) => each[endedBy]?.title ?? []), note].filter(
      (each) => each !== undefined,
    );
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
});
