/** A review that takes longer than the API server waits for its webhook. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useCluster, useGate } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { breaking, create, replace } from './installed-gate.js';
import { changed, widgets, type Definition } from './widgets.js';

/** What to prove of each takes long enough for all of them to outlast any webhook. */
const fields = 6000;

/** Thousands of numbers, each with a bound of its own. */
const crowded = (plural: string, lowered: number): Definition =>
  changed(({ properties }) => {
    for (let index = 0; index < fields; index++) {
      properties[`field${index}`] = { type: 'integer', maximum: index + 2 - lowered };
    }
  }, plural);

describe('a review past its deadline', () => {
  const cluster = useCluster();
  const policyFile = (): string => join(cluster().folder, 'policy.yaml');
  // A webhook that does not answer in time is an error here: its failurePolicy is Fail.
  const gate = useGate(cluster, {
    name: 'crds.olm-guard.io',
    timeoutSeconds: 2,
    rules: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        apiVersions: ['v1'],
        operations: ['UPDATE'],
        resources: ['customresourcedefinitions'],
      },
    ],
    args: () => {
      writePolicy('allow');
      return [`--policy=${policyFile()}`];
    },
    isAsked: async () => {
      await create(cluster(), widgets('probes'));
      const { code } = await replace(cluster(), breaking('probes'), { query: '?dryRun=All' });
      return code === 403;
    },
  });

  function writePolicy(unjudged: 'allow' | 'deny'): void {
    const header = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
    const budgets = 'budgets: { storedObjectsSeconds: 0 }\n';
    writeFileSync(policyFile(), `${header}${budgets}enforce: proven\nunjudged: ${unjudged}\n`);
  }

  async function reloads(): Promise<number> {
    const line = /policy_reloads_total\{outcome="success"\} (\d+)/.exec(await gate().metrics());
    return Number(line?.[1] ?? 0);
  }

  async function unjudged(): Promise<number> {
    const labels = 'resource="customresourcedefinitions",operation="UPDATE",decision="unjudged"';
    const lines = (await gate().metrics()).split('\n');
    const line = lines.find((each) => each.startsWith(`olm_guard_reviews_total{${labels}}`));
    return Number(line?.split(' ').at(-1) ?? 0);
  }

  it('is allowed by policy before the API server gives up, with a warning and counted', async () => {
    const { code, text } = await create(cluster(), crowded('crowds', 0));
    expect(code, text).to.equal(201);
    const before = await unjudged();
    const answer = await replace(cluster(), crowded('crowds', 1));
    expect(answer.code, answer.text.slice(0, 1000)).to.equal(200);
    expect(answer.warnings.join('\n')).to.match(/allows it unjudged: .*not finished within 1\.6 s/);
    expect(await unjudged()).to.be.greaterThan(before);
  });

  it('is denied where the policy denies what cannot be judged, and says why', async () => {
    const { code, text } = await create(cluster(), crowded('swarms', 0));
    expect(code, text).to.equal(201);
    const known = await reloads();
    writePolicy('deny');
    await until('the policy to be read', async () =>
      (await reloads()) > known ? true : undefined,
    );
    const before = await unjudged();
    const answer = await replace(cluster(), crowded('swarms', 1));
    expect(answer.code, answer.text.slice(0, 1000)).to.equal(403);
    expect(answer.body.message).to.match(
      /its policy denies what cannot be judged: .*not finished within 1\.6 s/,
    );
    expect(await unjudged()).to.be.greaterThan(before);
  });
});
