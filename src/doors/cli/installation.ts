/** What an installed gate needs to work, looked at one by one: registration, pods, certificate, policy, rights. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { loadAll } from 'js-yaml';
import { parsePolicy } from '../../check/parse.js';
import { defaultPolicy, type Policy } from '../../check/policy.js';
import type { Connection } from '../../facts/cluster/connection.js';
import { ClusterError } from '../../facts/cluster/view.js';
import { ruleNames } from '../../operations/rules.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { certificatesOf } from '../server/certificates/authority.js';
import { packagedFolder } from './packaged-folder.js';

export interface Observation {
  /** `unknown`: it could not be looked at. */
  readonly state: 'ok' | 'problem' | 'unknown';
  /** One sentence: what is so, and for a problem what to do. */
  readonly message: string;
}

interface Webhook {
  readonly name: string;
  readonly failurePolicy?: string;
  readonly clientConfig: {
    readonly caBundle?: string;
    readonly service?: { readonly name: string; readonly namespace: string };
  };
}

interface RightsRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const ok = (message: string): Observation => ({ state: 'ok', message });
const problem = (message: string): Observation => ({ state: 'problem', message });
const unknown = (message: string): Observation => ({ state: 'unknown', message });

/**
 * Looks at everything that the reader of the connection may see.
 *
 * @param registration name of the ValidatingWebhookConfiguration
 * @throws ClusterError when the API server does not answer at all
 */
export async function inspectInstallation(
  connection: Connection,
  registration: string,
): Promise<Observation[]> {
  const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${registration}`;
  const registered = await get<{ webhooks?: Webhook[] }>(connection, path);
  if (registered === 'absent') {
    const message = `no ValidatingWebhookConfiguration ${registration}: the API server asks nobody; kubectl apply -k manifests/overlays/self-managed, or helm install`;
    return [problem(message)];
  }
  if (registered === 'forbidden') {
    return [unknown(`ValidatingWebhookConfiguration ${registration} may not be read`)];
  }
  const webhooks = registered.webhooks ?? [];
  const service = webhooks.map(({ clientConfig }) => clientConfig.service).find((each) => each);
  const authorities = authoritiesOf(webhooks);
  const found = [...registrationOf(webhooks)];
  if (service === undefined) {
    return [
      ...found,
      unknown(
        'the webhooks name an address and no Service: pods, certificate and policy are not looked at',
      ),
    ];
  }
  return [
    ...found,
    ...(await podsOf(connection, service)),
    ...(await certificateOf(connection, service, authorities)),
    ...(await policyOf(connection, service.namespace)),
    ...(await rightsOf(
      connection,
      `system:serviceaccount:${service.namespace}:olm-guard`,
      service.namespace,
    )),
  ];
}

function registrationOf(webhooks: readonly Webhook[]): Observation[] {
  const failing = webhooks.filter(({ failurePolicy }) => failurePolicy === 'Fail').length;
  const found = [ok(`registered: ${webhooks.length} webhooks, ${failing} with failurePolicy Fail`)];
  const without = webhooks.filter(({ clientConfig }) => !clientConfig.caBundle);
  if (without.length > 0) {
    const names = without.map(({ name }) => name).join(', ');
    found.push(
      problem(
        `no caBundle, so the API server believes nobody: ${names}; certs/install.sh fills it in, or overlays/self-managed`,
      ),
    );
  }
  return found;
}

/** By webhook that has one: the certificates of its caBundle. */
function authoritiesOf(webhooks: readonly Webhook[]): Map<string, X509Certificate[]> {
  return new Map(
    webhooks.flatMap(({ name, clientConfig: { caBundle } }) =>
      caBundle ? [[name, certificatesIn(Buffer.from(caBundle, 'base64').toString('utf8'))]] : [],
    ),
  );
}

function certificatesIn(pem: string): X509Certificate[] {
  return certificatesOf(pem).flatMap((text) => {
    try {
      return [new X509Certificate(text)];
    } catch {
      return [];
    }
  });
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
          `no pod behind ${what} is ready; kubectl -n ${namespace} logs deployment/olm-guard says why`,
        ),
  ];
}

async function certificateOf(
  connection: Connection,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  authorities: ReadonlyMap<string, readonly X509Certificate[]>,
): Promise<Observation[]> {
  const what = `Secret ${namespace}/olm-guard-tls`;
  const secret = await get<{ data?: Record<string, string> }>(
    connection,
    `/api/v1/namespaces/${namespace}/secrets/olm-guard-tls`,
  );
  if (secret === 'forbidden') return [unknown(`${what} may not be read`)];
  if (secret === 'absent') {
    return [
      problem(
        `${what} is not there: no certificate to serve with; docs/operations.md, Certificates`,
      ),
    ];
  }
  const chain = certificatesIn(
    Buffer.from(secret.data?.['tls.crt'] ?? '', 'base64').toString('utf8'),
  );
  const [certificate] = chain;
  if (certificate === undefined) return [problem(`${what} holds no PEM certificate in tls.crt`)];
  const found: Observation[] = [];
  const host = `${name}.${namespace}.svc`;
  const now = connection.now();
  const ends = certificate.validTo;
  if (Date.parse(ends) < now) found.push(problem(`the serving certificate ended ${ends}`));
  else if (Date.parse(certificate.validFrom) > now)
    found.push(problem(`the serving certificate is not valid before ${certificate.validFrom}`));
  if (certificate.checkHost(host) === undefined)
    found.push(problem(`the serving certificate is not for ${host}`));
  const isTrusted = (bundle: readonly X509Certificate[]): boolean =>
    bundle.some(
      (authority) =>
        Date.parse(authority.validTo) > now &&
        chain.some((each) => each.checkIssued(authority) && each.verify(authority.publicKey)),
    );
  const distrusting = [...authorities].filter(([, bundle]) => !isTrusted(bundle));
  if (distrusting.length > 0) {
    const names = distrusting.map(([webhook]) => webhook).join(', ');
    found.push(
      problem(
        `no authority in caBundle stands behind the serving certificate, or it has ended: ${names}; look at who issues it (docs/operations.md, Certificates)`,
      ),
    );
  }
  return found.length > 0 ? found : [ok(`the serving certificate fits caBundle and ends ${ends}`)];
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
  return found;
}

/** Whether the user may do what the manifests grant. */
async function rightsOf(
  connection: Connection,
  user: string,
  namespace: string,
): Promise<Observation[]> {
  let granted: readonly GrantedRole[];
  try {
    granted = grantedRoles();
  } catch (error) {
    // The image and the single executable carry no manifests.
    const reason =
      error instanceof InvalidInputError ? error.message : 'there are no manifests here';
    return [unknown(`the rights of ${user}: ${reason}`)];
  }
  const attributes = granted.flatMap(({ kind, rules }) =>
    rules.flatMap(({ apiGroups, resources, resourceNames = [''], verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          resourceNames.flatMap((name) =>
            verbs.map((verb) => ({
              group,
              resource,
              verb,
              ...(kind === 'Role' ? { namespace } : {}),
              ...(name === '' ? {} : { name }),
            })),
          ),
        ),
      ),
    ),
  );
  const missing = new Map<string, string[]>();
  for (const resourceAttributes of attributes) {
    const body = JSON.stringify({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user,
        groups: [
          'system:serviceaccounts',
          `system:serviceaccounts:${namespace}`,
          'system:authenticated',
        ],
        resourceAttributes,
      },
    });
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const answer = await get<{ status?: { allowed?: boolean } }>(connection, path, body);
    if (answer === 'absent' || answer === 'forbidden') {
      return [unknown(`the rights of ${user}: SubjectAccessReviews may not be created`)];
    }
    const { group, resource, verb } = resourceAttributes;
    if (answer.status?.allowed !== true) {
      const resources = `${resource}${group === '' ? '' : `.${group}`}`;
      missing.set(resources, [...(missing.get(resources) ?? []), verb]);
    }
  }
  const lacks = [...missing].map(([resource, verbs]) => `${verbs.join('/')} ${resource}`);
  return [
    lacks.length === 0
      ? ok(`${user} has its ${attributes.length} rights`)
      : problem(`${user} may not ${lacks.join(', ')}; apply manifests/base/rbac.yaml`),
  ];
}

interface GrantedRole {
  readonly kind: string;
  readonly rules: readonly RightsRule[];
}

function grantedRoles(): GrantedRole[] {
  const file = join(packagedFolder('manifests'), 'base', 'rbac.yaml');
  const documents: unknown[] = [];
  loadAll(readFileSync(file, 'utf8'), (document) => documents.push(document));
  return (documents as { kind: string; rules?: RightsRule[] }[]).flatMap(({ kind, rules }) =>
    rules === undefined ? [] : [{ kind, rules }],
  );
}

async function get<Answer>(
  connection: Connection,
  path: string,
  body?: string,
): Promise<Answer | 'absent' | 'forbidden'> {
  try {
    const init = body === undefined ? { path } : { path, method: 'POST' as const, body };
    return JSON.parse((await connection.read(init)).toString('utf8')) as Answer;
  } catch (error) {
    if (error instanceof ClusterError && error.status === 404) return 'absent';
    if (error instanceof ClusterError && error.status === 403) return 'forbidden';
    throw error;
  }
}
