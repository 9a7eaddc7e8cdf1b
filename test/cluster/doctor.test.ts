/** `olm-guard doctor` on a real API server, from nothing to a gate that works, and back. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { expect } from 'chai';
import { selfSigned } from '../../src/gate/server/certificates/files.js';
import { ensurePrograms } from '../apiserver/binaries.js';
import { useCluster } from '../apiserver/mocha.js';
import { authority } from '../server/client-certificates.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { until } from '../apiserver/processes.js';
import {
  create,
  kubeconfigOf,
  kubectl,
  pointWebhooksAt,
  root,
  untilAnswered,
  webhookConfiguration,
} from './installed-gate.js';
import { changed, definitionPath, definitions, widgets } from './widgets.js';

const stranger = 'system:serviceaccount:default:default';

describe('olm-guard doctor', () => {
  const cluster = useCluster({ users: [{ name: stranger }] });

  async function run(program: string, args: string[], env: NodeJS.ProcessEnv = {}) {
    const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env } });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    }
    const code = await new Promise<number>((resolve) =>
      child.on('close', (status) => resolve(status ?? -1)),
    );
    return { code, said };
  }
  const doctor = (kubeconfig = cluster().kubeconfigPath, ...args: string[]) =>
    run(process.execPath, [
      join(root, 'dist', 'main.js'),
      'doctor',
      `--kubeconfig=${kubeconfig}`,
      ...args,
    ]);

  it('says that nobody is registered, and how to change that', async () => {
    const { code, said } = await doctor();
    expect(said).to.match(
      /^problem {2}no ValidatingWebhookConfiguration olm-guard.*overlays\/default/,
    );
    expect(code).to.equal(1);
  });

  it('keeps the command of docs/operations.md from enforcing on a cluster without a gate', async () => {
    const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
    const [, command = ''] = /^```sh\n(olm-guard doctor && .*enforcing)\n```$/m.exec(page) ?? [];
    expect(readFileSync(join(root, 'README.md'), 'utf8')).to.include(`\`${command}\``);
    const bin = join(cluster().folder, 'bin');
    mkdirSync(bin);
    const program = `exec "${process.execPath}" "${join(root, 'dist', 'main.js')}" "$@"`;
    writeFileSync(join(bin, 'olm-guard'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    const kubectlProgram = (await ensurePrograms()).get('kubectl') ?? 'kubectl';
    const { code, said } = await run('bash', ['-c', command], {
      PATH: `${bin}:${dirname(kubectlProgram)}:${process.env['PATH']}`,
      KUBECONFIG: cluster().kubeconfigPath,
    });
    expect(code, said).to.equal(1);
    expect(said).to.include('no ValidatingWebhookConfiguration olm-guard');
    for (const path of [webhookConfiguration, '/api/v1/namespaces/olm-guard'])
      expect((await cluster().request('GET', path)).code, path).to.equal(404);
    const { code: created } = await create(cluster(), widgets('unguardeds'));
    expect(created).to.equal(201);
    await cluster().request('DELETE', definitionPath('unguardeds'));
  });

  it('says what is missing of an installation that has no certificate and no pods', async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    const { code, said } = await doctor();
    expect(said).to.match(/^problem {2}no caBundle.*customresourcedefinitions\.olm-guard\.io/m);
    expect(said).to.match(/^problem {2}no pod behind Service olm-guard\/olm-guard is ready/m);
    expect(said).to.match(/^problem {2}Secret olm-guard\/olm-guard-tls is not there/m);
    expect(said, 'no firewall is blamed').to.match(
      /^unknown {2}whether calls come through to the gate was not tried: none does without a caBundle$/m,
    );
    expect(said).to.match(/^ok {7}ConfigMap olm-guard\/olm-guard-defaults is a policy$/m);
    expect(said).to.match(/^ok {7}system:serviceaccount:olm-guard:olm-guard has its \d+ rights$/m);
    expect(said).to.match(/olm-guard may not list every kind: .* stored objects are not checked/);
    expect(code).to.equal(1);
  });

  it('expects of a gate with overlays/default, which has just been applied, what it will do by itself', async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/overlays/default');
    const { code, said } = await doctor();
    expect(said).to.match(/^problem {2}no caBundle.*; the gate fills it in within ten seconds/m);
    expect(said).to.match(
      /^problem {2}Secret olm-guard\/olm-guard-tls is not there: .*; the gate makes it at its start$/m,
    );
    expect(code).to.equal(1);
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
  });

  it('reports no problem for a gate that works', async () => {
    const program = (await ensurePrograms()).get('kubectl') ?? 'kubectl';
    const made = await run('certs/install.sh', [], {
      PATH: `${dirname(program)}:${process.env['PATH']}`,
      KUBECONFIG: cluster().kubeconfigPath,
      HOME: cluster().folder,
    });
    expect(made.code, made.said).to.equal(0);
    // There is no kubelet, and so nobody who reports a pod.
    await cluster().request(
      'POST',
      '/apis/discovery.k8s.io/v1/namespaces/olm-guard/endpointslices',
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'olm-guard', labels: { 'kubernetes.io/service-name': 'olm-guard' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
      },
    );
    const { code, said } = await doctor();
    expect(said).to.not.match(/^problem/m);
    expect(said.match(/^unknown.*$/gm)).to.deep.equal([
      'unknown  whether calls come through to the gate was not tried: there is no CustomResourceDefinition yet',
    ]);
    expect(said).to.match(/^ok {7}the serving certificate fits caBundle and ends /m);
    expect(code).to.equal(0);
    const page = readFileSync(join(root, 'docs', 'commands.md'), 'utf8');
    for (const line of [
      /^ok {7}registered: customres.*$/m,
      /^ok {7}system:serviceaccount.* rights$/m,
    ]) {
      expect(page, 'as docs/commands.md shows it').to.include(line.exec(said)?.[0]);
    }
    const { said: json } = await doctor(undefined, '-o', 'json');
    expect(JSON.parse(json)).to.deep.include({
      state: 'ok',
      message: 'Service olm-guard/olm-guard has 1 ready pod',
    });
  });

  const check = (...args: string[]) =>
    run(process.execPath, [join(root, 'dist', 'main.js'), 'serve', '--check', ...args]);

  it('serve --check sees the same from inside, and what it cannot see', async () => {
    const [cert, key] = ['tls.crt', 'tls.key'].map((name) => join(cluster().folder, name));
    const secret = await cluster().request(
      'GET',
      '/api/v1/namespaces/olm-guard/secrets/olm-guard-tls',
    );
    const data = secret.body['data'] as Record<string, string>;
    writeFileSync(cert ?? '', Buffer.from(data['tls.crt'] ?? '', 'base64'));
    writeFileSync(key ?? '', Buffer.from(data['tls.key'] ?? '', 'base64'));
    const files = [`--tls-cert-file=${cert}`, `--tls-private-key-file=${key}`];
    const good = await check(`--kubeconfig=${cluster().kubeconfigPath}`, ...files);
    expect(good.said).to.not.match(/^(problem|unknown)/m);
    expect(good.said).to.match(/^ok {7}the user of these credentials has its \d+ rights$/m);
    expect(good.code).to.equal(0);
    const other = await (await authority('another')).issue('olm-guard.olm-guard.svc');
    writeFileSync(cert ?? '', other.cert);
    writeFileSync(key ?? '', other.key);
    const bad = await check(
      `--kubeconfig=${cluster().kubeconfigPath}`,
      ...files,
      '--policy=README.md',
    );
    expect(bad.said).to.match(/^problem {2}README\.md:\d+:\d+: is not YAML/m);
    expect(bad.said).to.match(/^problem {2}no authority in caBundle stands behind/m);
    expect(bad.code).to.equal(1);
    const none = await check(`--kubeconfig=${kubeconfigOf(cluster(), stranger)}`, ...files);
    expect(none.said).to.match(/^problem {2}the user of these credentials may not /m);
    expect(none.said).to.match(/^unknown {2}ValidatingWebhookConfiguration olm-guard may not be/m);
  });

  it('names webhooks and rules that are not registered, and exemptions that match nothing', async () => {
    expect((await create(cluster(), widgets('kept'))).code).to.equal(201);
    const policy = `apiVersion: olm-guard.io/v1alpha1
kind: Policy
exemptions:
  - { rules: [NoExistingFieldRemoved], names: [kepts.example.com], reason: misspelt }
  - { rules: [NoExistingFieldRemoved], names: [elsewhere.example.org], reason: gone }
  - { rules: [NoExistingFieldRemoved], names: [kept.example.com], paths: [^.spec.moed], reason: place }
  - { rules: [NoExistingFieldRemoved], names: [kept.example.com], paths: [^.spec.mode], reason: right }
`;
    const name = 'olm-guard-policy';
    const from = `--from-literal=policy.yaml=${policy}`;
    await kubectl(cluster(), 'create', 'configmap', name, '--namespace=olm-guard', from);
    const lose = [
      { op: 'remove', path: '/webhooks/0/rules/0/operations/0' },
      { op: 'remove', path: '/webhooks/1' },
    ];
    const options = { contentType: 'application/json-patch+json' };
    const before = await cluster().request('GET', webhookConfiguration);
    await cluster().request('PATCH', webhookConfiguration, lose, options);
    const { code, said } = await doctor();
    expect(said, said).to.match(
      /^warning {2}the exemption "misspelt" .*did you mean "kept\.example\.com"/m,
    );
    expect(said).to.match(/^warning {2}the exemption "gone" is about nothing on this cluster/m);
    expect(said).to.match(/^warning {2}the exemption "place" names \^\.spec\.moed, which kept/m);
    expect(said).not.to.include('exemption "right"');
    expect(said).to.match(/^problem {2}no rule for CREATE customresourcedefinitions/m);
    expect(said).to.match(
      /^problem {2}not registered: [a-z]+\.olm-guard\.io, .*overlays\/default/m,
    );
    expect(code).to.equal(1);
    const all = { op: 'replace', path: '/webhooks', value: [] };
    await cluster().request('PATCH', webhookConfiguration, [all], options);
    const none = await doctor();
    expect(none.said).to.match(
      /^problem {2}ValidatingWebhookConfiguration olm-guard has no webhooks/m,
    );
    expect(none.code).to.equal(1);
    const back = { ...all, value: before.body['webhooks'] };
    await cluster().request('PATCH', webhookConfiguration, [back], options);
    await kubectl(cluster(), 'delete', 'configmap', name, '--namespace=olm-guard');
    await cluster().request('DELETE', `${definitions}/kept.example.com`);
  });

  it('names a mistake in the policy, a right that was taken, and a certificate of another authority', async () => {
    await kubectl(
      cluster(),
      'create',
      'configmap',
      'olm-guard-policy',
      '--namespace=olm-guard',
      '--from-literal=policy.yaml=kind: Polcy',
    );
    await kubectl(
      cluster(),
      'patch',
      'clusterrole',
      'olm-guard',
      '--type=json',
      '-p',
      '[{"op":"remove","path":"/rules/1"}]',
    );
    await kubectl(
      cluster(),
      'patch',
      'validatingwebhookconfiguration',
      'olm-guard',
      '--type=json',
      '-p',
      `[{"op":"replace","path":"/webhooks/0/clientConfig/caBundle","value":"${readFileSync(cluster().caFile).toString('base64')}"}]`,
    );
    const { code, said } = await doctor();
    expect(said).to.match(
      /^problem {2}ConfigMap olm-guard\/olm-guard-policy:1:1: the policy needs the field "apiVersion"/m,
    );
    expect(said).to.match(
      /^problem {2}system:serviceaccount:olm-guard:olm-guard may not get\/list\/watch catalogsources\.operators\.coreos\.com, /m,
    );
    expect(said).to.match(
      /^problem {2}no authority in caBundle stands behind the serving certificate/m,
    );
    expect(code).to.equal(1);
  });

  describe('for webhooks that name an address', () => {
    let server: Server;
    let address: string;
    let right: string;
    before(async () => {
      const own = await selfSigned(['127.0.0.1']);
      right = own.authority;
      server = createServer(own.current);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(() => server.close());

    async function register(caBundle: string, host = address): Promise<void> {
      const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
      await cluster().request('DELETE', `${path}/elsewhere`);
      const { code, text } = await cluster().request('POST', path, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'elsewhere' },
        webhooks: [
          {
            name: 'definitions.example.com',
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            // Nothing that the other tests write.
            rules: [
              { apiGroups: ['x.example'], apiVersions: ['*'], operations: ['*'], resources: ['*'] },
            ],
            clientConfig: {
              url: `https://${host}/validate`,
              caBundle: Buffer.from(caBundle).toString('base64'),
            },
          },
        ],
      });
      expect(code, text).to.equal(201);
    }
    const look = () => doctor(undefined, '--registration=elsewhere');

    it('is content where caBundle fits what it serves', async () => {
      await register(right);
      const { code, said } = await look();
      expect(said).to.match(
        /^ok {7}registered: definitions\.example\.com \(\* of \*\); without an answer in 10 s refused \(failurePolicy Fail\)$/m,
      );
      expect(said).to.include(`the certificate that ${address} serves fits caBundle and ends`);
      expect(code, said).to.equal(0);
    });

    it('reports a caBundle of another CA', async () => {
      await register((await authority('another')).pem);
      const { code, said } = await look();
      expect(said).to.match(
        /^problem {2}caBundle does not fit the certificate that 127\.0\.0\.1:\d+ serves \(.+\): definitions\.example\.com; put the authority/m,
      );
      expect(code).to.equal(1);
    });

    it('does not say that all is well where nobody answers', async () => {
      await register(right, '127.0.0.1:1');
      const { code, said } = await look();
      expect(said).to.match(/^unknown {2}127\.0\.0\.1:1 does not answer here \(.+\), so whether/m);
      expect(code).to.equal(2);
    });
  });

  describe('for calls of the API server', () => {
    const widgetsPath = `${definitions}/widgets.example.com`;
    let gate: TestGate;
    before(async () => {
      gate = await startGate(cluster().folder, [`--kubeconfig=${cluster().kubeconfigPath}`]);
      await pointWebhooksAt(cluster(), gate);
      await untilAnswered(cluster(), 403);
      expect((await create(cluster(), widgets())).code).to.equal(201);
    });
    after(() => gate.kill());

    it('shows by a dry run that they come through, and leaves nothing behind', async () => {
      const { code, said } = await doctor();
      expect(said).to.match(
        /^ok {7}calls come through: the gate answered a dry run of an update of CustomResourceDefinition \S+\.example\.com$/m,
      );
      expect(code, said).to.equal(0);
      const { text } = await cluster().request('GET', definitions);
      expect(text).not.to.include('olm-guard.io/doctor');
    });

    it('names a gate that does not answer, whatever the failurePolicy hides', async () => {
      await gate.kill();
      const ignored = await doctor();
      expect(ignored.said).to.match(
        /^problem {2}calls do not come through: .* failurePolicy Ignore let it pass; start the gate at https:\/\/127\.0\.0\.1:\d+\/\S*, and let the API server reach it there/m,
      );
      expect(ignored.code).to.equal(1);
      const insist = { op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Fail' };
      await cluster().request('PATCH', webhookConfiguration, [insist], {
        contentType: 'application/json-patch+json',
      });
      await until('the API server to insist', async () =>
        (
          await cluster().request(
            'PATCH',
            `${widgetsPath}?dryRun=All`,
            changed((spec) => (spec.properties['seen'] = { type: 'string' })),
            {
              contentType: 'application/merge-patch+json',
            },
          )
        ).code === 500
          ? true
          : undefined,
      );
      const refused = await doctor();
      expect(refused.said).to.match(
        /^problem {2}calls do not come through: .*failed calling webhook "customresourcedefinitions/m,
      );
    });
  });

  it('says that no gate runs in a folder', async () => {
    const { code, said } = await run(process.execPath, [
      ...[join(root, 'dist', 'main.js'), 'doctor', '--state', 'examples/cluster'],
    ]);
    expect(said).to.equal(
      'olm-guard: no gate runs in a folder (--state); name the API server with --kubeconfig FILE\n',
    );
    expect(code).to.equal(2);
  });

  it('says what it may not look at', async () => {
    const { code, said } = await doctor(kubeconfigOf(cluster(), stranger));
    expect(said).to.equal('unknown  ValidatingWebhookConfiguration olm-guard may not be read\n');
    expect(code, 'nothing could be looked at').to.equal(2);
  });

  it('cannot judge a cluster that does not answer', async () => {
    const config = readFileSync(cluster().kubeconfigPath, 'utf8');
    const closed = join(cluster().folder, 'closed');
    writeFileSync(closed, config.replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, 'https://127.0.0.1:1'));
    const { code, said } = await doctor(closed);
    expect(code).to.equal(2);
    expect(said)
      .to.match(/^olm-guard: the cluster cannot be asked: /)
      .and.not.include('    at ');
  });
});
