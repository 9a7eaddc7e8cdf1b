/** Checks what an installed gate needs to work: registration, pods, certificate, policy, rights. */
import { parsePolicy, defaultPolicy, type Policy } from '../../policy/index.js';
import { LiveCluster, type Connection, type User } from '../../cluster/index.js';
import { ruleNames } from '../../checks/index.js';
import { apiServiceName, describeCoverage, readCoverage } from '../../gate/index.js';
import {
  InvalidInputError,
  metaOf,
  readList,
  type JsonObject,
} from '../../text/documents/index.js';
import { inspectExemptions } from './idle-exemptions.js';
import { type Observation, ok, problem, unknown, warning, get } from './observation.js';
import { type Duties, inspectRights } from './rights.js';
import { callThrough } from './call-through.js';
import {
  servedAtAddresses,
  webhooksOf,
  registrationOf,
  authoritiesOf,
  certificateOf,
} from './registration.js';
import { foreignFinalizers, formatFinalizers } from '../../olm/index.js';

/** Observations, and whether all was seen that every guarded write depends on. */
export interface Inspection {
  readonly seen: readonly Observation[];
  /** Whether pods and certificate could be checked, which a registration with `failurePolicy: Fail` needs. */
  readonly isComplete: boolean;
}

/** Checks everything that the user of the connection may read. @throws ClusterError */
export async function inspectInstallation(
  connection: Connection,
  registration: string,
): Promise<Inspection> {
  const webhooks = await webhooksOf(connection, registration);
  if (!Array.isArray(webhooks)) {
    // A user without the right to read the registration has hardly one to read policies.
    const covered = webhooks.state === 'unknown' ? [] : await coveredByPolicies(connection);
    return { seen: [webhooks, ...covered], isComplete: false };
  }
  const asked = webhooks.map(({ clientConfig }) => clientConfig.service).find((each) => each);
  const { seen: reached, service } = isApiServer(asked)
    ? await apiServiceOf(connection)
    : { seen: [], service: asked };
  if (reached.length > 0 && service === undefined) {
    return { seen: [...reached, ...registrationOf(webhooks, registration)], isComplete: false };
  }
  const served = await servedAtAddresses(webhooks);
  if (service === undefined) {
    const seen = [
      ...registrationOf(
        webhooks,
        registration,
        'a gate with --tls-secret fills it in within ten seconds of its start; for another one put the authority of its certificate there, as base64 of its PEM',
      ),
      ...served,
      ...(await callThrough(connection, webhooks)),
      unknown(
        'the webhooks name an address instead of a Service: the gate runs outside of the cluster and has no pods, and its policy and rights are known to its process only',
      ),
      ...(await pendingDeletions(connection)),
      ...(await coveredByPolicies(connection)),
    ];
    return { seen, isComplete: isKnown(served) };
  }
  const { namespace } = service;
  const { serviceAccount, ...duties } = await dutiesOf(connection, namespace);
  const needed = [
    ...reached,
    ...(await podsOf(connection, service)),
    ...registrationOf(
      webhooks,
      registration,
      duties.certificates ? 'the gate fills it in within ten seconds of its start' : undefined,
    ),
    ...(await certificateOf(
      connection,
      service,
      authoritiesOf(webhooks.filter(({ clientConfig }) => clientConfig.service !== undefined)),
      duties.certificates,
    )),
    ...served,
  ];
  const seen = [
    ...needed,
    ...(await callThrough(connection, webhooks)),
    ...(await policyOf(connection, namespace)),
    ...(await inspectRights(connection, userOf(serviceAccount, namespace), namespace, duties)),
    ...(await pendingDeletions(connection)),
    ...(await coveredByPolicies(connection)),
  ];
  return { seen, isComplete: isKnown(needed) };
}

/** Whether the webhook is the API server itself, which passes reviews on to the aggregated API. */
function isApiServer(service: GateService | undefined): boolean {
  return service?.name === 'kubernetes' && service.namespace === 'default';
}

interface GateService {
  readonly name: string;
  readonly namespace: string;
}

async function apiServiceOf(
  connection: Connection,
): Promise<{ readonly seen: Observation[]; readonly service?: GateService }> {
  const what = `APIService ${apiServiceName}`;
  const found = await get<{
    spec: { service?: GateService };
    status?: { conditions?: { type: string; status: string; message?: string }[] };
  }>(connection, `/apis/apiregistration.k8s.io/v1/apiservices/${apiServiceName}`);
  if (found === 'forbidden') return { seen: [unknown(`${what} may not be read`)] };
  const missing = `${what} is not there, so the API server has nobody to pass reviews on to; apply manifests/components/aggregated-api/apiservice.yaml`;
  if (found === 'absent') return { seen: [problem(missing)] };
  const { service } = found.spec;
  const available = found.status?.conditions?.find(({ type }) => type === 'Available');
  const seen =
    available?.status === 'True'
      ? ok(`${what} is available: reviews come through the API server`)
      : problem(`${what} is not available: ${available?.message ?? 'nobody has looked at it yet'}`);
  return { seen: [seen], service };
}

function isKnown(seen: readonly Observation[]): boolean {
  return seen.every(({ state }) => state !== 'unknown');
}

async function podsOf(
  connection: Connection,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Promise<Observation[]> {
  const selector = encodeURIComponent(`kubernetes.io/service-name=${name}`);
  const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${selector}`;
  const slices = await get<{
    items: { endpoints?: { conditions?: { ready?: boolean } }[] | null }[];
  }>(connection, path);
  const what = `Service ${namespace}/${name}`;
  if (slices === 'absent' || slices === 'forbidden')
    return [unknown(`whether a pod stands behind ${what} may not be read`)];
  const ready = slices.items
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false).length;
  return [
    ready > 0
      ? ok(`${what} has ${ready} ready ${ready === 1 ? 'pod' : 'pods'}`)
      : problem(
          `no pod behind ${what} is ready; kubectl -n ${namespace} get pods says whether the image was pulled, logs deployment/olm-guard the rest`,
        ),
  ];
}

/** Read from the arguments of its Deployment. */
async function dutiesOf(
  connection: Connection,
  namespace: string,
): Promise<Duties & { readonly serviceAccount: string }> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/olm-guard`;
  const deployment = await get<{
    spec: {
      template: { spec: { serviceAccountName?: string; containers: { args?: string[] }[] } };
    };
  }>(connection, path);
  const pod = typeof deployment === 'object' ? deployment.spec.template.spec : { containers: [] };
  const args = pod.containers.flatMap(({ args = [] }) => args);
  return {
    certificates: args.some((each) => each.startsWith('--tls-secret')),
    access: args.includes('--metrics-access=authorized'),
    events: args.includes('--events'),
    aggregated: args.includes('--aggregated-api'),
    serviceAccount: pod.serviceAccountName ?? 'olm-guard',
  };
}

async function policyOf(connection: Connection, namespace: string): Promise<Observation[]> {
  let policy: Policy = defaultPolicy;
  const found: Observation[] = [];
  for (const name of ['olm-guard-defaults', 'olm-guard-policy']) {
    const what = `ConfigMap ${namespace}/${name}`;
    const map = await get<{ data?: Record<string, string> }>(
      connection,
      `/api/v1/namespaces/${namespace}/configmaps/${name}`,
    );
    if (map === 'forbidden') found.push(unknown(`${what} may not be read`));
    else if (map === 'absent') {
      if (name === 'olm-guard-defaults')
        found.push(problem(`${what} is not there: no pod starts without it`));
      else found.push(ok('no policy of your own: the one that comes with the gate holds'));
    } else {
      try {
        policy = parsePolicy(map.data?.['policy.yaml'] ?? '', what, ruleNames, policy);
        found.push(ok(`${what} is a policy`));
      } catch (error) {
        if (!(error instanceof InvalidInputError)) throw error;
        found.push(
          problem(
            `${error.describe()}; the gate keeps the one before, and a new pod does not start`,
          ),
        );
      }
    }
  }
  return [...found, ...(await inspectExemptions(connection, policy.exemptions))];
}

/** Policies that protect definitions beside the gate, or without it. */
async function coveredByPolicies(connection: Connection): Promise<Observation[]> {
  const { covered, unchecked } = await readCoverage(new LiveCluster(connection));
  if (unchecked !== undefined) return [unknown(unchecked)];
  return covered
    .map(describeCoverage)
    .map(({ sentence, isProblem }) => (isProblem ? warning(sentence) : ok(sentence)));
}

const userOf = (serviceAccount: string, namespace: string): User => ({
  username: `system:serviceaccount:${namespace}:${serviceAccount}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
});

const kinds = [
  ['CustomResourceDefinition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'],
  ['OperatorGroup', '/apis/operators.coreos.com/v1/operatorgroups'],
  ['InstallPlan', '/apis/operators.coreos.com/v1alpha1/installplans'],
] as const;
const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
/** How many objects of one kind are named. */
const named = 20;

/** Objects that wait only for Kubernetes itself are left out: it deletes them soon. */
async function pendingDeletions(connection: Connection): Promise<Observation[]> {
  const seen = await Promise.all(
    kinds.map(async ([kind, path]) => {
      const list = await get<JsonObject>(connection, path, accept);
      if (list === 'absent') return [];
      if (list === 'forbidden') {
        return [
          unknown(`whether a ${kind} waits to be deleted is not known: no right to list them`),
        ];
      }
      const pending = readList(list).objects.filter(
        (item) =>
          metaOf(item).deletionTimestamp !== undefined && foreignFinalizers(item).length > 0,
      );
      const shown = pending.slice(0, named).map((item) => {
        const { name, namespace, deletionTimestamp = '' } = metaOf(item);
        const place = namespace === '' ? '' : `${namespace}/`;
        return warning(
          `${kind} ${place}${name} is being deleted since ${deletionTimestamp} and stays in force until its ${formatFinalizers(foreignFinalizers(item))} removed`,
        );
      });
      const more = pending.length - shown.length;
      return more > 0 ? [...shown, warning(`and ${more} more of kind ${kind}`)] : shown;
    }),
  );
  return seen.flat();
}
