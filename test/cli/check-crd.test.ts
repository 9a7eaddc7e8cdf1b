/** `olm-guard check crd OLD NEW`: what a person or a CI job sees. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../src/text/documents/index.js';
import type { Verdict } from '../../src/rule/finding.js';
import { documentedChanges, documentedDefinition } from '../golden/documented-changes.js';
import { definition, withSize } from '../server/reviews.js';
import { root, run, runHere, type Ended, type RunOptions } from './command.js';

const stored = join(root, 'examples', 'cluster');
const example = (name: string): string => join(root, 'examples', 'upgrades', `${name}.yaml`);
const check = (args: readonly string[], options?: RunOptions): Promise<Ended> =>
  (options?.stdin === undefined ? runHere : run)(['check', 'crd', ...args], options);

interface Report {
  readonly results: readonly { name: string; verdict: Verdict; output: { message?: string } }[];
  readonly counts: Readonly<Record<string, number>>;
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string }[];
  };
}

const policyHead = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';

describe('check crd', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-check-crd-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  function file(name: string, text: string | JsonObject): string {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
    return path;
  }

  async function report(args: readonly string[], options?: RunOptions): Promise<Report> {
    const { stdout, stderr } = await check([...args, '-o', 'json'], options);
    expect(stderr).to.equal('');
    return JSON.parse(stdout) as Report;
  }

  it('exits with 0 when allowed, 1 when denied, and names file and line', async () => {
    const allowed = await check([stored, example('enum-value-added')]);
    expect(allowed).to.include({ code: 0, stderr: '' });
    const denied = await check([stored, example('field-removed')]);
    expect(denied).to.include({ code: 1, stderr: '' });
    expect(denied.stdout).to.match(
      /v1alpha1 \^\.spec\.pollInterval\n +\S+field-removed\.yaml:28:\d+ +error +NoExistingFieldRemoved\n/,
    );
  });

  describe('of what the documents prohibit and allow', () => {
    let told: ReadonlyMap<string, Verdict>;
    const pluralOf = (index: number): string => `kind${'x'.repeat(index)}s`;
    before('compare all of them at once', async () => {
      const lists = (items: JsonObject[]): JsonObject => ({
        apiVersion: 'v1',
        kind: 'List',
        items,
      });
      const [old, next] = [
        documentedChanges.map((_, index) => documentedDefinition(pluralOf(index))),
        documentedChanges.map(({ change }, index) => change(pluralOf(index))),
      ];
      const sides = [
        file('documented-old.json', lists(old)),
        file('documented-new.json', lists(next)),
      ];
      const { results } = await report([...sides, '--strict']);
      told = new Map(results.map(({ name, verdict }) => [name, verdict]));
    });

    for (const [index, { says, refusal }] of documentedChanges.entries()) {
      it(says, () => {
        const verdict = told.get(`${pluralOf(index)}.test.example.com`);
        expect(verdict?.allowed).to.equal(refusal === null);
        if (refusal === null) return;
        const texts = verdict?.findings
          .filter(({ rule, severity }) => severity === 'error' && rule === refusal.rule)
          .map(({ message }) => message);
        expect(texts?.join('\n')).to.include(refusal.text);
      });
    }
  });

  it('denies a file with fields that kubectl refuses, at their lines, even where nothing changes', async () => {
    const written = file('unknown/new.json', { ...definition(), roleRef: {} });
    const misspelt = file('unknown/typo.json', withSize({ type: 'string', maxLenght: 3 }));
    for (const [source, field] of [
      [written, /^ +\S+new\.json:1:\d+ +error +UnknownDefinitionField\n +unknown field "roleRef"/m],
      [misspelt, /maxLenght" \(did you mean "maxLength"\?\): API servers drop it/],
    ] as const) {
      const { code, stdout } = await check([source, source]);
      expect([code, stdout]).to.deep.equal([1, stdout]);
      expect(stdout).to.match(field);
    }
  });

  it('asks servers of the minors that are named whether they take the definition', async () => {
    const rules = [{ rule: 'isIP(self)' }];
    const asked = [
      file('minors/old.json', withSize({ type: 'string' })),
      file('minors/new.json', withSize({ type: 'string', 'x-kubernetes-validations': rules })),
    ];
    const denied = await report([...asked, '--profile', 'proof', '--kubernetes', '1.29..1.32']);
    const found = denied.results[0]?.verdict.findings.filter(
      ({ family }) => family === 'definition',
    );
    expect(found?.map(({ rule: id }) => id)).to.deep.equal(['CelCompile']);
    expect(found?.[0]?.message).to.match(
      /undeclared reference to 'isIP'.*\(Kubernetes 1\.29 to 1\.30\)$/s,
    );
    const { stderr, code } = await check([...asked, '--kubernetes', '1.28']);
    expect(code).to.equal(2);
    expect(stderr).to.match(/"1\.28" is no minor of Kubernetes whose judgement is known/);
    const newer = await check([...asked, '--kubernetes', 'v1.99.1', '-o', 'json']);
    expect(newer.code).to.not.equal(2);
    const warning = /Kubernetes 1\.99 is newer than any known here: judged as 1\.\d+ does/;
    expect(newer.stderr).to.match(warning);
    expect((JSON.parse(newer.stdout) as { warnings?: string[] }).warnings?.join()).to.match(
      warning,
    );
  });

  it('holds numbers to a new format for the minors that do, and so the objects that are there', async () => {
    const old = file('format-old.json', withSize({ type: 'integer' }));
    const next = file('format-new.json', withSize({ type: 'integer', format: 'int32' }));
    const widgets = [5, 2 ** 31].map((size) => ({
      ...{ apiVersion: 'example.com/v1', kind: 'Widget' },
      metadata: { name: `of-${size}`, namespace: 'shop' },
      spec: { size },
    }));
    const list = file('widgets.json', { apiVersion: 'v1', kind: 'List', items: widgets });
    const args = [old, next, '--objects', list];
    const [earlier, later] = [
      await check([...args, '--kubernetes', '1.30..1.35']),
      await check([...args, '--kubernetes', '1.30..1.36', '--fix', file('fixed.json', '')]),
    ];
    expect(earlier.code, earlier.stdout).to.equal(0);
    expect(earlier.stdout).to.include('2 fine');
    expect(later.code, later.stdout).to.equal(1);
    expect(later.stdout)
      .to.include('Kubernetes holds numbers to it from 1.36 on')
      .and.include('1 of 2 stored Widgets would be refused: shop/of-2147483648')
      .and.include('stored objects can still be updated');
    expect(readFileSync(join(folder, 'fixed.json'), 'utf8')).not.to.include('int32');
  });

  it('asks the newest minor without being told to, and warns of what older ones refuse', async () => {
    const schema = (rule: string): JsonObject => ({ type: 'string', 'x-kubernetes-validations': [{ rule }] }); // prettier-ignore
    const old = file('default/old.json', withSize({ type: 'string' }));
    const newer = file('default/newer.json', withSize(schema('isIP(self)')));
    const wrong = file('default/wrong.json', withSize(schema('self.no')));
    const ofServers = async (next: string) =>
      (await report([old, next, '--profile', 'proof'])).results[0]?.verdict.findings
        .filter(({ family }) => family === 'definition')
        .map(({ severity, rule }) => `${severity} ${rule}`);
    expect(await ofServers(newer)).to.deep.equal(['warning CelCompile']);
    expect(await ofServers(wrong)).to.deep.equal(['error CelCompile']);
    const told = await check([old, wrong]);
    expect(told.code).to.equal(1);
    expect(told.stdout).to.match(/wrong\.json:\d+:\d+ +error +CelCompile/);
    const cluster = await check([old, newer, '--kubernetes', 'cluster', '--state', stored]);
    expect(cluster).to.deep.include({ code: 2, stdout: '' });
    expect(cluster.stderr).to.match(/asks a live cluster for its version.*name a minor/);
  });

  it('adds the bound that a rule needs where no object has more, and says who would break', async () => {
    const rules = [{ rule: 'self.all(a, self.exists(b, a == b))' }];
    const list = { type: 'array', items: { type: 'integer' } };
    const numbers = (more: JsonObject): JsonObject => withSize({ type: 'object', properties: { ...more } }); // prettier-ignore
    const fixed = join(folder, 'bounded.json');
    const fresh = file('bounds/new.json', numbers({ ports: { ...list, 'x-kubernetes-validations': rules } })); // prettier-ignore
    const before = file('bounds/old.json', numbers({}));
    const { stdout, stderr } = await check([before, fresh, '--profile', 'proof', '--fix', fixed]);
    expect(stdout).to.match(
      /multiplied by \^\.spec\.size\.ports \(no maxItems\): add maxItems: \d+/,
    );
    expect(stdout).to.match(
      /fix: add maxItems: \d+ to \^\.spec\.size\.ports \(--fix FILE writes it\)/,
    );
    expect(stderr).to.match(/fix: \S+: add maxItems: \d+ to \^\.spec\.size\.ports\n/);
    expect(readFileSync(fixed, 'utf8')).to.match(/"maxItems": \d+/);
    expect((await check([before, fixed, '--profile', 'proof'])).code).to.equal(0);
    const had = file('bounds/had.json', numbers({ ports: list }));
    const kept = await check([
      had,
      fresh,
      '--profile',
      'proof',
      '--fix',
      join(folder, 'none.json'),
    ]);
    expect(kept.stderr).to.match(/not written: add maxItems: \d+ to \^\.spec\.size\.ports: objects at \^\.spec\.size\.ports would break: /); // prettier-ignore
  });

  it('says until when the old definition can be put back, and which objects have closed the way', async () => {
    const asked = [
      file('back/old.json', withSize({ type: 'integer', maximum: 5 })),
      file('back/new.json', withSize({ type: 'integer', maximum: 9 })),
    ];
    const sentence = 'possible until an object uses spec.size=6';
    const { stdout, code } = await check([...asked, '--profile', 'proof', '--rollback']);
    expect(code).to.equal(0);
    expect(stdout).to.include(`      ${sentence}\n      an object that shows it:\n`);
    expect(stdout).to.match(/\n +spec:\n +size: 6\n/);
    const plain = await check(asked);
    expect(plain.stdout).not.to.include('possible');
    const spec = asked.map((path) => JSON.parse(readFileSync(path, 'utf8')) as Definition)[0]?.spec;
    const objects = file('back/objects.json', {
      apiVersion: `${spec?.group}/${spec?.versions[0]?.name}`,
      kind: spec?.names.kind ?? '',
      metadata: { name: 'large', namespace: 'default' },
      spec: { size: 7 },
    });
    const { results } = await report([
      ...asked,
      '--rollback',
      '--objects',
      objects,
      '--profile',
      'proof',
    ]);
    const { rollback } = results[0]?.output as { rollback: Record<string, unknown> };
    expect(rollback).to.include({ effect: 'breaking', message: sentence });
    expect(rollback['storedObjects']).to.include({ checked: 1, refused: 1 });
    const told = results[0]?.verdict.findings.find(({ rule }) => rule === 'Rollback')?.message;
    expect(told).to.match(new RegExp(`^${sentence}; .*default/large`));
  });

  it('tells keys that kubectl reads as booleans, by their place, and none that are quoted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-crd-'));
    const text = readFileSync(example('field-removed'), 'utf8');
    const [before = '', ...after] = text.split(/(?<=\n)(?= *properties:\n)/).slice(-2);
    const indent = ' '.repeat((/^ */.exec(after.join(''))?.[0].length ?? 0) + 2);
    const withKeys = (...keys: readonly string[]): string => {
      const lines = keys.map((key) => `${indent}${key}: { type: string }\n`).join('');
      const file = join(folder, 'keys.yaml');
      const at = text.lastIndexOf(after.join('')) + after.join('').indexOf('\n') + 1;
      writeFileSync(file, `${text.slice(0, at)}${lines}${text.slice(at)}`);
      return file;
    };
    expect(before).not.to.equal('');
    const told = await check([withKeys('n', '"y"', "'on'", 'true'), join(folder, 'keys.yaml')]);
    const lines = told.stderr.split('\n').filter((each) => each.includes('YAML 1.1'));
    expect(lines).to.have.length(2);
    expect(lines[0]).to.match(
      /keys\.yaml:\d+:\d+: kubectl reads the key n as false \(YAML 1\.1\): write "n"$/,
    );
    rmSync(folder, { recursive: true });
  });

  it('shows the line, and an object that shows what the finding is worth', async () => {
    const { stdout } = await check([stored, example('minimum-raised')]);
    expect(stdout).to.match(/\n +> \d+ \| +minimum: 3\n/);
    expect(stdout).to.match(/proof: breaks objects: the minimum is tightened: 3; /);
    expect(stdout).to.match(/\n +spec:\n +replicas: 2\n/);
    expect(stdout.trimEnd().split('\n').at(-1)).to.match(
      /^CustomResourceDefinitions: 0 allowed, 1 denied/,
    );
    expect(stdout).not.to.include('\u001b');
  });

  it('tells scripts the effect of each finding, with a witness', async () => {
    const { results } = await report([stored, example('minimum-raised')]);
    const [finding] = results[0]?.verdict.findings ?? [];
    expect(finding).to.include({ rule: 'ChangeValidator', effect: 'breaking' });
    expect(finding).to.have.nested.property('witness.spec.replicas', 2);
  });

  it('judges by the proof alone', async () => {
    const safe = await check([stored, example('enum-value-added'), '--profile', 'proof']);
    expect(safe).to.include({ code: 0, stderr: '' });
    const { results } = await report([stored, example('field-removed'), '--profile', 'proof']);
    expect(results[0]?.verdict.findings[0]).to.include({ rule: 'Proof', effect: 'data-loss' });
    expect(results[0]?.output.message).to.include('"Proof" validation failed');
  });

  it('judges a stored definition with a type that is none', async () => {
    const named = (name: string, size: JsonObject): string =>
      file(name, JSON.stringify(withSize(size)));
    const old = named('odd/old.json', { type: 'strange' });
    const sizes: JsonObject[] = [{ type: 'string' }, { type: 'strange', maxLength: 3 }];
    for (const profile of ['olm-v1', 'crdify', 'olm-v1.10', 'proof']) {
      for (const size of sizes) {
        const { code, stderr } = await check([
          ...[old, named('odd/new.json', size), '--profile', profile],
        ]);
        expect(code, profile).to.be.oneOf([0, 1]);
        expect(stderr).to.equal('');
      }
    }
  });

  it('judges names of 30,000 dots and brackets', async () => {
    const texts = ['.', '[', '].['].map((text) => text.repeat(30_000 / text.length));
    const named = (name: string, field: JsonObject): string => {
      const properties = Object.fromEntries(texts.map((text) => [text, field]));
      return file(name, JSON.stringify(withSize({ type: 'object', properties })));
    };
    const [old, next] = [{ type: 'string' }, { type: 'string', maxLength: 1 }];
    for (const profile of ['olm-v1', 'crdify', 'olm-v1.10', 'proof']) {
      const { code, stderr } = await check([
        ...[named('dots/old.json', old), named('dots/new.json', next), '--profile', profile],
      ]);
      expect({ code, stderr }, profile).to.deep.equal({ code: 1, stderr: '' });
    }
  });

  it('shows each finding the way out of its own change, where several stand at one field', async () => {
    const raised = readFileSync(example('minimum-raised'), 'utf8');
    const required = raised.replace(
      /( +)properties:\n +pollInterval:/,
      '$1required: [replicas]\n$&',
    );
    const fresh = file('own/new.yaml', required);
    const { results } = await report([stored, fresh, '--profile', 'crdify']);
    const told = results[0]?.verdict.findings.map(({ rule, fix }) => [
      rule,
      (fix as { path: string }[] | undefined)?.[0]?.path.split('/').at(-1),
    ]);
    expect(told).to.have.deep.members([
      ['minimum', 'minimum'],
      ['required', 'required'],
    ]);
  });

  it('writes a definition that breaks no object, with its comments, and says so', async () => {
    const fixed = join(folder, 'fixed.yaml');
    const fresh = file(
      'fix/new.yaml',
      `# kept\n${readFileSync(example('minimum-raised'), 'utf8')}`,
    );
    const { stderr, stdout } = await check([stored, fresh, '--fix', fixed]);
    expect(stdout).to.include('fix: keep the old minimum of ^.spec.replicas');
    expect(stderr).to.match(/wrote \S+fixed\.yaml: 1 CustomResourceDefinition\n/);
    expect(readFileSync(fixed, 'utf8')).to.match(/^# kept\n/);
    expect((await check([stored, fixed, '--profile', 'proof'])).code).to.equal(0);
    const again = await check([stored, fresh, '--fix', fixed]);
    expect(again.stderr).to.match(/replaced what was in \S+fixed\.yaml/);
    const idle = await check([stored, fixed, '--fix', join(folder, 'idle.yaml')]);
    expect(idle.stderr).to.include('nothing to change').and.include('is not written');
  });

  it('says why it writes nothing where no schema ends what is denied', async () => {
    const policy = file('fix/policy.yaml', `${policyHead}modes: { display: deny }\n`);
    const plain = join(root, 'examples', 'definition.yaml');
    const named = readFileSync(plain, 'utf8').replace(
      '  scope:',
      '    shortNames: [smp]\n  scope:',
    );
    const args = [file('fix/named.yaml', named), plain, '--policy', policy];
    const { stderr, code } = await check([...args, '--fix', join(folder, 'none.yaml')]);
    expect(code).to.equal(1);
    expect(stderr).to.include('none ends ShortNameRemoved').and.include('none.yaml is not written');
  });

  it('writes one file per definition into a folder, and none outside of it', async () => {
    const target = join(folder, 'fixes');
    mkdirSync(target);
    const { stderr } = await check([stored, example('minimum-raised'), '--fix', target]);
    const fixed = join(target, 'samples.test.example.com.yaml');
    expect(stderr).to.include(`fix: wrote ${fixed}`);
    expect((await check([stored, fixed, '--profile', 'proof'])).code).to.equal(0);
    const named = (path: string): string =>
      readFileSync(path, 'utf8').replaceAll('samples.test.example.com', '../outside');
    const again = await check([stored, example('minimum-raised'), '--fix', target]);
    expect(again.stderr).to.include(`fix: replaced what was in ${fixed}`);
    const old = file(
      'named/old.yaml',
      named(join(stored, 'customresourcedefinition-samples.yaml')),
    );
    const fresh = file('named/new.yaml', named(example('minimum-raised')));
    const outside = await check([old, fresh, '--fix', target]);
    expect(outside.stderr).to.include('is not a valid file name');
    expect(outside.code).to.equal(2);
    expect(existsSync(join(folder, 'outside.yaml'))).to.equal(false);
  });

  it('never puts a second definition into a folder that has it', async () => {
    const text = readFileSync(example('minimum-raised'), 'utf8');
    const bases = dirname(file('layout/crd/bases/test_samples.yaml', text));
    const target = dirname(bases);
    const inPlace = await check([stored, bases, '--fix', target]);
    const own = join(bases, 'test_samples.yaml');
    expect(inPlace.stderr).to.include(`fix: replaced what was in ${own}`);
    expect(readdirSync(target)).to.deep.equal(['bases']);
    expect((await check([stored, target, '--profile', 'proof'])).code).to.equal(0);

    // A copy, as for the bundle, would say otherwise.
    const refused = await check([stored, example('minimum-raised'), '--fix', target]);
    expect(refused.stderr).to.include(`${own}: defines samples.test.example.com already`);
    expect(refused.code).to.equal(2);
    expect(readdirSync(target)).to.deep.equal(['bases']);
  });

  it('changes only the lines it must, also where a file holds other documents and Lists', async () => {
    const text = readFileSync(example('minimum-raised'), 'utf8').trimEnd();
    const items = text.replaceAll(/^(?=.)/gm, '    ').replace('   ', '  -');
    const whole = (definition: string): Record<string, string> => ({
      several: `# all\nkind: Other # kept\n---\n${definition}\n---\n{kind: Last}`,
      list: `kind: List\napiVersion: v1\nitems:\n${definition === text ? items : items.replace('minimum: 3', 'minimum: 1')}\n`,
      windows: `${definition}\n`.replaceAll('\n', '\r\n'),
    });
    for (const [name, before] of Object.entries(whole(text))) {
      const fresh = file(`whole/${name}/all.yaml`, before);
      const elsewhere = join(folder, `whole-${name}.yaml`);
      const expected = whole(text.replace('minimum: 3', 'minimum: 1'))[name];
      await check([stored, fresh, '--fix', elsewhere]);
      expect(readFileSync(elsewhere, 'utf8'), name).to.equal(expected);
      const { stderr } = await check([stored, fresh, '--fix', dirname(fresh)]);
      expect(stderr).to.include(`fix: replaced what was in ${fresh}`).and.not.include('anew');
      expect(readFileSync(fresh, 'utf8'), name).to.equal(expected);
      expect(readdirSync(dirname(fresh))).to.deep.equal(['all.yaml']);
    }
  });

  it('names what a fix is in the Go types that controller-gen made the definition of', async () => {
    const text = readFileSync(example('minimum-raised'), 'utf8');
    const marker = '+kubebuilder:validation:Minimum=1';
    const annotated = text.replace(
      'metadata:',
      'metadata:\n  annotations: { controller-gen.kubebuilder.io/version: v0.19.0 }',
    );
    const fresh = file('markers/new.yaml', annotated);
    const { stdout } = await check([stored, fresh]);
    expect(stdout).to.include(
      `fix: keep the old minimum of ^.spec.replicas (--fix FILE writes it)\n      in Go: ${marker}\n`,
    );
    const { results } = await report([stored, fresh]);
    const named = results.flatMap(({ verdict }) => verdict.findings.map(({ markers }) => markers));
    expect(named).to.deep.include([marker]);
    const sarif = await check([stored, fresh, '-o', 'sarif']);
    expect(sarif.stdout).to.include(`\\nin Go: ${marker}`);
    const byHand = await check([stored, example('minimum-raised')]);
    expect(byHand.stdout).to.include('keep the old minimum').and.not.include('in Go');
  });

  it('prints results and counts for scripts', async () => {
    const { results, counts } = await report([stored, example('field-removed')]);
    expect(results.map(({ name }) => name)).to.deep.equal(['samples.test.example.com']);
    expect(results[0]?.verdict.allowed).to.equal(false);
    expect(results[0]?.output.message).to.include('may not be removed');
    expect(counts).to.include({ allowed: 0, denied: 1, otherDocuments: 1 });
  });

  it('allows a definition that is only in NEW and warns about one that is only in OLD', async () => {
    const other = JSON.parse(
      JSON.stringify(definition()).replaceAll('widgets', 'gadgets'),
    ) as JsonObject;
    const old = file('pairs/old.json', definition());
    const both = file('pairs/new.json', definition());
    const added = await report([old, dirname(file('added/a.json', definition()))]);
    expect(added.counts).to.include({ added: 0, removed: 0 });
    file('more/a.json', definition());
    const more = dirname(file('more/b.json', other));
    expect((await report([old, more])).counts).to.include({ added: 1, allowed: 2, denied: 0 });
    const { results, counts } = await report([more, both]);
    expect(counts).to.include({ removed: 1, denied: 0 });
    const found = results.flatMap(({ verdict }) => verdict.findings);
    expect(found.map(({ rule, severity }) => `${severity} ${rule}`)).to.deep.equal([
      'warning DefinitionRemoved',
    ]);
    expect(found[0]?.message).to.match(/^gadgets\.example\.com is only in .*pairs|more/);
  });

  it('denies a definition that is gone where both sides are whole, unless it is exempt', async () => {
    const gadgets = JSON.parse(
      JSON.stringify(definition()).replaceAll('widgets', 'gadgets'),
    ) as JsonObject;
    const whole = (name: string, ...definitions: JsonObject[]): string => {
      definitions.forEach((each, index) => file(`${name}/${index}.json`, each));
      return join(folder, name);
    };
    const chart = (name: string): string => {
      file(`${name}/Chart.yaml`, { apiVersion: 'v2', name: 'widgets', version: '1.0.0' });
      return join(folder, name);
    };
    const both = [definition(), gadgets] as const;
    const [old, next] = [whole('whole/old', ...both), whole('whole/new', definition())];
    const oldChart = chart('whole/old-chart');
    whole('whole/old-chart/crds', ...both);
    const newChart = chart('whole/new-chart');
    whole('whole/new-chart/crds', definition());
    for (const [from, to, severity] of [
      [old, next, 'error'],
      [oldChart, newChart, 'error'],
      // Wholes of two kinds, and a part, may just not hold it.
      [old, newChart, 'warning'],
      [oldChart, next, 'warning'],
      [old, join(next, '0.json'), 'warning'],
    ] as const) {
      // A machine may have no program that renders charts, and says so.
      const { stdout } = await check([from, to, '-o', 'json']);
      const { results, counts } = JSON.parse(stdout) as Report;
      const gone = results.find(({ name }) => name.startsWith('gadgets'));
      expect(gone?.verdict.findings[0], `${from} ${to}`).to.include({ severity });
      expect(counts).to.include({ denied: severity === 'error' ? 1 : 0, removed: 1 });
    }
    const policy = file('whole/policy.json', {
      apiVersion: 'olm-guard.io/v1alpha1',
      kind: 'Policy',
      exemptions: [{ rules: ['DefinitionRemoved'], names: ['gadgets.*'], reason: 'moved' }],
    });
    const exempted = await report([old, next, '--policy', policy]);
    expect(exempted.counts).to.include({ denied: 0, removed: 1 });
  });

  it('reads standard input, passes over other kinds and counts them', async () => {
    const chart = `apiVersion: v1\nkind: Service\n---\n${readFileSync(example('required-added'), 'utf8')}`;
    const { counts } = await report([stored, '-'], { stdin: chart });
    expect(counts).to.include({ denied: 1, otherDocuments: 2 });
  });

  it('reads a commit of the repository one stands in', async () => {
    const repository = join(folder, 'repository');
    file('repository/crd.json', withSize({ type: 'integer' }));
    const git = (...args: string[]): void => {
      const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
      const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: repository });
      expect(status, String(stderr)).to.equal(0);
    };
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    file('repository/crd.json', withSize(undefined));
    const { code, stdout } = await check(['git:HEAD:crd.json', 'crd.json'], { cwd: repository });
    expect(stdout).to.include('NoExistingFieldRemoved');
    expect(code).to.equal(1);
    const sly = await check(['git:--upload-pack=x:crd.json', 'crd.json'], { cwd: repository });
    expect(sly.code).to.equal(2);
  });

  describe('of a cluster', () => {
    /** The example's cluster, with a field of the ClusterExtension that switches the check off. */
    function switchedOff(): string {
      const crd = readFileSync(join(stored, 'customresourcedefinition-samples.yaml'), 'utf8');
      const extension = readFileSync(join(stored, 'clusterextension-sample.yaml'), 'utf8');
      file('cluster/crd.yaml', crd);
      const off = `${extension}  preflight: { crdUpgradeSafety: { disabled: true } }\n`;
      return dirname(file('cluster/extension.yaml', off));
    }

    it('compares with the definition that the cluster has', async () => {
      const { code, stdout } = await check([
        ...['cluster:samples.test.example.com', example('field-removed'), '--state', stored],
      ]);
      expect(code).to.equal(1);
      expect(stdout).to.match(/field-removed\.yaml:28:\d+ +error +NoExistingFieldRemoved/);
    });

    it('honours what switches the check off on the ClusterExtension, as the webhook does', async () => {
      const { results } = await report([
        ...['cluster:samples.test.example.com', example('field-removed')],
        ...['--state', switchedOff()],
      ]);
      expect(results[0]?.verdict).to.include({ allowed: true });
      expect(results[0]?.verdict.bypassedBy).to.include('spec.preflight.crdUpgradeSafety.disabled');
      expect(results[0]?.verdict.warnings.join()).to.include('NoExistingFieldRemoved');
    });

    it('compares everything that is proposed when no name is given', async () => {
      const proposed = dirname(file('proposed/w.json', definition()));
      file('proposed/s.yaml', readFileSync(example('required-added'), 'utf8'));
      const { counts } = await report(['cluster:', proposed, '--state', stored]);
      expect(counts).to.include({ added: 1, denied: 1 });
      const only = file('only/w.json', definition());
      const { code, stdout, stderr } = await check(['cluster:', only, '--state', stored]);
      expect(stdout).to.include('1 added');
      expect(stderr).to.match(/nothing was compared: cluster: has no CustomResourceDefinition/);
      expect(code).to.equal(0);
    });
  });

  it('honours the ClusterExtension that stands beside the definition in OLD', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-old-'));
    const old = join(folder, 'old');
    cpSync('examples/cluster', old, { recursive: true });
    const owner = join(old, 'clusterextension-sample.yaml');
    const off = '\n  preflight: { crdUpgradeSafety: { disabled: true } }\n';
    const change = 'examples/upgrades/field-removed.yaml';
    try {
      expect((await runHere(['check', 'crd', old, change])).code).to.equal(1);
      writeFileSync(owner, `${readFileSync(owner, 'utf8').trimEnd()}${off}`);
      const { code, stdout } = await runHere(['check', 'crd', old, change]);
      expect(code, stdout).to.equal(0);
      expect(stdout).to.include('switched off by field spec.preflight.crdUpgradeSafety.disabled');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('does not count a switch-off that only NEW brings, and says so', async () => {
    const annotations = { 'olm-guard.io/disable': 'all' };
    const old = file('bringer/old.json', withSize({ type: 'integer' }));
    const fresh = file('bringer/new.json', withSize(undefined, { annotations }));
    const { results } = await report([old, fresh]);
    expect(results[0]?.verdict.allowed).to.equal(false);
    expect(results[0]?.verdict.warnings.join()).to.include('only this request brings it');
  });

  const beta = { ...definition(), apiVersion: 'apiextensions.k8s.io/v1beta1' };
  const deep = `{"a": ${'['.repeat(10_001)}`;
  const refusals: [name: string, args: () => string[], sentence: RegExp][] = [
    ['a missing file', () => ['/nowhere.yaml', stored], /\/nowhere\.yaml: .*no such file/],
    [
      'a folder without definitions',
      () => [stored, join(root, 'certs')],
      /certs.*no CustomResourceDefinition/,
    ],
    ['what is not JSON', () => [stored, file('bad.json', '{"a": ')], /bad\.json:1:\d+/],
    ['YAML with an error', () => [stored, file('bad.yaml', 'a: b\n  c: d\n')], /bad\.yaml:2/],
    ['v1beta1', () => [stored, file('beta.json', beta)], /v1beta1.*v1/],
    [
      'two definitions of one name',
      () => {
        file('two/a.json', definition());
        return [stored, dirname(file('two/b.json', withSize(undefined)))];
      },
      /widgets\.example\.com is here a second time/,
    ],
    [
      'other names',
      () => [stored, file('other.json', definition())],
      /widgets\.example\.com.*samples/,
    ],
    [
      'a schema with a list of properties',
      () => {
        const strange = withSize({ type: 'object', properties: [] });
        return [file('good.json', definition()), file('strange.json', strange)];
      },
      /strange\.json:1:1: in the field \^\.spec\.size, properties: must be an object/,
    ],
    ['a schema too deep', () => [stored, file('deep.json', deep)], /deep\.json/],
    [
      'a policy that is none',
      () => [stored, stored, '--policy', file('p.yaml', 'a: b')],
      /p\.yaml/,
    ],
    ['a profile that is none', () => [stored, stored, '--profile', 'olm'], /--profile/],
    ['a format that is none', () => [stored, stored, '-o', 'csv'], /--output/],
    ['standard input on both sides', () => ['-', '-'], /<stdin>: standard input was read already/],
    [
      'cluster: on the new side',
      () => [stored, 'cluster:a'],
      /can only be the old side .*; name a file that kubectl get -o yaml has written/,
    ],
    [
      'a definition that the cluster has not',
      () => ['cluster:no.example.com', stored, '--state', stored],
      /the cluster has no CustomResourceDefinition no\.example\.com/,
    ],
    [
      'a kubeconfig that is not there',
      () => ['cluster:a', stored, '--kubeconfig', '/nowhere'],
      /\/nowhere: there is no such file/,
    ],
    [
      'two clusters',
      () => ['cluster:a', stored, '--kubeconfig', '/nowhere', '--state', stored],
      /give one/,
    ],
  ];
  for (const [name, args, sentence] of refusals) {
    it(`exits with 2 and one sentence: ${name}`, async () => {
      const stdin = JSON.stringify(definition());
      const { code, stdout, stderr } = await check(args(), { stdin });
      expect(stderr).to.match(sentence);
      expect(stderr).not.to.match(/^ +at /m);
      expect(stdout).to.equal('');
      expect(code).to.equal(2);
    });
  }

  it('knows of release files which version a cluster with the old one has stored', async () => {
    const versions = (...names: string[]): object => {
      const given = definition() as { spec: { versions: object[] } };
      const [first] = given.spec.versions;
      const made = names.map((name, index) => ({ ...first, name, storage: index === 0 }));
      return { ...given, status: undefined, spec: { ...given.spec, versions: made } };
    };
    const old = file('unreleased/old.json', JSON.stringify(versions('v1alpha1', 'v1')));
    const next = file('unreleased/new.json', JSON.stringify(versions('v1')));
    const { code, stdout } = await check([old, next]);
    expect(code).to.equal(1);
    expect(stdout).to.include(
      'error  NoStoredVersionRemoved\n      stored version "v1alpha1" removed\n      fix: Stop serving the old version first',
    );
    expect(stdout).to.include('Kubernetes itself refuses this');
    expect(stdout).to.include('version "v1alpha1" is gone: its clients get 404');
  });

  it('places each finding of a definition with 100,000 fields', async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `field${index}`);
    const wide = { properties: Object.fromEntries(names.map((name) => [name, {}])) };
    const old = file('wide.json', withSize({ type: 'object', ...wide }));
    const { code, stdout } = await check([old, file('narrow.json', withSize({ type: 'object' }))]);
    expect(code).to.equal(1);
    expect(stdout).to.match(/narrow\.json:1:\d+ /);
    // Told apart by their proofs: not all of them are reached by the budget.
    expect(stdout).to.match(
      /proof: undecided: .*(the budget is used up: \d+ objects of this size were tried|the budget of \d+ objects is used up)\n/,
    );
    const told = stdout.match(/^ {2}v1 \^\.spec\.size\.field\d+$/gm) ?? [];
    const listed = stdout.match(/^ +v1 \^\.\S+ {2}line 1:\d+$/gm) ?? [];
    const counted = [...stdout.matchAll(/and the same at (\d+) more places/g)];
    const others = counted.reduce((sum, [, count]) => sum + Number(count), 0);
    const [, untold] = /and (\d+) more \(report limit reached\)/.exec(stdout) ?? [];
    expect(told.length + others + Number(untold)).to.equal(names.length);
    expect(stdout).not.to.include('breaks no object');
    expect(told.length).to.be.lessThan(10);
    // A person reads the first few of each kind.
    expect(listed).to.have.lengthOf.within(1, 10 * told.length);
  }).timeout(300_000);

  it('names the kind of harm for which it only warns, and explains it', async () => {
    const rule = { 'x-kubernetes-validations': [{ rule: 'self > 3 || self <= 3' }] };
    const old = file('plain.json', withSize({ type: 'integer' }));
    const next = file('ruled.json', withSize({ type: 'integer', ...rule }));
    const { code, stdout } = await check([old, next]);
    expect(stdout).to.include('not denied: AbsurdValue (olm-guard explain AbsurdValue)\n');
    expect(code).to.equal(0);
    const page = await runHere(['explain', 'AbsurdValue']);
    expect(page.stdout).to.include('modes: { AbsurdValue: deny } in the policy denies it');
  });

  it('explains the words beneath a finding', async () => {
    for (const word of ['stored', 'stuck', 'ratcheting', 'proof']) {
      const { code, stdout } = await runHere(['explain', word]);
      expect(code, word).to.equal(0);
      expect(stdout).to.match(new RegExp(`^${word}\n  \\S`));
    }
  });

  it('shows the object of a finding as explain RULE@PATH shows it', async () => {
    const path = '^.spec.replicas';
    const { stdout } = await runHere([
      'explain',
      `MinimumRaised@${path}`,
      stored,
      example('minimum-raised'),
    ]);
    const object = [
      ...['apiVersion: test.example.com/v1alpha1', 'kind: Sample', 'metadata:'],
      ...['  name: example', '  namespace: default', 'spec:', '  replicas: 2'],
    ];
    const indented = (by: number): string =>
      object.map((line) => `${' '.repeat(by)}${line}\n`).join('');
    expect(stdout)
      .to.include(`\n  an object that shows it:\n${indented(4)}`)
      .and.not.include('{"');
    const checked = await check([stored, example('minimum-raised')]);
    expect(checked.stdout).to.include(`an object that shows it:\n${indented(8)}`);
  });

  it('lets exit code 2 win over 1', async () => {
    const bad = dirname(file('mixed/a.yaml', readFileSync(example('field-removed'), 'utf8')));
    file('mixed/b.yaml', 'a: [');
    expect((await check([stored, bad])).code).to.equal(2);
  });
});
