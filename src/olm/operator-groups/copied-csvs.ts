import { judgeMembership, type Membership } from './membership.js';
import { type Namespace, NamespaceSet } from './surface.js';
import {
  type ClusterServiceVersion,
  copiedFromLabel,
  groupNameAnnotation,
  groupNamespaceAnnotation,
  type OperatorGroup,
  targetsAnnotation,
} from './objects.js';
import { compareBytes } from '../../text/go/index.js';

export interface CopiesInput {
  readonly csv: ClusterServiceVersion;
  readonly groupsInNamespace: readonly OperatorGroup[];
  readonly otherGroups: readonly OperatorGroup[];
  readonly namespaces: readonly Namespace[];
  /** `spec.features.disableCopiedCSVs` of the OLMConfig `cluster`. */
  readonly disableCopiedCSVs: boolean;
  /** Namespaces that keep copies even so (`--protectedCopiedCSVNamespaces`). */
  readonly protectedNamespaces: readonly string[];
  /** Copies on the cluster; those of other sources count only where copying is disabled. */
  readonly existing: readonly ClusterServiceVersion[];
}

export interface Copy {
  readonly namespace: string;
  readonly name: string;
  readonly annotations: ReadonlyMap<string, string>;
  readonly labels: ReadonlyMap<string, string>;
  readonly status: { readonly phase: string; readonly reason: 'Copied'; readonly message: string };
}

export interface Copies {
  readonly copies: readonly Copy[];
  /** Why there are none, or not everywhere; null when every target has one. */
  readonly explanation: string | null;
  readonly deleted: readonly { readonly namespace: string; readonly because: string }[];
  readonly membership: Membership;
}

/** Reasons that keep OLM from copying, beside a phase not set yet. Source: api uncopiableReasons. */
const uncopiableReasons: ReadonlySet<string> = new Set([
  'Copied',
  'InvalidInstallModes',
  'NoTargetNamespaces',
  'UnsupportedOperatorGroup',
  'NoOperatorGroup',
  'TooManyOperatorGroups',
  'InterOperatorGroupOwnerConflict',
  'CannotModifyStaticOperatorGroupProvidedAPIs',
]);

export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const componentPrefix = 'operators.coreos.com/';

/**
 * Where copies of a ClusterServiceVersion exist, with what on them, and which copies go. Source: OLM
 * syncClusterServiceVersion, syncCopyCSV, ensureCSVsInNamespaces, csvCopyPrototype and
 * removeDanglingChildCSVs.
 */
export function judgeCopies(input: CopiesInput): Copies {
  const { csv } = input;
  const membership = judgeMembership(input);
  const why = notCopied(csv, membership);
  const targets = new NamespaceSet(membership.group?.statusNamespaces ?? []);
  const restricted = input.disableCopiedCSVs && targets.isAll;
  const reach = restricted ? new NamespaceSet(input.protectedNamespaces) : targets;
  const names =
    why === null
      ? input.namespaces
          .map((namespace) => namespace.name)
          .filter((name) => name !== csv.namespace && reach.contains(name))
          .sort(compareBytes)
      : [];
  return {
    copies: names.map((namespace) => copyOf(csv, namespace, membership)),
    explanation: why ?? (restricted ? disabledText : missingText(targets, input)),
    deleted: input.existing
      .map((copy) => ({
        namespace: copy.namespace,
        because: orphaned(copy, input, { isRestricted: restricted && why === null, membership }),
      }))
      .filter(
        (deletion): deletion is { namespace: string; because: string } => deletion.because !== null,
      )
      .sort((a, b) => compareBytes(a.namespace, b.namespace)),
    membership,
  };
}

const disabledText =
  'disableCopiedCSVs is on: an operator for all namespaces is not copied, except into protected namespaces';

function notCopied(csv: ClusterServiceVersion, membership: Membership): string | null {
  const { group } = membership;
  if (group === null) return membership.message;
  if (group.statusNamespaces.length === 1 && group.statusNamespaces[0] === group.namespace) {
    return 'the group targets only its own namespace';
  }
  if (membership.state === 'failed') return `${membership.reason ?? ''}: ${membership.message}`;
  if (csv.phase === '') return 'OLM has not set a phase yet';
  if (uncopiableReasons.has(csv.reason)) return `its status reason is ${csv.reason}`;
  return null;
}

function missingText(targets: NamespaceSet, input: CopiesInput): string | null {
  if (targets.isAll) return null;
  const known = new Set(input.namespaces.map((namespace) => namespace.name));
  const missing = targets.names().filter((name) => !known.has(name));
  return missing.length === 0 ? null : `target namespaces do not exist: ${missing.join(', ')}`;
}

function copyOf(csv: ClusterServiceVersion, namespace: string, membership: Membership): Copy {
  const annotations = new Map([...csv.annotations, ...membership.annotations]);
  annotations.delete(targetsAnnotation);
  annotations.delete(lastApplied);
  const labels = new Map([...csv.labels].filter(([key]) => !key.startsWith(componentPrefix)));
  labels.set(copiedFromLabel, csv.namespace);
  return {
    namespace,
    name: csv.name,
    annotations,
    labels,
    status: {
      phase: csv.phase,
      reason: 'Copied',
      message: `The operator is running in ${csv.namespace} but is managing this namespace`,
    },
  };
}

function orphaned(
  copy: ClusterServiceVersion,
  { csv, protectedNamespaces }: CopiesInput,
  { isRestricted, membership }: { isRestricted: boolean; membership: Membership },
): string | null {
  const parent = copy.annotations.get(groupNamespaceAnnotation);
  if (parent === undefined) return `it lacks the annotation ${groupNamespaceAnnotation}`;
  // Whatever the name: OLM goes by the label alone here.
  const source = copy.labels.get(copiedFromLabel) ?? parent;
  if (isRestricted && source === csv.namespace && !protectedNamespaces.includes(copy.namespace)) {
    const group = copy.annotations.get(groupNameAnnotation) ?? '';
    return `disableCopiedCSVs is on and group ${group} targets all namespaces`;
  }
  if (parent !== csv.namespace || copy.name !== csv.name) return null;
  if (copy.namespace === csv.namespace) return 'it is in the namespace of its own source';
  const reason = membership.reason ?? (csv.phase === 'Failed' ? csv.reason : '');
  if (reason === 'InterOperatorGroupOwnerConflict') {
    return 'its source fails with InterOperatorGroupOwnerConflict';
  }
  const targets =
    membership.annotations.get(targetsAnnotation) ?? csv.annotations.get(targetsAnnotation);
  const isTarget = NamespaceSet.parse(targets ?? '').contains(copy.namespace);
  return isTarget ? null : 'its source no longer targets this namespace';
}
