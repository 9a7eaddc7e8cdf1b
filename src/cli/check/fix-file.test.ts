/** The sentences of `--fix` about harm that no change ends. */
import { expect } from 'chai';
import type { Repaired } from '../../checks/index.js';
import { printFixes, writeFixes } from './fix-file.js';

/** What is printed on standard error meanwhile. */
async function printedBy(action: () => Promise<void> | void): Promise<string> {
  const { stderr } = process;
  const write = stderr.write.bind(stderr);
  let printed = '';
  Object.assign(stderr, { write: (text: string) => (printed += text) !== '' });
  try {
    await action();
  } finally {
    Object.assign(stderr, { write });
  }
  return printed;
}

const repairedBy = (repair: object): Repaired =>
  ({ next: { name: 'widgets.example.com' }, repair }) as unknown as Repaired;

describe('printFixes', () => {
  const version = 'v1';

  it('names no place beneath another that is named', async () => {
    const places = ['^.a[*].b', '^.a', '^.a-b', '^.a[*]', '^.a.c', '^.ab', '^.c.d'];
    const left = places.map((path) => ({ version, path }));
    expect(await printedBy(() => printFixes([repairedBy({ fixes: [], left })]))).to.equal(
      'fix: widgets.example.com v1: no change was found that keeps objects at ^.a, ^.a-b, ^.ab, ^.c.d\n',
    );
  });

  it('does not deny the change that it has just named', async () => {
    const [trouble, other] = ['^', '^.a'].map((path) => ({ version, path }));
    const fixes = [{ title: 'keep ^ as it was', trouble }];
    const harm = ['the minimum is tightened: 3', 'the rule "self.a < 3" is new'];
    const left = [
      { ...trouble, harm },
      { ...trouble, from: 'v1beta1', harm: harm.slice(1) },
      { ...other, version: 'v2' },
    ];
    expect(await printedBy(() => printFixes([repairedBy({ fixes, left })]))).to
      .equal(`fix: widgets.example.com v1: keep ^ as it was
fix: widgets.example.com v1: after the changes above, objects still come to harm at ^: the minimum is tightened: 3, the rule "self.a < 3" is new
fix: widgets.example.com v1beta1 -> v1: after the changes above, objects still come to harm at ^: the rule "self.a < 3" is new
fix: widgets.example.com v2: no change was found that keeps objects at ^.a
`);
  });
});

describe('writeFixes', () => {
  it('prints one line for a version, whatever the number of places that are left', async () => {
    const paths = ['^.status.a', '^.status.a', ...'bcdefg'].map((each) => each.padStart(2, '^'));
    const left = paths.map((path) => ({ version: 'v1', path }));
    const repaired = repairedBy({ fixes: [], left });
    const printed = await printedBy(() => writeFixes('fixed.yaml', [repaired], new Set()));
    expect(printed.split('\n').slice(0, 2)).to.deep.equal([
      'fix: widgets.example.com v1: no change was found that keeps objects at ^.status.a, ^b, ^c, ^d, ^e and 2 more',
      'fix: nothing to change, fixed.yaml is not written',
    ]);
  });
});
