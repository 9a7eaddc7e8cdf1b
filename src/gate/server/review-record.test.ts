import { expect } from 'chai';
import type { Finding } from '../../rule/index.js';
import { noneStoredFinding, storedFindings, emptyTally } from '../../upgrade/index.js';
import { countFindings } from './review-record.js';

const subject = { name: 'widgets.example.com', kind: 'Widget' };
const decided = (finding: Finding, wouldDeny = false) =>
  ({ finding, disposition: 'audited', wouldDeny }) as const;

describe('what metrics count of a review', () => {
  it('are its findings by rule and decision, and not the note that no object is stored', () => {
    const refused = storedFindings(subject, { ...emptyTally, checked: 2, refused: 1 });
    const given = [
      decided(noneStoredFinding(subject)),
      ...refused.map((each) => decided(each, true)),
    ];
    expect([...countFindings(given)]).to.deep.equal([
      { rule: 'StoredObjectsRefused', decision: 'would-deny', count: 1 },
    ]);
    expect([...countFindings(given.slice(0, 1))]).to.deep.equal([]);
  });
});
