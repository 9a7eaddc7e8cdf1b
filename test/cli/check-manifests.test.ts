/** `check objects` as a person or a CI job runs it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run, runHere } from './command.js';
import { programs } from './repository.js';

const samples = join('examples', 'objects');
const installed = join('examples', 'cluster');
const upgrade = join('examples', 'upgrades', 'field-removed.yaml');

interface Report {
  readonly results: readonly {
    readonly name: string;
    readonly rendering?: string;
    readonly verdict: {
      readonly allowed: boolean;
      readonly findings: readonly {
        rule: string;
        id: string;
        severity: string;
        path?: string;
        message: string;
        fix?: object;
      }[];
    };
    readonly places: readonly { file?: string; line?: number; column?: number }[];
  }[];
  readonly unchecked?: readonly string[];
  readonly skipped?: readonly object[];
  readonly counts: Readonly<Record<string, number>>;
}

async function report(...args: string[]): Promise<Report & { code: number | null }> {
  const { stdout, stderr, code } = await runHere(['check', 'objects', ...args, '-o', 'json']);
  expect(stdout, stderr).to.match(/^\{/);
  return { ...(JSON.parse(stdout) as Report), code };
}

const told = ({ results }: Report): string[] =>
  results.flatMap(({ name, verdict, places }) =>
    verdict.findings.map(
      ({ severity, rule, id }, index) =>
        `${name}: ${severity} ${rule} ${id} at ${places[index]?.line}:${places[index]?.column}`,
    ),
  );

describe('check objects', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-objects-'));
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('names what is refused and what is dropped at its line', async () => {
    const answer = await report(samples, '--crds', installed);
    expect(answer.code).to.equal(1);
    expect(told(answer)).to.deep.equal([
      'Sample hourly: error ObjectRefused refused at 16:3',
      'Sample hourly: warning UnknownField unknown at 17:3',
    ]);
    expect(answer.counts).to.deep.equal({ allowed: 1, denied: 1, skipped: 1 });
  });

  it('does not choose between two definitions of one name, unless one is named', async () => {
    const strict = readFileSync(join(installed, 'customresourcedefinition-samples.yaml'), 'utf8');
    write('two/a.yaml', strict.replace('minimum: 1', 'minimum: 0'));
    const named = write('two/b.yaml', strict);
    write('two/object.yaml', readFileSync(join(samples, 'samples.yaml'), 'utf8'));
    const two = join(folder, 'two');
    const answer = await report(two);
    expect(answer.unchecked?.join()).to.include('a second time, with another spec');
    const judged = await report(two, '--crds', named);
    rmSync(two, { recursive: true });
    expect([judged.code, judged.unchecked]).to.deep.equal([1, undefined]);
  });

  it('tells what an upgrade changes from what was wrong before', async () => {
    const answer = await report(samples, '--crds', upgrade, '--against', installed);
    expect(told(answer)).to.deep.equal([
      'Sample nightly: error UnknownField lost at 9:3',
      'Sample hourly: warning ObjectRefused refusedBefore at 16:3',
      'Sample hourly: warning UnknownField unknown at 17:3',
    ]);
    expect(answer.code).to.equal(1);
  });

  it('says that there is nothing to compare with', async () => {
    const nothing = write('nothing/settings.yaml', 'apiVersion: v1\nkind: ConfigMap\n');
    const compared = ['check', 'objects', samples, '--crds', upgrade, '--against'];
    expect((await runHere([...compared, nothing])).stderr).to.equal(
      `olm-guard: --against ${nothing} has no CustomResourceDefinition: nothing is compared with it\n`,
    );
    expect((await runHere([...compared, installed])).stderr).to.equal('');
  });

  it('finds definitions beside the objects, and ends with 2 without any', async () => {
    const beside = await report(samples, installed);
    expect(beside.code).to.equal(1);
    const { code, stderr } = await runHere(['check', 'objects', samples]);
    expect(code).to.equal(2);
    expect(stderr).to.include('no CustomResourceDefinition is in').and.include('--crds');
    const rubbish = write('unread/rubbish.yaml', 'kind: [\n');
    const [unread, empty] = await Promise.all([
      runHere(['check', 'objects', rubbish]),
      runHere(['check', 'objects', samples, '--crds', '']),
    ]);
    expect(unread.stderr)
      .to.match(/rubbish\.yaml:\d.* is not YAML/)
      .and.not.include('--crds');
    expect(empty.stderr).to.include('an empty name is given');
    const among = await runHere(['check', 'objects', samples, '--crds', join(rubbish, '..')]);
    expect(among.stderr).to.match(/--crds NEW; unchecked: .*rubbish\.yaml:\d.* is not YAML/);
    rmSync(join(rubbish, '..'), { recursive: true });
    const cluster = await runHere(['check', 'objects', samples, '--crds', 'cluster:']);
    expect(cluster.code).to.equal(2);
    expect(cluster.stderr).to.match(/cluster: can only be the old side .*; name a file/);
  });

  it('goes on past a file that cannot be read, and counts it', async () => {
    write('broken.yaml', 'kind: Sample\n  spec: [\n');
    write(
      'fine.yaml',
      'apiVersion: test.example.com/v1alpha1\nkind: Sample\nmetadata: { name: fine }\nspec: { mode: fast }\n',
    );
    const answer = await report(folder, '--crds', installed);
    expect(answer.code).to.equal(2);
    expect(answer.counts['allowed']).to.equal(1);
    expect(answer.unchecked).to.have.lengthOf(1);
    expect(answer.unchecked?.[0]).to.match(
      /broken\.yaml:2:\d+: .*nothing from there on in this file was judged/,
    );
  });

  it('lets what was not judged pass where somebody says so, and nothing else', async () => {
    write('part/broken.yaml', 'kind: Sample\n  spec: [\n');
    write(
      'part/fine.yaml',
      'apiVersion: test.example.com/v1alpha1\nkind: Sample\nmetadata: { name: fine }\n',
    );
    const part = join(folder, 'part');
    const judged = await report(part, '--crds', installed, '--unchecked', 'warn');
    rmSync(join(part, 'fine.yaml'));
    const nothing = await report(part, '--crds', installed, '--unchecked', 'warn');
    rmSync(part, { recursive: true });
    expect([judged.code, judged.unchecked?.length]).to.deep.equal([0, 1]);
    expect(nothing.code).to.equal(2);
  });

  it('judges the others where a definition is none that a server takes', async () => {
    const text = readFileSync(join(installed, 'customresourcedefinition-samples.yaml'), 'utf8');
    const sound = write('unsound/crd.yaml', text);
    const others = text.replaceAll('samples', 'others').replace('kind: Sample', 'kind: Other');
    const unsound = write('unsound/other.yaml', others.replace('minimum: 1', 'minimum: one'));
    const object = (kind: string): string =>
      `apiVersion: test.example.com/v1alpha1\nkind: ${kind}\nmetadata: { name: a }\nspec: { mode: fast }\n`;
    const objects = write(
      'objects.yaml',
      `${object('Other')}---\n${object('Other')}---\n${object('Sample')}`,
    );
    const answer = await report(objects, '--crds', sound, '--crds', unsound);
    expect(answer.counts).to.deep.equal({ allowed: 1, denied: 0, skipped: 2 });
    expect(answer.code).to.equal(2);
    expect(answer.unchecked).to.have.length(1);
    expect(answer.unchecked?.[0]).to.match(/other\.yaml:.*; nothing was judged by it$/);
  });

  it('looks for definitions before it renders', async () => {
    const top = join(folder, 'large');
    write('large/kustomization.yaml', 'resources: [gone.yaml]\n');
    write('large/.git/HEAD', '');
    const { code, stderr } = await runHere(['check', 'objects', top]);
    rmSync(top, { recursive: true });
    expect(code).to.equal(2);
    expect(stderr).to.include('no CustomResourceDefinition is in');
  });

  it('takes definitions of Go types, as check crd does', async () => {
    const { code, stderr } = await runHere(['check', 'objects', samples, '--crds', 'go:examples']);
    expect(code).to.equal(2);
    expect(stderr).to.include('go:examples: is in no Go module');
  });

  it('takes an object that the server is to name', async () => {
    const file = write(
      'generated/objects.yaml',
      'apiVersion: test.example.com/v1alpha1\nkind: Sample\nmetadata: { generateName: nightly- }\n',
    );
    const answer = await report(file, '--crds', installed);
    expect(answer.code).to.equal(0);
    expect(answer.results.map(({ name }) => name)).to.deep.equal(['Sample nightly-…']);
  });

  it('takes items of a list without kinds as those of its kind, as kubectl does', async () => {
    const kind = 'apiVersion: test.example.com/v1alpha1\nkind: SampleList\n';
    const items = 'items: [{metadata: {name: a}, spec: {replicas: x}}]\n';
    const answer = await report(write('list.yaml', kind + items), '--crds', installed);
    expect(answer.results.map(({ name }) => name)).to.deep.equal(['Sample a']);
    expect(told(answer)).to.deep.equal(['Sample a: error ObjectRefused refused at 3:38']);
    expect(answer.code).to.equal(1);
  });

  it('says that an object is not judged whose kind only a variable gives', async () => {
    for (const [name, head] of Object.entries({
      kind: 'apiVersion: test.example.com/v1alpha1\nkind: ${a:=Sample}\n',
      apiVersion: 'apiVersion: ${a}/v1alpha1\nkind: Sample\n',
    })) {
      const file = write(`kinds/${name}.yaml`, `${head}metadata: {name: a}\n`);
      const answer = await report(file, '--crds', installed);
      expect([answer.code, answer.unchecked]).to.deep.equal([
        2,
        [`${file}:1: not judged: its ${name} holds a variable whose value is not known here`],
      ]);
    }
  });

  it('counts kustomizations further down that change objects as not judged', async () => {
    const object = (name: string): string =>
      `apiVersion: test.example.com/v1alpha1\nkind: Sample\nmetadata: { name: ${name} }\n`;
    write('tree/base/kustomization.yaml', 'resources: [objects.yaml]\n');
    write('tree/base/objects.yaml', object('base'));
    const plain = await report(join(folder, 'tree'), '--crds', installed);
    expect([plain.code, plain.unchecked]).to.deep.equal([0, undefined]);
    write('tree/overlays/dev/kustomization.yaml', 'resources: [../../base]\nnamespace: dev\n');
    const listed = await report(join(folder, 'tree'), '--crds', installed);
    expect([listed.code, listed.unchecked]).to.deep.equal([0, undefined]);
    write(
      'tree/overlays/dev/kustomization.yaml',
      'resources: [../../base]\npatches:\n  - target: { kind: Sample }\n    patch: "[]"\n',
    );
    const patched = await report(join(folder, 'tree'), '--crds', installed);
    expect(patched.code).to.equal(2);
    expect(patched.unchecked?.join()).to.include(join(folder, 'tree', 'overlays', 'dev'));
    const outside = await report(join(folder, 'tree', 'overlays'), '--crds', installed);
    expect(outside.code).to.equal(2);
  });

  it('lets no chart or kustomization that is put beside objects hide them', async () => {
    const wrong = 'apiVersion: test.example.com/v1alpha1\nkind: Sample\nmetadata: { name: a }\nspec: { replicas: x }\n'; // prettier-ignore
    const right = wrong.replace('name: a', 'name: right').replace('replicas: x', 'replicas: 3');
    write('beside/.git/HEAD', '');
    write('beside/chart/a.yaml', wrong);
    write('beside/chart/values.yaml', 'kind: b\n');
    write('beside/chart/Chart.yaml', 'apiVersion: v2\nname: c\nversion: 1.0.0\n');
    write('beside/chart/templates/right.yaml', right);
    write('beside/named/kustomization.yaml', 'resources: [right.yaml]\n');
    write('beside/named/right.yaml', right);
    write('beside/named/in/a.yaml', wrong);
    const shown = (file: string): string => `#!/bin/sh\necho "---\n# Source: c/templates/right.yaml"\ncat ${file}\n`; // prettier-ignore
    const right1 = join(folder, 'beside', 'named', 'right.yaml');
    const bin = programs({ helm: shown(right1), kubectl: shown(right1) });
    const env = { PATH: `${bin}:/bin:/usr/bin` };
    const check = (path: string): ReturnType<typeof run> =>
      run(['check', 'objects', join(folder, 'beside', path), '--crds', installed], { env });
    const within = await check('');
    expect(within.code).to.equal(1);
    expect(within.stdout).to.match(/chart\/a\.yaml:4:\d+ +error +ObjectRefused/);
    for (const [path, file] of [
      ['chart', 'a.yaml'],
      ['named', 'in/a.yaml'],
    ] as const) {
      // prettier-ignore
      const named = await check(path);
      expect(named.code, path + named.stdout + named.stderr).to.equal(0);
      expect(named.stderr, path).to.equal(
        `olm-guard: skipped: ${join(folder, 'beside', path, file)} (no part of the kustomization or chart beside it)\n`,
      );
    }
    rmSync(bin, { recursive: true });
  });

  it('does not pass where no object was judged', async () => {
    const answer = await report(installed, '--crds', installed);
    expect(answer.code).to.equal(2);
    expect(answer.unchecked?.join()).to.include(`no object in ${installed} has`);
  });

  it('goes on past a source that cannot be rendered, where others are named beside it', async () => {
    write('unrendered/kustomization.yaml', 'resources: [missing.yaml]\n');
    const answer = await report(join(folder, 'unrendered'), samples, '--crds', installed);
    expect(answer.code).to.equal(1);
    expect(told(answer)).to.include('Sample hourly: error ObjectRefused refused at 16:3');
    expect(answer.counts['skipped']).to.equal(1);
  });

  it('knows versions that are not served and those that are deprecated', async () => {
    const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, plural: widgets, singular: widget, listKind: WidgetList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object } }
    - name: v1beta1
      served: true
      storage: false
      deprecated: true
      deprecationWarning: use v1
      schema: { openAPIV3Schema: { type: object } }
    - name: v1alpha1
      served: false
      storage: false
      schema: { openAPIV3Schema: { type: object } }
`;
    const crds = write('versions/crd.yaml', definition);
    const objects = write(
      'versions/objects.yaml',
      ['v1', 'v1beta1', 'v1alpha1', 'v2']
        .map(
          (version) =>
            `{ apiVersion: example.com/${version}, kind: Widget, metadata: { name: w-${version} } }`,
        )
        .join('\n---\n'),
    );
    const answer = await report(objects, '--crds', crds);
    expect(told(answer)).to.deep.equal([
      'Widget w-v1beta1: warning VersionDeprecated deprecated at 3:3',
      'Widget w-v1alpha1: error VersionNotServed notServed at 5:3',
      'Widget w-v2: error VersionNotServed notServed at 7:3',
    ]);
    const before = await report(objects, '--crds', crds, '--against', crds);
    expect(told(before).slice(1)).to.deep.equal([
      'Widget w-v1alpha1: warning VersionNotServed notServedBefore at 5:3',
      'Widget w-v2: warning VersionNotServed notServedBefore at 7:3',
    ]);
  });

  it('judges by the minors that --kubernetes or the policy names', async () => {
    const crd = write(
      'int32/crd.yaml',
      `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, plural: widgets, singular: widget, listKind: WidgetList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: { type: object, properties: { size: { type: integer, format: int32 } } }
`,
    );
    const object = write(
      'int32/widget.yaml',
      '{ apiVersion: example.com/v1, kind: Widget, metadata: { name: big }, size: 3000000000 }\n',
    );
    const verdict = async (...args: string[]): Promise<string[]> =>
      (await report(object, '--crds', crd, ...args)).results.flatMap(({ verdict: { findings } }) =>
        findings.map(({ severity, message }) => `${severity} ${message}`),
      );
    expect(told(await report(object, '--crds', crd))).to.deep.equal([
      'Widget big: error ObjectRefused refused at 1:70',
    ]);
    const [byDefault] = await verdict();
    expect(byDefault).to.match(/^error .*int32 in size \(Kubernetes 1\.36 and later\)$/);
    expect(await verdict('--kubernetes', '1.30..1.35')).to.deep.equal([]);
    const policy = write(
      'int32-policy.yaml',
      'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nkubernetes: "1.35"\n',
    );
    expect(await verdict('--policy', policy)).to.deep.equal([]);
    expect(await verdict('--policy', policy, '--kubernetes', '1.35+')).to.deep.equal([byDefault]);
    const { code, stderr } = await runHere([
      'check',
      'objects',
      object,
      '--crds',
      crd,
      '--kubernetes',
      '1.2',
    ]);
    expect(code).to.equal(2);
    expect(stderr).to.include('"1.2" is no minor of Kubernetes');
  });

  describe('with changes that end findings', () => {
    const one = `# Ours.
apiVersion: test.example.com/v1alpha1
kind: Sample
metadata: { name: one }
spec:
  # how many
  replica: 2 # two
  mode: Fast
---
apiVersion: v1
kind: List
items:
  - apiVersion: test.example.com/v1alpha1
    kind: Sample
    metadata: { name: two }
    spec: { replicas: "2", pollInterval: 5 } # s
`;
    const mended = one
      .replace('replica:', 'replicas:')
      .replace('Fast', 'fast')
      .replace('"2"', '2')
      .replace('5 }', "'5' }");
    const other =
      '{"apiVersion":"test.example.com/v1alpha1","kind":"Sample","metadata":{"name":"three"},"spec":{"replica":1}}';
    let top: string;
    beforeEach(() => {
      write('fix/one.yaml', one);
      write('fix/more/other.json', other);
      top = join(folder, 'fix');
    });
    afterEach(() => rmSync(top, { recursive: true }));
    const fixed = (...args: string[]): ReturnType<typeof runHere> =>
      runHere(['check', 'objects', top, '--crds', installed, ...args]);

    it('gives each finding a patch of its object', async () => {
      const { results } = await report(top, '--crds', installed);
      const fixes = results.flatMap(({ verdict }) => verdict.findings.map(({ fix }) => fix));
      expect(fixes).to.deep.include([
        { op: 'move', from: '/spec/replica', path: '/spec/replicas' },
      ]);
      expect(fixes).to.deep.include([{ op: 'replace', path: '/spec/replicas', value: 2 }]);
      expect(fixes).to.not.include(undefined);
    });

    it('writes each file in place, with its comments and order', async () => {
      const { stderr } = await fixed('--fix', top);
      expect(stderr)
        .to.include('fix: Sample one: rename "replica" to "replicas"')
        .and.include(`fix: replaced what was in ${join(top, 'one.yaml')}`);
      expect(readFileSync(join(top, 'one.yaml'), 'utf8')).to.equal(mended);
      expect(readFileSync(join(top, 'more/other.json'), 'utf8')).to.equal(
        other.replace('replica', 'replicas'),
      );
      const after = await report(top, '--crds', installed);
      expect([after.code, told(after)]).to.deep.equal([0, []]);
    });

    it('writes all files that change into one', async () => {
      const target = join(folder, 'all.yaml');
      const { stderr } = await fixed('--fix', target);
      expect(stderr).to.include(`fix: wrote ${target}: 2 files`);
      expect(readFileSync(join(top, 'one.yaml'), 'utf8')).to.equal(one);
      const after = await report(target, '--crds', installed);
      expect([told(after), after.counts['allowed']]).to.deep.equal([[], 3]);
      rmSync(target);
    });

    it('writes nothing into a folder that does not hold the files', async () => {
      const { code, stderr } = await fixed('--fix', join(top, 'more'));
      expect(code).to.equal(2);
      expect(stderr).to.match(/one\.yaml: is not in .*: name a folder that holds it/);
      expect(readFileSync(join(top, 'more/other.json'), 'utf8')).to.equal(other);
    });

    it('writes over no file that was judged and holds something else', async () => {
      const target = join(top, 'one.yaml');
      const { code, stderr } = await fixed('--fix', target);
      expect(code).to.equal(2);
      expect(stderr).to.include('is one of the files that were judged: name their folder');
      expect(readFileSync(target, 'utf8')).to.equal(one);
      await runHere(['check', 'objects', target, '--crds', installed, '--fix', target]);
      expect(readFileSync(target, 'utf8')).to.equal(mended);
    });

    it('writes nothing that a linked folder has elsewhere', async () => {
      const inner = join(top, 'inner');
      mkdirSync(inner);
      symlinkSync(join(top, 'more'), join(inner, 'link'));
      const named = ['check', 'objects', join(inner, 'link/other.json'), '--crds', installed];
      const { code, stderr } = await runHere([...named, '--fix', inner]);
      expect(code).to.equal(2);
      expect(stderr).to.include(`is not in ${inner}`);
      expect(readFileSync(join(top, 'more/other.json'), 'utf8')).to.equal(other);
    });

    it('changes nothing that is written within another text, or that a variable gives', async () => {
      write('fix/.git/HEAD', '');
      const csv = {
        ...{ apiVersion: 'operators.coreos.com/v1alpha1', kind: 'ClusterServiceVersion' },
        metadata: { name: 'a', annotations: { 'alm-examples': `[${other}]` } },
      };
      write('fix/one.yaml', JSON.stringify(csv));
      write('fix/more/other.json', '');
      write('fix/set/size.yaml', other.replace('"replica":1', '"mode":"${MODE}"'));
      const spec = { path: 'set', sourceRef: { kind: 'GitRepository', name: 'here' } };
      const postBuild = { substitute: { MODE: 'Fast' } };
      const kustomization = {
        ...{ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' },
        ...{ metadata: { name: 'set' }, spec: { ...spec, postBuild } },
      };
      write('fix/flux.yaml', JSON.stringify(kustomization));
      const { results } = await report(top, '--crds', installed);
      const findings = results.flatMap(({ verdict }) => verdict.findings);
      expect(findings.map(({ rule }) => rule)).to.have.members(['UnknownField', 'ObjectRefused']);
      expect(findings.map(({ fix }) => fix)).to.deep.equal([undefined, undefined]);
    });
  });

  it('reports once what several renderings make of one source, and in JSON each of them', async () => {
    write('applied/.git/HEAD', '');
    write('applied/web/samples.yaml', readFileSync(join(samples, 'samples.yaml'), 'utf8'));
    const applications = ['one', 'two', 'three', 'four'].map((namespace) => ({
      ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: namespace } },
      spec: { destination: { namespace }, source: { repoURL: 'https://x/y', path: 'web' } },
    }));
    write('applied/apps.yaml', applications.map((each) => JSON.stringify(each)).join('\n---\n'));
    const applied = join(folder, 'applied');
    const command = ['check', 'objects', applied, '--crds', installed];
    const json = await report(applied, '--crds', installed);
    const text = await runHere([...command, '--summary']);
    const annotations = await runHere([...command, '-o', 'github']);
    rmSync(applied, { recursive: true });
    expect([text.code, json.code]).to.deep.equal([1, 1]);
    expect(json.counts).to.deep.equal({ allowed: 4, denied: 4, skipped: 8 });
    const refused = json.results.filter(({ verdict }) => !verdict.allowed);
    expect(refused.map(({ rendering = '' }) => rendering.replace(/ \(.*/, ''))).to.deep.equal(
      ['one', 'two', 'three', 'four'].map((name) => `Application ${name}`),
    );
    expect(new Set(refused.map(({ places }) => JSON.stringify(places))).size).to.equal(1);
    expect(text.stdout.match(/ObjectRefused/g)).to.have.lengthOf(1);
    expect(text.stdout).to.match(
      /in 4 renderings: Application one \(\S+\), Application two \(\S+\), Application three \(\S+\) and 1 more\n/,
    );
    expect(text.stdout.split('\n').slice(-3)).to.deep.equal([
      'Skipped, without a definition: 4 Application (argoproj.io/v1alpha1), 4 ConfigMap (v1)',
      'Summary: 16 resources found in 2 files - Valid: 4, Invalid: 4, Errors: 0, Skipped: 8',
      '',
    ]);
    expect(annotations.stdout.match(/^::error /gm)).to.have.lengthOf(1);
  });

  it('says nothing of a value whose variable only the cluster knows', async () => {
    const substituteFrom = [
      { kind: 'ConfigMap', name: 'sizes' },
      { kind: 'Secret', name: 'secrets' },
    ];
    const kustomization = {
      ...{ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' },
      metadata: { name: 'web', namespace: 'flux-system' },
      spec: {
        ...{ path: 'web', postBuild: { substituteFrom } },
        sourceRef: { kind: 'GitRepository', name: 'here' },
      },
    };
    const sample = (name: string, spec: string): string =>
      `{ apiVersion: test.example.com/v1alpha1, kind: Sample, metadata: { name: ${name} }, spec: ${spec} }`;
    write('cluster/.git/HEAD', '');
    write('cluster/flux.yaml', JSON.stringify(kustomization));
    write(
      'cluster/sizes.yaml',
      JSON.stringify({
        kind: 'ConfigMap',
        metadata: { name: 'sizes' },
        data: { two: '2', no: 'x' },
      }),
    );
    write(
      'cluster/web/samples.yaml',
      [
        sample('known', '{ replicas: ${two} }'),
        sample('unknown', '{ replicas: "${secret}" }'),
        sample('wrong', '{ replicas: "${no}", mode: "${secret}" }'),
      ].join('\n---\n'),
    );
    const cluster = join(folder, 'cluster');
    const answer = await report(cluster, '--crds', installed);
    rmSync(cluster, { recursive: true });
    expect(told(answer)).to.deep.equal([
      'Sample flux-system/wrong: error ObjectRefused refused at 5:91',
    ]);
    expect(answer.unchecked).to.have.lengthOf(3);
    expect(answer.unchecked?.[0]).to.match(/\(Secret secrets\), .*: secret$/);
    expect(answer.unchecked?.[1]).to.match(
      /Sample flux-system\/unknown spec\.replicas: not judged:/,
    );
    expect(answer.unchecked?.[2]).to.match(/Sample flux-system\/wrong spec\.mode: not judged:/);
  });

  it('names the kinds that were skipped', async () => {
    write('kinds.yaml', `${'{ apiVersion: apps/v1, kind: Deployment }\n---\n'.repeat(2)}`);
    const answer = await report(samples, join(folder, 'kinds.yaml'), '--crds', installed);
    rmSync(join(folder, 'kinds.yaml'));
    expect(answer.skipped).to.deep.equal([
      { apiVersion: 'apps/v1', kind: 'Deployment', count: 2 },
      { apiVersion: 'v1', kind: 'ConfigMap', count: 1 },
    ]);
  });

  it('exempts and switches modes as a policy says', async () => {
    const policy = write(
      'policy.yaml',
      'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nmodes: { ObjectRefused: warn }\n',
    );
    const answer = await report(samples, '--crds', installed, '--policy', policy);
    expect(answer.code).to.equal(0);
    expect(told(answer)).to.include('Sample hourly: warning ObjectRefused refused at 16:3');
  });

  it('prints findings where CI shows them', async () => {
    const { stdout } = await runHere([
      'check',
      'objects',
      samples,
      '--crds',
      installed,
      '-o',
      'github',
    ]);
    expect(stdout).to.match(
      /^::error file=examples\/objects\/samples.yaml,line=16,col=3,title=ObjectRefused::/,
    );
  });
});
