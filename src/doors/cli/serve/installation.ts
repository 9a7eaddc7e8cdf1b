/** What an installed gate needs to work, looked at one by one: registration, pods, certificate, policy, rights. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { loadAll } from 'js-yaml';
import { parsePolicy } from '../../../check/parse.js';
import { defaultPolicy, type Policy } from '../../../check/policy.js';
import type { Connection } from '../../../facts/cluster/connection.js';
import { isAllowed } from '../../../facts/cluster/access.js';
import { ClusterError, formatResource, type User } from '../../../facts/cluster/view.js';
import { ruleNames } from '../../../operations/rules.js';
import { InvalidInputError } from '../../../text/documents/index.js';
import { certificatesOf } from '../../server/certificates/authority.js';
import { packagedFolder } from './packaged-folder.js';
import { lookAtServed } from './served-certificate.js';

export interface Observation {
  /** `unknown`: it could not be looked at. */
  readonly state: 'ok' | 'problem' | 'unknown';
  /** One sentence: what is so, and for a problem what to do. */
  readonly message: string;
}

/** What was seen, and whether nothing is left open on which every guarded write will depend. */
export interface Inspection {
  readonly seen: readonly Observation[];
  /** Whether a registration that insists on the gate can be answered: pods, and a certificate that fits. */
  readonly isComplete: boolean;
}

interface Webhook {
  readonly name: string;
  readonly failurePolicy?: string;
  readonly clientConfig: {
    readonly caBundle?: string;
    readonly url?: string;
    readonly service?: { readonly name: string; readonly namespace: string };
  };
}

interface RightsRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export const ok = (message: string): Observation => ({ state: 'ok', message });
export const problem = (message: string): Observation => ({ state: 'problem', message });
export const unknown = (message: string): Observation => ({ state: 'unknown', message });

/**
 * Looks at everything that the reader of the connection may see.
 *
 * @param registration name of the ValidatingWebhookConfiguration
 * @throws ClusterError when the API server does not answer at all
 */
export async function inspectInstallation(
  connection: Connection,
  registration: string,
): Promise<Inspection> {
  const webhooks = await webhooksOf(connection, registration);
  if (!Array.isArray(webhooks)) return { seen: [webhooks], isComplete: false };
  const service = webhooks.map(({ clientConfig }) => clientConfig.service).find((each) => each);
  const served = await servedAtAddresses(webhooks);
  if (service === undefined) {
    const seen = [
      ...registrationOf(
        webhooks,
        'put the authority of the certificate there, as base64 of its PEM',
      ),
      ...served,
      unknown(
        'the webhooks name an address and no Service: pods, policy and rights are not looked at',
      ),
    ];
    return { seen, isComplete: isKnown(served) };
  }
  const { namespace } = service;
  const duties = await dutiesOf(connection, namespace);
  const needed = [
    ...(await podsOf(connection, service)),
    ...registrationOf(
      webhooks,
      duties.certificates ? 'the gate fills it in once a pod runs' : undefined,
    ),
    ...(await certificateOf(
      connection,
      service,
      authoritiesOf(webhooks.filter(({ clientConfig }) => clientConfig.service !== undefined)),
    )),
    ...served,
  ];
  const seen = [
    ...needed,
    ...(await policyOf(connection, namespace)),
    ...(await inspectRights(connection, serviceAccountIn(namespace), namespace, duties)),
  ];
  return { seen, isComplete: isKnown(needed) };
}

function isKnown(seen: readonly Observation[]): boolean {
  return seen.every(({ state }) => state !== 'unknown');
}

/** For webhooks that name an address: each server once with each `caBundle`, asked from here. */
async function servedAtAddresses(webhooks: readonly Webhook[]): Promise<Observation[]> {
  const asked = new Map<string, { url: URL; caBundle: string; names: string[] }>();
  const found: Observation[] = [];
  for (const { name, clientConfig } of webhooks) {
    const { url, caBundle = '' } = clientConfig;
    if (url === undefined || caBundle === '') continue;
    const address = new URL(url);
    const key = `${address.host} ${caBundle}`;
    const known = asked.get(key) ?? { url: address, caBundle, names: [] };
    asked.set(key, { ...known, names: [...known.names, name] });
  }
  for (const { url, caBundle, names } of asked.values()) {
    const who = names.join(', ');
    const authorities = certificatesOf(Buffer.from(caBundle, 'base64').toString('utf8'));
    if (authorities.length === 0) {
      found.push(problem(`caBundle holds no PEM certificate: ${who}`));
      continue;
    }
    const served = await lookAtServed(url, authorities);
    if ('unreached' in served) {
      found.push(
        unknown(
          `${url.host} does not answer here (${served.unreached}), so whether its certificate fits caBundle is not known: ${who}`,
        ),
      );
    } else if (served.isTrusted) {
      found.push(
        ok(`the certificate that ${url.host} serves fits caBundle and ends ${served.ends}`),
      );
    } else {
      found.push(
        problem(
          `caBundle does not fit the certificate that ${url.host} serves (${served.reason}): ${who}; put the authority of that certificate there`,
        ),
      );
    }
  }
  return found;
}

/**
 * Whether the webhooks are there and, where it is given, trust the serving certificate.
 *
 * @param served the first of the chain that will be served
 */
export async function inspectRegistration(
  connection: Connection,
  registration: string,
  served: X509Certificate | undefined,
): Promise<Observation[]> {
  const webhooks = await webhooksOf(connection, registration);
  if (!Array.isArray(webhooks)) return [webhooks];
  const distrust =
    served === undefined ? [] : distrustOf([served], authoritiesOf(webhooks), connection.now());
  return [...registrationOf(webhooks), ...distrust];
}

async function webhooksOf(
  connection: Connection,
  registration: string,
): Promise<Webhook[] | Observation> {
  const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${registration}`;
  const registered = await get<{ webhooks?: Webhook[] }>(connection, path);
  if (registered === 'absent') {
    return problem(
      `no ValidatingWebhookConfiguration ${registration}: the API server asks nobody; kubectl apply -k manifests/overlays/self-managed, or helm install`,
    );
  }
  if (registered === 'forbidden') {
    return unknown(`ValidatingWebhookConfiguration ${registration} may not be read`);
  }
  return registered.webhooks ?? [];
}

function registrationOf(
  webhooks: readonly Webhook[],
  fillsIn = 'certs/install.sh fills it in, or overlays/self-managed',
): Observation[] {
  const failing = webhooks.filter(({ failurePolicy }) => failurePolicy === 'Fail').length;
  const count = `${webhooks.length} ${webhooks.length === 1 ? 'webhook' : 'webhooks'}`;
  const found = [ok(`registered: ${count}, ${failing} with failurePolicy Fail`)];
  const without = webhooks.filter(({ clientConfig }) => !clientConfig.caBundle);
  if (without.length > 0) {
    const names = without.map(({ name }) => name).join(', ');
    found.push(problem(`no caBundle, so the API server trusts nobody: ${names}; ${fillsIn}`));
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
          `no pod behind ${what} is ready; kubectl -n ${namespace} get pods says whether the image was pulled, logs deployment/olm-guard the rest`,
        ),
  ];
}

/** As its Deployment says. */
async function dutiesOf(connection: Connection, namespace: string): Promise<Duties> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/olm-guard`;
  const deployment = await get<{
    spec: { template: { spec: { containers: { args?: string[] }[] } } };
  }>(connection, path);
  const args =
    typeof deployment === 'object'
      ? deployment.spec.template.spec.containers.flatMap(({ args = [] }) => args)
      : [];
  return {
    certificates: args.some((each) => each.startsWith('--tls-secret')),
    access: args.includes('--metrics-access=authorized'),
    events: args.includes('--events'),
  };
}

const servingSecret = (
  connection: Connection,
  namespace: string,
): Promise<{ data?: Record<string, string> } | 'absent' | 'forbidden'> =>
  get(connection, `/api/v1/namespaces/${namespace}/secrets/olm-guard-tls`);

async function certificateOf(
  connection: Connection,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  authorities: ReadonlyMap<string, readonly X509Certificate[]>,
): Promise<Observation[]> {
  const what = `Secret ${namespace}/olm-guard-tls`;
  const secret = await servingSecret(connection, namespace);
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
  const distrust = distrustOf(chain, authorities, now);
  const isChanging = distrust.length > 0 && secret.data?.['next-ca.crt'] !== undefined;
  found.push(
    ...(isChanging
      ? [unknown('the gate is changing its authority; ask again in a minute')]
      : distrust),
  );
  if (found.length > 0) return found;
  const fits = authorities.size === 0 ? '' : 'fits caBundle and ';
  return [ok(`the serving certificate ${fits}ends ${ends}`)];
}

/** Webhooks whose caBundle does not lead to the serving certificate. */
function distrustOf(
  chain: readonly X509Certificate[],
  authorities: ReadonlyMap<string, readonly X509Certificate[]>,
  now: number,
): Observation[] {
  const isTrusted = (bundle: readonly X509Certificate[]): boolean =>
    bundle.some(
      (authority) =>
        Date.parse(authority.validTo) > now &&
        chain.some((each) => each.checkIssued(authority) && each.verify(authority.publicKey)),
    );
  const names = [...authorities].filter(([, bundle]) => !isTrusted(bundle)).map(([name]) => name);
  if (names.length === 0) return [];
  const message = `no authority in caBundle stands behind the serving certificate, or it has ended: ${names.join(', ')}; look at who issues it (docs/operations.md, Certificates)`;
  return [problem(message)];
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

/** Under manifests/: what grants the gate its rights. */
const grants = {
  base: 'base/rbac.yaml',
  certificates: 'components/self-managed/rbac.yaml',
  events: 'components/events/rbac.yaml',
};

/** What `system:auth-delegator` grants, of which `--metrics-access=authorized` makes use. */
const delegated: GrantedRole = {
  kind: 'ClusterRole',
  rules: [
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ],
};

/** What the gate is told to do beside judging. */
interface Duties {
  /** `--tls-secret` */
  readonly certificates: boolean;
  /** `--metrics-access=authorized` */
  readonly access: boolean;
  /** `--events` */
  readonly events: boolean;
}

const serviceAccountIn = (namespace: string): User => ({
  username: `system:serviceaccount:${namespace}:olm-guard`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
});

/**
 * Whether somebody may do what the manifests grant.
 *
 * @param user undefined for the process that asks
 */
export async function inspectRights(
  connection: Connection,
  user: User | undefined,
  namespace: string,
  duties: Duties,
): Promise<Observation[]> {
  const who = user?.username ?? 'the user of these credentials';
  const files = [
    grants.base,
    ...(duties.certificates ? [grants.certificates] : []),
    ...(duties.events ? [grants.events] : []),
  ];
  let granted: readonly GrantedRole[];
  try {
    granted = [...files.flatMap(grantedRoles), ...(duties.access ? [delegated] : [])];
  } catch (error) {
    // The single executable carries no manifests.
    const reason =
      error instanceof InvalidInputError ? error.message : 'there are no manifests here';
    return [unknown(`the rights of ${who}: ${reason}`)];
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
    try {
      const signal = AbortSignal.timeout(10_000);
      if (await isAllowed(connection, user, { resourceAttributes }, signal)) continue;
    } catch (error) {
      if (!(error instanceof ClusterError) || error.status !== 403) throw error;
      return [unknown(`the rights of ${who}: SubjectAccessReviews may not be created`)];
    }
    const { verb, ...rest } = resourceAttributes;
    const resource = formatResource(rest);
    missing.set(resource, [...(missing.get(resource) ?? []), verb]);
  }
  const lacks = [...missing].map(([resource, verbs]) => `${verbs.join('/')} ${resource}`);
  const apply = [
    ...files.map((file) => `manifests/${file}`),
    ...(duties.access ? ['manifests/components/metrics-access'] : []),
  ].join(' and ');
  return [
    lacks.length === 0
      ? ok(`${who} has its ${attributes.length} rights`)
      : problem(`${who} may not ${lacks.join(', ')}; apply ${apply}`),
  ];
}

interface GrantedRole {
  readonly kind: string;
  readonly rules: readonly RightsRule[];
}

function grantedRoles(name: string): GrantedRole[] {
  const file = join(packagedFolder('manifests'), name);
  const documents: unknown[] = [];
  loadAll(readFileSync(file, 'utf8'), (document) => documents.push(document));
  return (documents as { kind: string; rules?: RightsRule[] }[]).flatMap(({ kind, rules }) =>
    rules === undefined ? [] : [{ kind, rules }],
  );
}

async function get<Answer>(
  connection: Connection,
  path: string,
): Promise<Answer | 'absent' | 'forbidden'> {
  try {
    return ((await connection.find({ path })) as Answer | undefined) ?? 'absent';
  } catch (error) {
    if (error instanceof ClusterError && error.status === 403) return 'forbidden';
    throw error;
  }
}
