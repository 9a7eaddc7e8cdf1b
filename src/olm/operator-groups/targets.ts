import { oncePer } from '../once.js';
import { compileSelector, type Labels, type LabelSelector } from './label-selector.js';
import { allNamespaces } from './namespace-set.js';
import { formatList, sortedUnique } from '../../text/go/index.js';

export interface Namespace {
  readonly name: string;
  readonly labels: Labels;
}

/** The fields of an OperatorGroup's spec that select namespaces. `selector: null` is an absent selector. */
export interface TargetSelection {
  readonly targetNamespaces: readonly string[];
  readonly selector: LabelSelector | null;
}

export type TargetResult =
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
