/** The GitHub Action's script on a repository with the two commits of a pull request. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { root } from './command.js';
import { definitionText, Repository } from './repository.js';
import { evaluate } from '../release/composite-action.js';

const script = join(root, 'action', 'check.sh');

describe('the GitHub Action', () => {
  let repository: Repository;
  before(() => {
    repository = new Repository({
      'config/crd/widgets.yaml': definitionText(),
      'deploy/gadgets.yaml': definitionText('gadgets'),
    });
    repository.commit('main');
    repository.git('checkout', '-q', '-b', 'pull');
    repository.write({ 'config/crd/widgets.yaml': definitionText('widgets', { size: false }) });
    repository.commit('pull request');
  });
  after(() => repository.remove());

  function check(paths: string, env: NodeJS.ProcessEnv = {}) {
    const summary = join(repository.folder, 'summary.md');
    const ran = spawnSync('bash', [script], {
      cwd: repository.folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        OLM_GUARD: `${process.execPath} ${join(root, 'dist', 'main.js')}`,
        CHECK_OLD: 'main',
        CHECK_PATHS: paths,
        GITHUB_STEP_SUMMARY: summary,
        ...env,
      },
    });
    return { ...ran, summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '' };
  }

  it('annotates the line, writes the summary and SARIF, and ends with 1 for what is denied', () => {
    const { status, stdout, stderr, summary } = check('config/crd\ndeploy\n');
    expect(status, stderr).to.equal(1);
    expect(stdout).to.match(/^::error .*file=config\/crd\/widgets\.yaml/m);
    expect(summary).to.include('widgets.example.com');
    const sarif = JSON.parse(readFileSync(join(repository.folder, 'olm-guard.sarif'), 'utf8')) as {
      runs: { results: { ruleId: string }[] }[];
    };
    expect(sarif.runs[0]?.results.map(({ ruleId }) => ruleId)).to.include('NoExistingFieldRemoved');
    expect(existsSync(join(repository.folder, 'olm-guard-2.sarif'))).to.equal(true);
  });

  it('writes SARIF through no link that a pull request put there', () => {
    repository.write({ 'kept.txt': 'kept', 'olm-guard.sarif': '-> kept.txt' });
    expect(check('deploy').status).to.equal(0);
    expect(readFileSync(join(repository.folder, 'kept.txt'), 'utf8')).to.equal('kept');
    const sarif = readFileSync(join(repository.folder, 'olm-guard.sarif'), 'utf8');
    expect(JSON.parse(sarif)).to.have.property('runs');
  });

  it('ends with 0 when nothing is denied, and with 2 when the commit is not there', () => {
    expect(check('deploy').status).to.equal(0);
    const { status, stderr } = check('deploy', { CHECK_OLD: 'origin/main' });
    expect(status).to.equal(2);
    expect(stderr).to.match(/there is no origin\/main in this repository/);
  });

  it('takes a folder that the branch brings as added, and refuses one that is nowhere', () => {
    repository.write({ 'brought/gizmos.yaml': definitionText('gizmos') });
    const brought = check('brought');
    expect(brought.status).to.equal(0);
    expect(brought.stdout).to.match(
      /^::warning title=olm-guard::git:main:brought does not exist: /m,
    );
    expect(brought.summary).to.include('1 added');
    const nowhere = check('borught');
    expect(nowhere.status).to.equal(2);
    expect(nowhere.stderr).to.match(/^olm-guard: borught: /m);
  });

  it('denies what harms nobody only when it is to be strict', () => {
    const reworded = definitionText('gadgets').replace(
      'type: object',
      'type: object\n        description: other',
    );
    expect(reworded).not.to.equal(definitionText('gadgets'));
    repository.write({ 'deploy/gadgets.yaml': reworded });
    expect(check('deploy').status).to.equal(0);
    expect(check('deploy', { STRICT: 'true' }).status).to.equal(1);
    repository.write({ 'deploy/gadgets.yaml': definitionText('gadgets') });
  });

  {
    const label = 'break: "ok" $(touch owned) `x`; \\ --all ünï';
    const labelled = (event: unknown, wanted = label) => {
      const text = typeof event === 'string' ? event : JSON.stringify(event);
      repository.write({ 'event.json': text });
      const file = join(repository.folder, 'event.json');
      return check('config/crd', { ACKNOWLEDGE_LABEL: wanted, GITHUB_EVENT_PATH: file });
    };

    it('lets breaks pass by a label as warnings that name it, whatever its characters', () => {
      const labels = [{ name: 'other' }, { name: label }];
      const { status, stdout, summary } = labelled({ pull_request: { labels } });
      expect(status).to.equal(0);
      expect(stdout).to.include('::warning').and.to.include(`acknowledged: label "${label}"`);
      expect(summary).to.include('1 acknowledged');
      expect(existsSync(join(repository.folder, 'owned'))).to.equal(false);
    });

    it('acknowledges nothing without the label, and says so of an event that cannot be read', () => {
      expect(labelled({ pull_request: { labels: [{ name: 'other' }] } }).status).to.equal(1);
      expect(labelled({ pull_request: {} }).status).to.equal(1);
      expect(labelled({ ref: 'refs/heads/main' }).status).to.equal(1);
      expect(labelled({ pull_request: { labels: [{ name: label }] } }, '').status).to.equal(1);
      const queued = labelled({ merge_group: { base_ref: 'refs/heads/main' } });
      expect(queued.status).to.equal(1);
      expect(queued.stderr)
        .to.include(`the event of a merge queue has no labels, so "${label}" acknowledges nothing`)
        .and.include("if: github.event_name != 'merge_group'");
      const broken = labelled('{');
      expect(broken.status).to.equal(1);
      expect(broken.stderr).to.include('the labels of the event cannot be read');
    });
  }

  it('compares with the newest release where that is asked for', () => {
    repository.git('tag', 'v1.2.0', 'main');
    const { status, summary } = check('config/crd', { CHECK_OLD: 'release' });
    expect(status).to.equal(1);
    expect(summary).to.include('refs/tags/v1.2.0');
  });

  it('says in the log, the summary and SARIF that the pull request brings its own policy', () => {
    const exempting =
      'exemptions: [{ rules: [NoExistingFieldRemoved, ChangeValidator], reason: ours }]\n';
    repository.write({
      '.olm-guard.yaml': `apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n${exempting}`,
    });
    const { status, stdout, summary } = check('config/crd');
    expect(status).to.equal(0);
    expect(stdout).to.match(
      /^::warning title=olm-guard::\.olm-guard\.yaml decides, and main, which is compared with, does not have it/m,
    );
    expect(summary).to.match(
      /\*\*Warning:\*\* \.olm-guard\.yaml decides, and main, which is compared with, does not have it/,
    );
    const sarif = readFileSync(join(repository.folder, 'olm-guard.sarif'), 'utf8');
    expect(sarif).to.include(
      '.olm-guard.yaml decides, and main, which is compared with, does not have it',
    );
  });

  it('judges manifests under the definitions that are named, or in a catalog', () => {
    const widget = (name: string, spec: object): string =>
      JSON.stringify({
        ...{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } },
        ...spec,
      });
    repository.write({
      'apps/fine.yaml': widget('fine', { spec: {} }),
      'apps/wrong.yaml': widget('wrong', { spec: 'text' }),
      'schemas/example.com/widget_v1.json': '{"properties":{"spec":{"type":"object"}}}',
    });
    const given = { CHECK_OLD: '', CHECK_OBJECTS: 'apps/fine.yaml\napps/wrong.yaml' };
    const by: readonly NodeJS.ProcessEnv[] = [
      { CHECK_CRDS: 'config/crd\ndeploy' },
      { CHECK_SCHEMAS: 'schemas' },
    ];
    for (const definitions of by) {
      const { status, stdout, stderr, summary } = check('', { ...given, ...definitions });
      expect(status, stderr).to.equal(1);
      expect(stdout).to.match(/^::error .*file=apps\/wrong\.yaml/m);
      expect(summary).to.include('Widget wrong').and.include('apps/wrong.yaml');
      expect(readFileSync(join(repository.folder, 'olm-guard.sarif'), 'utf8')).to.include(
        'ObjectRefused',
      );
    }
    const fine = { CHECK_OBJECTS: 'apps/fine.yaml', CHECK_CRDS: 'config/crd' };
    expect(check('deploy', fine).status).to.equal(0);
    const both = readFileSync(join(repository.folder, 'olm-guard-2.sarif'), 'utf8');
    expect(JSON.parse(both)).to.have.property('runs');
    expect(check('', { CHECK_OBJECTS: 'apps' }).status).to.equal(2);
    const { status, stderr } = check('\n');
    expect(status).to.equal(2);
    expect(stderr).to.include('CHECK_PATHS names no path');
  });

  it('checks what the policy names, against its old side or the given one', () => {
    const whole = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
    repository.write({ '.olm-guard.yaml': `${whole}old: git:main\npaths: [deploy, config/crd]\n` });
    for (const CHECK_OLD of ['', 'main', 'release']) {
      const { status, stdout, stderr } = check('', { CHECK_OLD });
      expect(status, stderr).to.equal(1);
      expect(stdout).to.match(/^::error .*file=config\/crd\/widgets\.yaml/m);
    }
    expect(check('', { CHECK_OLD: 'pull' }).status).to.equal(0);
    rmSync(join(repository.folder, '.olm-guard.yaml'));
    const { status, stderr } = check('');
    expect(status).to.equal(2);
    expect(stderr).to.include('which olm-guard init writes');
  });

  it('compares paths with the branch where no commit is named', () => {
    const branch = { CHECK_OLD: '', CHECK_BRANCH: 'main' };
    expect(check('config/crd', branch).status).to.equal(1);
    expect(check('config/crd', { CHECK_OLD: 'pull', CHECK_BRANCH: 'main' }).status).to.equal(0);
  });

  it('denies a manifest for what the pull request takes from its definition, at its line', () => {
    repository.write({
      'apps/sized.yaml':
        'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: sized}\nspec:\n  size: 3\n',
      'config/new/gizmos.yaml': definitionText('gizmos'),
    });
    const definitions = { CHECK_CRDS: 'config/crd\nconfig/new' };
    const { status, stdout, stderr } = check('', {
      CHECK_OBJECTS: 'apps/sized.yaml',
      ...definitions,
    });
    expect(status, stderr).to.equal(1);
    expect(stdout).to.match(/^::error .*file=apps\/sized\.yaml,line=5.*is dropped/m);
    // A definition that the pull request brings has no old one.
    expect(stderr).not.to.include('config/new');
  });

  it('hands every input of action.yml to the script as a variable, none into its text', () => {
    const action = load(readFileSync(join(root, 'action.yml'), 'utf8')) as {
      inputs: Record<string, unknown>;
      runs: { steps: { run?: string; env?: Record<string, string> }[] };
    };
    const step = action.runs.steps.find(({ run }) => run !== undefined);
    expect(step?.run).not.to.include('${{');
    const given = Object.values(step?.env ?? {}).join();
    for (const name of Object.keys(action.inputs)) expect(given).to.include(`inputs.${name}`);
  });

  it('has a network where it is asked for, and never for what a fork proposes', () => {
    const action = readFileSync(join(root, 'action.yml'), 'utf8');
    const [, expression = ''] = /^ +NETWORK: \$\{\{ (.*) \}\}$/m.exec(action) ?? [];
    const given = (event_name: string, from?: string, network = 'true'): string => {
      const pull_request = from === undefined ? {} : { head: { repo: { full_name: from } } };
      const github = { event_name, repository: 'a/web', event: { pull_request } };
      return evaluate(expression, { github, inputs: { network } });
    };
    expect([given('push'), given('pull_request', 'a/web')]).to.deep.equal(['true', 'true']);
    for (const event of ['pull_request', 'pull_request_target', 'workflow_run', 'issue_comment']) {
      expect([given(event, 'b/web'), given(event)], event).to.deep.equal(['', '']);
    }
    expect(given('push', undefined, 'false')).to.equal('');
  });
});
