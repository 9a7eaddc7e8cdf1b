/**
 * The first week of an admin, by README.md and docs/operations.md alone, on a real API server and
 * Prometheus: observe, then the default overlay, then enforcing. What the documented query counts while
 * observing is what the default denies afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import type { Answer } from '../apiserver/request.js';
import { until } from '../apiserver/processes.js';
import {
  breaking,
  create,
  enforce,
  pointWebhooksAt,
  replace,
  root,
} from '../cluster/installed-gate.js';
import { changed, widgets, type Definition } from '../cluster/widgets.js';
import { startPrometheus, type TestPrometheus } from './prometheus.js';

const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
const [, observing = ''] = /^## Observe before you enforce\n([\s\S]*?)^## /m.exec(page) ?? [];
/** The query that a row of the table of the section names. */
const queryFor = (what: string): string =>
  new RegExp(`^\\| ${what} +\\| \`([^\`]+)\``, 'm').exec(observing)?.[1] ?? '';
const [, deletion = ''] = /^kubectl (delete configmap olm-guard-policy .*)$/m.exec(page) ?? [];

const plurals = ['removeds', 'requireds', 'describeds', 'relaxeds'] as const;
/** Changes of a usual week: two do harm, two do not. */
const changes: Readonly<Record<(typeof plurals)[number], Definition>> = {
  removeds: breaking('removeds'),
  requireds: changed((spec) => (spec.required = ['pollInterval']), 'requireds'),
  describeds: changed(
    (spec) => Object.assign(spec, { description: 'in other words' }),
    'describeds',
  ),
  relaxeds: changed((spec) => (spec.properties['more'] = { type: 'string' }), 'relaxeds'),
};

describe('the first week', function () {
  // Each day stands on the one before.
  this.bail(true);
  const member = 'emergency';
  const cluster = useCluster({ users: [{ name: member, groups: ['olm-guard:break-glass'] }] });
  let gate: TestGate;
  let prometheus: TestPrometheus;
  const mounted = (name: string): string => join(cluster().folder, `${name}.yaml`);

  async function shell(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await cluster().kubectl(args, { cwd: root });
    expect(code, stderr).to.equal(0);
    return stdout;
  }

  /** As kubelet does, which the test has not. */
  async function mount(name: string): Promise<void> {
    const path = `/api/v1/namespaces/olm-guard/configmaps/${name}`;
    const { code, body } = await cluster().request('GET', path);
    const { data = {} } = body as { data?: Record<string, string> };
    const none = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
    writeFileSync(mounted(name), code === 200 ? (data['policy.yaml'] ?? none) : none);
  }

  const sum = async (query: string): Promise<number> =>
    (await prometheus.query(query)).reduce((all, { value }) => all + value, 0);

  async function changeAll(query = ''): Promise<Map<string, Answer>> {
    const answers = new Map<string, Answer>();
    for (const plural of plurals) {
      answers.set(plural, await replace(cluster(), changes[plural], { query }));
    }
    return answers;
  }

  before('install to observe', async () => {
    await shell('apply', '-k', 'manifests/overlays/observe');
    for (const name of ['olm-guard-defaults', 'olm-guard-policy']) await mount(name);
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${cluster().kubeconfigPath}`,
      `--policy=${mounted('olm-guard-defaults')}`,
      `--policy-overrides=${mounted('olm-guard-policy')}`,
    ]);
    await pointWebhooksAt(cluster(), gate);
    prometheus = await startPrometheus(new URL(gate.metricsUrl).host);
    for (const plural of plurals) {
      expect((await create(cluster(), widgets(plural))).code).to.equal(201);
    }
    await until('reviews to be counted', async () => {
      await replace(cluster(), changes.describeds, { query: '?dryRun=All' });
      return (await gate.metrics()).includes('operation="UPDATE"') ? true : undefined;
    });
  });
  after(async () => {
    await prometheus?.stop();
    await gate?.kill();
  });

  let counted: readonly string[] = [];

  it('observe: all passes, and the documented queries and the log say what would have been denied', async () => {
    for (const [plural, { code, text, warnings }] of await changeAll('?dryRun=All')) {
      expect(code, `${plural}: ${text}`).to.equal(200);
      expect(warnings.join(), plural).to.not.include('denied');
    }
    const query = queryFor('what would have been denied');
    expect(query).to.include('would-deny');
    await until('Prometheus to have them', async () => ((await sum(query)) > 1 ? true : undefined));
    counted = (await prometheus.query(query)).map(({ labels }) => labels['rule'] ?? '').sort();
    expect(await sum(queryFor('what could not be judged'))).to.equal(0);
    expect(await sum(queryFor('switch-offs that were used'))).to.equal(0);
    expect(await sum(queryFor('switch-offs that were set'))).to.equal(0);
    await until('a duration', async () => {
      const [found] = await prometheus.query(queryFor('how long reviews take'));
      return Number(found?.value) > 0 ? true : undefined;
    });
    const named = gate.logs().filter((record) => record['wouldDeny'] === true);
    expect([...new Set(named.map(({ name }) => name))].sort()).to.deep.equal([
      'removeds.example.com',
      'requireds.example.com',
    ]);
  });

  it('default: what was counted is denied, with what to do, and the rest passes', async () => {
    await shell(...deletion.split(' '));
    await mount('olm-guard-policy');
    await until('the policy to be read again', async () => {
      const { code } = await replace(cluster(), changes.removeds, { query: '?dryRun=All' });
      return code === 403 ? true : undefined;
    });
    const answers = await changeAll();
    expect(
      [...answers].filter(([, { code }]) => code === 403).map(([plural]) => plural),
    ).to.deep.equal(['removeds', 'requireds']);
    const denied = [...answers.values()].filter(({ code }) => code === 403);
    for (const { text } of denied) expect(text).to.include('To fix: ').and.include('To go on');
    const rules = denied.flatMap(({ body }) =>
      (body.details?.causes ?? []).map((each) => each.reason),
    );
    const isRule = (each: string | undefined): boolean => each !== 'JSONPatch';
    expect([...new Set(rules.filter(isRule))].sort()).to.deep.equal(counted);
  });

  it('enforcing: while the gate is down changes are refused, but not those of the emergency group', async () => {
    // The overlay has a Service, and the process of the test an address.
    await shell('delete', 'validatingwebhookconfiguration', 'olm-guard');
    await enforce(cluster(), gate);
    const dry = { query: '?dryRun=All' };
    await until('the gate to be asked', async () =>
      (await replace(cluster(), changes.removeds, dry)).code === 403 ? true : undefined,
    );
    await gate.kill();
    const another = changed((spec) => Object.assign(spec, { description: 'anew' }), 'describeds');
    const { code, text } = await replace(cluster(), another, dry);
    expect(code, text).to.equal(500);
    expect(text).to.include('failed calling webhook');
    await shell(
      'create',
      'clusterrolebinding',
      member,
      '--clusterrole=cluster-admin',
      `--user=${member}`,
    );
    await until('the emergency group to get through', async () => {
      const answer = await replace(cluster(), another, { ...dry, user: member });
      return answer.code === 200 ? true : undefined;
    });
  });
});
