/** Whether the gate may do what the manifests grant it. */
import { addTo } from '../../text/group.js';
import {
  type Connection,
  type User,
  ClusterError,
  formatResource,
  Discovery,
  isAllowed,
} from '../../cluster/index.js';
import { type Observation, unknown, ok, problem } from './observation.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { join } from 'node:path';
import { packagedFolder } from './packaged-folder.js';
import { loadAll } from 'js-yaml';
import { readFileSync } from 'node:fs';

interface RightsRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Under manifests/: what grants the gate its rights. */
const grants = {
  base: 'base/rbac.yaml',
  certificates: 'components/self-managed/rbac.yaml',
  events: 'components/events/rbac.yaml',
  aggregated: 'components/aggregated-api/rbac.yaml',
  requirements: 'components/openshift/requirements.yaml',
};

/** The rights of `system:auth-delegator`, of which `--metrics-access=authorized` makes use. */
const delegated: GrantedRole = {
  kind: 'ClusterRole',
  rules: [
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ],
};

/** Duties of the gate beside judging, by its configuration. */
export interface Duties {
  readonly certificates: boolean;
  readonly access: boolean;
  readonly events: boolean;
  readonly aggregated: boolean;
}

/** @param user undefined for the process that asks */
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
    ...(duties.aggregated ? [grants.aggregated] : []),
    ...((await servesRequirements(connection)) ? [grants.requirements] : []),
  ];
  let granted: readonly GrantedRole[];
  try {
    granted = [...files.flatMap(grantedRoles), ...(duties.access ? [delegated] : [])];
  } catch (error) {
    // The single executable has no manifests.
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
    addTo(missing, resource, verb);
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
    ...(await storedObjectsOf(connection, user, who)),
  ];
}

/** The right to list stored objects is an opt-in, without which reviews say so only where objects matter. */
async function storedObjectsOf(
  connection: Connection,
  user: User | undefined,
  who: string,
): Promise<Observation[]> {
  const resourceAttributes = { group: '*', resource: '*', verb: 'list' };
  const signal = AbortSignal.timeout(10_000);
  return (await isAllowed(connection, user, { resourceAttributes }, signal))
    ? []
    : [
        ok(
          `${who} may not list every kind: of kinds it may not list, stored objects are not checked (docs/operations.md, Stored objects)`,
        ),
      ];
}

/** Whether the cluster has OpenShift's CompatibilityRequirements, which the gate then follows. */
async function servesRequirements(connection: Connection): Promise<boolean> {
  const resource = { group: 'apiextensions.openshift.io', resource: 'compatibilityrequirements' };
  try {
    const signal = AbortSignal.timeout(10_000);
    return (await new Discovery(connection).find(resource, signal)) !== undefined;
  } catch (error) {
    // Whether anything is answered at all, the rights themselves show.
    if (error instanceof ClusterError) return false;
    throw error;
  }
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
