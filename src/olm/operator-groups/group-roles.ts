import { sha224 } from '../../text/platform.js';
import type { Api } from '../resolver/predicate.js';
import { apiText } from './api-set.js';
import { sortedUnique } from '../../text/go/index.js';
import type { CrdReference } from '../resolver/namespace.js';
import type { OwnedApiService } from './objects.js';

const roleSuffixes = ['admin', 'edit', 'view'] as const;
type RoleSuffix = (typeof roleSuffixes)[number];

/** A label that a ClusterRole has, or selects other ClusterRoles by. */
export type LabelMap = Readonly<Record<string, string>>;

interface AggregationRule {
  readonly clusterRoleSelectors: readonly { readonly matchLabels: LabelMap }[];
}

/** One of the three ClusterRoles of an OperatorGroup. */
export interface GroupRole {
  readonly suffix: RoleSuffix;
  readonly name: string;
  readonly labels: LabelMap;
  /** Null without APIs: the role then grants nothing. */
  readonly aggregationRule: AggregationRule | null;
}

const nameLimit = 253;

/** Since v0.26.0, with the members' APIs. Source: OLM ensureOpGroupClusterRoles, getClusterRoleName. */
export function groupRoles(name: string, namespace: string, apis: Iterable<Api>): GroupRole[] {
  const all = [...apis];
  return roleSuffixes.map((suffix) => {
    const selected = sortedUnique(all.map((api) => aggregationLabel(api, suffix)));
    return {
      suffix,
      name: groupRoleName(name, namespace, suffix),
      labels: {
        'olm.managed': 'true',
        'olm.owner': name,
        'olm.owner.kind': 'OperatorGroup',
        'olm.owner.namespace': namespace,
      },
      aggregationRule:
        selected.length === 0
          ? null
          : {
              clusterRoleSelectors: selected.map((label) => ({ matchLabels: { [label]: 'true' } })),
            },
    };
  });
}

/** `olm.og.<name>.<suffix>-<hash>`: unique per group, the name cut so that 253 bytes suffice. */
export function groupRoleName(name: string, namespace: string, suffix: RoleSuffix): string {
  const hash = base62(sha224(`${namespace}/${name}/${suffix}`));
  const room = nameLimit - 'olm.og..-'.length - suffix.length - hash.length;
  return `olm.og.${name.slice(0, room)}.${suffix}-${hash}`;
}

/** The label by which an API's own ClusterRoles are found. The hash is not padded with zeros. */
function aggregationLabel(api: Api, suffix: RoleSuffix): string {
  return `olm.opgroup.permissions/aggregate-to-${apiHash(api)}-${suffix}`;
}

/** FNV-1a, 64 bits, of `Kind.version.group` in hexadecimal. */
export function apiHash(api: Api): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(apiText(api))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16);
}

/** OpenShift 4.12: one label whose value is the group's name; equal names in two namespaces collide. */
export function documentedGroupRoles(name: string): GroupRole[] {
  return roleSuffixes.map((suffix) => ({
    suffix,
    name: `${name}-${suffix}`,
    labels: {},
    aggregationRule: {
      clusterRoleSelectors: [{ matchLabels: documentedAggregationLabel(name, suffix) }],
    },
  }));
}

function documentedAggregationLabel(groupName: string, suffix: RoleSuffix): LabelMap {
  return { [`olm.opgroup.permissions/aggregate-to-${suffix}`]: groupName };
}

const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A big-endian number in base 62, without leading zeros, as Go's `big.Int.Text(62)` prints it. */
export function base62(bytes: Uint8Array): string {
  let rest = 0n;
  for (const byte of bytes) rest = (rest << 8n) | BigInt(byte);
  let text = '';
  do {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  } while (rest > 0n);
  return text;
}

interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A ClusterRole for users of one API that an operator provides. */
export interface ApiRole {
  readonly name: string;
  readonly labels: LabelMap;
  readonly rules: readonly PolicyRule[];
  /** The CustomResourceDefinition or APIService it is deleted with: not the ClusterServiceVersion. */
  readonly owner: { readonly kind: string; readonly name: string };
}

const verbs: Readonly<Record<RoleSuffix, readonly string[]>> = {
  admin: ['*'],
  edit: ['create', 'update', 'patch', 'delete'],
  view: ['get', 'list', 'watch'],
};

/** Source: OLM ensureClusterRolesForCSV. @returns `error` for a definition's name without a dot */
export function apiRoles(
  crds: readonly CrdReference[],
  services: readonly OwnedApiService[],
): { readonly error: string | null; readonly roles: readonly ApiRole[] } {
  const broken = crds.findIndex(({ name }) => !name.includes('.'));
  const readable = broken < 0 ? crds : crds.slice(0, broken);
  const roles = rolesOf(readable, broken < 0 ? services : [], {
    prefixOf: ({ name, version }) => `${name}-${version}`,
    crdView: 'crdview',
    labelsOf: (api, suffix) => ({
      'olm.managed': 'true',
      [aggregationLabel(api, suffix)]: 'true',
      [`rbac.authorization.k8s.io/aggregate-to-${suffix}`]: 'true',
    }),
  });
  const name = crds[broken]?.name;
  const error = name === undefined ? null : `invalid parsing of name '${name}', got [${name}]`;
  return { error, roles };
}

/** Tables 2.5 and 2.6 of OpenShift 4.12: other names, and labels that name the group. */
export function documentedApiRoles(
  groupName: string,
  crds: readonly CrdReference[],
  services: readonly OwnedApiService[],
): ApiRole[] {
  const readable = crds.filter(({ name }) => name.includes('.'));
  return rolesOf(readable, services, {
    prefixOf: ({ kind, group, version }) => `${kind}.${group}-${version}`,
    crdView: 'view-crdview',
    labelsOf: (_api, suffix) => ({
      [`rbac.authorization.k8s.io/aggregate-to-${suffix}`]: 'true',
      ...documentedAggregationLabel(groupName, suffix),
    }),
  });
}

interface RoleNaming {
  readonly prefixOf: (api: Api & { readonly name: string }) => string;
  readonly crdView: string;
  readonly labelsOf: (api: Api, suffix: RoleSuffix) => LabelMap;
}

function rolesOf(
  crds: readonly CrdReference[],
  services: readonly OwnedApiService[],
  { prefixOf, crdView, labelsOf }: RoleNaming,
): ApiRole[] {
  const ofApi = (api: OwnedApiService, resource: string, owner: ApiRole['owner']): ApiRole[] =>
    roleSuffixes.map((suffix) => ({
      name: `${prefixOf(api)}-${suffix}`,
      labels: labelsOf(api, suffix),
      rules: [{ verbs: verbs[suffix], apiGroups: [api.group], resources: [resource] }],
      owner,
    }));
  return [
    ...crds.flatMap((crd) => {
      const [plural = '', ...group] = crd.name.split('.');
      const api = { ...crd, group: group.join('.') };
      const owner = { kind: 'CustomResourceDefinition', name: crd.name };
      const name = `${prefixOf(api)}-${crdView}`;
      const view = { name, labels: labelsOf(api, 'view'), rules: [crdRule(crd.name)], owner };
      return [...ofApi(api, plural, owner), view];
    }),
    ...services.flatMap((service) => {
      const owner = { kind: 'APIService', name: `${service.version}.${service.group}` };
      return ofApi(service, service.name, owner);
    }),
  ];
}

function crdRule(name: string): PolicyRule {
  return {
    verbs: ['get'],
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    resourceNames: [name],
  };
}

export type RoleName =
  | { readonly kind: 'group'; readonly group: string; readonly suffix: RoleSuffix }
  /** Of a CustomResourceDefinition or an APIService: their names look alike. */
  | {
      readonly kind: 'api';
      readonly api: string;
      readonly version: string;
      readonly suffix: RoleSuffix | 'crdview';
    };

const suffixes = roleSuffixes.join('|');
/** Source: OLM getClusterRoleName. */
const groupRole = new RegExp(`^olm\\.og\\.(.+)\\.(${suffixes})-[0-9A-Za-z]+$`);
/** Source: OLM ensureClusterRolesForCSV; a version is a label of DNS as Kubernetes orders them. */
const apiRole = new RegExp(`^([^/\\s]+)-(v[0-9]+(?:(?:alpha|beta)[0-9]+)?)-(${suffixes}|crdview)$`);

export function readRoleName(name: string): RoleName | undefined {
  const [, group, groupSuffix] = groupRole.exec(name) ?? [];
  if (group !== undefined) return { kind: 'group', group, suffix: groupSuffix as RoleSuffix };
  const [, api, version = '', suffix] = apiRole.exec(name) ?? [];
  if (api === undefined || (suffix === 'crdview' && !api.includes('.'))) return undefined;
  return { kind: 'api', api, version, suffix: suffix as RoleSuffix | 'crdview' };
}
