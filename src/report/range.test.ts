import { expect } from 'chai';
import { explainRange, parseVersion } from '../text/versions/index.js';
import { renderRange } from './explanations.js';

describe('range report', () => {
  it('prints the whole report', () => {
    const page = renderRange(explainRange('>=1.0.0 <2.0.0', parseVersion('1.4.0')));
    expect(page).to.equal(`">=1.0.0 <2.0.0"

OLM v1 (spec.source.catalog.version of a ClusterExtension)
  from 1.0.0 and below 2.0.0
  (no pre-releases, because it names none)
  1.4.0: matches
  the API accepts it

OLM classic (olm.skipRange, also in OLM v1; dependencies)
  from 1.0.0 and below 2.0.0
  (pre-releases are ordinary versions)
  1.4.0: matches

Where they disagree
  OLM classic takes pre-releases by their order alone; OLM v1 only where the range names one: 1.0.1-alpha, 1.1.0-alpha, 2.0.0-alpha
`);
  });

  const verdicts: [range: string, sentence: string][] = [
    ['>=1, <2', 'Only OLM v1 can read it: as an olm.skipRange it is silently ignored.'],
    ['!1.0.0', 'Only OLM classic can read it.'],
    ['latest', 'Neither dialect can read it.'],
    ['1.0.0', 'Both dialects agree at every bound of the range.'],
  ];
  for (const [range, sentence] of verdicts) {
    it(`${range}: ${sentence}`, () => {
      expect(renderRange(explainRange(range)).trimEnd().split('\n').at(-1)).to.equal(sentence);
    });
  }
});
