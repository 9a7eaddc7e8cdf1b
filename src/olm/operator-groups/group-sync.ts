import { ApiSet, apiText } from './api-set.js';
import { type GroupRole, groupRoles } from './group-roles.js';
import {
  annotationsAreCurrent,
  judgeMembership,
  memberAnnotations,
  type Recovery,
  recoveryOf,
} from './membership.js';
import {
  type ClusterServiceVersion,
  isCopied,
  type OperatorGroup,
  readableApis,
} from './objects.js';
import { type Namespace, selectTargets } from './surface.js';
import { compareBytes } from '../../text/go/index.js';

interface Condition {
  readonly type: string;
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}

export interface GroupSyncInput {
  readonly group: OperatorGroup;
  /** All other groups of the cluster, those of the same namespace included. */
  readonly otherGroups: readonly OperatorGroup[];
  readonly csvs: readonly ClusterServiceVersion[];
  readonly namespaces: readonly Namespace[];
  /** Names of the service accounts of the group's namespace; null when not known. */
  readonly serviceAccounts: ReadonlySet<string> | null;
}

export interface GroupSync {
  /** `null`: the sync went through; else OLM's error, after which it does nothing more. */
  readonly error: string | null;
  /** Groups that get a condition set. */
  readonly conditions: readonly { readonly group: string; readonly condition: Condition }[];
  /** Condition types taken off this group. */
  readonly removedConditions: readonly string[];
  readonly statusNamespaces: readonly string[];
  readonly statusChanged: boolean;
  /** Namespaces that joined or left the targets. */
  readonly requeuedNamespaces: readonly string[];
  /** Members that get new annotations. */
  readonly annotated: readonly {
    readonly csv: string;
    readonly annotations: Readonly<Record<string, string>>;
  }[];
  readonly pruning: Pruning;
  readonly requeued: readonly RequeuedCsv[];
  readonly clusterRoles: readonly GroupRole[];
}

/** A ClusterServiceVersion, anywhere, that provides an API of the group and is looked at again. */
interface RequeuedCsv {
  readonly namespace: string;
  readonly name: string;
  readonly apis: readonly string[];
  readonly recovery: Recovery | null;
}

const multipleGroupsCondition: Condition = {
  type: 'MultipleOperatorGroup',
  status: 'True',
  reason: 'MultipleOperatorGroupsFound',
  message: 'Multiple OperatorGroup found in the same namespace',
};

/**
 * Predicts how OLM syncs an OperatorGroup. OLM writes the status first and the rest in the sync
 * that this causes; here both are one answer. Source: OLM syncOperatorGroups, SyncOperatorGroup of
 * the service account syncer.
 */
export function syncGroup(input: GroupSyncInput): GroupSync {
  const { group } = input;
  const siblings = input.otherGroups.filter((other) => other.namespace === group.namespace);
  const conditions = multipleGroupsConditions([group, ...siblings]);
  const account = syncServiceAccount(group, input.serviceAccounts);
  if (account.condition !== null)
    conditions.push({ group: group.name, condition: account.condition });
  // Without an account OLM looks at its condition only where the status still refers to one.
  const hasAccount = group.serviceAccountName !== '' || group.serviceAccountSynced;
  const removedConditions = [
    ...(siblings.length === 0 ? [multipleGroupsCondition.type] : []),
    ...(account.error === null && hasAccount ? [serviceAccountConditionType] : []),
  ].filter((type) => group.conditionTypes.includes(type));
  const stopped = { ...unchanged(group), conditions, removedConditions };
  if (account.error !== null) return { ...stopped, error: account.error };
  const targets = selectTargets(group, input.namespaces);
  if (targets.error !== null) return { ...stopped, error: targets.error };

  const statusNamespaces = targets.namespaces;
  const synced: OperatorGroup = { ...group, statusNamespaces };
  const members = input.csvs.filter((csv) => csv.namespace === group.namespace && !isCopied(csv));
  const pruning = pruneProvidedApis(synced, members);
  const pruned: OperatorGroup = { ...synced, providedAPIs: pruning.annotation };
  const apis = members.reduce(
    (all, csv) => all.union(readableApis(csv)),
    ApiSet.parse(group.providedAPIs ?? ''),
  );
  return {
    error: null,
    conditions,
    removedConditions,
    statusNamespaces,
    statusChanged: symmetricDifference(group.statusNamespaces, statusNamespaces).length > 0,
    requeuedNamespaces: symmetricDifference(group.statusNamespaces, statusNamespaces).filter(
      (name) => name !== '',
    ),
    annotated: members
      .filter((csv) => !annotationsAreCurrent(csv, synced))
      .map((csv) => ({
        csv: csv.name,
        annotations: Object.fromEntries(memberAnnotations(csv, synced)),
      })),
    pruning,
    requeued: requeue(apis, input, pruned),
    clusterRoles: groupRoles(group.name, group.namespace, apis),
  };
}

function unchanged(
  group: OperatorGroup,
): Omit<GroupSync, 'error' | 'conditions' | 'removedConditions'> {
  return {
    statusNamespaces: group.statusNamespaces,
    statusChanged: false,
    requeuedNamespaces: [],
    annotated: [],
    pruning: { annotation: group.providedAPIs, removed: [], skipped: 'the sync stopped before it' },
    requeued: [],
    clusterRoles: [],
  };
}

function multipleGroupsConditions(
  groups: readonly OperatorGroup[],
): { group: string; condition: Condition }[] {
  if (groups.length < 2) return [];
  return groups
    .filter((group) => !group.conditionTypes.includes(multipleGroupsCondition.type))
    .map((group) => ({ group: group.name, condition: multipleGroupsCondition }))
    .sort((a, b) => compareBytes(a.group, b.group));
}

const serviceAccountConditionType = 'OperatorGroupServiceAccount';

function syncServiceAccount(
  group: OperatorGroup,
  known: ReadonlySet<string> | null,
): { error: string | null; condition: Condition | null } {
  const name = group.serviceAccountName;
  if (name === '' || known === null || known.has(name)) return { error: null, condition: null };
  return {
    error: `failed to get service account, sa=${name} serviceaccounts "${name}" not found`,
    condition: {
      type: serviceAccountConditionType,
      status: 'True',
      reason: 'ServiceAccountNotFound',
      message: `ServiceAccount ${name} not found`,
    },
  };
}

function requeue(apis: ApiSet, input: GroupSyncInput, synced: OperatorGroup): RequeuedCsv[] {
  const groups = [synced, ...input.otherGroups];
  const requeued: RequeuedCsv[] = [];
  for (const csv of input.csvs) {
    if (isCopied(csv)) continue;
    const shared = readableApis(csv).intersection(apis);
    if (shared.size === 0) continue;
    const membership = judgeMembership({
      csv,
      groupsInNamespace: groups.filter((group) => group.namespace === csv.namespace),
      otherGroups: groups.filter((group) => group.namespace !== csv.namespace),
      namespaces: input.namespaces,
    });
    requeued.push({
      namespace: csv.namespace,
      name: csv.name,
      apis: [...shared].map(apiText).sort(compareBytes),
      recovery: recoveryOf(csv, membership),
    });
  }
  return requeued.sort(
    (a, b) => compareBytes(a.namespace, b.namespace) || compareBytes(a.name, b.name),
  );
}

function symmetricDifference(left: readonly string[], right: readonly string[]): string[] {
  const onlyLeft = left.filter((name) => !right.includes(name));
  const onlyRight = right.filter((name) => !left.includes(name));
  return [...onlyLeft, ...onlyRight].sort(compareBytes);
}

/** Changes of `olm.providedAPIs` when its group syncs. */
export interface Pruning {
  /** The annotation afterwards; null when absent. */
  readonly annotation: string | null;
  /** Surplus APIs taken out, sorted. */
  readonly removed: readonly string[];
  /** Why nothing was compared; null when it was. */
  readonly skipped: string | null;
}

/**
 * Takes out of `olm.providedAPIs` what no member provides. Static groups are left alone, and nothing
 * happens while a member with an API that is not listed yet has not got past phase Pending: its API
 * is about to be added. Source: OLM pruneProvidedAPIs.
 *
 * @param members the ClusterServiceVersions of the group's namespace without copies
 */
function pruneProvidedApis(
  group: OperatorGroup,
  members: readonly ClusterServiceVersion[],
): Pruning {
  const kept = { annotation: group.providedAPIs, removed: [] };
  if (group.staticProvidedAPIs) {
    return { ...kept, skipped: 'the group is static: only its owner changes olm.providedAPIs' };
  }
  const listed = ApiSet.parse(group.providedAPIs ?? '');
  for (const csv of members) {
    const isArriving = !csv.isBeingDeleted && (csv.phase === '' || csv.phase === 'Pending');
    if (isArriving && !readableApis(csv).isSubsetOf(listed)) {
      const phase = csv.phase === '' ? 'no phase yet' : 'phase Pending';
      return { ...kept, skipped: `${csv.name} (${phase}) provides an API that is not listed yet` };
    }
  }
  const provided = members.reduce((all, csv) => all.union(readableApis(csv)), new ApiSet());
  const surplus = listed.difference(provided);
  if (surplus.size === 0) return { ...kept, skipped: null };
  return {
    annotation: listed.intersection(provided).annotation(),
    removed: surplus.texts(),
    skipped: null,
  };
}
