/** A proof that cannot come to an end, and the reviews beside it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useCluster, useGate } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { breaking, create, replace } from './installed-gate.js';
import { changed, widgets, type Definition } from './widgets.js';

const patterns = 200;

/**
 * Patterns of which none can be told in reasonable time whether it takes all that it took before:
 * where the last `a` was is one of 32,768 things to remember.
 */
const hostile = (plural: string, end: string): Definition =>
  changed(({ properties }) => {
    for (let index = 0; index < patterns; index++) {
      properties[`field${index}`] = { type: 'string', pattern: `^[ab]*a[ab]{15}${end}$` };
    }
  }, plural);

const others = ['gadgets', 'gizmos', 'parts', 'tools'];

describe('a proof that comes to no end', () => {
  const cluster = useCluster();
  const policyFile = (): string => join(cluster().folder, 'policy.yaml');
  // A webhook that does not answer in time is an error here: its failurePolicy is Fail.
  const gate = useGate(cluster, {
    name: 'crds.olm-guard.io',
    timeoutSeconds: 10,
    rules: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        apiVersions: ['v1'],
        operations: ['UPDATE'],
        resources: ['customresourcedefinitions'],
      },
    ],
    args: () => {
      writePolicy('proof', 'warn');
      return [`--policy=${policyFile()}`];
    },
    isAsked: async () => {
      await create(cluster(), widgets('probes'));
      const { code } = await replace(cluster(), breaking('probes'), { query: '?dryRun=All' });
      return code === 403;
    },
  });

  function writePolicy(profile: string, undecided: 'warn' | 'deny'): void {
    const header = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
    const decisions = `profile: ${profile}\nenforce: proven\nundecided: ${undecided}\n`;
    writeFileSync(policyFile(), `${header}budgets: { storedObjectsSeconds: 0 }\n${decisions}`);
  }

  async function reloads(): Promise<number> {
    const line = /policy_reloads_total\{outcome="success"\} (\d+)/.exec(await gate().metrics());
    return Number(line?.[1] ?? 0);
  }

  async function usePolicy(profile: string, undecided: 'warn' | 'deny'): Promise<void> {
    const known = await reloads();
    writePolicy(profile, undecided);
    await until('the policy to be read', async () =>
      (await reloads()) > known ? true : undefined,
    );
  }

  before('create the definitions', async () => {
    for (const plural of others) await create(cluster(), widgets(plural));
    const { code, text } = await create(cluster(), hostile('riddles', ''));
    expect(code, text).to.equal(201);
  });

  for (const profile of ['olm-v1', 'proof']) {
    it(`passes with a warning or is decided by the rules under ${profile}, and lets no other breaking update pass`, async () => {
      await usePolicy(profile, 'warn');
      const dryRun = { query: '?dryRun=All' };
      const riddles = replace(cluster(), hostile('riddles', 'c?'), dryRun);
      const answers = await Promise.all(
        others.map((plural) => replace(cluster(), breaking(plural), dryRun)),
      );
      expect(answers.map(({ code }) => code)).to.deep.equal(others.map(() => 403));
      const answer = await riddles;
      // Where the machine leaves the proof no time at all, the rules decide.
      expect(answer.code, answer.text.slice(0, 1000)).to.be.oneOf([200, 403]);
      if (answer.code === 200) expect(answer.warnings).to.not.have.lengthOf(0);
      expect(answer.text + answer.warnings.join('\n')).to.not.match(/unjudged/);
    });

    it(`is denied under ${profile} where the policy denies what is undecided`, async () => {
      await usePolicy(profile, 'deny');
      const answer = await replace(cluster(), hostile('riddles', 'c?'), { query: '?dryRun=All' });
      expect(answer.code, answer.text.slice(0, 1000)).to.equal(403);
    });
  }

  it('makes no review unjudged', async () => {
    const lines = (await gate().metrics()).split('\n');
    expect(lines.filter((line) => /decision="unjudged"/.test(line))).to.deep.equal([]);
  });
});
