/** The sentences of `--fix` about harm that no change ends. */
import { expect } from 'chai';
import type { Repaired } from '../../checks/index.js';
import { writeFixes } from './fix-file.js';

describe('writeFixes', () => {
  it('prints one line for a version, whatever the number of places that are left', async () => {
    const paths = ['^.status.a', '^.status.a', ...'bcdefg'].map((each) => each.padStart(2, '^'));
    const left = paths.map((path) => ({ version: 'v1', path }));
    const repaired = { next: { name: 'widgets.example.com' }, repair: { fixes: [], left } };
    const { stderr } = process;
    const write = stderr.write.bind(stderr);
    let printed = '';
    Object.assign(stderr, { write: (text: string) => (printed += text) !== '' });
    try {
      await writeFixes('fixed.yaml', [repaired as unknown as Repaired], new Set());
    } finally {
      Object.assign(stderr, { write });
    }
    expect(printed.split('\n').slice(0, 2)).to.deep.equal([
      'fix: widgets.example.com v1: no change was found that keeps objects at ^.status.a, ^b, ^c, ^d, ^e and 2 more',
      'fix: nothing to change, fixed.yaml is not written',
    ]);
  });
});
