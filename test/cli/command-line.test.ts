/** What the command line itself says: names that are none, values that are none, help. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, run } from './command.js';

const stored = 'examples/cluster';
const removed = 'examples/upgrades/field-removed.yaml';
const path = '^.spec.pollInterval';

describe('the command line', () => {
  const refusals: [name: string, args: readonly string[], sentence: RegExp][] = [
    [
      'a command that is none',
      ['bogus'],
      /^olm-guard: unknown command 'bogus'\n\(olm-guard --help/,
    ],
    [
      'a namespace for doctor',
      ['doctor', '-n', 'olm-guard'],
      /^olm-guard: doctor takes no namespace \(-n\): .*--registration NAME\n$/,
    ],
    [
      'policies for a definition of a cluster',
      ['export', 'vap', 'cluster:widgets.example.com'],
      /^olm-guard: cluster:widgets\.example\.com can only .*for policies: olm-guard vap sync\n$/,
    ],
    ['an argument too few', ['explain'], /'rule'\n\(olm-guard explain --help shows/],
    [
      'an option that is none',
      ['range', '1', '--a'],
      /^olm-guard: .*'--a'\n\(olm-guard range --help/,
    ],
    [
      'a format that is none',
      ['check', 'crd', stored, removed, '-o', 'csv'],
      /^olm-guard: option '-o, --output <format>' argument 'csv' is invalid/,
    ],
    [
      'a folder to scan without its option',
      ['scan', 'examples/olm'],
      /^olm-guard: too many arguments for 'scan'.*\n\(--state FOLDER names a folder\)\n\(olm-guard scan --help/,
    ],
    ['nothing to scan', ['scan'], /name the cluster with --kubeconfig FILE or --state FOLDER/],
    [
      'a rule that is none',
      ['explain', 'NoScopeChang'],
      /did you mean "NoScopeChange"\?\); docs\/rules/,
    ],
    [
      'a comparison without a finding',
      ['explain', 'NoScopeChange', stored, removed],
      /^olm-guard: "examples\/cluster" is too much: .*NoScopeChange@\^\.spec\.size\n$/,
    ],
    [
      'a finding without a comparison',
      ['explain', `NoScopeChange@${path}`],
      /needs OLD and NEW, as check crd does, e\.g\. olm-guard explain 'NoScopeChange@\^.* git:main:config\/crd config\/crd\n$/,
    ],
    [
      'a finding that is none',
      ['explain', `NoScopeChange@${path}`, stored, removed],
      /olm-v1 finds nothing by NoScopeChange at/,
    ],
    [
      'a finding whose path is spelt in another way',
      ['explain', `NoExistingFieldRemoved@spec.pollInterval`, stored, removed],
      /at spec\.pollInterval \(did you mean "\^\.spec\.pollInterval"\?\)\n$/,
    ],
    [
      'a profile that is none',
      ['explain', 'NoScopeChange', '--profile', 'x'],
      /choices are olm-v1, /,
    ],
    [
      'a file of fixes that cannot be written',
      ['check', 'crd', stored, removed, '--fix', '/nowhere/x.yaml'],
      /^olm-guard: \/nowhere\/x\.yaml: cannot be written \(ENOENT\)\n$/,
    ],
    [
      'nothing on standard input',
      ['check', 'crd', stored, '-'],
      /^olm-guard: <stdin>: standard input is empty: pipe something into it\n$/,
    ],
    [
      'a word that several rules are about',
      ['explain', 'storage'],
      /no rule "storage"; about that: StorageVersionChanged/,
    ],
    [
      'a change that the rule does not find',
      ['explain', 'NoScopeChange/MinimumRaised'],
      /^olm-guard: there is no rule "NoScopeChange\/MinimumRaised"/,
    ],
    [
      'two bundles where one is meant',
      ['check', 'bundle', 'examples/bundles'],
      /^olm-guard: examples\/bundles: holds 2 bundles; name one: reports\.v1\.0\.0, reports\.v1\.1\.0\n$/,
    ],
    [
      'the default kubeconfig, which is not there',
      ['check', 'crd', 'cluster:', removed],
      /^olm-guard: \/nowhere: there is no such file; name the cluster with --kubeconfig FILE or /,
    ],
  ];
  for (const [name, args, sentence] of refusals) {
    it(`exits with 2 and prints nothing else: ${name}`, async () => {
      const { code, stdout, stderr } = await run(args, { env: { KUBECONFIG: '/nowhere' } });
      expect(stderr).to.match(sentence);
      expect(stdout).to.equal('');
      expect(code).to.equal(2);
    });
  }

  const forServers: [format: string, said: RegExp][] = [
    ['github', /^::error file=nowhere,title=unchecked::nowhere: there is no such file[^\n]*\n$/],
    ['junit', /errors="1"[^]*<error message="nowhere: there is no such file/],
    ['sarif', /"executionSuccessful": false,[^]*"text": "nowhere: there is no such file/],
  ];
  for (const [format, said] of forServers) {
    for (const option of [['-o', format], [`--output=${format}`]]) {
      it(`tells who reads ${option.join(' ')} too that nothing was judged`, async () => {
        const { code, stdout } = await run(['check', 'crd', 'nowhere', removed, ...option]);
        expect(stdout).to.match(said);
        expect(code).to.equal(2);
      });
    }
  }

  it('tells GitHub of a command line that cannot be read', async () => {
    for (const option of [['-o', 'github'], ['--output=github']]) {
      const { code, stdout } = await run(['check', 'crd', '--nothing', ...option]);
      expect(stdout).to.equal("::error title=unchecked::unknown option '--nothing'\n");
      expect(code).to.equal(2);
    }
  });

  it('exits with 2 and one sentence where nobody can read the verdict: the disk is full', () => {
    const full = openSync('/dev/full', 'w');
    try {
      for (const next of [stored, removed]) {
        const args = [join(root, 'dist', 'main.js'), 'check', 'crd', stored, next];
        const stdio = ['ignore', full, 'pipe'] as const;
        const ended = spawnSync(process.execPath, args, { cwd: root, stdio: [...stdio] });
        const sentence = /^olm-guard: standard output cannot be written: ENOSPC: [^\n]*\n$/;
        expect(ended.stderr.toString()).to.match(sentence);
        expect(ended.status).to.equal(2);
      }
    } finally {
      closeSync(full);
    }
  });

  it('exits with 2 where nobody can read what is wrong with the input', () => {
    const full = openSync('/dev/full', 'w');
    try {
      const args = [join(root, 'dist', 'main.js'), 'check', 'crd', 'nowhere', 'nowhere'];
      const stdio = ['ignore', 'pipe', full] as const;
      const ended = spawnSync(process.execPath, args, { cwd: root, stdio: [...stdio] });
      expect([ended.status, ended.stdout.toString()]).to.deep.equal([2, '']);
    } finally {
      closeSync(full);
    }
  });

  it('explains an audience and a family by their rules', async () => {
    for (const [name, says, mode, rule] of [
      ['objects', 'or loses data', 'crd-upgrade-safety: deny', 'NoExistingFieldRemoved'],
      ['clients', 'gets another answer', 'client-contract: warn', 'ServedVersionRemoved'],
      ['apply', 'field ownership', 'apply-contract: warn', 'ListTypeChanged'],
      ['readers', 'may read values', 'reader-contract: audit', 'EnumValueAdded'],
      ['display', 'short names', 'display: audit', 'PrinterColumnRemoved'],
      ['client-contract', 'gets another answer', 'client-contract: warn', 'SelectableFieldRemoved'],
      ['operator-groups', '', 'operator-groups: deny', 'OperatorGroupIntersection'],
    ] as const) {
      const { code, stdout, stderr } = await run(['explain', name]);
      expect({ code, stderr }, name).to.deep.equal({ code: 0, stderr: '' });
      expect(stdout).to.match(new RegExp(`^(?:audience|family) ${name}\n`));
      expect(stdout).to.include(says).and.include(mode).and.include(rule);
    }
    const { stderr } = await run(['explain', 'client-contrac']);
    expect(stderr).to.include('did you mean "client-contract"?');
  });

  it('explains the ClusterRoles that OLM makes', async () => {
    for (const [name, ...says] of [
      ['widgets.example.com-v1-edit', 'create, update, patch, delete on widgets.example.com\n'],
      ['widgets.example.com-v1-crdview', 'get on the CustomResourceDefinition widgets.example.com'],
      ['owls-v2-view', 'get, list, watch on owls', 'the APIService of owls'],
      ['olm.og.pets.view-4tbg1', 'an OperatorGroup pets\n', 'olm.owner.namespace'],
    ] as const) {
      const { code, stdout, stderr } = await run(['explain', name]);
      expect({ code, stderr }, name).to.deep.equal({ code: 0, stderr: '' });
      for (const said of [`ClusterRole ${name},`, ...says]) expect(stdout).to.include(said);
    }
  });

  it('explains words of the output', async () => {
    for (const [name, says] of [
      ['proof', 'profile proof decides by it alone'],
      ['CEL', 'CelCompile (an API server cannot compile it)'],
      ['x-kubernetes-validations', 'Common Expression Language'],
      ['olm-v1.10', 'crdify bb9957d'],
      ['undecided', 'harm is neither shown nor ruled out'],
      ['promise', 'The first entry that matches a finding decides'],
      ['promises', 'promises in the policy'],
      ['frozen', 'any change but of descriptions is denied'],
      ['acknowledge-label', 'warning'],
    ] as const) {
      const { code, stdout, stderr } = await run(['explain', name]);
      expect({ code, stderr }, name).to.deep.equal({ code: 0, stderr: '' });
      expect(stdout)
        .to.match(new RegExp(`^${name}\n`))
        .and.include(says);
    }
  });

  it('explains a change by the rule that finds it', async () => {
    for (const name of ['ValidationRuleChanged', 'ChangeValidator/ValidationRuleChanged']) {
      const { code, stdout } = await run(['explain', name]);
      expect(code, name).to.equal(0);
      expect(stdout).to.match(/^ValidationRuleChanged, unhandled\n/);
      expect(stdout)
        .to.match(/changes: .*ValidationRuleChanged/)
        .and.include('self > 0');
    }
  });

  it('explains a rule, and one finding of it', async () => {
    const rule = await run(['explain', 'NoExistingFieldRemoved']);
    expect(rule).to.include({ code: 0, stderr: '' });
    const args = ['explain', `NoExistingFieldRemoved@${path}`, stored, removed];
    const finding = await run(args);
    expect(finding).to.include({ code: 0, stderr: '' });
    expect(finding.stdout.startsWith(rule.stdout)).to.equal(true);
    expect(finding.stdout).to.include('proof: loses data: the field is gone');
    const added = removed.replace('field-removed', 'enum-value-added');
    const unproven = await run(['explain', 'EnumValueAdded@^.spec.mode', stored, added]);
    expect(unproven).to.include({ code: 0, stderr: '' });
    expect(unproven.stdout)
      .to.include('values are added')
      .and.not.match(/proof: *$/m);
  });

  it('says in the help what holds without an option that may be repeated', async () => {
    const helps = ['scan', 'serve', 'catalog diff', 'catalog graph', 'resolve'].map(
      async (name) => {
        const { stdout } = await run([...name.split(' '), '--help']);
        return stdout;
      },
    );
    for (const help of await Promise.all(helps)) {
      expect(help).to.match(/\(default:\s+(?:none|all)\)/);
      expect(help).not.to.include('(default: [])');
    }
  });

  it('sets no flag of V8 that its line of Node does not know', async () => {
    const { code, stderr } = await run(['version']);
    expect([code, stderr]).to.deep.equal([0, '']);
  });

  it('keeps what Node has compiled in the own cache folder of its user, and nowhere else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-cache-'));
    try {
      const env = { HOME: folder, NODE_COMPILE_CACHE: undefined, OLM_GUARD_CACHE: undefined };
      await run(['version'], { cwd: folder, env: { ...env, XDG_CACHE_HOME: 'relative' } });
      await run(['version'], { cwd: folder, env: { ...env, XDG_CACHE_HOME: join(folder, 'xdg') } });
      expect(readdirSync(folder)).to.deep.equal(['.cache', 'xdg']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('compiles anew what V8 does not take from the cache, and keeps that', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'olm-guard-cache-'));
    try {
      const compare = async (env: NodeJS.ProcessEnv = {}): Promise<string> =>
        (await run(['check', 'crd', stored, removed], { env: { OLM_GUARD_CACHE: cache, ...env } }))
          .stdout;
      const answer = await compare({ NODE_DISABLE_COMPILE_CACHE: '1' });
      expect(readdirSync(cache)).to.deep.equal([]);
      expect(await compare()).to.equal(answer);
      const folder = join(cache, 'compiled');
      const file = readdirSync(folder).find((name) => name.startsWith('joined-')) ?? '';
      const kept = readFileSync(join(folder, file));
      const half = kept.subarray(0, kept.length / 2);
      // As a disk may lose a block: V8 itself would take it, and run something else.
      const holed = Buffer.concat([half, Buffer.alloc(4096), kept.subarray(half.length + 4096)]);
      for (const broken of [Buffer.alloc(0), Buffer.from('broken'), half, holed]) {
        writeFileSync(join(folder, file), broken);
        expect(await compare()).to.equal(answer);
        const made = readFileSync(join(folder, file));
        expect(made.length).to.be.above(half.length);
        expect(made.equals(broken)).to.equal(false);
      }
      const { ino } = statSync(join(folder, file));
      expect(await compare()).to.equal(answer);
      expect(statSync(join(folder, file)).ino).to.equal(ino);
    } finally {
      rmSync(cache, { recursive: true });
    }
  });

  it('removes what other builds compiled a month ago, and nothing else, when it keeps its own', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'olm-guard-cache-'));
    try {
      const folder = join(cache, 'compiled');
      mkdirSync(folder, { mode: 0o700 });
      const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
      const name = (last: string): string => `joined-${'0'.repeat(15)}${last}-123`;
      for (const each of [name('1'), name('2'), `${name('3')}.77`, 'joined-mine', 'other']) {
        writeFileSync(join(folder, each), each);
        if (each !== name('2')) utimesSync(join(folder, each), old, old);
      }
      symlinkSync(join(folder, 'other'), join(folder, name('4')));
      lutimesSync(join(folder, name('4')), old, old);
      await run(['check', 'crd', stored, removed], { env: { OLM_GUARD_CACHE: cache } });
      const left = readdirSync(folder).filter((each) =>
        /^joined-0{15}|^joined-mine|^other/.test(each),
      );
      expect(left).to.have.members([name('2'), name('4'), 'joined-mine', 'other']);
      expect(readdirSync(folder).length).to.be.above(left.length);
    } finally {
      rmSync(cache, { recursive: true });
    }
  });
});
