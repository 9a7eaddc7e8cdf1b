import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../policy/rules/registry.js';
import { from, sources } from './rule.js';

const root = join(import.meta.dirname, '..', '..');

const references = [
  // A file of a public repository in a version, with functions.
  /^[\w.-]+\/[\w.-]+ (v\d+\.\d+\.\d+|[0-9a-f]{8,40}|[0-9a-f]{7}) [\w./-]+\.go( \(\w+(, \w+)*\))?$/,
  /^[\w.-]+\/[\w.-]+#[1-9]\d*$/,
  /^(Kubernetes|OpenShift|OLM) documentation, “[A-Z][^“”]+”$/,
];

function isPublic(source: string): boolean {
  return source.split('; ').every((part) => {
    const page = /^olm-guard (docs\/\S+\.md)$/.exec(part)?.[1];
    if (page !== undefined) return existsSync(join(root, page));
    return references.some((reference) => reference.test(part));
  });
}

describe('where rules come from', () => {
  const all = rules.map(({ id, source }): [rule: string, source: string] => [id, source]);

  it('are public', () => {
    expect(all.filter(([, source]) => !isPublic(source))).to.deep.equal([]);
  });

  for (const [what, source] of [
    ['a note', 'notes A.4'],
    ['a file without its repository', 'pkg/lib/crd/storage.go (SafeStorageVersionUpgrade)'],
    ['a document without its title', 'the document on operator conditions'],
    ['a page that is not there', 'olm-guard docs/nowhere.md'],
    ['a good one beside a bad one', sources(from.openShift('Operator groups'), 'section 2')],
  ] as const) {
    it(`not as ${what}`, () => {
      expect(isPublic(source)).to.equal(false);
    });
  }
});
