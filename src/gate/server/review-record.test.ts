import { expect } from 'chai';
import type { Finding } from '../../rule/index.js';
import { noneStoredFinding, storedFindings, emptyTally } from '../../upgrade/index.js';
import { createGateMetrics } from '../metrics/own-metrics.js';
import { Registry } from 'prom-client';
import type { Logger } from '../log.js';
import { countFindings, recordReview, type ReviewRecord } from './review-record.js';

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

  it('are logged without that note', () => {
    const lines: { rules?: string[]; findings?: number; rule?: string }[] = [];
    const log = { info: (line: object) => void lines.push(line) };
    const [refused] = storedFindings(subject, { ...emptyTally, checked: 2, refused: 1 });
    const reviewed = {
      decision: 'denied',
      decided: [
        decided(noneStoredFinding(subject)),
        decided({ ...refused!, rule: 'NoScopeChange' }),
      ],
      bypassed: [],
      newSwitchOffs: [],
    };
    const record = {
      request: { uid: '1', operation: 'UPDATE', resource: { group: 'g', resource: 'r' } },
      ...{ reviewed, seconds: 1, caller: 'unauthenticated', known: true },
    } as unknown as ReviewRecord;
    recordReview(record, createGateMetrics(new Registry(), '0'), log as unknown as Logger);
    expect(lines[0]).to.deep.include({ rules: ['NoScopeChange'], findings: 1 });
    expect(lines.slice(1).map(({ rule }) => rule)).to.deep.equal(['NoScopeChange']);
  });
});
