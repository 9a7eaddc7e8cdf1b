/** What each alert names, broken: by whom it is told, with which words, what its three commands say, and what mends it. */
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { day, issueCertificate } from '../../src/gate/server/certificates/authority.js';
import type { RunningDeployment } from '../apiserver/deployment.js';
import { nodeName } from '../apiserver/deployment.js';
import type { TestCluster } from '../apiserver/cluster.js';
import { until } from '../apiserver/processes.js';
import {
  breaking,
  create,
  replace,
  serviceAccount,
  webhookConfiguration,
} from '../cluster/installed-gate.js';
import type { Network } from '../cluster/network.js';
import { changed, widgets, type Definition } from '../cluster/widgets.js';
import { send } from '../server/gate.js';
import { reviewText, withSize } from '../server/reviews.js';

/** What a row breaks. */
export interface Walk {
  readonly cluster: TestCluster;
  readonly deployment: RunningDeployment;
  /** Between the gates and the API server. */
  readonly network: Network;
  /** Between the API server and the gates. */
  readonly inbound: Network;
  /** Where the webhooks ask. */
  readonly balancerUrl: string;
  /** A script in the root of the repository, with kubectl, helm and olm-guard; what it says. */
  readonly run: (script: string) => Promise<string>;
  /** Does something again and again, until all that is broken with it is mended. */
  readonly again: (once: () => Promise<unknown>) => void;
  /** After the registration was written anew. */
  readonly leadToGates: () => Promise<void>;
}

export interface Row {
  readonly alert: string;
  readonly make: (walk: Walk) => Promise<unknown>;
  readonly summary: RegExp;
  /** Of each command of the runbook, in order. */
  readonly says: readonly [RegExp, RegExp, RegExp];
  /** What the capitals in the commands stand for, beside the names that the alert has. */
  readonly names?: (walk: Walk) => Readonly<Record<string, string>>;
  /** What the runbook says beside its commands. */
  readonly mend?: (walk: Walk) => Promise<unknown>;
}

const hour = 3_600_000;
const json = { contentType: 'application/json-patch+json' };
const merge = { contentType: 'application/merge-patch+json' };

const apply = (object: object): string =>
  `kubectl apply -f - <<'END'\n${JSON.stringify(object)}\nEND`;
const olm = (kind: string, name: string, namespace: string, rest: object): object => ({
  apiVersion:
    kind === 'OperatorGroup' ? 'operators.coreos.com/v1' : 'operators.coreos.com/v1alpha1',
  ...{ kind, metadata: { name, namespace }, ...rest },
});

const madeNamespace = (name: string): string =>
  `kubectl create namespace ${name} --dry-run=client -o yaml | kubectl apply -f -`;

/** As OLM's controllers write it. */
async function withStatus(walk: Walk, object: object): Promise<void> {
  const { metadata, status } = object as { metadata: { namespace: string }; status: object };
  const { namespace } = metadata;
  await walk.run(`${madeNamespace(namespace)} && ${apply(object)}`);
  await walk.run(
    `kubectl apply --server-side --force-conflicts --subresource=status -f - <<'END'\n${JSON.stringify({ ...object, status })}\nEND`,
  );
}

const csv = (name: string, phase: string, reason: string): object =>
  olm('ClusterServiceVersion', name, 'billing', {
    spec: {
      ...{ version: '1.0.0', displayName: name },
      installModes: [{ type: 'AllNamespaces', supported: true }],
      install: { strategy: 'deployment', spec: { deployments: [] } },
    },
    status: { phase, reason, message: 'as it was made' },
  });

const catalogSource = (state: string): object =>
  olm('CatalogSource', 'cats', 'olm', {
    spec: { sourceType: 'grpc', address: '127.0.0.1:50051' },
    status: { connectionState: { lastObservedState: state } },
  });

const warnings = (count: number): object => ({
  ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'warned', namespace: 'billing' } },
  involvedObject: { kind: 'InstallPlan', namespace: 'billing', name: 'install-abcde' },
  ...{ reason: 'AppliedWithWarnings', message: 'a warning', type: 'Warning', count },
});

const group = (name: string, namespace: string): object =>
  olm('OperatorGroup', name, namespace, { spec: { targetNamespaces: [namespace] } });

const catalogFile = (walk: Walk): string => join(walk.cluster.folder, 'catalog.yaml');
const catalog = [
  { schema: 'olm.package', name: 'reports', defaultChannel: 'stable' },
  ...[
    {
      schema: 'olm.channel',
      package: 'reports',
      name: 'stable',
      entries: [{ name: 'reports.v1.0.0' }],
    },
  ],
  {
    ...{
      schema: 'olm.bundle',
      package: 'reports',
      name: 'reports.v1.0.0',
      image: 'example.com/reports',
    },
    properties: [{ type: 'olm.package', value: { packageName: 'reports', version: '1.0.0' } }],
  },
];

const annotate = (plural: string, ...annotations: string[]): string =>
  `kubectl annotate --overwrite customresourcedefinition ${plural}.example.com ${annotations.join(' ')}`;

async function isCreated(walk: Walk, plural: string): Promise<void> {
  const { code, text } = await create(walk.cluster, widgets(plural));
  if (code !== 201 && code !== 409) throw new Error(text);
}

async function patchRegistration(walk: Walk, operations: readonly object[]): Promise<void> {
  const { code, text } = await walk.cluster.request(
    'PATCH',
    webhookConfiguration,
    operations,
    json,
  );
  if (code !== 200) throw new Error(text);
}

/** About a megabyte, which a slow network does not carry in the time that the gate waits. */
function giant(turn = ''): Definition {
  return changed((spec) => {
    const description = `Explained at length. ${turn} `.repeat(15);
    for (let index = 0; index < 3000; index++)
      spec.properties[`setting${index}`] = { type: 'string', description };
  }, 'giants');
}

/** A definition whose change makes the gate look at stored objects, changed and not stored. */
const narrowed = (plural: string) =>
  changed((spec) => {
    Object.assign(spec.properties['replicas'] ?? {}, { maximum: 4 });
  }, plural);

/** Those that manifests/base/rbac.yaml grants. */
async function takeRights({ cluster, run, network }: Walk): Promise<void> {
  const bindings = (await run('kubectl get clusterrolebindings -o name'))
    .split('\n')
    .filter((name) => name.includes('/olm-guard') && !name.includes('certificates'));
  await run(`kubectl delete ${bindings.join(' ')}`);
  await until('the API server to know it', async () => {
    const path = '/apis/operators.coreos.com/v1/operatorgroups';
    const { code } = await cluster.request('GET', path, undefined, { user: serviceAccount });
    return code === 403 ? true : undefined;
  });
  // An open watch outlives the right; the next one does not.
  network.cut('both');
}

/** A pair of the authority in the Secret, for the names that it has, made so many days ago for ninety. */
async function putCertificate({ cluster }: Walk, daysAgo: number): Promise<void> {
  const path = '/api/v1/namespaces/olm-guard/secrets/olm-guard-tls';
  const { body } = await cluster.request('GET', path);
  const data = body['data'] as Record<string, string>;
  const text = (name: string): string => Buffer.from(data[name] ?? '', 'base64').toString();
  const { subjectAltName = '' } = new X509Certificate(text('tls.crt'));
  const names = subjectAltName.split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''));
  const authority = { cert: text('ca.crt'), key: text('ca.key') };
  const made = await issueCertificate(authority, names, Date.now() - daysAgo * day);
  const base64 = (value: string): string => Buffer.from(value).toString('base64');
  const pair = { 'tls.crt': base64(made.cert), 'tls.key': base64(made.key) };
  const { code, text: said } = await cluster.request('PATCH', path, { data: pair }, merge);
  if (code !== 200) throw new Error(said);
}

const talkative = reviewText({
  name: 'n'.repeat(100_000),
  oldObject: withSize({ type: 'integer' }),
  object: withSize(undefined),
});

let readLog: (() => void) | undefined;

/** Rows of a round are broken together. */
export const rounds: readonly (readonly Row[])[] = [
  [
    {
      alert: 'OlmGuardPolicyRefused',
      make: async (walk) => {
        const file = join(walk.cluster.folder, 'mistake.yaml');
        writeFileSync(file, 'modes: {crd-upgrade-safety: audit\n');
        await walk.run(
          `kubectl -n olm-guard create configmap olm-guard-policy --from-file=policy.yaml=${file}`,
        );
        const path = '/api/v1/namespaces/olm-guard/configmaps/olm-guard-policy';
        let tries = 0;
        walk.again(async () => {
          await sleep(5000);
          const text = `modes: {crd-upgrade-safety: audit\n# ${tries++}\n`;
          await walk.cluster.request('PATCH', path, { data: { 'policy.yaml': text } }, merge);
        });
      },
      summary:
        /^Gate olm-guard-\d in namespace olm-guard rejected an invalid policy; the previous one stays in force$/,
      names: ({ cluster }) => ({ FILE: join(cluster.folder, 'mistake.yaml') }),
      says: [
        /is not YAML.*policy not reloaded/,
        /crd-upgrade-safety: audit/,
        /mistake\.yaml:\d+:\d+: is not YAML/,
      ],
      mend: ({ run }) => run('kubectl -n olm-guard delete configmap olm-guard-policy'),
    },
    {
      alert: 'OlmGuardBypassUsed',
      make: async (walk) => {
        await isCreated(walk, 'bypassed');
        await walk.run(
          annotate('bypassed', 'olm-guard.io/disable=crd-upgrade-safety,stored-objects'),
        );
        const { code, text } = await replace(walk.cluster, {
          ...breaking('bypassed'),
          metadata: {
            name: 'bypassed.example.com',
            annotations: { 'olm-guard.io/disable': 'crd-upgrade-safety,stored-objects' },
          },
        });
        if (code !== 200) throw new Error(text);
      },
      summary: /^A switch-off \(crd\) let \S+ changes past crd-upgrade-safety within an hour$/,
      says: [
        /bypassed\.example\.com.*"decision":"bypassed"/,
        /BypassInForce +CustomResourceDefinition bypassed\.example\.com/,
        /olm-guard\.io\/disable: crd-upgrade-safety/,
      ],
      mend: ({ run }) => run(annotate('bypassed', 'olm-guard.io/disable-')),
    },
    {
      alert: 'OlmGuardSwitchOffSet',
      make: async (walk) => {
        await isCreated(walk, 'planted');
        await walk.run(annotate('planted', 'olm-guard.io/disable=catalogs'));
      },
      summary: /^A request has set a switch-off \(crd\); the next breaking change may pass$/,
      names: () => ({ NAME: 'planted.example.com' }),
      says: [
        /BypassInForce +CustomResourceDefinition planted\.example\.com/,
        /"newSwitchOffs"/,
        /planted\.example\.com annotated/,
      ],
    },
    {
      alert: 'OlmGuardSwitchOffEnds',
      make: async (walk) => {
        await isCreated(walk, 'ending');
        const until = new Date(Date.now() + hour).toISOString().replace(/\.\d+/, '');
        await walk.run(
          annotate(
            'ending',
            'olm-guard.io/disable=catalogs',
            `olm-guard.io/disable-until=${until}`,
          ),
        );
      },
      summary: /^A switch-off \(crd\) ends in \d+m \d+s; what it lets pass is denied from then on$/,
      names: () => ({ NAME: 'ending.example.com' }),
      says: [
        /BypassInForce +CustomResourceDefinition ending\.example\.com/,
        /olm-guard\.io\/disable-until/,
        /ending\.example\.com annotated/,
      ],
    },
    {
      alert: 'OlmGuardConflictingObjects',
      make: async ({ run }) => {
        await run(madeNamespace('crowded'));
        for (const name of ['first', 'second']) await run(apply(group(name, 'crowded')));
      },
      summary:
        /^2 OLM objects conflict \(MultipleOperatorGroups\): they were created at the same time, or before the gate$/,
      names: () => ({ NAMESPACE: 'crowded' }),
      says: [/MultipleOperatorGroups/, /OperatorGroup/, /operatorgroup\S*\/second/],
      mend: ({ run }) => run('kubectl -n crowded delete operatorgroup second'),
    },
    {
      alert: 'OlmGuardLogLinesDropped',
      make: async (walk) => {
        const { cluster, deployment } = walk;
        const [pod] = deployment.pods;
        const { body } = await cluster.request(
          'GET',
          '/api/v1/namespaces/olm-guard/secrets/olm-guard-tls',
        );
        const data = body['data'] as Record<string, string>;
        const ca = Buffer.from(data['ca.crt'] ?? '', 'base64').toString();
        readLog = pod?.gate.leaveLogUnread();
        walk.again(async () => {
          await send(pod?.gate.url ?? '', ca, talkative, {});
          await sleep(300);
        });
      },
      summary:
        /^Log lines of gate olm-guard-\d in namespace olm-guard are lost: whoever reads standard error is too slow or gone$/,
      names: () => ({ NODE: nodeName }),
      says: [/Node: +node-1/, /Name: +node-1/, /"msg"/],
      mend: () => Promise.resolve(readLog?.()),
    },
    {
      alert: 'CsvAbnormalFailedOver2Min',
      make: async (walk) => {
        writeFileSync(
          catalogFile(walk),
          catalog.map((each) => JSON.stringify(each)).join('\n---\n'),
        );
        await withStatus(walk, csv('reports.v1.0.0', 'Failed', 'InstallCheckFailed'));
      },
      summary: /^reports\.v1\.0\.0 in billing has failed: InstallCheckFailed$/,
      names: (walk) => ({ NAMESPACE: 'billing', CATALOG: catalogFile(walk) }),
      says: [/InstallCheckFailed/, /expected 1 OperatorGroup/, /install-abcde/],
      mend: (walk) => withStatus(walk, csv('reports.v1.0.0', 'Succeeded', 'InstallSucceeded')),
    },
    {
      alert: 'CsvAbnormalOver30Min',
      make: (walk) => withStatus(walk, csv('ledger.v1.0.0', 'Pending', 'RequirementsNotMet')),
      summary:
        /^ledger\.v1\.0\.0 in billing has been Pending for half an hour: RequirementsNotMet$/,
      names: (walk) => ({ NAMESPACE: 'billing', CATALOG: catalogFile(walk) }),
      says: [/RequirementsNotMet/, /expected 1 OperatorGroup/, /No resources found/],
      mend: (walk) => withStatus(walk, csv('ledger.v1.0.0', 'Succeeded', 'InstallSucceeded')),
    },
    {
      alert: 'InstallPlanStepAppliedWithWarnings',
      make: async (walk) => {
        await withStatus(
          walk,
          olm('InstallPlan', 'install-abcde', 'billing', {
            spec: { approved: true, approval: 'Automatic', clusterServiceVersionNames: [] },
            status: { phase: 'Complete' },
          }),
        );
        await walk.run(apply(warnings(1)));
        let count = 1;
        walk.again(() =>
          walk.cluster.request(
            'PUT',
            '/api/v1/namespaces/billing/events/warned',
            warnings(++count),
          ),
        );
      },
      summary: /^The API server warned about \S+ steps of InstallPlans$/,
      names: () => ({
        ...{ NAMESPACE: 'billing', NAME: 'install-abcde' },
        DIR: 'examples/bundles/reports.v1.1.0',
      }),
      says: [
        /billing +.*AppliedWithWarnings +installplan\/install-abcde/,
        /install-abcde/,
        /reports\.v1\.1\.0/,
      ],
    },
    {
      alert: 'CatalogSourceNotReady',
      make: (walk) => withStatus(walk, catalogSource('TRANSIENT_FAILURE')),
      summary: /^CatalogSource cats in olm is not READY: nothing that sees it is resolved$/,
      says: [/TRANSIENT_FAILURE/, /No resources found/, /CatalogSource olm\/cats/],
      mend: (walk) => withStatus(walk, catalogSource('READY')),
    },
  ],
  [
    {
      alert: 'OlmGuardDenialsSpike',
      make: async (walk) => {
        await isCreated(walk, 'refused');
        // A slow machine may spread a burst until it is none; the next comes when an hour has forgotten it.
        walk.again(async () => {
          const refused = Array.from({ length: 60 }, () =>
            replace(walk.cluster, breaking('refused'), { query: '?dryRun=All' }),
          );
          await Promise.all(refused);
          await sleep(80_000);
        });
      },
      summary:
        /^The gate in namespace olm-guard denied \S+ changes in ten minutes, five times what is usual$/,
      names: () => ({ RULE: 'NoExistingFieldRemoved' }),
      says: [/refused\.example\.com/, /field/, /^/],
    },
  ],
  [
    {
      alert: 'OlmGuardNotAsked',
      make: async (walk) => {
        await isCreated(walk, 'refused');
        // Registered with every rule, and about objects that nobody has.
        const value = { matchLabels: { nobody: 'has-it' } };
        await walk.cluster.request(
          'PATCH',
          webhookConfiguration,
          [{ op: 'add', path: '/webhooks/0/objectSelector', value }],
          json,
        );
        await sleep(2000);
        let turn = 0;
        walk.again(() =>
          replace(
            walk.cluster,
            changed((_spec, whole) => {
              Object.assign(whole.spec.names, { categories: [`turn-${turn++}`] });
            }, 'refused'),
          ),
        );
      },
      summary:
        /^About \S+ definitions changed in ten minutes, and API servers asked the gate in namespace olm-guard about none$/,
      says: [
        /^\w+ +.*customresourcedefinitions/m,
        /nobody: has-it/,
        /apiserver_admission_webhook_\w+\{.*olm-guard/,
      ],
      mend: ({ cluster }) =>
        cluster.request(
          'PATCH',
          webhookConfiguration,
          [{ op: 'remove', path: '/webhooks/0/objectSelector/matchLabels' }],
          json,
        ),
    },
  ],
  [
    {
      alert: 'OlmGuardNotRegistered',
      make: ({ run }) => run('kubectl delete validatingwebhookconfiguration olm-guard'),
      summary:
        /^ValidatingWebhookConfiguration olm-guard is missing, or lacks rules or an authority: what it should guard passes unjudged$/,
      says: [
        /NotFound/,
        /"msg":"registration"/,
        /has been upgraded|validatingwebhookconfiguration\S+olm-guard created/,
      ],
    },
  ],
  [
    {
      alert: 'OlmGuardViewStale',
      make: takeRights,
      summary: /^Gate olm-guard-\d in namespace olm-guard: its view of \w+ is \d[\d.ms ]*s old$/,
      // The webhooks name an address here: test/cluster/doctor.test.ts has doctor name the rights.
      says: [/forbidden.*"msg":"view"/, /^ok +registered/m, /clusterrolebinding\S+ created/],
    },
  ],
  [
    {
      alert: 'OlmGuardHurried',
      make: async (walk) => {
        const file = join(walk.cluster.folder, 'slots.yaml');
        writeFileSync(
          file,
          'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nbudgets: {concurrentReviews: 2, storedObjectsSeconds: 8}\n',
        );
        await walk.run(
          `kubectl -n olm-guard create configmap olm-guard-policy --from-file=policy.yaml=${file}`,
        );
        for (const plural of ['slowone', 'slowtwo']) {
          await isCreated(walk, plural);
          const kind = `${plural.slice(0, 1).toUpperCase()}${plural.slice(1, -1)}`;
          await until('an object of it to be taken', async () => {
            const { code } = await walk.cluster.request(
              'POST',
              `/apis/example.com/v1/namespaces/default/${plural}`,
              {
                ...{ apiVersion: 'example.com/v1', kind, metadata: { name: 'one' } },
                spec: { mode: 'Fast', replicas: 5 },
              },
            );
            return code === 201 || code === 409 ? true : undefined;
          });
        }
        await sleep(2000);
        walk.network.disturb({ kind: 'delay', milliseconds: 3500 });
        for (let client = 0; client < 12; client++)
          walk.again(async () => {
            const next = narrowed(client % 2 === 0 ? 'slowone' : 'slowtwo');
            await replace(walk.cluster, next, { query: '?dryRun=All' });
            // Hurried answers come at once: asked without pause, they hide the slow ones.
            await sleep(2000);
          });
      },
      summary:
        /^Reviews of the gate in namespace olm-guard are judged by the fast rules alone: too many arrive at once$/,
      says: [/olm-guard-\d +100m +150Mi/, /"msg":"review"/, /scaled/],
      mend: async ({ network, run }) => {
        network.disturb();
        await run('kubectl -n olm-guard delete configmap olm-guard-policy');
        await run('kubectl -n olm-guard scale deployment/olm-guard --replicas=2');
      },
    },
    {
      alert: 'OlmGuardSlow',
      make: () => Promise.resolve(),
      summary:
        /^One review in a hundred of the gate in namespace olm-guard takes \d+ s; the API server waits ten seconds$/,
      says: [/olm-guard-\d +100m +150Mi/, /"duration":[5-9]/, /"memory":"1Gi"/],
    },
  ],
  [
    {
      alert: 'OlmGuardUnjudged',
      make: async (walk) => {
        const { code, text } = await create(walk.cluster, giant());
        if (code !== 201) throw new Error(text);
        walk.inbound.disturb({ kind: 'delay', milliseconds: 400 });
        let turn = 0;
        walk.again(async () => {
          const next = giant(`${turn++}`);
          await replace(walk.cluster, next, { query: '?dryRun=All' });
        });
      },
      summary:
        /^\S+ reviews of customresourcedefinitions were answered without a judgement in ten minutes$/,
      says: [
        /"decision":"unjudged".*"unjudged":"\w/,
        /registered: customresourcedefinitions/,
        /\S/,
      ],
      mend: ({ inbound }) => Promise.resolve(inbound.disturb()),
    },
  ],
  [
    {
      alert: 'OlmGuardReplicaDown',
      make: ({ deployment }) =>
        Promise.resolve(process.kill(deployment.pods[0]?.gate.pid ?? 0, 'SIGKILL')),
      summary: /^Gate olm-guard-\d in namespace olm-guard does not answer Prometheus: /,
      says: [/Node: +node-1/, /"msg"/, /pod "olm-guard-\d" .*deleted/],
    },
  ],
  [
    {
      alert: 'OlmGuardDown',
      make: async (walk) => {
        await walk.deployment.complete();
        for (const { gate } of walk.deployment.pods) process.kill(gate.pid, 'SIGSTOP');
        // Under Ignore each passes, after the ten seconds that the API server waits.
        walk.again(() => replace(walk.cluster, breaking('refused'), { query: '?dryRun=All' }));
      },
      summary: /^No gate answers Prometheus in namespace olm-guard: /,
      says: [/olm-guard-\d +1\/1 +Running/, /"msg"/, /^/],
      mend: ({ run }) => run('kubectl -n olm-guard delete pod -l app.kubernetes.io/name=olm-guard'),
    },
    {
      alert: 'OlmGuardFailOpen',
      make: () => Promise.resolve(),
      summary:
        /^\S+ writes passed customresourcedefinitions\.olm-guard\.io unjudged in ten minutes: API servers could not ask the gate$/,
      says: [/^/, /^/, /olm-guard-\d/],
    },
  ],
  [
    {
      alert: 'OlmGuardCallsFailing',
      make: async (walk) => {
        await walk.deployment.complete();
        const client = { op: 'replace', path: '/webhooks/0/clientConfig/url' };
        await patchRegistration(walk, [
          { op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Fail' },
          { ...client, value: 'https://127.0.0.1:1/validate' },
        ]);
        walk.again(() => replace(walk.cluster, breaking('refused'), { query: '?dryRun=All' }));
      },
      summary:
        /^\S+ writes were refused in ten minutes because API servers could not ask customresourcedefinitions\.olm-guard\.io$/,
      says: [/^/, /olm-guard-\d/, /patched/],
      mend: async (walk) => {
        const value = `${walk.balancerUrl}/validate`;
        await patchRegistration(walk, [
          { op: 'replace', path: '/webhooks/0/clientConfig/url', value },
        ]);
      },
    },
  ],
  [
    {
      alert: 'OlmGuardCertificateRefused',
      make: async (walk) => {
        await walk.run(
          `kubectl -n olm-guard patch role olm-guard-certificates --type=json -p '[{"op":"replace","path":"/rules/1/verbs","value":["get"]}]'`,
        );
        await putCertificate(walk, 80);
        // Until each gate has taken that one: it looks every ten seconds.
        await sleep(25_000);
        await putCertificate(walk, 200);
      },
      summary:
        /^Gate olm-guard-\d in namespace olm-guard could not load a serving certificate; it keeps the current one$/,
      says: [/certificate not reloaded/, /tls\.crt:/, /certificate/],
    },
    {
      alert: 'OlmGuardCertificateExpiring',
      make: () => Promise.resolve(),
      summary:
        /^The serving certificate in namespace olm-guard expires in 9d 23h .*, and nothing has renewed it$/,
      says: [/certificate/, /olm-guard-certificates +\S+_\d+ /, /certificates not renewed/],
      mend: ({ run }) => run('kubectl apply -f manifests/components/self-managed/rbac.yaml'),
    },
  ],
];
