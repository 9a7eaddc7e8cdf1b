import type { Api } from '../resolver/predicate.js';
import type { CrdReference } from '../resolver/namespace.js';
import { ApiSet } from './api-set.js';
import {
  allNamespaces,
  type GroupState,
  type Namespace,
  selectTargets,
  type TargetSelection,
} from './surface.js';
import { formatList } from '../../text/go/index.js';

export interface OperatorGroup extends GroupState, TargetSelection {
  /** `spec.serviceAccountName`; `""` when absent. */
  readonly serviceAccountName: string;
  readonly serviceAccountSynced: boolean;
  readonly conditionTypes: readonly string[];
  /** Its namespace resolves from no global catalog. */
  readonly excludesGlobalCatalogs?: boolean;
}

/** An owned APIService; `name` is the plural resource name. */
export interface OwnedApiService extends Api {
  readonly name: string;
}

export interface ClusterServiceVersion {
  readonly name: string;
  readonly namespace: string;
  readonly annotations: ReadonlyMap<string, string>;
  readonly labels: ReadonlyMap<string, string>;
  readonly isBeingDeleted: boolean;
  readonly installModes: readonly InstallMode[];
  readonly ownedCrds: readonly CrdReference[];
  readonly ownedApiServices: readonly OwnedApiService[];
  /** `status.phase`, `""` before OLM saw it. */
  readonly phase: string;
  readonly reason: string;
}

export const groupNamespaceAnnotation = 'olm.operatorNamespace';
export const groupNameAnnotation = 'olm.operatorGroup';
export const targetsAnnotation = 'olm.targetNamespaces';
export const copiedFromLabel = 'olm.copiedFrom';
const copiedReason = 'Copied';

/** OLM's own mirror of a ClusterServiceVersion of another namespace. Source: api IsCopied. */
export function isCopied(csv: ClusterServiceVersion): boolean {
  return csv.reason === copiedReason || isMarkedAsCopy(csv);
}

/** The status alone proves nothing: the gate is not asked about writes of it, but about the metadata's. */
export function isMarkedAsCopy(csv: ClusterServiceVersion): boolean {
  const operatorNamespace = csv.annotations.get(groupNamespaceAnnotation);
  return (
    (operatorNamespace !== undefined && operatorNamespace !== csv.namespace) ||
    csv.labels.has(copiedFromLabel)
  );
}

export function withoutCopiedReason<Csv extends ClusterServiceVersion>(csv: Csv): Csv {
  return csv.reason === copiedReason ? { ...csv, reason: '' } : csv;
}

/** Provided APIs, or OLM's error for a name without a dot, which it only logs. Source: OLM apiSurfaceOfCSV. */
export function providedApis(
  csv: Pick<ClusterServiceVersion, 'ownedCrds' | 'ownedApiServices'>,
): { readonly error: string } | { readonly error: null; readonly apis: ApiSet } {
  const apis: Api[] = [];
  for (const { name, version, kind } of csv.ownedCrds) {
    const dot = name.indexOf('.');
    if (dot < 0) return { error: `error parsing crd name: ${name}` };
    apis.push({ group: name.slice(dot + 1), version, kind });
  }
  return { error: null, apis: new ApiSet([...apis, ...csv.ownedApiServices]) };
}

/** The APIs as far as they can be read; none when {@link providedApis} gives an error. */
export function readableApis(csv: ClusterServiceVersion): ApiSet {
  const provided = providedApis(csv);
  return provided.error === null ? provided.apis : new ApiSet();
}

/** The group as it is, or where OLM has written no status yet, as its first sync leaves it. */
export function withStatus<Group extends OperatorGroup>(
  group: Group,
  namespaces: Iterable<Namespace>,
): Group {
  return group.statusNamespaces.length > 0 ? group : settled(group, namespaces);
}

/** The group as its next sync leaves it: `status.namespaces` as its spec selects them now. */
export function settled<Group extends OperatorGroup>(
  group: Group,
  namespaces: Iterable<Namespace>,
): Group {
  const targets = selectTargets(group, namespaces);
  return targets.error === null ? { ...group, statusNamespaces: targets.namespaces } : group;
}

interface InstallMode {
  readonly type: string;
  readonly supported: boolean;
}

interface InstallModeRefusal {
  readonly stage: 'NewInstallModeSet' | 'Supports';
  readonly reason: 'InvalidInstallModes' | 'UnsupportedOperatorGroup';
  readonly message: string;
}

/**
 * Whether install modes support a set of target namespaces; null when they do. A type that is not
 * listed is unsupported: nothing is inferred from others, whatever OpenShift's documentation says. `targets` are
 * the parts of `olm.targetNamespaces` in their order, repetitions included.
 * Source: operator-framework/api NewInstallModeSet and InstallModeSet.Supports.
 */
export function checkInstallModes(
  modes: readonly InstallMode[],
  operatorNamespace: string,
  targets: readonly string[],
): InstallModeRefusal | null {
  if (new Set(modes.map((mode) => mode.type)).size < modes.length) {
    const shown = formatList(modes.map((mode) => `{${mode.type} ${mode.supported}}`));
    return {
      stage: 'NewInstallModeSet',
      reason: 'InvalidInstallModes',
      message: `InstallMode list contains duplicates, cannot make set: ${shown}`,
    };
  }
  const supported = new Set(modes.filter((mode) => mode.supported).map((mode) => mode.type));
  const message = unsupported(supported, operatorNamespace, targets);
  return message === null
    ? null
    : { stage: 'Supports', reason: 'UnsupportedOperatorGroup', message };
}

const invalidSelection = 'operatorgroup has invalid selected namespaces,';

function unsupported(
  supported: ReadonlySet<string>,
  operatorNamespace: string,
  targets: readonly string[],
): string | null {
  const [first] = targets;
  if (first === undefined) return `${invalidSelection} cannot configure to watch zero namespaces`;
  if (targets.length === 1) {
    // The own namespace is asked first, so an operator namespace "" counts as its own.
    if (first === operatorNamespace) return lacking(supported, 'OwnNamespace', 'own namespace');
    if (first === allNamespaces) return lacking(supported, 'AllNamespaces', 'all namespaces');
    return lacking(supported, 'SingleNamespace', 'one namespace');
  }
  const multi = lacking(supported, 'MultiNamespace', `${targets.length} namespaces`);
  if (multi !== null) return multi;
  for (const target of targets) {
    const own = target === operatorNamespace && lacking(supported, 'OwnNamespace', 'own namespace');
    if (typeof own === 'string') return own;
    if (target === allNamespaces) {
      return `${invalidSelection} NamespaceAll found when |selected namespaces| > 1`;
    }
  }
  return null;
}

function lacking(supported: ReadonlySet<string>, mode: string, watched: string): string | null {
  if (supported.has(mode)) return null;
  return `${mode} InstallModeType not supported, cannot configure to watch ${watched}`;
}
