/** The package as npm would publish it, in an empty folder: nothing of this checkout is near. */
import { expect } from 'chai';
import { build } from 'esbuild';
import { load } from 'js-yaml';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { docsFor } from '../../src/rule/finding.js';
import { filesUrl } from '../../src/text/package.js';
import { ruleNames } from '../../src/checks/operations/rules.js';
import { root } from './command.js';

describe('the packed package, installed in an empty folder', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-package-'));
  const installed = join(folder, 'node_modules', 'olm-guard');
  after(() => rmSync(folder, { recursive: true }));

  const run = (program: string, args: readonly string[], cwd = folder) =>
    spawnSync(program, args, {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', NODE_PATH: '', npm_config_update_notifier: 'false' },
    });
  const npx = (...args: string[]) => run('npx', ['--no-install', 'olm-guard', ...args]);

  before(() => {
    // What is built is packed as it is: other tests run it meanwhile.
    const packed = run(
      'npm',
      ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
      root,
    );
    expect(packed.status, packed.stderr).to.equal(0);
    const [{ filename = '' } = {}] = JSON.parse(packed.stdout) as { filename?: string }[];
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    const put = run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`]);
    expect(put.status, put.stderr).to.equal(0);
  });

  it('needs no other package', () => {
    const packages = readdirSync(join(folder, 'node_modules')).filter((name) => name[0] !== '.');
    expect(packages).to.deep.equal(['olm-guard']);
  });

  it('says of what it is made, and under which licenses', () => {
    const text = readFileSync(join(installed, 'dist', 'third-party.txt'), 'utf8');
    for (const part of [/^commander \S+ \(MIT\)$/m, /^ajv \S+ \(MIT\)$/m, /^re2js \S+ \(MIT\)$/m]) {
      expect(text).to.match(part);
    }
    expect(text).to.include('Permission is hereby granted');
    const bill = JSON.parse(
      readFileSync(join(installed, 'dist', 'olm-guard.cdx.json'), 'utf8'),
    ) as { bomFormat: string; components: { name: string; purl: string }[] };
    expect(bill.bomFormat).to.equal('CycloneDX');
    const names = bill.components.map(({ name }) => name);
    expect(
      text.match(/^\S+ \S+ \((?=.*\)$)/gm)?.map((line) => line.split(' ')[0]),
    ).to.include.members(names);
    expect(names)
      .to.include('express')
      .and.not.include('body-parser')
      .and.not.include('iconv-lite');
    expect(bill.components.map(({ purl }) => purl)).to.satisfy((purls: string[]) =>
      purls.every((purl) => /^pkg:npm\/(?:%40[\w-]+\/)?[\w.-]+@\d\S*$/.test(purl)),
    );
  });

  it('answers by npx', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(npx('--version')).to.include({ status: 0, stdout: `${version}\n` });
    expect(npx('--help').stdout).to.include('serve').and.include('resolve');

    const file = join(root, 'examples', 'upgrades', 'field-removed.yaml');
    cpSync(join(root, 'examples', 'cluster'), join(folder, 'cluster'), { recursive: true });
    cpSync(file, join(folder, 'new.yaml'));
    const checked = npx('check', 'crd', 'cluster', 'new.yaml');
    expect(checked.stdout).to.include('NoExistingFieldRemoved').and.include('> ');
    expect(checked.status).to.equal(1);
  });

  it('loads what is seldom used, starts its threads, and serves its examples', () => {
    const shown = npx('demo', '--once');
    expect(shown.stderr).not.to.include('olm-guard:');
    expect(shown.status, shown.stderr).to.equal(0);
    expect(shown.stdout).to.include('NoScopeChange').and.include('Metrics:');
  });

  describe('as a library', () => {
    const tsc = (...files: string[]) =>
      run(process.execPath, [
        ...[join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--strict'],
        ...['--module', 'nodenext', '--target', 'es2023', ...files],
      ]);
    before(() => {
      writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
      for (const file of readdirSync(join(root, 'examples', 'library'))) {
        cpSync(join(root, 'examples', 'library', file), join(folder, file));
      }
    });

    it('compiles the example, and runs it', () => {
      const compiled = tsc('what-breaks.ts');
      expect(compiled.status, compiled.stdout).to.equal(0);
      const definitions = [
        join(root, 'examples', 'cluster', 'customresourcedefinition-samples.yaml'),
        join(root, 'examples', 'upgrades', 'field-removed.yaml'),
      ].map((file) => JSON.stringify(load(readFileSync(file, 'utf8'))));
      const script = `import { whatBreaks } from './what-breaks.js';
        console.log(JSON.stringify(whatBreaks(${definitions.join(', ')})));
        try { whatBreaks({}, {}); } catch (error) { console.log(error.message); }`;
      writeFileSync(join(folder, 'script.js'), script);
      const { stdout, stderr } = run(process.execPath, ['script.js']);
      const [findings = '', message] = stdout.split('\n');
      const [finding] = JSON.parse(findings) as { effect: string; witness: unknown }[];
      expect(finding, stderr).to.include({ effect: 'data-loss' });
      expect(finding?.witness).to.be.an('object');
      expect(message).to.match(/^\$\.old/);
    });

    it('has a part for each kind of question', () => {
      const compiled = tsc('every-question.ts');
      expect(compiled.status, compiled.stdout).to.equal(0);
      const script = `import { answers, names } from './every-question.js';
        console.log(JSON.stringify({ answers, names }));`;
      writeFileSync(join(folder, 'script.js'), script);
      const { stdout, stderr } = run(process.execPath, ['script.js']);
      const { answers, names } = JSON.parse(stdout || stderr) as {
        answers: Record<string, { verdict?: { allowed: boolean }; error?: { code: string } }>;
        names: string[];
      };
      expect(answers['proveUpgrade']?.error?.code).to.equal('E_INPUT');
      expect(answers['validateCatalog']?.verdict?.allowed).to.equal(false);
      for (const name of ['nextBundle', 'resolveNamespace', 'range']) {
        expect(answers[name]?.verdict, name).to.include({ allowed: true });
      }
      expect(names).to.include('crd').and.include('bundle');
    });

    it('compiles and evaluates expressions as each minor does', () => {
      const compiled = tsc('rules.ts');
      expect(compiled.status, compiled.stdout).to.equal(0);
      const script = `import { cost, holds, knownSince } from './rules.js';
        const known = knownSince("self.names.sortBy(n, n) == ['a']");
        console.log(JSON.stringify({ cost: String(cost), holds, ...known }));`;
      writeFileSync(join(folder, 'script.js'), script);
      const { stdout, stderr } = run(process.execPath, ['script.js']);
      const answer = JSON.parse(stdout || stderr) as Record<string, unknown>;
      expect(answer).to.deep.include({ cost: '66', holds: [true, false], minor: '1.35' });
      expect(answer['refusal']).to.include("undeclared reference to 'sortBy'");
    });

    it('explains findings and fixes definitions', () => {
      const compiled = tsc('mend.ts');
      expect(compiled.status, compiled.stdout).to.equal(0);
      const [old, next] = [
        'cluster/customresourcedefinition-samples',
        'upgrades/field-removed',
      ].map((name) => readFileSync(join(root, 'examples', `${name}.yaml`), 'utf8'));
      const given = [load(old ?? ''), load(next ?? ''), next].map((each) => JSON.stringify(each));
      const script = `import { mend } from './mend.js';
        console.log(JSON.stringify(mend(${given.join(', ')})));`;
      writeFileSync(join(folder, 'script.js'), script);
      const { stdout, stderr } = run(process.execPath, ['script.js']);
      const { text, why } = JSON.parse(stdout || stderr) as { text: string; why: string[] };
      expect(why).not.to.be.empty;
      writeFileSync(join(folder, 'mended.yaml'), text);
      expect(npx('check', 'crd', 'cluster', 'mended.yaml', '--profile', 'proof').status).to.equal(
        0,
      );
    });

    it('leaves to a bundle no more than what it uses', async () => {
      const sizeOf = async (contents: string): Promise<number> => {
        const { outputFiles } = await build({
          ...{ stdin: { contents, resolveDir: folder }, bundle: true, write: false, minify: true },
          ...{ format: 'esm', platform: 'node', logLevel: 'error' },
        });
        return outputFiles[0]?.text.length ?? 0;
      };
      const explains = "import { explainRule } from 'olm-guard'; console.log(explainRule);";
      const [nothing, explanation, both] = await Promise.all([
        sizeOf("import 'olm-guard'; import 'olm-guard/catalogs';"),
        sizeOf(explains),
        sizeOf(`import { resolveNamespace } from 'olm-guard/resolver'; ${explains}`),
      ]);
      expect(nothing).to.equal(0);
      // Short names are given anew: one of them may be a letter longer.
      expect(both).to.be.closeTo(explanation, 100);
      const all = ['', '/operations', '/catalogs', '/resolver', '/cel']
        .map((path, index) => `export * as all${index} from 'olm-guard${path}';`)
        .join('\n');
      expect(explanation).to.be.below((await sizeOf(all)) * 0.7);
    });

    it('has types that refuse what it does not take', () => {
      const wrong = `import { judgeUpgrade } from 'olm-guard';
        export const answer = judgeUpgrade({}, {}, { profile: 'olm' });`;
      writeFileSync(join(folder, 'wrong.ts'), wrong);
      const compiled = tsc('--noEmit', 'wrong.ts');
      expect(compiled.stdout).to.match(/error TS2322: Type '"olm"' is not assignable/);
      expect(compiled.status).to.be.above(0);
    });
  });

  it('contains the files that its pages name', () => {
    for (const path of ['certs', 'schemas', 'manifests', 'examples', 'docs', 'LICENSE']) {
      expect(existsSync(join(installed, path)), path).to.equal(true);
    }
    const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md')
      .map((path) => join(installed, path));
    const lost = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)]
        .map(([, link = '']) => link)
        // What builds and tests it is to be read in the repository.
        .filter((link) => !/(^|\/)(test|src|build|bench|\.github)\//.test(link))
        .filter((link) => !existsSync(resolve(dirname(page), link)))
        .map((link) => `${page.slice(installed.length + 1)}: ${link}`),
    );
    expect(lost).to.deep.equal([]);
  });

  it('has the page to which each finding’s docs leads, in its own files', () => {
    const isThere = (link: string): boolean =>
      existsSync(join(installed, link.slice(filesUrl.length + 1)));
    expect([...ruleNames].map(docsFor).filter((link) => !isThere(link))).to.deep.equal([]);
    const { stdout } = npx('check', 'crd', 'cluster', 'new.yaml', '-o', 'json');
    const links = [...stdout.matchAll(/"docs": "([^"]*)"/g)].map(([, link = '']) => link);
    expect(links).not.to.be.empty;
    expect(links.filter((link) => !isThere(link))).to.deep.equal([]);
  });

  it('is small', () => {
    const bytes = readdirSync(join(installed, 'dist')).map(
      (name) => statSync(join(installed, 'dist', name)).size,
    );
    expect(bytes.reduce((sum, size) => sum + size, 0)).to.be.below(8_100_000);
  });
});
