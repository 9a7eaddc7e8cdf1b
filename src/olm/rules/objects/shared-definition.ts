/** Definitions that several operators own: each of them depends on every served version. */
import type { Finding } from '../../../rule/index.js';
import type { Csv } from '../../objects/cluster-service-version.js';
import { servedVersionRemoved } from '../../../upgrade/index.js';

/** As much of a ClusterServiceVersion as tells whether it is beside another one. */
export type Owner = Pick<Csv, 'namespace' | 'name' | 'replaces'>;

/** ClusterServiceVersions that replace each other in a namespace count once: they are one operator. */
export function isShared(owners: readonly Owner[]): boolean {
  const key = (namespace: string, name: string): string => `${namespace}/${name}`;
  const replaced = new Set(owners.map(({ namespace, replaces }) => key(namespace, replaces)));
  const all = new Set(owners.map(({ namespace, name }) => key(namespace, name)));
  return [...all].filter((each) => !replaced.has(each)).length > 1;
}

/**
 * A version that goes is an error where several ClusterServiceVersions own the definition. All other
 * findings stay as they are.
 *
 * Source: OpenShift documentation, "Operator multitenancy" and "CRD upgrades": all currently served
 * versions must be present in the new definition when several ClusterServiceVersions own it.
 *
 * @param owners asked for only when a version goes
 */
export function escalateForSharedOwners(
  findings: readonly Finding[],
  owners: () => readonly Owner[],
): readonly Finding[] {
  const isAsked = findings.some(({ rule }) => rule === servedVersionRemoved.id);
  if (!isAsked || !isShared(owners())) return findings;
  return findings.map(escalateShared);
}

/** The same for a definition that is known to be shared. */
export function escalateShared(finding: Finding): Finding {
  if (finding.rule !== servedVersionRemoved.id) return finding;
  const message = `${finding.message}; several ClusterServiceVersions own the definition, and each may need the version`;
  return { ...finding, severity: 'error', message };
}
