/** `.olm-guard.yaml`: the policy of a repository, found from any of its folders. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from './command.js';
import { definitionText, Repository } from './repository.js';

const policy = `apiVersion: olm-guard.io/v1alpha1
kind: Policy
exemptions:
  - rules: [NoExistingFieldRemoved, ChangeValidator]
    names: [widgets.example.com]
    reason: nobody ever set it
`;

describe('.olm-guard.yaml', () => {
  let repository: Repository;
  before(() => {
    repository = new Repository({
      '.olm-guard.yaml': policy,
      'config/crd/widgets.yaml': definitionText(),
    });
    repository.commit();
    repository.write({ 'config/crd/widgets.yaml': definitionText('widgets', { size: false }) });
  });
  after(() => repository.remove());

  const asked = ['check', 'crd', 'git:main:config/crd', '.'];

  it('is found upwards from the working directory, named, and decides', async () => {
    const cwd = join(repository.folder, 'config', 'crd');
    const { code, stdout, stderr } = await run(asked, { cwd });
    expect(stderr).to.equal('olm-guard: decides by ../../.olm-guard.yaml\n');
    expect(stdout).to.include('nobody ever set it');
    expect(code).to.equal(0);
  });

  it('gives way to --policy', async () => {
    const cwd = join(repository.folder, 'config', 'crd');
    const other = join(repository.folder, 'other.yaml');
    writeFileSync(other, 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n');
    const { code, stderr } = await run([...asked, '--policy', other], { cwd });
    rmSync(other);
    expect(stderr).to.equal('');
    expect(code).to.equal(1);
  });

  it('counts in a repository only: elsewhere, whoever may write to a folder above would decide', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-no-repository-'));
    writeFileSync(join(folder, '.olm-guard.yaml'), policy);
    writeFileSync(join(folder, 'old.yaml'), definitionText());
    writeFileSync(join(folder, 'new.yaml'), definitionText('widgets', { size: false }));
    mkdirSync(join(folder, 'inside'));
    const { code, stderr } = await run(['check', 'crd', '../old.yaml', '../new.yaml'], {
      cwd: join(folder, 'inside'),
    });
    rmSync(folder, { recursive: true });
    expect(stderr).to.equal('');
    expect(code).to.equal(1);
  });
});
