/** The policies of examples/promises on the changes that they are about. */
import { join } from 'node:path';
import { expect } from 'chai';
import { root, runHere } from './command.js';
import { definitionText, Repository } from './repository.js';

const base = definitionText()
  .replace('color:\n', 'color:\n                description: "Deprecated: unused"\n')
  .replace(
    '          spec:',
    '          status:\n            type: object\n            properties:\n              count:\n                type: integer\n          spec:',
  );
const alpha = base.replace('name: v1\n', 'name: v1alpha1\n');
const without = (text: string, field: string): string =>
  text.replace(new RegExp(` {14}${field}:\\n(?: {16}.*\\n)+`), '');
const widened = base.replace('type: integer', 'type: number');

interface Row {
  readonly policy: string;
  readonly change: string;
  readonly old?: string;
  readonly next: string;
  readonly branch?: string;
  readonly code: 0 | 1;
}

const rows: readonly Row[] = [
  {
    policy: 'alpha-noted-beta-strict',
    change: 'a field of an alpha version goes',
    old: alpha,
    next: without(alpha, 'size'),
    code: 0,
  },
  {
    policy: 'alpha-noted-beta-strict',
    change: 'a field of a beta version goes',
    old: base.replace('name: v1\n', 'name: v1beta1\n'),
    next: without(base, 'size').replace('name: v1\n', 'name: v1beta1\n'),
    code: 1,
  },
  {
    policy: 'alpha-noted-beta-strict',
    change: 'a field goes that was deprecated',
    next: without(base, 'color'),
    code: 0,
  },
  {
    policy: 'alpha-noted-beta-frozen',
    change: 'a field of an alpha version goes',
    old: alpha,
    next: without(alpha, 'size'),
    code: 0,
  },
  {
    policy: 'alpha-noted-beta-frozen',
    change: 'a field of spec comes',
    old: without(base, 'size'),
    next: base,
    code: 1,
  },
  {
    policy: 'alpha-noted-beta-frozen',
    change: 'what the controller observes comes',
    old: base.replace('              count:', '              observedGeneration:'),
    next: base.replace(
      '              count:\n                type: integer\n',
      '              observedGeneration:\n                type: integer\n                format: int64\n',
    ),
    code: 0,
  },
  {
    policy: 'status-may-widen',
    change: 'an integer of status becomes a number',
    next: widened,
    code: 0,
  },
  {
    policy: 'status-may-widen',
    change: 'an integer of spec becomes a number',
    next: base.replace(/size:\n {16}type: integer/, 'size:\n                type: number'),
    code: 1,
  },
  {
    policy: 'frozen-release-branches',
    change: 'a field is added on main',
    old: without(base, 'size'),
    next: base,
    branch: 'main',
    code: 0,
  },
  {
    policy: 'frozen-release-branches',
    change: 'a field is added on a release branch',
    old: without(base, 'size'),
    next: base,
    branch: 'release-1.2',
    code: 1,
  },
  {
    policy: 'frozen-release-branches',
    change: 'a description changes on a release branch',
    next: base.replace('Deprecated: unused', 'Deprecated: nothing reads it'),
    branch: 'release-1.2',
    code: 0,
  },
];

describe('examples/promises', () => {
  for (const { policy, change, old = base, next, branch = 'main', code } of rows) {
    it(`${policy}: ${change}`, async () => {
      const repository = new Repository({ 'crd.yaml': old });
      const known = process.env['GITHUB_BASE_REF'];
      try {
        repository.commit();
        repository.write({ 'crd.yaml': next });
        process.env['GITHUB_BASE_REF'] = branch;
        const file = join(root, 'examples', 'promises', `${policy}.yaml`);
        const asked = ['check', 'crd', 'git:HEAD:crd.yaml', 'crd.yaml', '--policy', file];
        const { stdout, ...ended } = await runHere(asked, { cwd: repository.folder });
        expect(ended.code, stdout).to.equal(code);
        expect(old).not.to.equal(next);
      } finally {
        if (known === undefined) delete process.env['GITHUB_BASE_REF'];
        else process.env['GITHUB_BASE_REF'] = known;
        repository.remove();
      }
    });
  }
});
