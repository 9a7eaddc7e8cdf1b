/** `.olm-guard.yaml`: the policy of a repository, found from any of its folders. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, runHere } from './command.js';
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
    const { code, stdout, stderr } = await runHere(asked, { cwd });
    expect(stderr).to.equal('olm-guard: using the policy ../../.olm-guard.yaml\n');
    expect(stdout).to.include('nobody ever set it');
    expect(code).to.equal(0);
  });

  it('of the branch is told in every report, and not where another decides', async () => {
    const cwd = join(repository.folder, 'config', 'crd');
    repository.write({ '.olm-guard.yaml': 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n' });
    const said = 'decides, and differs from that in main; to use that one: --policy git:main:';
    for (const [format, holds] of [
      ['text', `\nwarning: ../../.olm-guard.yaml ${said}`],
      ['json', `  "warnings": [\n    "../../.olm-guard.yaml ${said}`],
      ['yaml', 'warnings:\n  - '],
      ['markdown', '\n**Warning:** '],
      ['sarif', '"level": "warning",\n              "message": {\n                "text": "../../'],
      ['github', '::warning title=olm-guard::../../.olm-guard.yaml decides'],
      ['junit', '<system-out>warning: ../../.olm-guard.yaml decides'],
      ['html', '<h2>Warnings</h2><ul><li>../../.olm-guard.yaml decides'],
    ] as const) {
      const { code, stdout } = await runHere([...asked, '-o', format], { cwd });
      expect(stdout, format).to.include(holds);
      expect(stdout.replaceAll('\\', ''), format).to.include('and differs from that in main');
      expect(code, format).to.equal(1);
      const named = [...asked, '--policy', 'git:main:../../.olm-guard.yaml', '-o', format];
      expect((await runHere(named, { cwd })).stdout, format).not.to.include('is not as it is');
    }
    repository.write({ '.olm-guard.yaml': policy });
    const unchanged = await runHere([...asked, '-o', 'json'], { cwd });
    expect(JSON.parse(unchanged.stdout)).not.to.have.property('warnings');
  });

  it('of the branch is told in every form of a plan, and not where another decides', async () => {
    const cwd = join(repository.folder, 'config', 'crd');
    repository.write({ '.olm-guard.yaml': 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n' });
    const plan = ['plan', 'git:main:config/crd', '.'];
    const said =
      '../../.olm-guard.yaml decides, and differs from that in main; to use that one: --policy git:main:';
    for (const [format, holds] of [
      ['text', `\nwarning: ${said}`],
      ['json', `  "warnings": [\n    "${said}`],
      ['markdown', '\n**Warning:** '],
      ['html', `<h2>Warnings</h2><ul><li>${said}`],
    ] as const) {
      const { stdout } = await runHere([...plan, '-o', format], { cwd });
      expect(stdout, format).to.include(holds).and.to.include('and differs from that in main');
      const named = [...plan, '--policy', 'git:main:../../.olm-guard.yaml', '-o', format];
      expect((await runHere(named, { cwd })).stdout, format).not.to.include('is not as it is');
    }
    repository.write({ '.olm-guard.yaml': policy });
    const unchanged = await runHere([...plan, '-o', 'json'], { cwd });
    expect(JSON.parse(unchanged.stdout)).not.to.have.property('warnings');
  });

  it('is ignored with --policy', async () => {
    const cwd = join(repository.folder, 'config', 'crd');
    const other = join(repository.folder, 'other.yaml');
    writeFileSync(other, 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n');
    const { code, stderr } = await runHere([...asked, '--policy', other], { cwd });
    rmSync(other);
    expect(stderr).to.equal('');
    expect(code).to.equal(1);
  });

  it('of the branch is told to be that, and gives way to that of a commit', async () => {
    const cwd = join(repository.folder, 'config', 'crd');
    repository.write({ '.olm-guard.yaml': 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n' });
    const changed = await runHere(asked, { cwd });
    expect(changed.stderr).to.equal('olm-guard: using the policy ../../.olm-guard.yaml\n');
    expect(changed.stdout).to.include(
      'warning: ../../.olm-guard.yaml decides, and differs from that in main; to use that one: --policy git:main:../../.olm-guard.yaml\n',
    );
    expect(changed.code).to.equal(1);
    rmSync(join(repository.folder, '.olm-guard.yaml'));
    const gone = await runHere(asked, { cwd });
    expect(gone.stderr).to.equal('');
    expect(gone.stdout).to.include(
      'warning: ../../.olm-guard.yaml is gone since main; to use that one: --policy git:main:../../.olm-guard.yaml\n',
    );
    expect(gone.code).to.equal(1);
    const named = await runHere([...asked, '--policy', 'git:main:.olm-guard.yaml'], { cwd });
    expect(named.stdout).to.include('nobody ever set it');
    expect(named.code).to.equal(0);
    const written = await runHere(
      [...asked, '--policy', 'git:main:.olm-guard.yaml', '--write-exemptions'],
      { cwd },
    );
    expect(written.stderr).to.include('a commit cannot be written into');
    expect(written.code).to.equal(2);
    const folder = await runHere([...asked, '--policy', 'git:main:config'], { cwd });
    expect(folder.stderr).to.include('git:main:config: is no file; name the policy itself');
    expect(folder.code).to.equal(2);
    repository.write({ '.olm-guard.yaml': policy });
  });

  it('may end in .yml, and not stand there twice', async () => {
    const yml = new Repository({ '.olm-guard.yml': policy, 'widgets.yaml': definitionText() });
    yml.commit();
    yml.write({ 'widgets.yaml': definitionText('widgets', { size: false }) });
    const asked = ['check', 'crd', 'git:main:widgets.yaml', 'widgets.yaml'];
    const alone = await runHere(asked, { cwd: yml.folder });
    expect(alone.stderr).to.equal('olm-guard: using the policy .olm-guard.yml\n');
    expect(alone.code).to.equal(0);
    yml.write({ '.olm-guard.yaml': policy });
    const { code, stdout, stderr } = await runHere(asked, { cwd: yml.folder });
    yml.remove();
    expect(stderr).to.equal(
      'olm-guard: .olm-guard.yml: stands beside .olm-guard.yaml, and only one can decide: keep one of the two\n',
    );
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
  });

  it('counts in a repository only: elsewhere, whoever may write to a folder above would decide', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-no-repository-'));
    writeFileSync(join(folder, '.olm-guard.yaml'), policy);
    writeFileSync(join(folder, 'old.yaml'), definitionText());
    writeFileSync(join(folder, 'new.yaml'), definitionText('widgets', { size: false }));
    mkdirSync(join(folder, 'inside'));
    const { code, stderr } = await runHere(['check', 'crd', '../old.yaml', '../new.yaml'], {
      cwd: join(folder, 'inside'),
    });
    rmSync(folder, { recursive: true });
    expect(stderr).to.equal('');
    expect(code).to.equal(1);
  });
});

describe('.olm-guard.yaml that a branch brings', () => {
  let repository: Repository;
  before(() => {
    repository = new Repository();
    for (const folder of ['bundles', 'catalogs']) {
      cpSync(join(root, 'examples', folder), join(repository.folder, folder), { recursive: true });
    }
    repository.commit();
    repository.write({ '.olm-guard.yaml': policy });
  });
  after(() => repository.remove());

  for (const [name, args] of [
    ['check bundle', ['bundles/reports.v1.1.0', '--against', 'git:main:bundles/reports.v1.0.0']],
    ['catalog diff', ['git:main:catalogs/before', 'catalogs/after']],
  ] as const) {
    it(`is told once by ${name}`, async () => {
      const { stdout, stderr } = await runHere([...name.split(' '), ...args], {
        cwd: repository.folder,
      });
      const said = '.olm-guard.yaml decides, and main, which is compared with, does not have it';
      expect(stdout).to.include(said);
      expect(stderr).not.to.include(said);
    });
  }
});

describe('check crd with what .olm-guard.yaml says', () => {
  let repository: Repository;
  const head = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
  const small = definitionText('widgets', { size: false });
  before(() => {
    repository = new Repository({
      'config/crd/widgets.yaml': definitionText(),
      'other/crd/gadgets.yaml': definitionText('gadgets'),
    });
    repository.commit();
    repository.write({ 'config/crd/widgets.yaml': small });
  });
  after(() => repository.remove());

  const check = (args: readonly string[], folder = '.') =>
    runHere(['check', 'crd', ...args], { cwd: join(repository.folder, folder) });
  const policyIs = (text: string): void =>
    repository.write({ '.olm-guard.yaml': `${head}${text}` });

  it('compares its paths with its old, from any folder', async () => {
    policyIs('old: git:main\npaths: [config/crd, other/crd]\n');
    for (const folder of ['.', 'other/crd']) {
      const { code, stdout, stderr } = await check([], folder);
      expect(stdout).to.include('widgets.example.com: denied').and.include('1 allowed, 1 denied');
      expect(stderr.split('\n')).to.have.length(2);
      expect(stdout).to.include(
        '.olm-guard.yaml decides, and main, which is compared with, does not have it',
      );
      expect(code).to.equal(1);
    }
  });

  it('compares NEW alone with its old, which is a pull request’s base where it says nothing', async () => {
    policyIs('old: git:main\n');
    const { stdout } = await check(['config/crd']);
    expect(stdout).to.match(/1 denied, .*; compared with git:main:config\/crd\n$/);
    const told = JSON.parse((await check(['config/crd', '-o', 'json'])).stdout) as object;
    expect(told).to.have.deep.property('comparedWith', ['git:main:config/crd']);
    expect((await check(['git:main:config/crd', 'config/crd'])).stdout).not.to.include(
      '; compared',
    );
    policyIs('');
    const { code, stderr } = await check(['config/crd']);
    expect(stderr).to.include('git:origin/main:config/crd');
    expect(stderr)
      .to.include('git fetch origin main')
      .and.include('set old: in .olm-guard.yaml, or name OLD');
    expect(code).to.equal(2);
  });

  const wrongOlds: readonly (readonly [text: string, said: string])[] = [
    ['main', 'there is no such file or folder (did you mean "git:main"?)'],
    ['main:config/crd', 'no such file or folder (did you mean "git:main:config/crd"?)'],
    ['nowhere', 'nowhere: there is no such file or folder'],
    ['git:mian', 'git: there is no mian in this repository; is it spelt right?'],
  ];
  for (const [text, said] of wrongOlds) {
    it(`says where it stands that old is ${text}, and what may be meant`, async () => {
      policyIs(`old: ${text}\n`);
      const { code, stdout, stderr } = await check(['.'], 'config');
      expect(stderr).to.include(`../.olm-guard.yaml:3:1: ${text}`).and.include(said);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    });
  }

  it('takes a folder that is old from the folder of the file', async () => {
    policyIs('old: other\n');
    const { code, stderr } = await check(['.'], 'config');
    expect(stderr).to.include('but OLD holds gadgets.example.com');
    expect(code).to.equal(2);
  });

  it('guesses the commit that is meant where OLD is named too', async () => {
    policyIs('');
    for (const [args, meant] of [
      [['main', 'config/crd'], 'main'],
      [['main:config/crd', 'config/crd'], 'main:config/crd'],
      [['config/crd', 'main:config/crd'], 'main:config/crd'],
      [['config/crd', 'main'], 'main'],
      [['main', 'main'], 'main'],
    ] as const) {
      const { code, stderr } = await check(args);
      expect(stderr).to.include(
        `${meant}: there is no such file or folder (did you mean "git:${meant.includes(':') ? meant : `${meant}:PATH`}"?)`,
      );
      expect(code).to.equal(2);
    }
  });

  const misspelt: readonly (readonly [exemption: string, said: string])[] = [
    [
      'names: [widgts.example.com]',
      'names "widgts.example.com", as nothing here is called (did you mean "widgets.example.com"?)',
    ],
    ['names: [widgets]', '(did you mean "widgets.example.com"?)'],
    ['names: [Widget]', '(did you mean "widgets.example.com"?)'],
    ['groups: [exmaple.com]', '(did you mean "example.com"?)'],
    [
      'rules: [FieldRemoved], paths: [^.spec.sise]',
      'exempts nothing here: what it names is not at ^.spec.sise (did you mean "^.spec.size"?), but at ^.spec.size',
    ],
    [
      'rules: [TypeChanged], names: [widgets.example.com]',
      'exempts nothing here: what is denied is by FieldRemoved',
    ],
  ];
  for (const [exemption, said] of misspelt) {
    it(`says what may be meant by an exemption of {${exemption}}`, async () => {
      policyIs(`old: git:main\nexemptions: [{${exemption}, reason: ours}]\n`);
      const { code, stderr } = await check(['config/crd']);
      expect(stderr).to.include('the exemption "ours" ').and.include(said);
      expect(code).to.equal(1);
    });
  }

  it('says what is missing when nothing is named', async () => {
    policyIs('');
    const { code, stderr, stdout } = await check([]);
    expect(stderr).to.include('name OLD and NEW, or NEW alone').and.to.include('olm-guard init');
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
  });

  it('exempts by the name of the change, and warns of what exempts nothing', async () => {
    policyIs(
      'old: git:main\nexemptions:\n' +
        '  - {rules: [FieldRemoved], paths: [^.spec.size], reason: nobody set it}\n' +
        '  - {rules: [MinimumRaised], names: [widgets.example.com], reason: long done}\n' +
        '  - {rules: [MinimumRaised], names: [elsewhere.example.com], reason: not asked here}\n',
    );
    const { code, stdout, stderr } = await check(['config/crd']);
    expect(code).to.equal(0);
    expect(stdout).to.include('exemption "nobody set it" of the policy');
    expect(stderr).to.include('the exemption "long done" exempts nothing here: it can go');
    expect(stderr).not.to.include('not asked here');
  });

  it('warns of an exemption that is over, which no longer counts', async () => {
    policyIs(
      'old: git:main\nexemptions: [{rules: [FieldRemoved], reason: until then, until: "2020-01-01T00:00:00Z"}]\n',
    );
    const { code, stdout, stderr } = await check(['config/crd']);
    const told = `${stdout}${stderr}`.match(/"until then" (of the policy )?expired at 2020-01-01/g);
    expect(told, 'once').to.have.length(1);
    expect(code).to.equal(1);
    policyIs(
      'old: git:main\nexemptions: [{rules: [TypeChanged], names: [elsewhere], until: "2020-01-01T00:00:00Z"}]\n',
    );
    const unmet = await check(['config/crd']);
    expect(unmet.stderr).to.include('exemption 1 expired at 2020-01-01T00:00:00Z');
  });

  it('hears a comment beside the change, unless a policy was named', async () => {
    policyIs('old: git:main\n');
    const lines = small.split('\n');
    const shown = await check(['config/crd', '-o', 'json']);
    const [{ line = 0 } = {}] =
      (JSON.parse(shown.stdout) as { results: { places: { line?: number }[] }[] }).results[0]
        ?.places ?? [];
    const commented = (comment: string) =>
      [
        ...lines.slice(0, line - 1),
        `${lines[line - 1]} # olm-guard:exempt ${comment}`,
        ...lines.slice(line),
      ].join('\n');
    const write = (comment: string): void =>
      repository.write({ 'config/crd/widgets.yaml': commented(comment) });

    write('FieldRemoved until 2099-01-01T00:00:00Z: it never worked');
    const heard = await check(['config/crd']);
    expect(heard.stdout).to.include('exemption "it never worked" in the source');
    expect(heard.code).to.equal(0);

    const judged = await check([
      'git:main:config/crd',
      'config/crd',
      '--policy',
      '.olm-guard.yaml',
    ]);
    expect(judged.stdout).to.include(`the comment in line ${line} does not count beside --policy`);
    expect(judged.code).to.equal(1);

    write('MinimumRaised: another matter');
    const other = await check(['config/crd']);
    expect(other.stdout).to.include(`:${line} exempts nothing (MinimumRaised)`);
    expect(other.code).to.equal(1);

    const near = (text: string): void =>
      repository.write({
        'config/crd/widgets.yaml': [...lines.slice(0, -1), `# ${text}`, ''].join('\n'),
      });
    const meant = [
      'olm-guard:exmpt FieldRemoved: a slip',
      'olm-guard: exempt FieldRemoved: a blank',
      'olmguard:ignore FieldRemoved',
    ];
    for (const text of meant) {
      near(text);
      const { code, stdout } = await check(['config/crd']);
      expect(stdout).to.match(/comment in .*widgets\.yaml:\d+ does not count: it says "olm/);
      expect(code).to.equal(1);
    }
    near('olm-guard sees this file');
    expect((await check(['config/crd'])).stdout).not.to.include('does not count');

    write('FieldRemoved');
    const bare = await check(['config/crd']);
    expect(bare.stderr).to.include(`widgets.yaml:${line}`).and.include('RULE: REASON');
    expect(bare.code).to.equal(2);
    repository.write({ 'config/crd/widgets.yaml': small });
  });

  it('takes a change of CEL rules by its own name, whichever profile finds it', async () => {
    const ruled = definitionText().replace(
      'type: integer\n',
      'type: integer\n                x-kubernetes-validations: [{ rule: self > 0 }]\n',
    );
    repository.write({ 'config/crd/widgets.yaml': ruled });
    for (const [name, profile, exitCode] of [
      ['ValidationRuleChanged', 'olm-v1', 0],
      ['ChangeValidator/ValidationRuleChanged', 'olm-v1', 0],
      ['ValidationRuleChanged', 'crdify', 0],
      ['unhandled/ValidationRuleChanged', 'crdify', 0],
      ['ValidationRuleChanged', 'proof', 0],
      ['FieldRemoved', 'crdify', 1],
    ] as const) {
      policyIs(`old: git:main\nexemptions: [{ rules: [${name}], reason: all are positive }]\n`);
      const { code, stdout } = await check(['config/crd', '--profile', profile]);
      expect(code, `${name} ${profile}`).to.equal(exitCode);
      if (profile !== 'proof') expect(stdout).to.include('/ValidationRuleChanged');
    }
    repository.write({ 'config/crd/widgets.yaml': small });
  });

  it('--write-exemptions makes today’s denials exemptions, and keeps what the file says', async () => {
    policyIs('# ours\nold: git:main\n');
    const written = await check(['config/crd', '--write-exemptions']);
    const [, until] = /until ([\d-]+)$/m.exec(written.stderr) ?? [];
    expect(written.stderr).to.include(
      `olm-guard: wrote 1 exemption into .olm-guard.yaml:
  FieldRemoved of widgets.example.com, at and below ^.spec.size, until ${until}
olm-guard: replace each FILL IN in .olm-guard.yaml by a reason; until then it is refused
`,
    );
    expect(written.code).to.equal(1);
    const text = readFileSync(join(repository.folder, '.olm-guard.yaml'), 'utf8');
    expect(text)
      .to.match(/^# ours\nold: git:main\nexemptions:\n/m)
      .and.include('FieldRemoved')
      .and.include('^.spec.size');
    expect(text).to.match(new RegExp(`until: ["']?${until}T00:00:00Z`));
    const { stdout: help } = await runHere(['check', 'crd', '--help']);
    expect(help.replace(/\s+/g, ' ')).to.include(
      'an exemption for each rule and definition, at the paths found, for 90 days',
    );
    for (const more of [[], ['--write-exemptions'], ['--policy', '.olm-guard.yaml']]) {
      const { code, stdout, stderr } = await check(['config/crd', ...more]);
      expect(stderr).to.match(
        /\.olm-guard\.yaml:\d+:\d+: exemptions\.0\.reason still says FILL IN/,
      );
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    }
    const github = await check(['config/crd', '-o', 'github']);
    expect(github.stdout).to.match(/^::error .*exemptions\.0\.reason still says FILL IN/);
    const filledIn = text.replace(/["']?FILL IN.*/, 'nobody ever set it');
    repository.write({ '.olm-guard.yaml': filledIn });
    const { code, stdout } = await check(['config/crd']);
    expect(stdout).to.include('nobody ever set it');
    expect(code).to.equal(0);
    const again = await check(['config/crd', '--write-exemptions']);
    expect(again.stderr).to.include('nothing is denied');
    expect(readFileSync(join(repository.folder, '.olm-guard.yaml'), 'utf8')).to.equal(filledIn);
  });
});
