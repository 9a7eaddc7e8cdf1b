/**
 * The Grafana dashboard of manifests/components/dashboard, drawn without Grafana: its panels by its JSON,
 * its queries answered by a real Prometheus that scrapes a real gate at work.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { aCsv, makeGroup } from '../../src/olm/rules/objects/testing/harness.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { root } from '../cli/command.js';
import { startPrometheus, type TestPrometheus } from '../prometheus/prometheus.js';
import { send } from '../server/gate.js';
import { reviewText, withSize } from '../server/reviews.js';
import { openBrowser, picture } from './browser.js';
import { dashboardPage, withVariables, type AnsweredPanel, type Panel } from './dashboard-page.js';

const file = join(root, 'manifests', 'components', 'dashboard', 'olm-guard.json');
const dashboard = JSON.parse(readFileSync(file, 'utf8')) as { title: string; panels: Panel[] };
const seconds = 40;

/** Without a cluster to watch there is no view that could be old, and no registration. */
const isWithoutCluster = ({ title, type }: Panel): boolean =>
  type === 'row' || ['Age of the oldest data', 'Registration'].includes(title);

describe('the dashboard as a picture', function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-dashboard-'));
  const state = join(folder, 'state');
  const policy = join(folder, 'policy.yaml');
  const wellPolicy = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
  let gate: TestGate;
  let prometheus: TestPrometheus;
  let browser: Browser;
  before(async () => {
    const olm = 'operators.coreos.com/v1alpha1';
    const csv = (name: string, phase: string, reason: string): object => ({
      apiVersion: olm,
      ...aCsv({ name, status: { phase, reason } }),
    });
    const objects = [
      csv('cats.v1', 'Failed', 'NoOperatorGroup'),
      csv('dogs.v2', 'Pending', 'RequirementsNotMet'),
      csv('birds.v3', 'Succeeded', 'InstallSucceeded'),
    ];
    mkdirSync(state);
    writeFileSync(
      join(state, 'state.yaml'),
      objects.map((each) => JSON.stringify(each)).join('\n---\n'),
    );
    writeFileSync(policy, wellPolicy);
    gate = await startGate(folder, ['--state', state, '--policy', policy]);
    prometheus = await startPrometheus(new URL(gate.metricsUrl).host);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await prometheus?.stop();
    await gate?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const narrow = withSize({ type: 'integer', minimum: 1 });
  const off = {
    annotations: { 'olm-guard.io/disable': 'crd-upgrade-safety' },
    // Who has set it: without that it does not count.
    managedFields: [
      {
        ...{ manager: 'kubectl-annotate', operation: 'Update', fieldsType: 'FieldsV1' },
        apiVersion: 'apiextensions.k8s.io/v1',
        fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:olm-guard.io/disable': {} } } },
      },
    ],
  };
  const size = (minimum: number, metadata = {}) => withSize({ type: 'integer', minimum }, metadata);
  const group = { group: 'operators.coreos.com', version: 'v1' };
  const reviews = [
    reviewText({ oldObject: narrow, object: size(0) }),
    reviewText({ oldObject: narrow, object: narrow }),
    reviewText({ oldObject: narrow, object: size(2) }),
    reviewText({ oldObject: narrow, object: withSize(undefined) }),
    reviewText({ oldObject: withSize({ type: 'integer' }, off), object: size(3, off) }),
    reviewText({
      ...{ kind: { ...group, kind: 'OperatorGroup' }, name: 'og', namespace: 'ns' },
      ...{ resource: { ...group, resource: 'operatorgroups' }, operation: 'CREATE' },
      object: { apiVersion: 'operators.coreos.com/v1', ...makeGroup() },
    }),
  ];

  it('has what every panel asks for, and shows it', async () => {
    const end = performance.now() + seconds * 1000;
    for (let sent = 0; performance.now() < end; sent++) {
      // A mistake in the policy, and its mending.
      if (sent === 200) writeFileSync(policy, 'modes: [');
      if (sent === 400) writeFileSync(policy, wellPolicy);
      const review = reviews[sent % 11 < 6 ? sent % 2 : sent % reviews.length] ?? '';
      expect((await send(gate.url, gate.ca, review, {})).status).to.equal(200);
      await sleep(20 + 60 * Math.abs(Math.sin(sent / 60)));
    }
    const panels: AnsweredPanel[] = [];
    for (const panel of dashboard.panels) {
      const answers = await Promise.all(
        (panel.targets ?? []).map(({ expr }) =>
          prometheus.range(withVariables(expr, `${seconds}s`), seconds),
        ),
      );
      if (!isWithoutCluster(panel)) expect(answers.flat(), panel.title).not.to.deep.equal([]);
      panels.push({ ...panel, answers });
    }
    const page = await browser.newPage({ viewport: { width: 1230, height: 1020 } });
    await page.setContent(dashboardPage(dashboard.title, panels, 'light'));
    await picture(page, 'dashboard-light.png');
    await page.setContent(dashboardPage(dashboard.title, panels, 'dark'));
    const shown = await page.locator('section:not(.row)').evaluateAll((sections: unknown) =>
      (
        sections as {
          querySelector(name: string): { textContent: string } | null;
          textContent: string;
        }[]
      ).map((each) => [each.querySelector('h2')?.textContent ?? '', each.textContent] as const),
    );
    const drawn = dashboard.panels.filter(({ type }) => type !== 'row');
    expect(shown.map(([title]) => title)).to.deep.equal(drawn.map(({ title }) => title));
    for (const [index, [title, text]] of shown.entries()) {
      const panel = drawn[index];
      if (panel !== undefined && !isWithoutCluster(panel)) {
        expect(text, title).not.to.include('No data');
      }
    }
    const textOf = (title: string): string => shown.find(([each]) => each === title)?.[1] ?? '';
    const red = await page.locator('[stroke="#f2495c"]').count();
    expect(red, 'what was denied is red').to.be.at.least(1);
    expect(textOf('Denied by rule')).to.match(/ChangeValidator\d+/);
    expect(textOf('Denied by resource')).to.match(/customresourcedefinitions/);
    expect(textOf('Reviews by decision'))
      .to.match(/allowed/)
      .and.match(/denied/);
    expect(textOf('Reviews by resource')).to.include('operatorgroups');
    expect(textOf('Findings by rule')).to.include('ChangeValidator denied');
    expect(textOf('Switch-offs used and set')).to.include('used: crd crd-upgrade-safety');
    expect(textOf('Failing operators')).to.match(/cats\.v1.*Failed/s);
    await picture(page, 'dashboard.png');
  });
});
