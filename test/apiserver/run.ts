/** `npm run cluster`: a kube-apiserver with its etcd to try things on, until Ctrl-C. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { installOlm } from '../cluster/olm-definitions.js';
import { ensurePrograms } from './binaries.js';
import { startCluster } from './cluster.js';
import { atExit, endOnSignal } from './processes.js';

const { olm = false } = parseArgs({ options: { olm: { type: 'boolean' } } }).values;
// What npm would say of any other exit code is many lines about a mistake that nobody made.
endOnSignal(() => process.exit(0));
// Programs that are there save a build of some minutes.
const { PATH = '', KUBEBUILDER_ASSETS: assets } = process.env;
const found = PATH.split(delimiter).find((folder) =>
  ['kube-apiserver', 'etcd'].every((name) => existsSync(join(folder, name))),
);
if (assets === undefined && found !== undefined) process.env['KUBEBUILDER_ASSETS'] = found;
const kubectl = (await ensurePrograms()).get('kubectl');
// It says who did what, and what the gate wrote beside it.
const audit = mkdtempSync(join(tmpdir(), 'olm-guard-audit-'));
atExit(() => rmSync(audit, { recursive: true, force: true }));
const rules = [{ level: 'Metadata', verbs: ['create', 'update', 'patch', 'delete'] }];
const policy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules,
};
writeFileSync(join(audit, 'policy.yaml'), JSON.stringify(policy));
const auditLog = join(audit, 'audit.log');
const cluster = await startCluster({
  apiServerFlags: [
    `--audit-policy-file=${join(audit, 'policy.yaml')}`,
    `--audit-log-path=${auditLog}`,
  ],
});
if (olm) {
  await installOlm(cluster);
  // The ClusterExtension of examples/cluster is of that version.
  const path =
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusterextensions.olm.operatorframework.io';
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  const value = { name: 'v1alpha1', served: true, storage: false, schema };
  const contentType = 'application/json-patch+json';
  const patch = [{ op: 'add', path: '/spec/versions/-', value }];
  const { code, text } = await cluster.request('PATCH', path, patch, { contentType });
  if (code !== 200) throw new Error(text);
}
const olmWords = olm
  ? `It has the definitions of OLM's kinds, each of which takes any field, and no OLM:
nothing resolves, and no controller writes a status, so write it yourself. In a clone:

  kubectl apply -f examples/cluster
  kubectl apply --server-side -f examples/olm
  kubectl apply --server-side --subresource=status -f examples/olm
  olm-guard scan
`
  : `For the definitions of OLM's kinds, end it and say: npm run cluster -- --olm`;
console.log(`An API server without nodes: nothing that is applied to it runs. For another terminal:

  export KUBECONFIG=${cluster.kubeconfigPath}
  alias kubectl=${kubectl}

Its audit log (writes only) is ${auditLog}.

${olmWords}
docs/operations.md, "Try it beside an API server", puts the gate before it. Ctrl-C ends it, and all that it holds.`);
let ending: Promise<never> | undefined;
endOnSignal(() => {
  ending ??= cluster.stop().then(() => process.exit(0));
});
