import { sha224 } from '../../text/platform.js';
import type { Api } from '../resolver/api.js';
import { apiText } from './api-set.js';
import { sortedUnique } from '../../text/go/index.js';

export const roleSuffixes = ['admin', 'edit', 'view'] as const;
export type RoleSuffix = (typeof roleSuffixes)[number];

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
export function aggregationLabel(api: Api, suffix: RoleSuffix): string {
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

export function documentedAggregationLabel(groupName: string, suffix: RoleSuffix): LabelMap {
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
