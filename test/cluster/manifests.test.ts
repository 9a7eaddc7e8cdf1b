/** manifests/, as an admin applies them, on a real API server. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseDocuments } from '../../src/text/documents/index.js';
import type { TestGate } from '../apiserver/gate.js';
import { startGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import {
  breaking,
  create,
  enforce,
  kubeconfigOf,
  kubectl,
  kustomize,
  pointWebhooksAt,
  replace,
  reviews,
  root,
  serviceAccount,
  untilAnswered,
  webhooksOf,
} from './installed-gate.js';
import { changed, definitionPath, specOf, widgets, type Definition } from './widgets.js';

const breakGlass = { name: 'breaker', groups: ['system:masters', 'olm-guard:break-glass'] };
const controllers = ['generic-garbage-collector', 'namespace-controller'].map((name) => ({
  name: `system:serviceaccount:kube-system:${name}`,
  groups: ['system:masters'],
}));

type Way = readonly [resource: string, components: readonly string[], unjudged: 'allow' | 'deny'];

interface Rendered {
  readonly kind?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly webhooks?: readonly { readonly name: string; readonly failurePolicy?: string }[];
}

interface Ingress {
  readonly from?: unknown[];
  readonly ports?: { readonly port: number }[];
}

describe('manifests', () => {
  const cluster = useCluster({ users: [{ name: serviceAccount }, breakGlass, ...controllers] });

  const ways: readonly Way[] = [
    ['base', [], 'allow'],
    ['overlays/default', [], 'allow'],
    ['overlays/observe', [], 'allow'],
    ['overlays/documented', [], 'allow'],
    ['overlays/enforcing', [], 'deny'],
    ['overlays/default', ['client-certificate', 'monitoring'], 'allow'],
    ['overlays/default', ['aggregated-api'], 'allow'],
    ['overlays/enforcing', ['aggregated-api'], 'deny'],
    ['base', ['cert-manager'], 'allow'],
    ['base', ['cert-manager', 'enforcing'], 'deny'],
    ['base', ['openshift', 'enforcing'], 'deny'],
  ];
  for (const [resource, components, unjudged] of ways) {
    const way = [resource, ...components].join(' and ');
    it(`${way} render to what the API server accepts, but for kinds it has not`, async () => {
      const rendered = await kustomize(cluster(), resource, components);
      const known = rendered
        .split(/^---$/m)
        .filter((document) => !/cert-manager\.io\/v1|monitoring\.coreos\.com\/v1/.test(document))
        .join('---');
      await kubectl(cluster(), 'create', 'namespace', 'olm-guard');
      await cluster().kubectl(['create', 'namespace', 'openshift-marketplace']);
      const { code, stderr } = await cluster().kubectl(
        ['apply', '--dry-run=server', '--server-side', '--force-conflicts', '-f', '-'],
        { stdin: known },
      );
      await kubectl(cluster(), 'delete', 'namespace', 'olm-guard', '--wait=false');
      await cluster().request('PUT', '/api/v1/namespaces/olm-guard/finalize', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'olm-guard' },
        spec: {},
      });
      expect(code, stderr).to.equal(0);
    });

    it(`${way} ${unjudged} what nobody judged, as the API server does without an answer`, async () => {
      const rendered = await kustomize(cluster(), resource, components);
      const objects = parseDocuments(Buffer.from(rendered)).map(({ value }) => value as Rendered);
      const policies = objects.flatMap(({ kind, data = {} }) =>
        kind === 'ConfigMap' && data['policy.yaml'] !== undefined ? [data['policy.yaml']] : [],
      );
      const given = policies.flatMap((text) =>
        parseDocuments(Buffer.from(text)).flatMap(
          ({ value }) => (value as { unjudged?: string }).unjudged ?? [],
        ),
      );
      expect(given).to.deep.equal([unjudged]);
      const closed = objects
        .flatMap(({ kind, webhooks = [] }) =>
          kind === 'ValidatingWebhookConfiguration' ? webhooks : [],
        )
        .filter(({ failurePolicy }) => failurePolicy === 'Fail')
        .map(({ name }) => name.replace('.olm-guard.io', ''));
      if (unjudged === 'allow') expect(closed).to.deep.equal([]);
      else expect(closed).to.include('customresourcedefinitions');
    });

    it(`${way} give no namespace to what belongs to the cluster`, async () => {
      const rendered = await kustomize(cluster(), resource, components);
      const placed = parseDocuments(Buffer.from(rendered))
        .map(({ value }) => value as { kind: string; metadata: { namespace?: string } })
        .filter(({ kind }) =>
          /^(APIService|ValidatingAdmission|ValidatingWebhook|Cluster|Namespace)/.test(kind),
        )
        .filter(({ metadata }) => metadata.namespace !== undefined);
      expect(placed).to.deep.equal([]);
    });
  }

  const openings: [components: readonly string[], admitted: unknown[]][] = [
    [
      [],
      [
        { ipBlock: { cidr: '0.0.0.0/0', except: ['10.244.0.0/16'] } },
        { ipBlock: { cidr: '::/0', except: ['fd00:10:244::/56'] } },
        ...['app', 'k8s-app'].map((label) => ({
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
          podSelector: { matchLabels: { [label]: 'konnectivity-agent' } },
        })),
      ],
    ],
    [
      ['openshift'],
      [
        {
          namespaceSelector: {
            matchLabels: { 'policy-group.network.openshift.io/host-network': '' },
          },
        },
      ],
    ],
  ];
  for (const [components, admitted] of openings) {
    it(`${['base', ...components].join(' and ')} open the port of reviews to API servers and their konnectivity agents, and to no other pod`, async () => {
      const rendered = await kustomize(cluster(), 'base', components);
      const policies = parseDocuments(Buffer.from(rendered))
        .map(({ value }) => value as { kind?: string; spec?: { ingress: Ingress[] } })
        .filter(({ kind }) => kind === 'NetworkPolicy');
      expect(policies).to.have.length(1);
      const rules = policies[0]?.spec?.ingress ?? [];
      const toReviews = rules.filter(
        ({ ports = [] }) => ports.length === 0 || ports.some(({ port }) => port !== 8080),
      );
      expect(toReviews.map(({ from }) => from)).to.deep.equal([admitted]);
    });
  }

  it('docs/client-certificate.md makes kustomizations for kubeadm and for managed control planes', async () => {
    const page = readFileSync(join(root, 'docs', 'client-certificate.md'), 'utf8');
    const made = [
      ...page.matchAll(/^mkdir -p guard\n(?:.*\n)*?EOF\n(?=kubectl apply -k guard\n)/gm),
    ];
    const renderings: string[] = [];
    for (const [script] of made) {
      const folder = mkdtempSync(join(tmpdir(), 'olm-guard-documented-'));
      symlinkSync(join(root, 'manifests'), join(folder, 'manifests'));
      execFileSync('sh', ['-euc', script], { cwd: folder });
      renderings.push(await kubectl(cluster(), 'kustomize', join(folder, 'guard')));
      rmSync(folder, { recursive: true });
    }
    const [kubeadm = '', managed = '', another] = renderings;
    expect(another).to.equal(undefined);
    expect(kubeadm)
      .to.include('- --client-ca-file=/client-ca/ca.crt')
      .and.include('- --client-name=kube-apiserver-kubelet-client')
      .and.match(/mountPath: \/client-ca\n/)
      .and.match(/configMap:\n\s+name: kube-root-ca\.crt\n/);
    expect(managed).to.include('- --aggregated-api').and.include('kind: APIService');
  });

  it('docs/mirrors.md makes a kustomization whose image comes from the mirror, by its digest', async () => {
    const page = readFileSync(join(root, 'docs', 'mirrors.md'), 'utf8');
    const [, kustomization = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-mirror-'));
    symlinkSync(root, join(folder, 'olm-guard'));
    const own = join(folder, 'guard');
    mkdirSync(own);
    writeFileSync(join(own, 'kustomization.yaml'), kustomization);
    const text = await kubectl(cluster(), 'kustomize', own);
    rmSync(folder, { recursive: true });
    const images = [...text.matchAll(/^ +image: (.*)$/gm)].map(([, image]) => image);
    expect(images).to.not.deep.equal([]);
    for (const image of images) {
      expect(image).to.match(/^mirror\.example\.com\/olm-guard@sha256:[0-9a-f]{64}$/);
    }
  });

  describe('base', () => {
    let gate: TestGate;

    before(async () => {
      await kubectl(cluster(), 'apply', '-k', 'manifests/base');
      const again = await kubectl(cluster(), 'apply', '-k', 'manifests/base');
      expect(again).to.match(/deployment\.apps\/olm-guard unchanged/);
      // Applying again must not take away what was aggregated meanwhile.
      expect(again)
        .to.match(/olm-guard-stored-objects unchanged/)
        .and.not.match(/ created$/m);
      gate = await startGate(cluster().folder, [
        `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
        '--policy=manifests/base/policy.yaml',
      ]);
      await pointWebhooksAt(cluster(), gate);
      await untilAnswered(cluster(), 403);
      await create(cluster(), widgets());
    });
    after(() => gate.stop());

    it('leaves caBundle to others and ignores a gate that is away', async () => {
      const rendered = await kubectl(cluster(), 'kustomize', 'manifests/base');
      const [registration] = rendered
        .split(/^---$/m)
        .filter((each) => /^kind: ValidatingWebhookConfiguration$/m.test(each));
      expect(registration).to.be.a('string').and.not.include('caBundle');
      const policies = (await webhooksOf(cluster())).map(({ failurePolicy }) => failurePolicy);
      expect(new Set(policies)).to.deep.equal(new Set(['Ignore']));
    });

    /** Whether the gate was asked about an update, and what came of it. */
    async function asked(update: () => Promise<{ code: number }>): Promise<[boolean, number]> {
      const before = await reviews(gate, 'UPDATE');
      const { code } = await update();
      return [(await reviews(gate, 'UPDATE')) > before, code];
    }

    /** 3,000 described fields: about 1.1 MB. */
    function giant(): Definition {
      const definition = widgets('giants');
      const description = 'A setting of this operator, explained at length. '.repeat(6);
      for (let index = 0; index < 3000; index++) {
        specOf(definition).properties[`setting${index}`] = { type: 'string', description };
      }
      return definition;
    }

    it('ask about a changed spec, of a megabyte too: the conditions stay within their budget', async () => {
      const definition = giant();
      expect(JSON.stringify(definition).length).to.be.greaterThan(1_000_000);
      expect((await create(cluster(), definition)).code).to.equal(201);
      const widened = giant();
      specOf(widened).properties['one-more'] = { type: 'string' };
      expect(await asked(() => replace(cluster(), widened))).to.deep.equal([true, 200]);
      const labelled = giant();
      specOf(labelled).properties['one-more'] = { type: 'string' };
      labelled.metadata.labels = { team: 'blue' };
      expect(await asked(() => replace(cluster(), labelled))).to.deep.equal([false, 200]);
      delete specOf(labelled).properties['setting7'];
      expect(await asked(() => replace(cluster(), labelled))).to.deep.equal([true, 403]);
    });

    it('ask about changed annotations, for they switch checks off', async () => {
      const annotated = widgets();
      for (const [note, expected] of [
        ['one', true],
        ['two', true],
        ['two', false],
      ] as const) {
        annotated.metadata.annotations = { note };
        expect(await asked(() => replace(cluster(), annotated))).to.deep.equal([expected, 200]);
      }
      expect(await asked(() => replace(cluster(), widgets()))).to.deep.equal([true, 200]);
    });

    const merge = (suffix: string, body: object): Promise<{ code: number }> =>
      cluster().request('PATCH', `${definitionPath('widgets')}${suffix}`, body, {
        contentType: 'application/merge-patch+json',
      });

    it('ask about owners that are named, and about every write of what carries a switch-off', async () => {
      const ownerOf = async (name: string): Promise<object> => {
        const { body } = await cluster().request('GET', `/api/v1/namespaces/${name}`);
        return { apiVersion: 'v1', kind: 'Namespace', name, uid: body.metadata?.uid };
      };
      const owner = await ownerOf('default');
      const off = 'olm-guard.io/disable';
      for (const [metadata, expected] of [
        [{ ownerReferences: [owner] }, true],
        [{ ownerReferences: [owner] }, false],
        [{ ownerReferences: [await ownerOf('kube-system')] }, true],
        [{ ownerReferences: null }, false],
        [{ labels: { 'olm.operatorframework.io/owner-name': 'a' } }, true],
        [{ labels: { 'olm.operatorframework.io/owner-name': 'a', team: 'red' } }, false],
        [{ labels: { 'olm.operatorframework.io/owner-name': 'b' } }, true],
        [{ labels: { 'olm.operatorframework.io/owner-name': null } }, false],
        [{ labels: { 'operators.coreos.com/widgets.operators': '' } }, true],
        [{ labels: { 'operators.coreos.com/widgets.operators': null, team: null } }, false],
        [{ annotations: { [off]: 'catalogs' } }, true],
        [{ labels: { team: 'green' } }, true],
        [{ annotations: { [off]: null } }, true],
        [{ labels: { team: null } }, false],
      ] as const) {
        expect(await asked(() => merge('', { metadata })), JSON.stringify(metadata)).to.deep.equal([
          expected,
          200,
        ]);
      }
    });

    it('ask about a write of the status that brings owners, claims or annotations, and about no other', async () => {
      const { body } = await cluster().request('GET', '/api/v1/namespaces/default');
      const owner = {
        apiVersion: 'v1',
        kind: 'Namespace',
        name: 'default',
        uid: body.metadata?.uid,
      };
      const off = 'olm-guard.io/disable';
      const condition = (reason: string): object => ({
        conditions: [
          {
            type: 'Tried',
            status: 'True',
            reason,
            message: '',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      });
      for (const [written, expected] of [
        [{ metadata: { ownerReferences: [owner] } }, true],
        [{ metadata: { ownerReferences: null } }, false],
        [{ metadata: { labels: { 'olm.operatorframework.io/owner-name': 'a' } } }, true],
        [{ metadata: { labels: { 'olm.operatorframework.io/owner-name': null } } }, false],
        [{ metadata: { labels: { team: 'red' }, finalizers: ['example.com/wait'] } }, false],
        [{ metadata: { labels: { team: null }, finalizers: null } }, false],
        [{ metadata: { annotations: { [off]: 'catalogs' } } }, true],
        // What the API server's own controllers write, also of what carries a switch-off.
        [{ status: condition('One') }, false],
        [{ metadata: { managedFields: [{}] } }, false],
        [{ metadata: { annotations: { [off]: 'all' } }, status: condition('Two') }, true],
        [{ metadata: { annotations: { [off]: null } } }, true],
        [{ status: condition('Three') }, false],
      ] as const) {
        expect(await asked(() => merge('/status', written)), JSON.stringify(written)).to.deep.equal(
          [expected, 200],
        );
      }
    });

    it('do not ask about what the API server writes when a definition is created', async () => {
      const created = widgets('established');
      created.metadata.annotations = { 'olm-guard.io/disable': 'catalogs' };
      const before = await reviews(gate, 'UPDATE');
      expect((await create(cluster(), created)).code).to.equal(201);
      await until('the definition to be established', async () => {
        const { text } = await cluster().request('GET', definitionPath('established'));
        return text.includes('"type":"Established"') ? true : undefined;
      });
      expect(await reviews(gate, 'UPDATE')).to.equal(before);
    });

    it('do not ask about other labels, finalizers and status', async () => {
      for (const [suffix, body] of [
        ['', { metadata: { labels: { team: 'blue' } } }],
        ['', { metadata: { finalizers: ['example.com/wait'] } }],
        ['', { metadata: { finalizers: [] } }],
        ['/status', { status: { storedVersions: ['v1'] } }],
      ] as const) {
        expect(await asked(() => merge(suffix, body)), JSON.stringify(body)).to.deep.equal([
          false,
          200,
        ]);
      }
    });

    for (const [index, { name }] of [breakGlass, ...controllers].entries()) {
      it(`do not ask about what ${name} does`, async () => {
        const plural = ['fires', 'embers', 'ashes'][index];
        await create(cluster(), widgets(plural));
        const update = (): Promise<{ code: number }> =>
          replace(cluster(), breaking(plural), { user: name });
        expect(await asked(update)).to.deep.equal([false, 200]);
      });
    }

    it('let the gate follow every kind that it wants to', () => {
      const views = gate.logs().filter(({ msg }) => msg === 'view');
      const states = new Set(views.map(({ state }) => state));
      expect(views.length).to.be.greaterThan(0);
      expect([...states].sort(), JSON.stringify(views)).to.deep.equal(['current', 'not-installed']);
    });

    it('give the gate the rights it uses, and no others', async () => {
      const rights = await kubectl(
        cluster(),
        ...['auth', 'can-i', '--list', `--as=${serviceAccount}`, '--namespace=olm-guard'],
      );
      const resources = rights
        .split('\n')
        .slice(1)
        .filter((line) => /^[a-z]/.test(line) && !line.startsWith('self'))
        .map((line) =>
          line
            .replace(/ +\[\] +/, ' ')
            .replaceAll(/ +/g, ' ')
            .trim(),
        )
        .sort();
      expect(resources).to.deep.equal(
        [
          ...[
            'clusterroles.rbac.authorization.k8s.io',
            'clusterextensions.olm.operatorframework.io',
            'clusterserviceversions.operators.coreos.com',
            'catalogsources.operators.coreos.com',
            'customresourcedefinitions.apiextensions.k8s.io',
            'installplans.operators.coreos.com',
            'namespaces',
            'operatorgroups.operators.coreos.com',
            'subscriptions.operators.coreos.com',
          ].map((resource) => `${resource} [] [get list watch]`),
          ...[
            'clusterrolebindings.rbac.authorization.k8s.io',
            'events',
            'operatorconditions.operators.coreos.com',
            'rolebindings.rbac.authorization.k8s.io',
            'roles.rbac.authorization.k8s.io',
          ].map((resource) => `${resource} [] [list watch]`),
          'serviceaccounts [] [get]',
          'validatingwebhookconfigurations.admissionregistration.k8s.io [olm-guard] [get]',
          'apiservices.apiregistration.k8s.io [] [get]',
          'clustercatalogs.olm.operatorframework.io [] [get]',
          'priorityclasses.scheduling.k8s.io [] [get]',
          'horizontalpodautoscalers.autoscaling [] [list]',
          'clusterversions.config.openshift.io [] [get]',
          'subjectaccessreviews.authorization.k8s.io [] [create]',
          'clusterextensionrevisions.olm.operatorframework.io [] [get]',
          'clusterobjectsets.olm.operatorframework.io [] [get]',
          'storageversionmigrations.storagemigration.k8s.io [] [list]',
          'configmaps [olm-guard-migrated] [get]',
          'leases.coordination.k8s.io [] [create]',
          'leases.coordination.k8s.io [olm-guard] [get update]',
        ].sort(),
      );
    });
  });

  describe('overlays/enforcing, with the gate at zero replicas', () => {
    const exempt = ['ciliumthings.cilium.io', 'issuers.cert-manager.io', 'guards.olm-guard.io'];
    const alike = ['plains.example.org', 'plains.evilcilium.io', 'plains.sub.cilium.io'];
    const definitionOf = (name: string): Definition => {
      const [plural = '', group = ''] = [
        name.slice(0, name.indexOf('.')),
        name.slice(name.indexOf('.') + 1),
      ];
      const definition = widgets(plural);
      definition.metadata.name = name;
      definition.spec.group = group;
      return definition;
    };
    const widened = (name: string): Definition => {
      const definition = definitionOf(name);
      specOf(definition).properties['note'] = { type: 'string' };
      return definition;
    };

    before(async () => {
      for (const name of [...exempt, ...alike]) {
        expect((await create(cluster(), definitionOf(name))).code).to.equal(201);
      }
      // The base names a Service again, and this one an address.
      await kubectl(cluster(), 'delete', 'validatingwebhookconfiguration', 'olm-guard');
      // Port 1 of loopback: nobody listens there.
      await enforce(cluster(), {
        url: 'https://127.0.0.1:1',
        ca: readFileSync(cluster().caFile, 'utf8'),
      });
      await untilAnswered(cluster(), 500);
    });

    for (const name of alike) {
      it(`refuses changes of ${name}, in words that name the webhook`, async () => {
        const { code, body } = await replace(cluster(), widened(name));
        expect(code).to.equal(500);
        expect(body.message).to.include(
          'failed calling webhook "customresourcedefinitions.olm-guard.io"',
        );
      });
    }

    for (const name of exempt) {
      it(`lets ${name} be changed, created and deleted`, async () => {
        expect((await replace(cluster(), widened(name))).code).to.equal(200);
        const path = definitionPath('x').replace('x.example.com', name);
        expect((await cluster().request('DELETE', path)).code).to.equal(200);
      });
    }

    it('lets labels and status be written, and break-glass and cleaning up pass', async () => {
      const path = definitionPath('x').replace('x.example.com', 'plains.example.org');
      const merge = { contentType: 'application/merge-patch+json' };
      const label = { metadata: { labels: { team: 'blue' } } };
      expect((await cluster().request('PATCH', path, label, merge)).code).to.equal(200);
      const status = { status: { storedVersions: ['v1'] } };
      expect((await cluster().request('PATCH', `${path}/status`, status, merge)).code).to.equal(
        200,
      );
      for (const { name } of [breakGlass, ...controllers]) {
        const answer = await replace(cluster(), widened('plains.example.org'), { user: name });
        expect(answer.code, name).to.equal(200);
      }
    });

    it('does not hold up what is no business of the gate', async () => {
      const name = 'unconcerned';
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      expect((await cluster().request('POST', '/api/v1/namespaces', namespace)).code).to.equal(201);
    });

    it('recovers when the gate is back', async () => {
      const gate = await startGate(cluster().folder);
      try {
        await pointWebhooksAt(cluster(), gate);
        await untilAnswered(cluster(), 403);
        const better = changed((spec) => (spec.properties['more'] = { type: 'string' }), 'probes');
        expect((await replace(cluster(), better)).code).to.equal(200);
      } finally {
        await gate.stop();
      }
    });
  });
});
