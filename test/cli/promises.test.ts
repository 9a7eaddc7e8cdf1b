/** `promises` of `.olm-guard.yaml`: which entry decides, and who says so. */
import { expect } from 'chai';
import { runHere } from './command.js';
import { definitionText, Repository } from './repository.js';

const header = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
const removal = ['check', 'crd', 'git:main:config/crd', 'config/crd'];

const branchVariables = [
  'GITHUB_BASE_REF',
  'GITHUB_REF_NAME',
  'GITHUB_EVENT_NAME',
  'GITHUB_REF_TYPE',
  'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
  'CI_COMMIT_BRANCH',
];

describe('promises in .olm-guard.yaml', () => {
  let repository: Repository;
  let cwd: string;
  const known = { ...process.env };

  beforeEach(() => {
    for (const name of branchVariables) delete process.env[name];
    repository = new Repository({ 'config/crd/widgets.yaml': definitionText() });
    repository.commit();
    repository.write({ 'config/crd/widgets.yaml': definitionText('widgets', { size: false }) });
    cwd = repository.folder;
  });
  afterEach(() => {
    for (const name of branchVariables) {
      if (known[name] === undefined) delete process.env[name];
      else process.env[name] = known[name];
    }
    repository.remove();
  });

  const promise = (entries: string): void =>
    repository.write({ '.olm-guard.yaml': `${header}promises:\n${entries}` });

  it('decide, and are named by every format', async () => {
    promise('  - { versions: [v1], mode: warn }\n');
    const by = 'promise 1 of the policy (versions v1): warn';
    for (const format of ['text', 'json', 'yaml', 'sarif', 'junit', 'github']) {
      const { code, stdout } = await runHere([...removal, '-o', format], { cwd });
      expect(code, format).to.equal(0);
      expect(stdout, format).to.include(by);
    }
    const html = await runHere([...removal, '-o', 'html'], { cwd });
    expect(html.stdout).to.include('Promise 1 of the policy (versions v1): warn');
    const markdown = await runHere([...removal, '-o', 'markdown'], { cwd });
    expect(markdown.stdout).to.include('promise 1 of the policy (versions v1): warn');
  });

  it('name the one that denies too', async () => {
    promise('  - { versions: [v*alpha*], mode: audit }\n  - { versions: [v*], mode: deny }\n');
    const { code, stdout } = await runHere(removal, { cwd });
    expect(code).to.equal(1);
    expect(stdout).to.include('promise 2 of the policy (versions v*): deny');
  });

  it('are named by explain', async () => {
    promise('  - { paths: [^.spec.size], mode: audit }\n');
    const one = ['explain', 'NoExistingFieldRemoved@^.spec.size', ...removal.slice(2)];
    const { code, stdout } = await runHere(one, { cwd });
    expect(code).to.equal(0);
    expect(stdout).to.include('  promise 1 of the policy (paths ^.spec.size): audit (noted)\n');
  });

  it('say the file and the line of a bad entry', async () => {
    promise('  - { versions: [v1], mode: warn }\n  - versions: v1\n    mode: warn\n');
    const { code, stderr } = await runHere(removal, { cwd });
    expect(code).to.equal(2);
    expect(stderr).to.include('.olm-guard.yaml:5:5: promises.1.versions must be array');
  });

  it('of the change itself are told', async () => {
    promise('  - { versions: [v1], mode: audit }\n');
    const { stdout } = await runHere(removal, { cwd });
    expect(stdout).to.include(
      'warning: .olm-guard.yaml decides, and main, which is compared with, does not have it: it comes with the change, and this warning goes once OLD has it',
    );
  });

  it('of the change itself are told also where they choose what is compared with', async () => {
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repository.write({
      '.olm-guard.yaml': `${header}old: git:HEAD\npaths: [config/crd]\n`,
    });
    repository.commit();
    const { stdout } = await runHere(['check', 'crd'], { cwd });
    expect(stdout).to.match(
      /warning: \.olm-guard\.yaml decides, and \S+, where the branch began, does not have it: .* once it is merged$/m,
    );
  });

  describe('about branches', () => {
    const added = (): void =>
      repository.write({
        'config/crd/widgets.yaml': definitionText().replace(
          'color:',
          'note:\n                type: string\n              color:',
        ),
      });

    it('freeze the branch that a pull request goes to', async () => {
      promise('  - { branches: [release-*], mode: frozen }\n');
      added();
      expect((await runHere(removal, { cwd })).code).to.equal(0);
      process.env['GITHUB_BASE_REF'] = 'release-1.2';
      const { code, stdout } = await runHere(removal, { cwd });
      expect(code).to.equal(1);
      expect(stdout)
        .to.include('error  FrozenChanged')
        .and.to.include('frozen by the policy: the field was added')
        .and.to.include('promise 1 of the policy (branches release-*): frozen');
    });

    it('let descriptions change there', async () => {
      promise('  - { branches: [release-*], mode: frozen }\n');
      process.env['CI_MERGE_REQUEST_TARGET_BRANCH_NAME'] = 'release-1.2';
      const described = definitionText().replace(
        'color:',
        'color:\n                description: Its color.',
      );
      repository.write({ 'config/crd/widgets.yaml': described });
      expect((await runHere(removal, { cwd })).code).to.equal(0);
    });

    it('take the branch that is compared with, and else the one that is checked out', async () => {
      promise('  - { branches: [release-*], mode: frozen }\n');
      repository.git('update-ref', 'refs/remotes/origin/release-1.2', 'HEAD');
      added();
      const named = ['check', 'crd', 'git:origin/release-1.2:config/crd', 'config/crd'];
      expect((await runHere(named, { cwd })).code).to.equal(1);
      repository.git('checkout', '-q', '-b', 'release-1.3');
      expect((await runHere(removal, { cwd })).code).to.equal(1);
    });

    it('excuse nothing by a name that the author of the change gave a branch', async () => {
      promise('  - { branches: [dev-*], mode: audit }\n');
      repository.git('checkout', '-q', '-b', 'dev-1');
      expect((await runHere(removal, { cwd })).code).to.equal(1);
      process.env['GITHUB_BASE_REF'] = 'dev-1';
      expect((await runHere(removal, { cwd })).code).to.equal(0);
    });

    it('deny definitions that come and go', async () => {
      promise('  - { branches: [release-*], mode: frozen }\n');
      process.env['GITHUB_BASE_REF'] = 'release-1.2';
      repository.git('checkout', '-q', 'config');
      repository.write({ 'config/crd/gadgets.yaml': definitionText('gadgets') });
      const come = await runHere(removal, { cwd });
      expect(come.code).to.equal(1);
      expect(come.stdout).to.include('frozen by the policy: the definition was added');
      const gone = ['check', 'crd', 'config/crd', 'git:main:config/crd'];
      const { code, stdout } = await runHere(gone, { cwd });
      expect(code).to.equal(1);
      expect(stdout).to.include('frozen by the policy: the definition was removed');
    });
  });
});

describe('--acknowledge', () => {
  let repository: Repository;
  before(() => {
    repository = new Repository({ 'config/crd/widgets.yaml': definitionText() });
    repository.commit();
  });
  after(() => repository.remove());

  it('warns in place of denying, counts it and names the reason', async () => {
    repository.write({ 'config/crd/widgets.yaml': definitionText('widgets', { size: false }) });
    for (const format of ['text', 'json', 'markdown', 'github', 'sarif', 'junit', 'html']) {
      const asked = [...removal, '--acknowledge', 'agreed with all users', '-o', format];
      const { code, stdout } = await runHere(asked, { cwd: repository.folder });
      expect(code, format).to.equal(0);
      expect(stdout, format).to.match(/acknowledged: agreed with all users/i);
    }
    const asked = [...removal, '--acknowledge', 'agreed'];
    const { stdout } = await runHere(asked, { cwd: repository.folder });
    expect(stdout).to.match(/1 allowed, 0 denied, .*, 1 acknowledged\n$/);
    const json = await runHere([...asked, '-o', 'json'], { cwd: repository.folder });
    const { counts, results } = JSON.parse(json.stdout) as {
      counts: object;
      results: { verdict: { findings: object[] } }[];
    };
    expect(counts).to.include({ acknowledged: 1 });
    expect(results[0]?.verdict.findings[0]).to.include({
      severity: 'warning',
      decidedBy: 'acknowledged: agreed',
    });
  });

  it('leaves denied what Kubernetes itself refuses', async () => {
    repository.write({
      'config/crd/widgets.yaml': definitionText('widgets', { size: false }).replace(
        'Namespaced',
        'Cluster',
      ),
    });
    const asked = [...removal, '--acknowledge', 'agreed'];
    const { code, stdout } = await runHere(asked, { cwd: repository.folder });
    expect(code).to.equal(1);
    expect(stdout).to.include('error  NoScopeChange').and.to.include('acknowledged: agreed');
  });

  it('needs a reason', async () => {
    const asked = [...removal, '--acknowledge', ' '];
    const { code, stderr } = await runHere(asked, { cwd: repository.folder });
    expect(code).to.equal(2);
    expect(stderr).to.include('--acknowledge needs the reason');
  });
});
