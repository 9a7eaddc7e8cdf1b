/** `check crd` with Go types, of which controller-gen makes the definition. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { ensurePrograms, hasGo, missingPrograms } from '../apiserver/binaries.js';
import { run, type Ended } from './command.js';
import { Repository } from './repository.js';

const types = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:validation:Minimum=1
type Size int32

type WidgetSpec struct {
	Size Size \`json:"size"\`
	// +kubebuilder:validation:Enum=a;b
	Mode  string  \`json:"mode,omitempty"\`
	Ratio float64 \`json:"ratio,omitempty"\`
}

// +kubebuilder:object:root=true
type Widget struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`

	Spec WidgetSpec \`json:"spec,omitempty"\`
}
`;

/** With as much of k8s.io/apimachinery as controller-gen knows by itself, so that nothing is to be fetched. */
const module = {
  'go.mod':
    'module example.com/widgets\n\ngo 1.24\n\nrequire k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => ./meta\n',
  'meta/go.mod': 'module k8s.io/apimachinery\n\ngo 1.24\n',
  'meta/pkg/apis/meta/v1/types.go':
    'package v1\n\ntype TypeMeta struct{}\n\ntype ObjectMeta struct{}\n',
  'api/v1/types.go': types,
};
const narrower = types.replace('Minimum=1', 'Minimum=5').replace('Enum=a;b', 'Enum=a');

describe('check crd of Go types', function () {
  this.timeout(300_000);
  let programs = '';
  const repositories: Repository[] = [];
  before(async function () {
    if (!hasGo()) {
      console.log(
        `      skipped: needs Go, to ${missingPrograms(['controller-gen']).length > 0 ? 'build controller-gen' : 'read packages'}`,
      );
      this.skip();
    }
    const built = (await ensurePrograms(['controller-gen'])).get('controller-gen') ?? '';
    programs = [dirname(built), process.env['PATH']].join(delimiter);
  });
  after(() => {
    for (const repository of repositories) repository.remove();
  });

  /** With the module as its branch main. */
  function repositoryWith(changes: Record<string, string> = {}): Repository {
    const repository = new Repository({ ...module, ...changes });
    repositories.push(repository);
    repository.commit('main');
    return repository;
  }

  const check = (
    { folder }: Repository,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<Ended> =>
    run(['check', 'crd', ...args], { cwd: folder, env: { PATH: programs, ...env } });

  it('points to the field or its marker, and names the markers to write', async () => {
    const repository = repositoryWith();
    repository.write({ 'api/v1/types.go': narrower });
    const args = ['go:git:HEAD:api/v1', 'go:api/v1'];
    const { code, stdout, stderr } = await check(repository, [...args, '--fix', 'fixed.yaml']);
    expect(code, stderr).to.equal(1);
    expect(stdout)
      .to.match(/api\/v1\/types\.go:6:1 {2}error {2}ChangeValidator\/MinimumRaised/)
      .and.include('> 6 | // +kubebuilder:validation:Minimum=5')
      .and.include('in Go: +kubebuilder:validation:Minimum=1')
      .and.match(/api\/v1\/types\.go:11:2 {2}error {2}ChangeValidator\/EnumValueRemoved/)
      .and.include('in Go: +kubebuilder:validation:Enum=a;b');
    expect(readFileSync(join(repository.folder, 'fixed.yaml'), 'utf8')).to.include('minimum: 1');
    expect(readFileSync(join(repository.folder, 'api/v1/types.go'), 'utf8')).to.equal(narrower);
    const { stdout: changed } = spawnSync('git', ['status', '--short'], {
      cwd: repository.folder,
      encoding: 'utf8',
    });
    expect(changed).to.equal(' M api/v1/types.go\n?? fixed.yaml\n');
  });

  it('judges the definition that controller-gen makes, in all folders', async () => {
    const repository = repositoryWith();
    const argv = ['crd:allowDangerousTypes=true', 'paths=./api/...', 'output:stdout'];
    const env = { ...process.env, PATH: programs };
    const made = spawnSync('controller-gen', argv, {
      cwd: repository.folder,
      encoding: 'utf8',
      env,
    });
    expect(made.stdout, made.stderr).to.include('name: widgets.example.com');
    repository.write({ 'crd.yaml': made.stdout });
    for (const pair of [
      ['crd.yaml', 'go:./api/...'],
      ['go:api/v1/', 'crd.yaml'],
    ]) {
      const { code, stdout, stderr } = await check(repository, [...pair, '-o', 'json']);
      expect(code, stderr).to.equal(0);
      const { results, counts } = JSON.parse(stdout) as {
        results: { verdict: { findings: object[] } }[];
        counts: object;
      };
      expect(counts).to.include({ allowed: 1, added: 0 });
      expect(results[0]?.verdict.findings).to.deep.equal([]);
    }
  });

  it('compares with the branch where nothing else is said', async () => {
    const repository = repositoryWith();
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repository.write({ 'api/v1/types.go': narrower });
    const { code, stdout } = await check(repository, ['go:api/...']);
    expect(code).to.equal(1);
    expect(stdout).to.include('compared with go:git:origin/main:api/...');
  });

  it('counts what the commit does not have yet as added', async () => {
    const repository = repositoryWith();
    repository.write({ 'new/v1/types.go': types });
    const { code, stdout } = await check(repository, ['go:git:HEAD:new/v1', 'go:new/v1']);
    expect([code, /1 added/.test(stdout)]).to.deep.equal([0, true]);
  });

  it('runs nothing of the repository, whatever it and the environment say', async () => {
    const repository = repositoryWith();
    const ran = join(repository.folder, 'ran');
    const bin = join(repository.folder, '..', `bin-of-${process.pid}`);
    mkdirSync(bin, { recursive: true });
    const named = ['gcc', 'cc', 'g++', 'clang', 'swig', 'pkg-config', 'gopackagesdriver', 'tool'];
    for (const name of named) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho "$0 $*" >>${ran}\nexit 1\n`);
      chmodSync(join(bin, name), 0o755);
    }
    repository.write({
      'go.mod': `${module['go.mod']}\ntoolchain go1.99.0\n`,
      'go.work': 'go 1.24\n\nuse ./nowhere\n',
      'api/v1/c.go': 'package v1\n\n// #cgo pkg-config: a\n// #include "a.h"\nimport "C"\n',
      'api/v1/x.swig': '%module x\n',
      'api/v1/generate.go': `package v1\n\n//go:generate ${join(bin, 'tool')}\n`,
      'home/.config/go/env': `GOFLAGS=-toolexec=${join(bin, 'tool')}\nCGO_ENABLED=1\n`,
    });
    const { code, stderr } = await check(repository, ['go:api/v1', 'go:api/v1'], {
      PATH: `${bin}${delimiter}${programs}`,
      XDG_CONFIG_HOME: join(repository.folder, 'home', '.config'),
      GOENV: join(repository.folder, 'home', '.config', 'go', 'env'),
      GOFLAGS: `-toolexec=${join(bin, 'tool')}`,
      GOPACKAGESDRIVER: join(bin, 'tool'),
      ...{ CGO_ENABLED: '1', CC: join(bin, 'cc'), GOTOOLCHAIN: 'go1.99.0+auto' },
    });
    expect(existsSync(ran) ? readFileSync(ran, 'utf8') : '').to.equal('');
    expect(code, stderr).to.equal(0);
  });

  const wrong: [name: string, files: Record<string, string>, source: string, sentence: RegExp][] = [
    ['no folder', {}, 'go:nowhere', /nowhere: there is no such file or folder/],
    ['a file', {}, 'go:api/v1/types.go', /is no folder of a Go package/],
    [
      'no types',
      { 'docs/a.md': '' },
      'go:docs',
      /makes no definition of it|no CustomResourceDefinition/,
    ],
    [
      'what is no Go',
      { 'api/v1/types.go': `${types}\nfunc (` },
      'go:api/v1',
      /makes no definition of it: api\/v1\/types\.go:\d+/,
    ],
    [
      'a module that would have to be fetched',
      { 'api/v1/more.go': 'package v1\n\nimport _ "example.com/nowhere"\n' },
      'go:api/v1',
      /nothing is fetched: run "go mod download" in the module first/,
    ],
    [
      'a module that go.sum does not have',
      {
        'api/v1/more.go': 'package v1\n\nimport _ "example.com/nowhere"\n',
        'go.mod': 'module example.com/own\n\ngo 1.21\n\nrequire example.com/nowhere v1.0.0\n',
      },
      'go:api/v1',
      /example\.com\/own\/api\/v1\); nothing is fetched: run "go mod tidy" in the module first/,
    ],
    [
      'a module of a commit that would have to be fetched',
      { 'api/v1/more.go': 'package v1\n\nimport _ "example.com/nowhere"\n' },
      'go:git:HEAD:api/v1',
      /nothing is fetched: run "go mod download" in a checkout of that commit first/,
    ],
    [
      'a module outside of the repository',
      { 'go.mod': module['go.mod'].replace('./meta', '../meta') },
      'go:api/v1',
      /go\.mod replaces a module by \.\.\/meta, outside of the repository/,
    ],
    ...['"./a//../../out"', '"./a b/../../out"'].map((target): (typeof wrong)[number] => [
      `a module outside of the repository, written as ${target}`,
      { 'go.mod': module['go.mod'].replace('./meta', target) },
      'go:api/v1',
      /go\.mod replaces a module by \.\/a.*out, outside of the repository/,
    ]),
  ];
  for (const [name, files, source, sentence] of wrong) {
    it(`exits with 2 and one sentence: ${name}`, async () => {
      const repository = repositoryWith(files);
      const { code, stdout, stderr } = await check(repository, [source, source]);
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr)
        .to.match(sentence)
        .and.not.match(/\n.*\n/);
    });
  }

  it('says what it needs, and takes no program of the repository for it', async () => {
    const repository = repositoryWith();
    const bin = join(repository.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'controller-gen'), '#!/bin/sh\necho ran >ran\n');
    chmodSync(join(bin, 'controller-gen'), 0o755);
    const { code, stderr } = await check(repository, ['go:api/v1', 'go:api/v1'], {
      PATH: `${bin}:/bin`,
    });
    expect(code).to.equal(2);
    expect(stderr).to.include('needs go and controller-gen on the PATH, outside of the repository');
    expect(existsSync(join(repository.folder, 'ran'))).to.equal(false);
  });

  const links: readonly (readonly [link: string, sentence: RegExp])[] = [
    ['api/v1/link.go', /api\/v1\/link\.go: is a symbolic link that leads out of the repository/],
    ['api/v1/link_test.go', /api\/v1\/link_test\.go: is a symbolic link that leads out/],
    ['meta/pkg/apis/meta/v1/link.go', /meta\/pkg\/.*\/link\.go: is a symbolic link that leads out/],
    ['meta/.more/link.go', /meta\/\.more\/link\.go: is a symbolic link that leads out/],
    ['go.sum', /go\.sum: is a symbolic link that leads out/],
  ];
  for (const [link, sentence] of links) {
    it(`reads no file outside of the module by a link: ${link}`, async () => {
      const repository = repositoryWith();
      const outside = `${repository.folder}-secret`;
      writeFileSync(outside, 'secret');
      mkdirSync(dirname(join(repository.folder, link)), { recursive: true });
      symlinkSync(outside, join(repository.folder, link));
      const { code, stderr } = await check(repository, ['go:api/v1', 'go:api/v1']);
      rmSync(outside);
      expect(code).to.equal(2);
      expect(stderr).to.match(sentence).and.not.include('found secret');
    });
  }

  it('reads no folder outside of the module by a link, and the commit without it', async () => {
    const repository = repositoryWith();
    symlinkSync(join(repository.folder, '..'), join(repository.folder, 'outside'));
    const widgets = 'example.com/widgets';
    for (const imported of [
      `${widgets}/outside/a`,
      `${widgets}/\\x6futside`,
      `${widgets}/\\u006futside`,
      `${widgets}/\\157utside`,
    ]) {
      const more = `package v1\n\n/* " */ import _ "${imported}"\n`;
      repository.write({ 'api/v1/more.go': more });
      const { code, stderr } = await check(repository, ['go:api/v1', 'go:api/v1']);
      expect(code).to.equal(2);
      expect(stderr).to.match(/^olm-guard: go:api\/v1: controller-gen makes no definition of it: /);
    }
    rmSync(join(repository.folder, 'api/v1/more.go'));
    const ofCommit = await check(repository, ['go:git:HEAD:api/v1', 'go:git:HEAD:api/v1']);
    expect(ofCommit.code, ofCommit.stderr).to.equal(0);
  });

  it('goes on beside links of Bazel, which nothing imports', async () => {
    const repository = repositoryWith();
    for (const name of ['bazel-out', 'bazel-widgets']) {
      symlinkSync(join(repository.folder, '..'), join(repository.folder, name));
    }
    for (const source of ['go:api/v1', 'go:./...']) {
      const { code, stderr } = await check(repository, [source, source]);
      expect(code, stderr).to.equal(0);
    }
  });

  for (const name of ['GOROOT', 'GOPATH', 'GOMODCACHE', 'GOCACHE', 'HOME']) {
    it(`takes no programs and packages from a folder of the repository: ${name}`, async () => {
      const repository = repositoryWith();
      const inside = join(repository.folder, 'cache');
      for (const source of ['go:api/v1', 'go:git:HEAD:api/v1']) {
        const { code, stderr } = await check(repository, [source, source], { [name]: inside });
        expect(code).to.equal(2);
        expect(stderr).to.include(`cannot be read while ${name} is ${inside}`);
      }
      expect(existsSync(inside)).to.equal(false);
    });
  }
});
