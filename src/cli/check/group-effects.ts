/** The effects of an OperatorGroup on a cluster with OLM, for `check operatorgroup --explain`. */
import { ClusterError, type OlmState } from '../../cluster/index.js';
import {
  type ApiRole,
  apiRoles,
  type Csv,
  documentedApiRoles,
  documentedGroupRoles,
  grantPermissions,
  type GroupRole,
  groupRoles,
  type GroupSync,
  isCopied,
  judgeCopies,
  judgeMembership,
  type Namespace,
  type OperatorGroup,
  readCsv,
  readOperatorGroup,
  recoveryOf,
  settled,
  syncGroup,
} from '../../olm/index.js';
import { flagAt, objectsAt, textAt } from '../../text/documents/fields.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';

export interface GroupEffects {
  /** One sync: targets, conditions, annotations, who is looked at again. */
  readonly sync: GroupSync;
  readonly clusterRoles: readonly GroupRole[];
  /** Their names and labels in the documentation of OpenShift 4.12. */
  readonly documentedClusterRoles: readonly GroupRole[];
  readonly members: readonly MemberEffects[];
  /** `features.disableCopiedCSVs` of the OLMConfig `cluster`; null when it cannot be read. */
  readonly disableCopiedCSVs: boolean | null;
}

interface MemberEffects {
  readonly name: string;
  readonly state: string;
  readonly reason: string | null;
  readonly message: string;
  /** The way to end a failure that OLM has noted already. */
  readonly recovery: string | null;
  /** For users of its APIs. */
  readonly apiClusterRoles: readonly ApiRole[];
  readonly documentedApiClusterRoles: readonly ApiRole[];
  /** How far the operator’s own namespaced permissions reach. */
  readonly scope: string;
  readonly copies: readonly string[];
  /** Why it is not copied, or not everywhere. */
  readonly notCopied: string | null;
}

/** @throws ClusterError when the cluster does not answer */
export async function effectsOfGroup(state: OlmState, object: JsonObject): Promise<GroupEffects> {
  const namespaces: Namespace[] = [...state.objects('Namespace')].map((each) => ({
    name: metaOf(each).name,
    labels: metaOf(each).labels,
  }));
  const stored = readOperatorGroup(object);
  const others = [...state.objects('OperatorGroup')]
    .map(readOperatorGroup)
    .filter(({ name, namespace }) => name !== stored.name || namespace !== stored.namespace);
  const csvs = [...state.objects('ClusterServiceVersion')].map(readCsv);
  const sync = syncGroup({
    group: stored,
    otherGroups: others,
    csvs,
    namespaces,
    serviceAccounts: null,
  });
  const group = settled(stored, namespaces);
  const disableCopiedCSVs = await copiesDisabled(state);
  const members = csvs
    .filter((csv) => csv.namespace === group.namespace && !isCopied(csv))
    .map((csv) => effectsOnMember(csv, [group, ...others], namespaces, disableCopiedCSVs ?? false));
  return {
    sync,
    clusterRoles:
      sync.clusterRoles.length > 0
        ? sync.clusterRoles
        : groupRoles(group.name, group.namespace, []),
    documentedClusterRoles: documentedGroupRoles(group.name),
    members,
    disableCopiedCSVs,
  };
}

function effectsOnMember(
  csv: Csv,
  groups: readonly OperatorGroup[],
  namespaces: readonly Namespace[],
  disableCopiedCSVs: boolean,
): MemberEffects {
  const question = {
    csv,
    groupsInNamespace: groups.filter(({ namespace }) => namespace === csv.namespace),
    otherGroups: groups.filter(({ namespace }) => namespace !== csv.namespace),
    namespaces,
  };
  const membership = judgeMembership(question);
  const isActive = membership.member && membership.state !== 'failed';
  const group = isActive ? membership.group : null;
  const permissions = objectsAt(csv.object, 'spec', 'install', 'spec', 'permissions').map(
    (each) => ({
      serviceAccountName: textAt(each, 'serviceAccountName') ?? '',
      rules: objectsAt(each, 'rules'),
    }),
  );
  const { scope } = grantPermissions(csv, group, permissions, []);
  const copies = judgeCopies({
    ...question,
    disableCopiedCSVs,
    protectedNamespaces: [],
    existing: [],
  });
  return {
    name: csv.name,
    state: membership.state,
    reason: membership.reason,
    message: membership.message,
    recovery: recoveryOf(csv, membership)?.message ?? null,
    apiClusterRoles: isActive ? apiRoles(csv.ownedCrds, csv.ownedApiServices).roles : [],
    // As documented these are for operators of all namespaces only; OLM makes them for all.
    documentedApiClusterRoles:
      group !== null && scope === 'cluster'
        ? documentedApiRoles(group.name, csv.ownedCrds, csv.ownedApiServices)
        : [],
    scope,
    copies: copies.copies.map(({ namespace }) => namespace),
    notCopied: copies.explanation,
  };
}

/** Null when the OLMConfig cannot be read: that is reported, and nothing is concluded from it. */
async function copiesDisabled(state: OlmState): Promise<boolean | null> {
  const resource = { group: 'operators.coreos.com', resource: 'olmconfigs' };
  try {
    const config = await state.cluster.get(resource, 'cluster');
    return flagAt(config, 'spec', 'features', 'disableCopiedCSVs');
  } catch (error) {
    if (error instanceof ClusterError) return null;
    throw error;
  }
}

/** The effects as a person reads them at a prompt. */
export function effectSections(name: string, effects: GroupEffects): string[][] {
  const { sync, clusterRoles, documentedClusterRoles, members, disableCopiedCSVs } = effects;
  const targets = sync.statusNamespaces.map((each) => (each === '' ? 'all namespaces' : each));
  const group = [
    `OperatorGroup ${name}`,
    `  target selection: ${targets.length === 0 ? 'no namespace' : targets.join(', ')}`,
    ...(sync.error === null ? [] : [`  OLM stops with: ${sync.error}`]),
    ...sync.conditions.map(
      ({ group: of, condition }) => `  condition on ${of}: ${condition.type}, ${condition.message}`,
    ),
    ...(sync.pruning.removed.length === 0
      ? []
      : [`  olm.providedAPIs loses ${sync.pruning.removed.join(', ')}`]),
    ...sync.requeued.map(
      (csv) =>
        `  ${csv.namespace}/${csv.name} will be re-evaluated${csv.recovery === null ? '' : `: ${csv.recovery.message}`}`,
    ),
    '  ClusterRoles',
    ...clusterRoles.map(({ name: role }, index) => {
      const documented = documentedClusterRoles[index]?.name ?? '';
      return `    ${role} (documented as ${documented})`;
    }),
    ...(disableCopiedCSVs === true ? ['  OLMConfig cluster: copied CSVs are disabled'] : []),
    ...(disableCopiedCSVs === null
      ? ['  OLMConfig cluster cannot be read: copies are told as if it were not there']
      : []),
  ];
  return [group, ...members.map(memberSection)];
}

const scopes: Readonly<Record<string, string>> = {
  'own-namespace': 'its own namespace',
  'target-namespaces': 'the target namespaces',
  cluster: 'the whole cluster',
  none: 'nothing: it is no active member',
};

function memberSection(member: MemberEffects): string[] {
  const roles = member.apiClusterRoles.map(({ name }) => `    ${name}`);
  const documented = member.documentedApiClusterRoles.map(({ name }) => name);
  return [
    `Member ${member.name}: ${member.state}`,
    `  ${member.reason === null ? '' : `${member.reason}: `}${member.message}`,
    ...(member.recovery === null ? [] : [`  recovers: ${member.recovery}`]),
    `  its own permissions reach ${scopes[member.scope] ?? member.scope}`,
    ...(roles.length === 0 ? [] : ['  ClusterRoles for users of its APIs', ...roles]),
    ...(documented.length === 0 ? [] : [`    (documented as ${documented.join(', ')})`]),
    `  copies: ${member.copies.length === 0 ? 'none' : member.copies.join(', ')}${
      member.notCopied === null ? '' : ` (${member.notCopied})`
    }`,
  ];
}
