/** The API server that the other suites here stand on. */
import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { kubernetesVersion } from '../apiserver/binaries.js';
import { startCluster } from '../apiserver/cluster.js';
import { useCluster } from '../apiserver/mocha.js';

const configMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kept' },
  data: { key: 'välue' },
};

describe('a kube-apiserver for tests', () => {
  const cluster = useCluster({ users: [{ name: 'reader', groups: ['readers', 'guests'] }] });

  it('says its version', async () => {
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

  it('keeps objects over a crash', async () => {
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

  it('runs beside another one and leaves nothing behind', async () => {
    const other = await startCluster();
    expect(other.url).not.to.equal(cluster().url);
    await other.stop();
    expect(existsSync(other.folder)).to.equal(false);
    expect((await cluster().request('GET', '/readyz')).text).to.equal('ok');
  });
});
