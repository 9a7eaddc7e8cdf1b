/** The gate's own certificates: `--tls-secret` with the rights of manifests/components/self-managed. */
import { X509Certificate } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { Connection } from '../../src/cluster/view/connection.js';
import { certificateInSecret } from '../../src/gate/server/certificates/in-secret.js';
import { issueCertificate } from '../../src/gate/server/certificates/authority.js';
import type { Certificate } from '../../src/gate/server/certificates/certificate.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import {
  breaking,
  create,
  kubeconfigOf,
  kubectl,
  leadWebhooksTo,
  replace,
  root,
  serviceAccount,
  untilAnswered,
  webhooksOf,
} from './installed-gate.js';
import { changed, widgets } from './widgets.js';

const stranger = 'system:serviceaccount:default:default';
const secretPath = '/api/v1/namespaces/olm-guard/secrets/olm-guard-tls';

describe('a gate that makes its own certificate', () => {
  const cluster = useCluster({ users: [{ name: serviceAccount }, { name: stranger }] });
  const gates: TestGate[] = [];
  after(async () => {
    await Promise.all(gates.map((gate) => gate.stop()));
  });

  const start = (): Promise<TestGate> =>
    startGate(cluster().folder, [
      `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
      '--tls-secret=olm-guard-tls',
    ]);

  async function secret(): Promise<Record<string, string>> {
    const { body } = await cluster().request('GET', secretPath);
    const { data = {} } = body as unknown as { data?: Record<string, string> };
    const texts = Object.entries(data).map(([key, value]) => [
      key,
      Buffer.from(value, 'base64').toString('utf8'),
    ]);
    return Object.fromEntries(texts) as Record<string, string>;
  }

  async function bundles(): Promise<string[][]> {
    return (await webhooksOf(cluster())).map(
      ({ clientConfig }) =>
        Buffer.from(clientConfig.caBundle ?? '', 'base64')
          .toString('utf8')
          .match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [],
    );
  }

  /** As an API server would: under the caBundle, by name. Fails when the certificate does not fit. */
  async function served({ url }: TestGate): Promise<string> {
    const [ca = []] = await bundles();
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), ca }, () => {
        resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
        socket.end();
      });
      socket.on('error', reject);
    });
  }

  before(async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/overlays/default');
    // There is no kubelet: the webhooks ask a process, whose authority they get from the gate.
    gates.push(...(await Promise.all([start(), start()])));
    await leadWebhooksTo(cluster(), gates[0]?.url ?? '');
  });

  it('two replicas that start at once serve one certificate, and every caBundle is filled in', async () => {
    await until('every caBundle to be filled in', async () =>
      (await bundles()).every((bundle) => bundle.length === 1) ? true : undefined,
    );
    const fingerprints = await Promise.all(gates.map(served));
    expect(new Set(fingerprints).size).to.equal(1);
    const { 'ca.crt': ca = '' } = await secret();
    for (const bundle of await bundles()) expect(bundle).to.deep.equal([ca.trim()]);
  });

  it('is trusted by the API server', async () => {
    await untilAnswered(cluster(), 403);
    expect((await create(cluster(), widgets())).code).to.equal(201);
    expect((await replace(cluster(), breaking())).code).to.equal(403);
  });

  it('puts a deleted Secret back as it was', async () => {
    const before = await secret();
    await kubectl(cluster(), 'delete', 'secret', 'olm-guard-tls', '--namespace=olm-guard');
    await until('the Secret to be there again', async () =>
      (await cluster().request('GET', secretPath)).code === 200 ? true : undefined,
    );
    expect(await secret()).to.deep.equal(before);
  });

  it('takes a new authority, old and new side by side, and no review is lost', async () => {
    await kubectl(
      cluster(),
      'patch',
      'validatingwebhookconfiguration',
      'olm-guard',
      '--type=json',
      '-p',
      '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Fail"}]',
    );
    const { 'ca.crt': old = '' } = await secret();
    let asking = true;
    const answers = (async () => {
      const codes = new Set<number>();
      for (let round = 0; asking; round += 1) {
        codes.add(
          (
            await replace(
              cluster(),
              changed((spec) => (spec.properties[`round${round}`] = { type: 'string' })),
            )
          ).code,
        );
        codes.add((await replace(cluster(), breaking(), { query: '?dryRun=All' })).code);
        // A certificate takes seconds to change; without a pause servers do little else but this.
        await sleep(50);
      }
      return codes;
    })();
    // What an admin does who does not trust the key any more: docs/operations.md.
    await kubectl(
      cluster(),
      'patch',
      'secret',
      'olm-guard-tls',
      '--namespace=olm-guard',
      '--type=json',
      '-p',
      '[{"op":"remove","path":"/data/ca.key"}]',
    );
    await until('both authorities to be trusted', async () =>
      (await bundles()).every((bundle) => bundle.length === 2) ? true : undefined,
    );
    await until(
      'the new authority to be used',
      async () => {
        const { 'ca.crt': now = '', 'next-ca.crt': next } = await secret();
        return now !== old && next === undefined ? true : undefined;
      },
      { timeoutMs: 120_000 },
    );
    const { 'tls.crt': cert = '' } = await secret();
    const { fingerprint256 } = new X509Certificate(cert);
    for (const gate of gates) {
      await until('the new certificate to be served', async () =>
        (await served(gate)) === fingerprint256 ? true : undefined,
      );
    }
    asking = false;
    expect([...(await answers)].sort()).to.deep.equal([200, 403]);
  });

  it('takes no certificate that has ended, and issues another', async () => {
    const { 'ca.crt': cert = '', 'ca.key': key = '' } = await secret();
    const yearAgo = Date.now() - 365 * 86_400_000;
    const ended = await issueCertificate({ cert, key }, ['127.0.0.1'], yearAgo);
    const data = {
      'tls.crt': Buffer.from(ended.cert).toString('base64'),
      'tls.key': Buffer.from(ended.key).toString('base64'),
    };
    const before = await Promise.all(gates.map(served));
    const patch = await cluster().request(
      'PATCH',
      secretPath,
      { data },
      { contentType: 'application/merge-patch+json' },
    );
    expect(patch.code, patch.text).to.equal(200);
    const endedPrint = new X509Certificate(ended.cert).fingerprint256;
    const seen = new Set<string>();
    await until('another certificate to be served', async () => {
      const now = await Promise.all(gates.map(served));
      for (const each of now) seen.add(each);
      return now.every((each) => !before.includes(each)) ? true : undefined;
    });
    expect(seen).not.to.include(endedPrint);
  });

  it('says what to do about an immutable Secret that has to be written, and goes on when it is deleted', async () => {
    const before = await secret();
    const damaged = { immutable: true, data: { 'ca.crt': '' } };
    const answer = await cluster().request('PATCH', secretPath, damaged, {
      contentType: 'application/merge-patch+json',
    });
    expect(answer.code, answer.text).to.equal(200);
    const told = (): boolean =>
      gates.some((gate) =>
        gate
          .logs()
          .some(({ reason = '' }) =>
            /is immutable and has to be written: delete it/.test(String(reason)),
          ),
      );
    await until('it to be said', () => told() || undefined);
    await kubectl(cluster(), 'delete', 'secret', 'olm-guard-tls', '--namespace=olm-guard');
    await until('the Secret to be there again, as it was', async () => {
      const { 'ca.crt': authority } = await secret();
      return authority === before['ca.crt'] ? true : undefined;
    });
    expect(await secret()).to.deep.equal(before);
  });

  it('goes on when the replica that wrote is gone', async () => {
    const lease = '/apis/coordination.k8s.io/v1/namespaces/olm-guard/leases/olm-guard-certificates';
    const { body } = await cluster().request('GET', lease);
    const { holderIdentity } = (body as unknown as { spec: { holderIdentity: string } }).spec;
    const writer = gates.find(({ pid }) => holderIdentity.endsWith(`_${pid}`));
    expect(writer, holderIdentity).not.to.equal(undefined);
    gates.splice(gates.indexOf(writer as TestGate), 1);
    await writer?.stop();
    await kubectl(cluster(), 'delete', 'secret', 'olm-guard-tls', '--namespace=olm-guard');
    await until(
      'the Secret to be there again',
      async () => ((await cluster().request('GET', secretPath)).code === 200 ? true : undefined),
      { timeoutMs: 90_000 },
    );
  });

  it('says which rights are missing', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        join(root, 'dist', 'main.js'),
        'serve',
        '--listen=127.0.0.1:0',
        '--metrics-listen=127.0.0.1:0',
        '--log-level=silent',
        `--kubeconfig=${kubeconfigOf(cluster(), stranger)}`,
        '--tls-secret=olm-guard-tls',
      ],
      { encoding: 'utf8', timeout: 60_000 },
    );
    expect(status).to.equal(2);
    expect(stderr).to.include('manifests/components/self-managed').and.not.include('    at ');
  });

  it('renews in time, by the clock of the API server', async () => {
    const day = 86_400_000;
    const connection = await Connection.fromKubeconfig(kubeconfigOf(cluster(), serviceAccount));
    await Promise.all(gates.splice(0).map((gate) => gate.stop()));
    await connection.read({ path: secretPath });
    expect(Math.abs(connection.now() - Date.now())).to.be.below(60_000);
    let ahead = 0;
    const seen: Certificate[] = [];
    const source = await certificateInSecret(connection, {
      namespace: 'olm-guard',
      name: 'olm-guard-tls',
      isAggregated: false,
      registration: 'olm-guard',
      names: ['127.0.0.1'],
      isWriter: () => true,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined } as never,
      metrics: { certificateReloads: { inc: () => undefined } } as never,
      now: () => connection.now() + ahead,
      roundMilliseconds: 20,
      settleMilliseconds: 100,
    });
    try {
      await source.onRenewal((certificate) => seen.push(certificate));
      const { 'ca.crt': authority = '' } = await secret();
      ahead = 61 * day;
      await until('a new certificate', () => Promise.resolve(seen.length > 0 ? true : undefined));
      expect((await secret())['ca.crt']).to.equal(authority);
      ahead = 250 * day;
      await until('a new authority', async () => {
        const { 'ca.crt': now, 'next-ca.crt': next } = await secret();
        return now !== authority && next === undefined ? true : undefined;
      });
      await until('a certificate under it', () => {
        const expires = seen.at(-1)?.expires.getTime() ?? 0;
        return expires > Date.now() + 250 * day ? true : undefined;
      });
      const ours = (await secret())['ca.crt']?.trim();
      ahead += day;
      await until('the old authority to be gone', async () => {
        const each = await bundles();
        return each.every((bundle) => bundle.join() === ours) ? true : undefined;
      });
    } finally {
      source.close();
      connection.close();
    }
  });
});
