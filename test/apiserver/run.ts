/** `npm run cluster`: a kube-apiserver with its etcd to try things on, until Ctrl-C. */
import { ensurePrograms } from './binaries.js';
import { startCluster } from './cluster.js';

const kubectl = (await ensurePrograms()).get('kubectl');
const cluster = await startCluster();
console.log(`An API server without nodes: nothing that is applied to it runs. For another terminal:

  export KUBECONFIG=${cluster.kubeconfigPath}
  alias kubectl=${kubectl}

docs/operations.md, "Try it beside an API server", puts the gate before it. Ctrl-C ends it, and all that it holds.`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cluster.stop().then(() => process.exit(0)));
}
