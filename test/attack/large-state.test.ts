/** What a tenant stores to take all of the gate's memory when it reads what there is. */
import { expect } from 'chai';
import { startGateProcess } from '../../bench/gate-process.js';
import { useCluster } from '../apiserver/mocha.js';
import { createNamespace } from '../cluster/olm-definitions.js';
import { send } from '../server/gate.js';
import { responseIn, reviewText, withSize } from '../server/reviews.js';

/** MiB, so that what is stored is more. */
const heap = 96;
const objects = 100;
const bytes = 1_400_000;

describe('a gate on a cluster with more Roles than it has memory for', () => {
  const cluster = useCluster();

  it('starts, says so, and judges', async function () {
    this.timeout(180_000);
    await createNamespace(cluster(), 'tenant');
    for (let index = 0; index < objects; index++) {
      const group = 'rbac.authorization.k8s.io';
      const resourceNames = ['x'.repeat(bytes)];
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames }];
      const { code, text } = await cluster().request(
        'POST',
        `/apis/${group}/v1/namespaces/tenant/roles`,
        { apiVersion: `${group}/v1`, kind: 'Role', metadata: { name: `r${index}` }, rules },
      );
      expect(code, text.slice(0, 300)).to.equal(201);
    }
    const args = ['--kubeconfig', cluster().kubeconfigPath, '--log-level', 'warn'];
    const gate = await startGateProcess(args, {
      node: [`--max-old-space-size=${heap}`, '--max-semi-space-size=8'],
    });
    try {
      const oldObject = withSize({ type: 'integer' });
      const body = reviewText({ oldObject, object: withSize(undefined) });
      const { text } = await send(gate.url, gate.authority, body, {});
      expect(responseIn(text).allowed).to.equal(false);
      expect(gate.lastWords()).to.match(/"kind":"Role",.*"they take more memory than/);
    } finally {
      await gate.stop();
    }
  });
});
