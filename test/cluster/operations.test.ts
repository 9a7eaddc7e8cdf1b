/** docs/operations.md followed literally: its blocks marked _(tested)_, in their order, in a shell. */
import { spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { ensurePrograms } from '../apiserver/binaries.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import {
  kubectl,
  kustomize,
  pointWebhooksAt,
  root,
  webhookConfiguration,
  webhooksOf,
} from './installed-gate.js';

interface Block {
  readonly heading: string;
  readonly script: string;
}

/** Code blocks that follow a line `_(tested)_`, with the heading they stand under. */
function testedBlocks(page: string): Block[] {
  const pattern = /^## (?<heading>.+)$|^_\(tested\)_\n\n?```sh\n(?<script>[\s\S]*?)^```$/gm;
  let heading = '';
  return [...page.matchAll(pattern)].flatMap(({ groups }) => {
    if (groups?.['script'] !== undefined) return [{ heading, script: groups['script'] }];
    heading = groups?.['heading'] ?? heading;
    return [];
  });
}

const blocks = testedBlocks(readFileSync(join(root, 'docs', 'operations.md'), 'utf8'));

describe('docs/operations.md, for a gate that is registered by its URL', () => {
  const cluster = useCluster();

  it('registers every webhook with jq, past the guard of the base', async () => {
    const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
    const [, script = ''] = /^Or, with `jq`, [^\n]+\n\n```sh\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const ca = Buffer.from('an authority').toString('base64');
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    const names = (await webhooksOf(cluster())).map(({ name }) => name);
    await kubectl(cluster(), 'delete', 'validatingwebhookconfiguration', 'olm-guard');
    await kubectl(
      cluster(),
      ...['create', 'secret', 'generic', 'olm-guard-tls', '--namespace=olm-guard'],
      '--from-literal=ca.crt=an authority',
    );
    const { status, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
      ...{ cwd: root, encoding: 'utf8' },
      env: {
        ...process.env,
        PATH: `${dirname((await ensurePrograms()).get('kubectl') ?? '')}:${process.env['PATH']}`,
        KUBECONFIG: cluster().kubeconfigPath,
      },
    });
    expect(status, stderr).to.equal(0);
    const webhooks = await webhooksOf(cluster());
    expect(webhooks.map(({ name }) => name)).to.deep.equal(names);
    for (const { clientConfig } of webhooks)
      expect(clientConfig).to.deep.equal({
        url: 'https://127.0.0.1:8443/validate',
        caBundle: ca,
      });
  });
});

describe('docs/operations.md', function () {
  // Each step stands on the one before.
  this.bail(true);
  const cluster = useCluster();
  let gate: TestGate;
  let defaultsFile: string;
  let policyFile: string;
  let bin: string;
  after(async () => gate?.stop());

  before(async () => {
    bin = join(cluster().folder, 'bin');
    mkdirSync(bin);
    const program = (await ensurePrograms()).get('kubectl') ?? 'kubectl';
    writeFileSync(join(bin, 'kubectl'), `#!/bin/sh\nexec "${program}" "$@"\n`, { mode: 0o755 });
  });

  async function shell(script: string): Promise<{ code: number; output: string }> {
    const env = {
      ...process.env,
      PATH: `${bin}:${process.env['PATH']}`,
      KUBECONFIG: cluster().kubeconfigPath,
      HOME: cluster().folder,
    };
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    const code = await new Promise<number>((resolve) =>
      child.on('close', (status) => resolve(status ?? -1)),
    );
    return { code, output };
  }

  /** Runs the next block, which must stand under this heading. */
  async function follow(heading: string): Promise<string> {
    const block = blocks.shift();
    expect(block?.heading, 'the next tested block of the page').to.equal(heading);
    const { code, output } = await shell(block?.script ?? '');
    expect(code, output).to.equal(0);
    return output;
  }

  /** Does what kubelet does with the volumes of both ConfigMaps. */
  async function bringPolicy(): Promise<void> {
    const jsonpath = 'jsonpath={.data.policy\\.yaml}';
    const volumes = [
      ['olm-guard-defaults', defaultsFile],
      ['olm-guard-policy', policyFile],
    ] as const;
    for (const [name, file] of volumes) {
      const args = ['get', 'configmap', name, '--namespace=olm-guard', '--ignore-not-found'];
      const text = await kubectl(cluster(), ...args, '-o', jsonpath);
      if (text === '') rmSync(file, { force: true });
      else writeFileSync(file, text);
    }
  }

  const breakingChange = 'kubectl apply --dry-run=server -f examples/upgrades/field-removed.yaml';

  async function untilBreakingChange(passes: boolean): Promise<string> {
    return until(`a breaking change ${passes ? 'to pass' : 'to be refused'}`, async () => {
      const { code, output } = await shell(breakingChange);
      return (code === 0) === passes ? output : undefined;
    });
  }

  async function serviceReferences(caBundle: string): Promise<void> {
    const service = { namespace: 'olm-guard', name: 'olm-guard', path: '/validate', port: 443 };
    const patch = (await webhooksOf(cluster())).map((_webhook, index) => ({
      op: 'replace',
      path: `/webhooks/${index}/clientConfig`,
      value: { service, caBundle },
    }));
    const contentType = 'application/json-patch+json';
    const { code } = await cluster().request('PATCH', webhookConfiguration, patch, { contentType });
    expect(code).to.equal(200);
  }

  let caBundle = '';

  it('Register: manifests and a certificate that fits the Service', async () => {
    await follow('Register');
    const bundles = (await webhooksOf(cluster())).map(({ clientConfig }) => clientConfig.caBundle);
    caBundle = bundles[0] ?? '';
    expect(caBundle).not.to.equal('');
    expect(new Set(bundles).size).to.equal(1);

    const { body } = await cluster().request(
      'GET',
      '/api/v1/namespaces/olm-guard/secrets/olm-guard-tls',
    );
    const { data } = body as unknown as { data: Record<string, string> };
    const file = (name: string): string => join(cluster().folder, name);
    for (const name of ['tls.crt', 'tls.key']) {
      writeFileSync(file(name), Buffer.from(data[name] ?? '', 'base64'));
    }
    const serving = await startGate(cluster().folder, [
      `--tls-cert-file=${file('tls.crt')}`,
      `--tls-private-key-file=${file('tls.key')}`,
    ]);
    try {
      expect(await trusts(serving.url, Buffer.from(caBundle, 'base64').toString())).to.equal(true);
    } finally {
      await serving.stop();
    }
  });

  it('Register: certs/install.sh again renews, and both CAs are trusted meanwhile', async () => {
    const before = new X509Certificate(Buffer.from(caBundle, 'base64').toString());
    const { code, output } = await shell('certs/install.sh');
    expect(code, output).to.equal(0);
    const bundle = (await webhooksOf(cluster()))[0]?.clientConfig.caBundle ?? '';
    const pems = Buffer.from(bundle, 'base64')
      .toString()
      .match(/-----BEGIN[\s\S]+?END [A-Z]+-+/g);
    expect(pems).to.have.length(2);
    expect(pems?.map((pem) => new X509Certificate(pem).fingerprint256)[1]).to.equal(
      before.fingerprint256,
    );
    caBundle = bundle;
  });

  it('Register: the gate is asked from then on', async () => {
    const { code, output } = await shell(
      'kubectl apply -f examples/cluster/customresourcedefinition-samples.yaml',
    );
    expect(code, output).to.equal(0);
    defaultsFile = join(cluster().folder, 'defaults.yaml');
    policyFile = join(cluster().folder, 'policy.yaml');
    await bringPolicy();
    gate = await startGate(cluster().folder, [
      `--policy=${defaultsFile}`,
      `--policy-overrides=${policyFile}`,
    ]);
    await pointWebhooksAt(cluster(), gate);
    const refused = await untilBreakingChange(false);
    expect(refused).to.include('denied the request').and.include('may not be removed');
  });

  const refusals: [file: string, words: string][] = [
    // Before any webhook is asked.
    ['scope-change', 'spec.scope: Invalid value: "Cluster": field is immutable'],
    ['stored-version-removed', 'status.storedVersions[0]: Invalid value: "v1alpha1"'],
    ['field-removed', 'version/v1alpha1 field/^.spec.pollInterval may not be removed'],
    [
      'required-added',
      'version "v1alpha1", field "^.spec": new required fields added: [pollInterval]',
    ],
  ];
  for (const [file, words] of refusals) {
    it(`Register: the policy that comes with it refuses examples/upgrades/${file}.yaml`, async () => {
      const { code, output } = await shell(
        `kubectl apply --dry-run=server -f examples/upgrades/${file}.yaml`,
      );
      expect(code).to.equal(1);
      expect(output).to.include(words);
      if (!output.includes('denied the request')) return;
      const deed = file === 'field-removed' ? 'lose data' : 'be refused on create or restore';
      expect(output).to.match(
        new RegExp(`objects of samples.test.example.com can ${deed} at .*\\nTo fix: .*--fix FILE`),
      );
    });
  }

  it('Observe before you enforce: everything passes, and is counted', async () => {
    await follow('Observe before you enforce');
    await bringPolicy();
    await untilBreakingChange(true);
    expect(await gate.metrics())
      .to.match(
        /olm_guard_findings_total\{rule="NoExistingFieldRemoved",decision="would-deny"\} [1-9]/,
      )
      .and.match(/olm_guard_reviews_total\{[^}]*operation="UPDATE",decision="would-deny"\} [1-9]/)
      .and.match(/olm_guard_policy_reloads_total\{outcome="success"\} 1/);
    expect(JSON.stringify(gate.logs())).to.include('"wouldDeny":true');
  });

  it('Observe before you enforce: two upgrades leave the policy as the admin wrote it', async () => {
    for (const components of [[], ['cert-manager'], []]) {
      const rendered = await kustomize(cluster(), 'base', components);
      const known = rendered.split(/^---$/m).filter((each) => !each.includes('cert-manager.io/v1'));
      await serviceReferences(caBundle);
      const newer = known.join('---').replaceAll('olm-guard:0.1.0', `olm-guard:0.2.0`);
      const { code, stderr } = await cluster().kubectl(['apply', '-f', '-'], { stdin: newer });
      expect(code, stderr).to.equal(0);
      await bringPolicy();
      await pointWebhooksAt(cluster(), gate);
      await untilBreakingChange(true);
    }
  });

  it('Enforce: never without an authority, whatever applies it', async () => {
    const fail = '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Fail"}]';
    const none = '[{"op":"remove","path":"/webhooks/0/clientConfig/caBundle"}]';
    const registration = 'validatingwebhookconfiguration olm-guard --type=json -p';
    const shipped = async (): Promise<string> =>
      (await shell('kubectl -n olm-guard get configmap olm-guard-defaults -o yaml')).output;
    await serviceReferences(caBundle);
    expect((await shell(`kubectl patch ${registration} '${none}'`)).code).to.equal(0);
    for (const command of [
      `kubectl patch ${registration} '${fail}'`,
      'kubectl apply -k manifests/overlays/enforcing',
      'kubectl apply --server-side --force-conflicts -k manifests/overlays/enforcing',
      'kubectl delete validatingwebhookconfiguration olm-guard && kubectl apply -k manifests/overlays/enforcing',
    ]) {
      const { code, output } = await shell(command);
      expect(code, `${command}: ${output}`).to.equal(1);
      expect(output).to.include(
        'webhook customresourcedefinitions.olm-guard.io has failurePolicy Fail and no caBundle',
      );
      // Without a registration there is nobody to be asked, and no place to look for an authority.
      if (command.startsWith('kubectl delete')) continue;
      expect(await shipped(), `after ${command}`).to.include('unjudged: allow');
    }
    // Nothing stands in the way of going back, also without a registration.
    expect((await shell('kubectl apply -k manifests/base')).code).to.equal(0);
    expect(await shipped()).to.include('unjudged: allow');
    await serviceReferences(caBundle);
    await pointWebhooksAt(cluster(), gate);
  });

  it("Enforce: without a policy of the admin's the one that comes with the gate holds", async () => {
    await follow('Enforce');
    await bringPolicy();
    await untilBreakingChange(false);
  });

  it('Enforce: a gate that is away is no way around it, and certificates stay', async () => {
    await serviceReferences(caBundle);
    await follow('Enforce');
    const webhooks = await webhooksOf(cluster());
    const passing = webhooks.filter(({ failurePolicy }) => failurePolicy !== 'Fail');
    // These only warn.
    expect(passing.map(({ name }) => name)).to.deep.equal([
      'clusterversions.olm-guard.io',
      'installplan-steps.olm-guard.io',
    ]);
    expect(webhooks.map(({ clientConfig }) => clientConfig.caBundle)).to.deep.equal(
      webhooks.map(() => caBundle),
    );
    await pointWebhooksAt(cluster(), gate);
    await bringPolicy();
    await untilBreakingChange(false);
    const { stdout } = await cluster().kubectl([
      'get',
      'validatingwebhookconfiguration',
      'olm-guard',
      '-o',
      'jsonpath={.metadata.annotations.cert-manager\\.io/inject-ca-from}',
    ]);
    expect(stdout).to.equal('olm-guard/olm-guard');
  });

  it('Switch off, for one extension: the change passes with a warning', async () => {
    await follow('Switch off, for one extension');
    const allowed = await untilBreakingChange(true);
    expect(allowed).to.include('Warning: crd-upgrade-safety is switched off by annotation');
    const { code } = await shell(
      'kubectl annotate crd samples.test.example.com olm-guard.io/disable-',
    );
    expect(code).to.equal(0);
    await untilBreakingChange(false);
  });

  it('Stored objects: the right to read them is given kind by kind', async () => {
    await follow('Stored objects');
  });

  it('Unpacked bundles: the right to read them is given namespace by namespace', async () => {
    await kubectl(cluster(), 'create', 'namespace', 'olm');
    await follow('Unpacked bundles');
    const account = '--as=system:serviceaccount:olm-guard:olm-guard';
    const may = (namespace: string): Promise<{ code: number }> =>
      shell(`kubectl auth can-i get configmaps ${account} --namespace=${namespace}`);
    expect((await may('olm')).code).to.equal(0);
    expect((await may('default')).code).to.equal(1);
  });

  const image = ['get', 'deployment', 'olm-guard', '--namespace=olm-guard', '-o'];
  const ofImage = [...image, 'jsonpath={.spec.template.spec.containers[*].image}'];
  const kept = ['guard', 'installed.yaml', 'next.yaml'].map((name) => join(root, name));
  after(() => kept.forEach((path) => rmSync(path, { recursive: true, force: true })));

  it('Roll out a new version: its image, and policy, authority and failurePolicy as they were', async () => {
    const policy = ['create', 'configmap', 'olm-guard-policy', '--namespace=olm-guard'];
    await kubectl(cluster(), ...policy, '--from-literal=policy.yaml=modes: {catalogs: audit}');
    await serviceReferences(caBundle);
    const output = await follow('Roll out a new version');
    expect(output).to.match(/^\+ +image: olm-guard:0\.2\.0$/m);
    expect(await kubectl(cluster(), ...ofImage)).to.equal('olm-guard:0.2.0');
    await expectAsBefore();
  });

  it('Roll back: what was there before the new version', async () => {
    const output = await follow('Roll back');
    expect(output.trim().split('\n').at(-1)).to.equal('olm-guard:0.1.0');
    expect(await kubectl(cluster(), ...ofImage)).to.equal('olm-guard:0.1.0');
    await expectAsBefore();
    await kubectl(cluster(), 'delete', 'configmap', 'olm-guard-policy', '--namespace=olm-guard');
    await pointWebhooksAt(cluster(), gate);
    await untilBreakingChange(false);
  });

  async function expectAsBefore(): Promise<void> {
    const webhooks = await webhooksOf(cluster());
    expect(webhooks.filter(({ failurePolicy }) => failurePolicy === 'Fail')).to.have.length(7);
    for (const { clientConfig } of webhooks) expect(clientConfig.caBundle).to.equal(caBundle);
    const jsonpath = 'jsonpath={.data.policy\\.yaml}';
    const policy = ['get', 'configmap', 'olm-guard-policy', '--namespace=olm-guard'];
    expect(await kubectl(cluster(), ...policy, '-o', jsonpath)).to.equal(
      'modes: {catalogs: audit}',
    );
  }

  it('in an emergency break-glass passes a gate that is dead', async () => {
    await gate.stop();
    const { code } = await shell('kubectl annotate crd samples.test.example.com incident=1');
    expect(code).to.equal(1);
    await follow('Emergency: bypass or remove the gate');
  });

  it('in an emergency, without the registration everything passes', async () => {
    await follow('Emergency: bypass or remove the gate');
    await untilBreakingChange(true);
  });

  it('Remove: nothing is left', async () => {
    await follow('Remove');
    const kinds = 'deployments,services,roles,rolebindings,clusterroles,clusterrolebindings';
    const ours = ['--all-namespaces', '--selector=app.kubernetes.io/part-of=olm-guard', '-o=name'];
    expect(await kubectl(cluster(), 'get', kinds, ...ours)).to.equal('');
  });

  it('has no tested block that nobody ran', () => {
    expect(blocks).to.deep.equal([]);
  });
});

/** Whether a server's certificate is good for the gate's Service, as the API server looks at it. */
function trusts(url: string, ca: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { hostname: host, port } = new URL(url);
    const socket = connect(
      { host, port: Number(port), ca, servername: 'olm-guard.olm-guard.svc' },
      () => {
        socket.destroy();
        resolve(socket.authorized);
      },
    );
    socket.on('error', () => resolve(false));
  });
}
