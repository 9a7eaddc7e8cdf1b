/** A cluster that cannot be reached or says no: one sentence, and the gate goes on. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from '../cli/command.js';
import { startGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { create, kubeconfigOf, kubectl } from './installed-gate.js';
import { installOlm } from './olm-definitions.js';
import { widgets } from './widgets.js';

describe('check crd cluster:NAME on a live cluster', () => {
  const cluster = useCluster({ users: [{ name: 'nobody' }] });
  const proposed = 'examples/upgrades/field-removed.yaml';
  const name = 'cluster:samples.test.example.com';

  before(async () => {
    const file = 'examples/cluster/customresourcedefinition-samples.yaml';
    await kubectl(cluster(), 'apply', '-f', file);
  });

  it('compares with what is stored, found as kubectl finds it', async () => {
    const env = { KUBECONFIG: cluster().kubeconfigPath };
    const { code, stdout, stderr } = await run(['check', 'crd', name, proposed], { env });
    expect(stderr).to.equal('');
    expect(stdout).to.include('NoExistingFieldRemoved');
    expect(code).to.equal(1);
  });

  it('honours a switch-off on the stored definition', async () => {
    const annotate = ['annotate', 'crd', 'samples.test.example.com'];
    await kubectl(cluster(), ...annotate, 'olm-guard.io/disable=crd-upgrade-safety');
    const { code, stdout } = await run([
      ...['check', 'crd', name, proposed, '--kubeconfig', cluster().kubeconfigPath],
    ]);
    expect(stdout).to.include('switched off by annotation "olm-guard.io/disable"');
    expect(code).to.equal(0);
  });

  const elsewhere = (server: string, authority?: string): string => {
    const file = join(cluster().folder, 'elsewhere');
    const context = { name: 'a', context: { cluster: 'a', user: 'a' } };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'a', cluster: { server, 'certificate-authority': authority } }],
      users: [{ name: 'a', user: { token: 't' } }],
      contexts: [context],
      'current-context': 'a',
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  };

  const refusals: [name: string, args: () => string[], sentence: RegExp][] = [
    [
      'a server that is not there',
      () => ['--kubeconfig', elsewhere('https://127.0.0.1:1')],
      /the cluster cannot be asked: 127\.0\.0\.1:1 does not answer: .*ECONNREFUSED/,
    ],
    [
      'a server without TLS',
      () => ['--kubeconfig', elsewhere('http://127.0.0.1:1')],
      /must be an https:\/\/ URL/,
    ],
    [
      'a user without the right',
      () => ['--kubeconfig', kubeconfigOf(cluster(), 'nobody')],
      /User "nobody" cannot get resource "customresourcedefinitions"/,
    ],
    [
      'a context that is not there',
      () => ['--kubeconfig', cluster().kubeconfigPath, '--context', 'production'],
      /has no cluster for its context "production"; it has admin, /,
    ],
    [
      'a context that is misspelt',
      () => ['--kubeconfig', cluster().kubeconfigPath, '--context', 'admn'],
      /has no cluster for its context "admn" \(did you mean "admin"\?\)/,
    ],
    [
      'a token that is not valid',
      () => ['--kubeconfig', elsewhere(cluster().url, cluster().caFile)],
      /the cluster cannot be asked: Unauthorized: the credentials are not valid, or have expired/,
    ],
  ];
  for (const [title, args, sentence] of refusals) {
    it(`exits with 2 and one sentence: ${title}`, async () => {
      const { code, stderr } = await run(['check', 'crd', name, proposed, ...args()]);
      expect(stderr).to.match(sentence);
      expect(stderr.trimEnd().split('\n')).to.have.length(1);
      expect(code).to.equal(2);
    });
  }

  it('serve starts and answers while the cluster is away: nothing but owners is asked for', async () => {
    const gate = await startGate(cluster().folder, [
      `--kubeconfig=${elsewhere('https://127.0.0.1:1')}`,
    ]);
    try {
      expect((await fetch(`${gate.metricsUrl}/readyz`)).status).to.equal(200);
      expect((await create(cluster(), widgets('quiets'))).code).to.equal(201);
    } finally {
      await gate.stop();
    }
  });
});

describe('scan of a cluster of which a part cannot be read', () => {
  const cluster = useCluster({ users: [{ name: 'half' }] });

  before(async () => {
    await installOlm(cluster());
    const resources = '--resource=clusterserviceversions.operators.coreos.com';
    const verbs = '--verb=get,list,watch';
    await kubectl(cluster(), 'create', 'clusterrole', 'half', verbs, resources);
    const binding = ['create', 'clusterrolebinding', 'half', '--clusterrole=half', '--user=half'];
    await kubectl(cluster(), ...binding);
  });

  for (const [unchecked, wanted] of [
    ['fail', 2],
    ['warn', 0],
  ] as const) {
    it(`ends with ${wanted} under --unchecked ${unchecked}, and says what was not judged`, async () => {
      const config = kubeconfigOf(cluster(), 'half');
      const args = ['scan', '--kubeconfig', config, '--unchecked', unchecked];
      const { code, stdout, stderr } = await run(args);
      expect(stdout, stderr).to.match(/^unchecked: OperatorGroup not judged: /m);
      expect(stdout).not.to.match(/^unchecked: ClusterServiceVersion not judged: /m);
      expect(code, stderr).to.equal(wanted);
    });
  }
});
