import { expect } from 'chai';
import { defaultPolicy } from '../../../policy/policy.js';
import { scan } from '../../../checks/cluster-scan/scan.js';
import { FolderState } from '../../../cluster/olm-state/folder-state.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { makeGroup, makeObject } from '../objects/testing/harness.js';
import { extension, openshift, withApi } from './testing/scan-rows.js';

describe('rules of a scan', () => {
  it('say that extensions were not asked for their maximum without catalogs', async () => {
    const state = FolderState.of([openshift('4.15.2'), extension('queue.v1.2.0')]);
    const { unchecked } = await scan(state, { policy: defaultPolicy, now: new Date() });
    expect(unchecked.join()).to.match(/BlocksClusterUpgrade .*name them by --catalog/);
  });

  it('judge a plan that waits as if it were approved, and pass over one that is done', async () => {
    const plan = (phase: string, approved: boolean): JsonObject =>
      withApi(
        makeObject('InstallPlan', phase.toLowerCase(), 'ns', {
          spec: { approved },
          status: { phase },
        }),
      );
    const state = FolderState.of([
      withApi(makeGroup()),
      withApi(makeGroup({ name: 'second' })),
      plan('RequiresApproval', false),
      plan('Complete', true),
      plan('Installing', true),
    ]);
    const { results } = await scan(state, { policy: defaultPolicy, now: new Date() });
    const plans = results.filter(({ name }) => name.startsWith('InstallPlan'));
    expect(plans.map(({ name, verdict }) => [name, verdict.allowed])).to.deep.equal([
      ['InstallPlan ns/installing', false],
      ['InstallPlan ns/requiresapproval', true],
    ]);
    expect(plans[1]?.verdict.findings[0]?.message).to.match(/^once approved: /);
  });
});
