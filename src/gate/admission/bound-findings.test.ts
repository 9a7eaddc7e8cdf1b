import { expect } from 'chai';
import type { Effect, Finding, Severity } from '../../rule/finding.js';
import { boundFindings } from './bound-findings.js';

const finding = (path: string, effect?: Effect, severity: Severity = 'error'): Finding => ({
  ...{ rule: 'Rule', family: 'crd-upgrade-safety', severity, docs: '' },
  ...{ message: `${path} is gone`, version: 'v1', path, cause: path },
  effect,
});

describe('boundFindings', () => {
  it('leaves what is few as it is', () => {
    const few = [finding('^.a'), finding('^.b', 'safe', 'warning')];
    expect(boundFindings(few, 2)).to.equal(few);
  });

  it('keeps the worst, and says for the rest what it is about', () => {
    const many = [
      ...[1, 2, 3].map((index) => finding(`^.safe${index}`, 'safe')),
      finding('^.broken', 'breaking'),
      finding('^.warned', undefined, 'warning'),
      finding('^.lost', 'data-loss'),
    ];
    const bounded = boundFindings(many, 3);
    expect(
      bounded.map(({ severity, effect, path, message }) => [severity, effect, path, message]),
    ).to.deep.equal([
      ['error', 'breaking', '^.broken', '^.broken is gone'],
      ['error', 'data-loss', '^.lost', '^.lost is gone'],
      ['error', 'safe', '^.safe1', '^.safe1 is gone'],
      ['error', 'safe', undefined, 'and 2 more of Rule'],
      ['warning', undefined, undefined, 'and 1 more of Rule'],
    ]);
  });
});
