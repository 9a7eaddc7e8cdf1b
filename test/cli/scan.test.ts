/** `scan` and `check operatorgroup` as a person runs them. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { queueCatalogText } from '../../src/olm/rules/objects/testing/queue-catalog.js';
import { until } from '../apiserver/processes.js';
import { root, run, start } from './command.js';

const state = join('test', 'cli', 'testdata', 'olm');
const group = (targets: string[], namespace = 'new'): string =>
  JSON.stringify({
    apiVersion: 'operators.coreos.com/v1',
    kind: 'OperatorGroup',
    metadata: { name: 'second', namespace },
    spec: { targetNamespaces: targets },
  });

describe('scan', () => {
  it('prints a table, the worst first, and exits 1 on errors', async () => {
    const { code, stdout } = await run(['scan', '--state', state]);
    expect(code).to.equal(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).to.match(/^SEVERITY +RULE +OBJECT +MESSAGE$/);
    expect(lines.slice(1, lines.indexOf('')).map((line) => line.split(' ')[0])).to.deep.equal([
      'error',
      'error',
      'error',
      'error',
      'warning',
      'warning',
      'info',
      'info',
    ]);
    expect(lines.at(-2)).to.match(/^First: \S+ \S+: [A-Z].*\.$/);
    expect(lines.at(-1)).to.equal('4 objects, 4 errors, 2 warnings, 2 notes, 0 unchecked');
  });

  it('begins with what much else follows from, and counts by namespace where there are several', async () => {
    const { stdout } = await run(['scan', '--state', join('examples', 'olm')]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[1]).to.match(/^error +CatalogUnhealthy +CatalogSource olm\/staging /);
    expect(lines.slice(lines.indexOf('') + 1)).to.deep.equal([
      'NAMESPACE  ERRORS  WARNINGS  NOTES',
      'olm        1       0         0',
      'billing    0       2         0',
      '',
      'First: CatalogSource olm/staging: Repair it, or delete it.',
      '5 objects, 1 error, 2 warnings, 0 notes, 0 unchecked',
    ]);
    const page = readFileSync(join(root, 'docs', 'commands.md'), 'utf8');
    expect(page, 'as docs/commands.md shows it').to.include(stdout);
  });

  it('shows the first of many alike, and how many more there are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-scan-alike-'));
    const groups = Array.from({ length: 40 }, (_, index) => group([], `ns${index}`));
    writeFileSync(join(folder, 'groups.yaml'), groups.join('\n---\n'));
    const { stdout } = await run(['scan', '--state', folder]);
    rmSync(folder, { recursive: true });
    expect(stdout.split('\n').length).to.be.below(60);
    expect(stdout).to.match(/^warning +OperatorGroupNameTaken +30 more +-o json has them all$/m);
    expect(stdout).to.include('and 20 more namespaces: -o json has them all');
    expect(stdout).to.match(/^40 objects, /m);
  });

  describe('of a cluster that cannot be reached', () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-scan-'));
    const kubeconfig = join(folder, 'kubeconfig');
    before(() => {
      const cluster = { name: 'c', cluster: { server: 'https://127.0.0.1:1' } };
      const context = { name: 'c', context: { cluster: 'c', user: 'u' } };
      const user = { name: 'u', user: { token: 'x' } };
      const config = { clusters: [cluster], contexts: [context], users: [user] };
      writeFileSync(kubeconfig, JSON.stringify({ ...config, 'current-context': 'c' }));
    });
    after(() => rmSync(folder, { recursive: true }));

    const says: [format: string, pattern: RegExp][] = [
      [
        'text',
        /^unchecked: 127\.0\.0\.1:1 does not answer: .*: cannot be read: .*OperatorGroup.*; not judged: CatalogSource, .*OperatorGroup.*; not checked: BlocksClusterUpgrade, .*\n\n0 objects, .* 1 unchecked$/m,
      ],
      ['json', /"unchecked": \[\n[^\n]*not judged: .*OperatorGroup.*\n {2}\],/],
      ['junit', /errors="1"[^]*<error message="[^"]*not judged: [^"]*OperatorGroup/],
      ['sarif', /"toolExecutionNotifications": \[\s+\{\s+"level": "error"/],
      [
        'markdown',
        /not everything was checked\n[^]*#### Not checked\n[^]*not judged: .*OperatorGroup/,
      ],
      ['github', /^::error title=unchecked::.*not judged: .*OperatorGroup/m],
    ];
    for (const [format, pattern] of says) {
      it(`exits 2 and says so as ${format}: nothing was judged`, async () => {
        const { code, stdout, stderr } = await run([
          'scan',
          '--kubeconfig',
          kubeconfig,
          '-o',
          format,
        ]);
        expect(code, stderr).to.equal(2);
        expect(stderr).to.include('nothing could be read, so nothing was judged');
        expect(stdout).to.match(pattern);
      });
    }
  });

  const quiet = mkdtempSync(join(tmpdir(), 'olm-guard-scan-'));
  writeFileSync(join(quiet, 'group.json'), group(['new', 'other']));
  after(() => rmSync(quiet, { recursive: true }));
  const headlines: [
    what: string,
    folder: string,
    code: number,
    headline: string,
    colours: string[],
  ][] = [
    ['errors', state, 1, 'olm-guard: 2 denied', ['denied', 'warned', 'allowed']],
    [
      'nothing is resolved',
      join('examples', 'olm'),
      1,
      'olm-guard: 1 denied',
      ['denied', 'warned'],
    ],
    ['warnings', quiet, 0, 'olm-guard: 1 warning', ['warned']],
  ];
  for (const [what, folder, code, headline, colours] of headlines) {
    it(`heads and colours its page by the worst finding: ${what}`, async () => {
      const ended = await run(['scan', '--state', folder, '-o', 'html']);
      expect(ended.code).to.equal(code);
      expect(ended.stdout).to.include(`<title>${headline}</title>`);
      const found = [...ended.stdout.matchAll(/class="verdict (\w+)"/g)].map(([, each]) => each);
      expect([...new Set(found)]).to.deep.equal(colours);
    });
  }

  it('prints JSON for scripts', async () => {
    const { stdout } = await run(['scan', '--state', state, '-o', 'json']);
    const report = JSON.parse(stdout) as { counts: { errors: number }; results: unknown[] };
    expect(report.counts.errors).to.equal(4);
    expect(report.results).not.to.have.lengthOf(0);
  });

  it('names the missing path of a ClusterExtension, and advises no force while its major goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-scan-'));
    const extension = {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterExtension',
      metadata: { name: 'queue' },
      spec: {
        source: { sourceType: 'Catalog', catalog: { packageName: 'queue', version: '>=1.2' } },
      },
      status: { install: { bundle: { name: 'queue.v1.0.0', version: '1.0.0' } } },
    };
    try {
      mkdirSync(join(folder, 'state'));
      writeFileSync(join(folder, 'state', 'extension.json'), JSON.stringify(extension));
      writeFileSync(join(folder, 'catalog.json'), queueCatalogText);
      const args = ['scan', '--state', join(folder, 'state')];
      const { stdout } = await run([...args, '--catalog', join(folder, 'catalog.json')]);
      expect(stdout)
        .to.match(/ClusterExtensionUpgradePath .*the catalog leads to queue\.v1\.1\.0/)
        .and.not.include('SelfCertified');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('counts a definition that something is said about among the objects', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-scan-'));
    try {
      const file = join(folder, 'definition.yaml');
      const text = readFileSync(
        join(root, 'examples', 'cluster', 'customresourcedefinition-samples.yaml'),
        'utf8',
      );
      writeFileSync(
        file,
        text.replace('metadata:', 'metadata:\n  annotations: {olm-guard.io/disable: all}'),
      );
      const { stdout, stderr } = await run(['scan', '--state', folder]);
      expect(stdout)
        .to.include('BypassInForce')
        .and.match(/^1 object, /m);
      expect(stderr).not.to.include('holds no object');
      rmSync(file);
      expect((await run(['scan', '--state', folder])).stderr).to.include('holds no object');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('needs a cluster or a folder', async () => {
    const { code, stderr } = await run(['scan'], { env: { HOME: '/nowhere', KUBECONFIG: '' } });
    expect(code).to.equal(2);
    expect(stderr).to.include('name the cluster with --kubeconfig FILE or --state FOLDER');
  });

  it('keeps watching, and exports what it found', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-scan-'));
    cpSync(state, folder, { recursive: true });
    const scan = start(['scan', '--state', folder, '--watch', '--metrics-listen', '127.0.0.1:0']);
    try {
      const address = await until('the address', () => /http:\S+/.exec(scan.stderr())?.[0]);
      const metrics = async (): Promise<string> => (await fetch(`${address}/metrics`)).text();
      const blocking = 'olm_guard_scan_findings{rule="BlocksClusterUpgrade",severity="error"} 1';
      await until('the first scan', async () => (await metrics()).includes(blocking) || undefined);
      writeFileSync(join(folder, 'cluster.yaml'), group(['new']));
      await until('a scan of the change', async () =>
        (await metrics()).includes(blocking) ? undefined : true,
      );
    } finally {
      scan.process.kill('SIGTERM');
      expect(await scan.ended).to.equal(0);
      rmSync(folder, { recursive: true });
    }
  });
});

describe('check operatorgroup', () => {
  it('says what OLM makes of a group, with --explain', async () => {
    const args = ['check', 'operatorgroup', 'examples/olm/billing.yaml', '--explain'];
    const { code, stdout } = await run([...args, '--state', 'examples/olm']);
    expect(code, stdout).to.equal(0);
    for (const line of [
      'target selection: billing, reporting',
      '(documented as billing-admin)',
      'Member reports.v1.0.0: active',
      'its own permissions reach the target namespaces',
      'reports.example.com-v1-crdview',
      'copies: reporting',
    ]) {
      expect(stdout).to.include(line);
    }
  });

  it('reads in the OLMConfig whether operators for all namespaces are copied', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-explain-'));
    try {
      const billing = readFileSync(join(root, 'examples', 'olm', 'billing.yaml'), 'utf8');
      const everywhere = billing
        .replace('  targetNamespaces: [billing, reporting]\n', '  {}\n')
        .replace('  namespaces: [billing, reporting]', "  namespaces: ['']")
        .replace('olm.targetNamespaces: billing,reporting', "olm.targetNamespaces: ''");
      writeFileSync(join(folder, 'billing.yaml'), everywhere);
      const explained = async (): Promise<{
        members: { copies: string[]; notCopied: string }[];
      }> => {
        const source = join(folder, 'billing.yaml');
        const args = ['check', 'operatorgroup', source, '--explain', '-o', 'json'];
        const { stdout } = await run([...args, '--state', folder]);
        const { results } = JSON.parse(stdout) as { results: { output: never }[] };
        return results[0]?.output as never;
      };
      expect((await explained()).members[0]?.copies).to.deep.equal(['reporting']);
      writeFileSync(
        join(folder, 'config.yaml'),
        'apiVersion: operators.coreos.com/v1\nkind: OLMConfig\nmetadata: { name: cluster }\nspec: { features: { disableCopiedCSVs: true } }\n',
      );
      const [member] = (await explained()).members;
      expect(member?.copies).to.deep.equal([]);
      expect(member?.notCopied).to.include('disableCopiedCSVs is on');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('judges nothing where there is no cluster to compare with', async () => {
    const args = ['check', 'operatorgroup', 'examples/groups/reporting.yaml'];
    const env = { HOME: '/nowhere', KUBECONFIG: '', KUBERNETES_SERVICE_HOST: undefined };
    const { code, stdout, stderr } = await run(args, { env });
    expect(code, stdout).to.equal(2);
    expect(stderr).to.include('name the cluster with --kubeconfig FILE or --state FOLDER');
  });

  const rows: [rule: string, stdin: string, code: number, stdout: RegExp][] = [
    ['allows what fits', group(['new']), 0, /1 allowed, 0 denied/],
    [
      'denies, and says where it stands',
      group(['', 'a']),
      1,
      /<stdin>:1:\d+ +error +OperatorGroupTargets/,
    ],
    [
      'denies one in a List',
      `{"kind":"List","items":[\n${group(['', 'a'])}]}`,
      1,
      /<stdin>:2:\d+ +error +OperatorGroupTargets/,
    ],
    ['warns about a second group', group(['ns'], 'ns'), 0, /warning +MultipleOperatorGroups/],
  ];
  for (const [rule, stdin, code, stdout] of rows) {
    it(rule, async () => {
      const ended = await run(['check', 'operatorgroup', '-', '--state', state], { stdin });
      expect(ended.stdout).to.match(stdout);
      expect(ended.code).to.equal(code);
    });
  }

  it('counts the switch-offs that the gate would count', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-groups-'));
    const policy = join(folder, 'policy.yaml');
    const olm = join(folder, 'olm');
    cpSync(state, olm, { recursive: true });
    const stored = JSON.parse(group(['new'])) as { metadata: object };
    const labels = { 'operators.coreos.com/cats.new': '' };
    const subscription = {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'Subscription',
      metadata: {
        name: 'cats',
        namespace: 'new',
        annotations: { 'olm-guard.io/disable': 'operator-groups' },
      },
      spec: { name: 'cats' },
    };
    writeFileSync(
      join(olm, 'stored.yaml'),
      [{ ...stored, metadata: { ...stored.metadata, labels } }, subscription]
        .map((each) => JSON.stringify(each))
        .join('\n---\n'),
    );
    const check = async (sources: string): Promise<{ code: number | null; stdout: string }> => {
      writeFileSync(
        policy,
        `apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nbypass: { allowed: true, sources: [${sources}] }\n`,
      );
      const args = ['check', 'operatorgroup', '-', '--state', olm, '--policy', policy];
      return run(args, { stdin: group(['', 'a']) });
    };
    try {
      expect((await check('crd')).code).to.equal(1);
      const { code, stdout } = await check('subscription');
      expect(code, stdout).to.equal(0);
      expect(stdout).to.match(/annotation "olm-guard\.io\/disable" on Subscription/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses a file without groups', async () => {
    const args = ['check', 'operatorgroup', '-', '--state', state];
    const { code, stderr } = await run(args, { stdin: 'kind: Other' });
    expect(code).to.equal(2);
    expect(stderr).to.include('holds no OperatorGroup');
  });
});
