import { ApiSet } from './api-set.js';
import { oncePer } from '../once.js';
import { compileSelector, type Labels, type LabelSelector } from './label-selector.js';
import { formatList, sortedUnique } from '../../text/go/index.js';

export interface GroupState {
  readonly name: string;
  readonly namespace: string;
  readonly statusNamespaces: readonly string[];
  /** The raw annotation `olm.providedAPIs`; null when absent. */
  readonly providedAPIs: string | null;
  readonly staticProvidedAPIs: boolean;
}

/** A group's reach: the namespaces it counts for and the APIs it claims there. */
export interface GroupSurface {
  /** `name/namespace`, the identity that OLM compares. */
  readonly identifier: string;
  readonly targets: NamespaceSet;
  readonly providedAPIs: ApiSet;
}

/** A group without status reaches nothing, not even its own namespace. Source: OLM NewOperatorGroup. */
export function groupSurface(group: GroupState): GroupSurface {
  return {
    identifier: `${group.name}/${group.namespace}`,
    targets: surfaceTargets(group.namespace, group.statusNamespaces),
    providedAPIs: ApiSet.parse(group.providedAPIs ?? ''),
  };
}

export function surfaceTargets(
  groupNamespace: string,
  statusNamespaces: readonly string[],
): NamespaceSet {
  const [first] = statusNamespaces;
  const addsOwn = first !== undefined && first !== allNamespaces;
  return new NamespaceSet(addsOwn ? [...statusNamespaces, groupNamespace] : statusNamespaces);
}

export function intersectingGroups(
  group: GroupSurface,
  others: readonly GroupSurface[],
): GroupSurface[] {
  return others.filter(
    (other) =>
      other.identifier !== group.identifier && !group.targets.intersection(other.targets).isEmpty,
  );
}

export interface Namespace {
  readonly name: string;
  readonly labels: Labels;
}

/** The fields of an OperatorGroup's spec that select namespaces. `selector: null` is an absent selector. */
export interface TargetSelection {
  readonly targetNamespaces: readonly string[];
  readonly selector: LabelSelector | null;
}

type TargetResult =
  | { readonly error: string }
  | {
      readonly error: null;
      /** Sorted; `[""]` means all namespaces, `[]` that a selector matched none. */
      readonly namespaces: readonly string[];
    };

const compiledOnce = oncePer(compileSelector);

/**
 * The namespaces that OLM would put into `status.namespaces` (there in random order).
 * targetNamespaces win over the selector, yet an invalid selector is an error all the same; named
 * namespaces need not exist; no selector, or an empty one, selects all.
 * Source: OLM getOperatorGroupTargets.
 */
export function selectTargets(
  selection: TargetSelection,
  namespaces: Iterable<Namespace>,
): TargetResult {
  const { targetNamespaces, selector } = selection;
  const compiled = selector === null ? null : compiledOnce(selector);
  if (compiled !== null && compiled.error !== null) return { error: compiled.error };
  if (targetNamespaces.length > 0) {
    if (targetNamespaces.includes(allNamespaces)) {
      return {
        error: `TargetNamespaces cannot contain NamespaceAll: ${formatList(targetNamespaces)}`,
      };
    }
    return { error: null, namespaces: sortedUnique(targetNamespaces) };
  }
  if (compiled === null || compiled.isEmpty) return { error: null, namespaces: [allNamespaces] };
  const selected: string[] = [];
  for (const namespace of namespaces) {
    if (compiled.matches(namespace.labels)) selected.push(namespace.name);
  }
  return { error: null, namespaces: sortedUnique(selected) };
}

export function targetNamespacesAnnotation(statusNamespaces: readonly string[]): string {
  return sortedUnique(statusNamespaces).join(',');
}

/** The empty name by which OLM means every namespace. */
export const allNamespaces = '';

/**
 * A set of namespaces as OLM compares target namespaces. It means "all" only when it is exactly
 * `{""}`: an empty name beside others is an ordinary member that matches nothing but itself.
 * Source: OLM NamespaceSet.
 */
export class NamespaceSet {
  private readonly members: ReadonlySet<string>;

  constructor(namespaces: Iterable<string>) {
    this.members = new Set(namespaces);
  }

  /** Reads `olm.targetNamespaces`; an empty annotation is one empty name, so all namespaces. */
  static parse(annotation: string): NamespaceSet {
    return new NamespaceSet(annotation.split(','));
  }

  get isAll(): boolean {
    return this.members.size === 1 && this.members.has(allNamespaces);
  }

  get isEmpty(): boolean {
    return this.members.size === 0;
  }

  contains(namespace: string): boolean {
    return this.isAll || this.members.has(namespace);
  }

  /** All ∩ S is S, so all ∩ {} is {}. */
  intersection(other: NamespaceSet): NamespaceSet {
    if (this.isAll) return other;
    if (other.isAll) return this;
    return new NamespaceSet([...this.members].filter((name) => other.members.has(name)));
  }

  names(): string[] {
    return sortedUnique(this.members);
  }
}
