/** `olm-guard check bundle`: what the author of an operator sees in CI. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Verdict } from '../../src/finding.js';
import { root, run } from './command.js';

const examples = join(root, 'examples', 'bundles');
const good = join(examples, 'reports.v1.0.0');
const bad = join(examples, 'reports.v1.1.0');

describe('check bundle', () => {
  it('exits with 0 for a good bundle', async () => {
    const ended = await run(['check', 'bundle', good]);
    expect(ended).to.deep.equal({
      code: 0,
      stdout: 'Bundle: 0 errors, 0 warnings, 0 notes\n',
      stderr: '',
    });
  });

  it('exits with 1 for an upgrade that breaks, with file and line of every finding', async () => {
    const { code, stdout, stderr } = await run(['check', 'bundle', bad, '--against', good]);
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
    expect(stdout).to.match(/dependencies\.yaml:4:\d+ +error +UnreadableConstraint/);
    expect(stdout).to.match(/crd\.yaml:21:\d+ +error +ChangeValidator/);
    expect(stdout).to.match(
      /^ {2}reports\.example\.com v1 \^\.spec\.retain\n(?: {4}.*\n)+? +proof: breaks objects: .*\n +apiVersion: example\.com\/v1$/m,
    );
  });

  it('prints the shape of every check for scripts, with the witness', async () => {
    const { stdout } = await run(['check', 'bundle', bad, '--against', good, '-o', 'json']);
    const { results } = JSON.parse(stdout) as {
      results: {
        name: string;
        verdict: Verdict;
        output: { crds: { results: { witness?: { spec: object } }[] }[] };
      }[];
    };
    expect(results.map(({ name }) => name)).to.deep.equal(['reports.v1.1.0']);
    expect(results[0]?.output.crds[0]?.results[0]?.witness?.spec).to.deep.equal({ retain: 0 });
  });

  it('denies by policy what is proven to break, and warns of the rest', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-check-bundle-'));
    const policy = join(folder, 'policy.yaml');
    writeFileSync(
      policy,
      'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nenforce: proven\nmodes: {UnreadableConstraint: audit}\n',
    );
    const ended = await run(['check', 'bundle', bad, '--against', good, '--policy', policy]);
    rmSync(folder, { recursive: true });
    expect(ended.stdout).to.match(/crd\.yaml:21:\d+ +error +ChangeValidator/);
    expect(ended.code).to.equal(1);
  });

  it('takes one file, and exits with 2 for what is no bundle', async () => {
    const one = await run(['check', 'bundle', join(bad, 'metadata', 'dependencies.yaml')]);
    expect(one.code).to.equal(1);
    const none = await run(['check', 'bundle', join(root, 'tsconfig.json')]);
    expect(none).to.include({ code: 2, stdout: '' });
    expect(none.stderr).to.include('tsconfig.json: holds nothing of a bundle');
    const missing = await run(['check', 'bundle', join(examples, 'nowhere')]);
    expect(missing).to.include({ code: 2, stdout: '' });
  });
});
