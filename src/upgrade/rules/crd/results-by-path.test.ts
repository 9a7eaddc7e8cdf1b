import { expect } from 'chai';
import type { ProofResult } from '../../proof/index.js';
import { ResultsByPath } from './effects.js';

const result = (path: string, reason = ''): ProofResult => ({
  version: 'v1',
  path,
  effect: 'safe',
  audience: 'objects',
  reason,
});
const results = new ResultsByPath(
  ['^.a.b', '^.a', '^.ab', '^.a[*]', '^.a[*].c', '^', '^.a-b.c', '^.a'].map((path) => result(path)),
);
const paths = (found: readonly ProofResult[]): string[] => found.map(({ path }) => path);

describe('results by path', () => {
  it('finds all results at a path', () =>
    expect(paths(results.at('^.a'))).to.deep.equal(['^.a', '^.a']));
  it('finds nothing at a path without results', () => expect(results.at('^.b')).to.deep.equal([]));
  it('finds fields and items beneath, not names that begin alike', () =>
    expect(paths(results.beneath('^.a'))).to.deep.equal(['^.a.b', '^.a[*]', '^.a[*].c']));
  it('finds the nearest results above a path', () =>
    expect(paths(results.nearestAbove('^.a[*].c.d', () => true))).to.deep.equal(['^.a[*].c']));
  it('passes over what is not wanted above', () =>
    expect(paths(results.nearestAbove('^.ab.c', ({ path }) => path !== '^.ab'))).to.deep.equal([
      '^',
    ]));
});
