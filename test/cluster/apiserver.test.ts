/** The API server that the other suites here stand on. */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetesVersion } from '../apiserver/binaries.js';
import { startCluster } from '../apiserver/cluster.js';
import { useCluster } from '../apiserver/mocha.js';
import { root } from '../cli/command.js';

const configMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kept' },
  data: { key: 'välue' },
};

describe('a kube-apiserver for tests', () => {
  const cluster = useCluster({ users: [{ name: 'reader', groups: ['readers', 'guests'] }] });

  it('reports its version', async () => {
    const answer = await cluster().request('GET', '/version');
    expect(answer.body['gitVersion']).to.equal(kubernetesVersion());
  });

  it('knows a user and their groups, who may do nothing by default', async () => {
    const who = await cluster().kubectl(
      ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.groups}'],
      { user: 'reader' },
    );
    expect(JSON.parse(who.stdout), who.stderr).to.include.members(['readers', 'guests']);
    const denied = await cluster().request('GET', '/api/v1/namespaces', undefined, {
      user: 'reader',
    });
    expect(denied).to.deep.include({ code: 403 });
    expect(denied.body.reason).to.equal('Forbidden');
  });

  it('passes warnings on one by one', async () => {
    const path = '/api/v1/namespaces/default/services?dryRun=All';
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'warned' },
      spec: {
        ports: [{ port: 80 }],
        type: 'ExternalName',
        externalName: 'example.com',
        unknown: 1,
        other: 2,
      },
    };
    const { code, warnings } = await cluster().request('POST', path, service);
    expect(code).to.equal(201);
    expect(warnings).to.have.members([
      'unknown field "spec.other"',
      'unknown field "spec.unknown"',
    ]);
  });

  it('keeps objects across a crash', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    expect((await cluster().request('POST', path, configMap)).code).to.equal(201);
    await cluster().kill();
    const failure = await cluster()
      .request('GET', `${path}/kept`)
      .catch((error: NodeJS.ErrnoException) => error.code);
    expect(failure).to.equal('ECONNREFUSED');
    await cluster().restart();
    const kept = await cluster().request('GET', `${path}/kept`);
    expect(kept.body['data']).to.deep.equal(configMap.data);
  });

  it('is there for a person too, with the kinds of OLM, and gone with Ctrl-C', async () => {
    const args = ['--import', 'tsx', join(root, 'test', 'apiserver', 'run.ts'), '--olm'];
    const person = spawn(process.execPath, args, { cwd: root });
    const ended = once(person, 'exit');
    let said = '';
    const kubeconfig = await new Promise<string>((resolve, reject) => {
      const hear = (text: Buffer): void => {
        said += text.toString();
        const [, file] = /KUBECONFIG=(\S+)\n[^]*Ctrl-C ends it/.exec(said) ?? [];
        if (file !== undefined) resolve(file);
      };
      person.stdout.on('data', hear);
      person.stderr.on('data', hear);
      person.once('exit', () => reject(new Error(said)));
    });
    const path = '/apis/operators.coreos.com/v1alpha1/subscriptions';
    const asked = ['--kubeconfig', kubeconfig, 'get', '--raw', path];
    const { stdout, stderr } = await cluster().kubectl(asked);
    expect(stdout, stderr).to.include('"kind":"SubscriptionList"');
    person.kill('SIGINT');
    await ended;
    expect(existsSync(kubeconfig)).to.equal(false);
  });

  it('runs beside another one and leaves nothing behind', async () => {
    const other = await startCluster();
    expect(other.url).not.to.equal(cluster().url);
    await other.stop();
    expect(existsSync(other.folder)).to.equal(false);
    expect((await cluster().request('GET', '/readyz')).text).to.equal('ok');
  });
});
