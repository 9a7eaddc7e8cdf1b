/** Alternatives of a field that change, on a real API server whose gate judges as operator-controller v1.10 does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useCluster, useGate } from '../apiserver/mocha.js';
import type { Answer } from '../apiserver/request.js';
import { breaking, create, replace } from './installed-gate.js';
import { changed, widgets, type Definition } from './widgets.js';

describe('alternatives under profile olm-v1.10', () => {
  const cluster = useCluster();
  useGate(cluster, {
    name: 'crds.olm-guard.io',
    rules: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        apiVersions: ['v1'],
        operations: ['UPDATE'],
        resources: ['customresourcedefinitions'],
      },
    ],
    args: () => {
      const file = join(cluster().folder, 'policy.yaml');
      const policy = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nprofile: olm-v1.10\n';
      writeFileSync(file, policy);
      return [`--policy=${file}`];
    },
    isAsked: async () => {
      await create(cluster(), widgets('probes'));
      const { code } = await replace(cluster(), breaking('probes'), { query: '?dryRun=All' });
      return code === 403;
    },
  });

  const withAlternatives = (...oneOf: object[]): Definition =>
    changed((spec) => {
      spec.properties['mode'] = { type: 'string', ...(oneOf.length === 0 ? {} : { oneOf }) };
    });
  const [fast, slow] = [{ pattern: '^F' }, { pattern: '^S' }];

  const update = (definition: Definition): Promise<Answer> =>
    replace(cluster(), definition, { query: '?dryRun=All' });

  before(() => create(cluster(), withAlternatives(fast, slow)));

  it('are denied in another order, for what each place held', async () => {
    const answer = await update(withAlternatives(slow, fast));
    expect(answer.code).to.equal(403);
    // The set is the same; but each stands on a path of its own too, where it has another pattern now.
    expect(answer.text).to.include('^.spec.mode.oneOf[0]: pattern: pattern changed');
    expect(answer.text).to.not.include('oneOf: allowed oneOf schemas');
  });

  it('are denied where one goes, in the words of OLM', async () => {
    const answer = await update(withAlternatives(fast));
    expect(answer.code).to.equal(403);
    expect(answer.body.message).to.match(
      /v1: \^\.spec\.mode: oneOf: allowed oneOf schemas removed: \[&JSONSchemaProps\{ID:,.*Pattern:\^S,/,
    );
  });

  it('are denied when one is added', async () => {
    const answer = await update(withAlternatives(fast, slow, { pattern: '^M' }));
    expect(answer.code).to.equal(403);
    expect(answer.body.message).to.match(
      /v1: \^\.spec\.mode: oneOf: allowed oneOf schemas added: \[&JSONSchemaProps\{ID:,.*Pattern:\^M,/,
    );
  });
});
