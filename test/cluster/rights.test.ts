/** The rights that manifests/ give the gate, and those that an API server's audit log saw it use. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { aCsv, makeObject } from '../../src/olm/rules/objects/testing/harness.js';
import { queueCatalogText } from '../../src/olm/rules/objects/testing/queue-catalog.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { catalogRuleRows } from './catalog-rule-rows.js';
import {
  breaking,
  create,
  kubeconfigOf,
  kubectl,
  pointWebhooksAt,
  replace,
  serviceAccount,
  untilAnswered,
} from './installed-gate.js';
import {
  createAll,
  createNamespace,
  installOlm,
  pathOf,
  withApiVersion,
} from './olm-definitions.js';
import { olmRuleRows } from './olm-rule-rows.js';
import { createBeta } from './migrated-widgets.js';
import { definitionPath, scaled, widgets } from './widgets.js';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface AuditEvent {
  readonly verb: string;
  readonly objectRef?: { readonly apiGroup?: string; readonly resource: string };
  readonly responseStatus?: { readonly code?: number };
}

const roles = '/apis/rbac.authorization.k8s.io/v1';
const right = (verb: string, group: string, resource: string): string =>
  `${verb} ${resource}${group === '' ? '' : `.${group}`}`;

describe('the rights in manifests/', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-audit-'));
  const file = (name: string): string => join(folder, name);
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    rules: [{ level: 'Metadata', users: [serviceAccount] }, { level: 'None' }],
  };
  writeFileSync(file('audit-policy.yaml'), JSON.stringify(policy));
  after(() => rmSync(folder, { recursive: true }));

  const cluster = useCluster({
    users: [{ name: serviceAccount }],
    apiServerFlags: [
      `--audit-policy-file=${file('audit-policy.yaml')}`,
      `--audit-log-path=${file('audit.log')}`,
      '--feature-gates=StorageVersionMigrator=true',
      '--runtime-config=storagemigration.k8s.io/v1beta1=true',
    ],
  });
  let gate: TestGate;

  before(async () => {
    await installOlm(cluster());
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    writeFileSync(file('catalog.json'), queueCatalogText);
    const sources = ['crd', 'clusterextension', 'rukpak', 'subscription', 'csv'];
    const everySource = {
      apiVersion: 'olm-guard.io/v1alpha1',
      kind: 'Policy',
      bypass: { allowed: true, sources },
    };
    writeFileSync(file('policy.yaml'), JSON.stringify(everySource));
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
      `--policy=${file('policy.yaml')}`,
      `--catalog=community=${file('catalog.json')}`,
    ]);
    await pointWebhooksAt(cluster(), gate);
    await untilAnswered(cluster(), 403);
  });
  after(async () => gate?.stop());

  function events(): AuditEvent[] {
    if (!existsSync(file('audit.log'))) return [];
    const lines = readFileSync(file('audit.log'), 'utf8').split('\n');
    return lines.slice(0, -1).map((line) => JSON.parse(line) as AuditEvent);
  }

  function rightsIn(wanted: (code: number) => boolean): Set<string> {
    return new Set(
      events().flatMap(({ verb, objectRef, responseStatus }) =>
        objectRef === undefined || !wanted(responseStatus?.code ?? 200)
          ? []
          : [right(verb, objectRef.apiGroup ?? '', objectRef.resource)],
      ),
    );
  }

  async function given(): Promise<Set<string>> {
    const paths = [
      `${roles}/clusterroles/olm-guard`,
      `${roles}/namespaces/olm-guard/roles/olm-guard`,
    ];
    const answers = await Promise.all(paths.map((path) => cluster().request('GET', path)));
    const rules = answers.flatMap(({ body }) => (body as unknown as { rules: Rule[] }).rules);
    return new Set(
      rules.flatMap(({ apiGroups, resources, verbs }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) => verbs.map((verb) => right(verb, group, resource))),
        ),
      ),
    );
  }

  it('are each used, and none is missing but what is opt-in', async () => {
    for (const [index, row] of [...olmRuleRows, ...catalogRuleRows].entries()) {
      const namespace = `row-${index}`;
      const { object, operation } = row.bad(namespace);
      if (operation !== undefined) continue;
      await createNamespace(cluster(), namespace);
      await cluster().request(
        'POST',
        `${pathOf(object, 'collection')}?dryRun=All`,
        withApiVersion(object),
      );
    }
    // Whether an API that is not a definition's is there is looked up by its name.
    const service = { group: 'g.io', version: 'v1', name: 'gs', kind: 'G' };
    const needy = aCsv({
      namespace: 'row-0',
      name: 'needy.v1',
      spec: { apiservicedefinitions: { required: [service] } },
    });
    await cluster().request(
      'POST',
      `${pathOf(needy, 'collection')}?dryRun=All`,
      withApiVersion(needy),
    );
    // Who owns a definition is asked when a change of it would be denied.
    const owned = widgets('owned');
    owned.metadata.labels = {
      'olm.operatorframework.io/owner-kind': 'ClusterExtension',
      'olm.operatorframework.io/owner-name': 'owner',
      'operators.coreos.com/owned.row-0': '',
    };
    owned.metadata.ownerReferences = ['ClusterObjectSet', 'ClusterExtensionRevision'].map(
      (kind) => ({ apiVersion: 'olm.operatorframework.io/v1', kind, name: 'owner-1', uid: 'gone' }),
    );
    await createAll(cluster(), [
      makeObject('ClusterExtension', 'owner', '', { spec: {} }),
      makeObject('Subscription', 'owned', 'row-0', {
        spec: { name: 'owned', source: 'c', sourceNamespace: 'row-0', channel: 'stable' },
        status: { installedCSV: 'owned.v1', lastUpdated: '2026-01-01T00:00:00Z' },
      }),
    ]);
    await create(cluster(), owned);
    const change = breaking('owned');
    Object.assign(change.metadata, owned.metadata);
    expect((await replace(cluster(), change)).code).to.equal(403);

    // Whether a review shows an object as it is stored is seen by reading it.
    const kept = [
      makeObject('OperatorGroup', 'kept', 'row-0', { spec: { targetNamespaces: ['row-0'] } }),
      makeObject('CatalogSource', 'kept', 'row-0', {
        spec: { sourceType: 'grpc', address: 'a:1' },
      }),
      makeObject('InstallPlan', 'kept', 'row-0', { spec: { approved: false } }),
      makeObject('ClusterVersion', 'version', '', { spec: { channel: 'stable-4.17' } }),
    ];
    await createAll(cluster(), kept);
    const merge = { contentType: 'application/merge-patch+json' };
    for (const object of [...kept, makeObject('Subscription', 'owned', 'row-0')]) {
      const path = `${pathOf(object)}?dryRun=All`;
      await cluster().request('PATCH', path, { spec: { changed: 'yes' } }, merge);
    }

    // Whose scale subresource goes.
    await create(cluster(), scaled('scaleds'));
    await replace(cluster(), widgets('scaleds'), { query: '?dryRun=All' });

    // What shows that no object is stored in a version that leaves.
    await createBeta(cluster(), 'leavers', () => Promise.resolve());
    const trimmed = await cluster().request(
      'PATCH',
      `${definitionPath('leavers')}/status?dryRun=All`,
      { status: { storedVersions: ['v1'] } },
      merge,
    );
    expect(trimmed.code, trimmed.text).to.equal(200);

    const rights = await given();
    const unused = (): string[] => {
      const used = rightsIn((code) => code < 400 || code === 404);
      return [...rights].filter((each) => !used.has(each));
    };
    await until('each right to be used', () => unused().length === 0 || undefined).catch(() => {
      expect(unused()).to.deep.equal([]);
    });
    const refused = [...rightsIn((code) => code === 403)];
    const optional = /^(get configmaps|list \w+\.(row-\d+\.io|.*example\.(com|org)))$/;
    expect(refused.filter((each) => !optional.test(each))).to.deep.equal([]);
  });
});
