import { type Csv, readCsv } from '../../../objects/classic-objects.js';
import { judgeMembership, type Membership } from '../../../operator-groups/membership.js';
import {
  copiedFromLabel,
  groupNamespaceAnnotation,
  isMarkedAsCopy,
  readableApis,
  withStatus,
} from '../../../operator-groups/objects.js';
import {
  metaOf,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../../../text/documents/index.js';
import { groupSurface } from '../../../operator-groups/surface.js';
import { rivalGroups } from '../operator-group/group-review.js';
import type { RuleContext } from '../rule.js';

/** Null for copies. Anybody can write the mark, so it counts where OLM writes it or where it stays. */
export function reviewedCsv({ object, oldObject, isByOlm }: RuleContext): Csv | null {
  const csv = readCsv(object);
  if (!isMarkedAsCopy(csv)) return csv;
  return isByOlm || isSameCopy(object, oldObject) ? null : asOriginal(csv);
}

function isSameCopy(object: JsonObject, oldObject: JsonObject | null): boolean {
  if (oldObject === null || !isMarkedAsCopy(readCsv(oldObject))) return false;
  const marks = (csv: JsonObject): JsonValue[] => [
    own(csv, 'spec') ?? null,
    metaOf(csv).label(copiedFromLabel) ?? null,
    metaOf(csv).annotation(groupNamespaceAnnotation) ?? null,
  ];
  return sameJson(marks(object), marks(oldObject));
}

/** Without what marks a copy: rules take it for what it says that it is not. */
function asOriginal(csv: Csv): Csv {
  const without = (map: ReadonlyMap<string, string>, name: string): ReadonlyMap<string, string> =>
    new Map([...map].filter(([key]) => key !== name));
  return {
    ...csv,
    reason: '',
    labels: without(csv.labels, copiedFromLabel),
    annotations: without(csv.annotations, groupNamespaceAnnotation),
  };
}

/** Judged by its spec alone: its present status would only hide problems. Null for copies. */
export function membershipOf(context: RuleContext): Membership | null {
  const csv = context.fact(reviewedCsv);
  if (csv === null) return null;
  const { view } = context;
  const groups = view.groupsIn(csv.namespace).map((group) => withStatus(group, view.namespaces()));
  const [group] = groups;
  const otherGroups =
    groups.length === 1 && group !== undefined
      ? rivalGroups(view, groupSurface(group), readableApis(csv))
      : [];
  const fresh = { ...csv, phase: '', reason: '' };
  return judgeMembership({
    csv: fresh,
    groupsInNamespace: groups,
    otherGroups,
    namespaces: view.namespaces(),
  });
}

export function neighbours(csv: Csv, { view }: RuleContext): Csv[] {
  return view.csvsIn(csv.namespace).filter((other) => other.name !== csv.name);
}
