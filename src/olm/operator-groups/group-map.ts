/** The namespaces that groups reach, share, and in which they conflict over APIs. */
import { groupBy } from '../../text/group.js';
import { compareBytes } from '../../text/go/index.js';
import { ApiSet } from './api-set.js';
import {
  isCopied,
  readableApis,
  type ClusterServiceVersion,
  type OperatorGroup,
} from './objects.js';
import { groupSurface } from './surface.js';
import { append } from '../../text/long-lists.js';

export interface MappedGroup {
  readonly name: string;
  readonly namespace: string;
  readonly isAsked: boolean;
  /** Its effective targets, its own namespace among them, sorted; null for all. */
  readonly reach: readonly string[] | null;
  readonly apis: readonly string[];
}

/** `own`: the group is in this namespace; `all`: it reaches every namespace. */
export type Mark = 'none' | 'reaches' | 'own' | 'all';

export interface MapRow {
  /** Reached in the same way by the same groups; null for every namespace without a row of its own. */
  readonly namespaces: readonly string[] | null;
  readonly marks: readonly Mark[];
  /** Positions of the groups that conflict here. */
  readonly conflicting: ReadonlySet<number>;
}

export interface MapConflict {
  /** None where the groups are in one namespace: OLM then lets operators be members of no group. */
  readonly apis: readonly string[];
  readonly groups: readonly number[];
  /** Sorted; null for all. */
  readonly namespaces: readonly string[] | null;
}

export interface GroupMap {
  readonly groups: readonly MappedGroup[];
  readonly rows: readonly MapRow[];
  readonly conflicts: readonly MapConflict[];
  /** Parts that the map does not show, a sentence each. */
  readonly leftOut: readonly string[];
}

export interface MapQuestion {
  readonly groups: readonly OperatorGroup[];
  readonly csvs: readonly ClusterServiceVersion[];
  /** `namespace/name` of the groups that the question is about; none: about all. */
  readonly asked?: ReadonlySet<string>;
}

const maxGroups = 40;
const maxRows = 60;
const maxConflicts = 30;
/** Namespaces that are looked at for groups that provide the same APIs. */
const maxSteps = 300_000;
/** Targets of all groups together that get a row. */
const maxTargets = 50_000;

/** A group's own namespace counts; its APIs are the annotation's and its members', who never conflict. */
export function mapGroups({ groups, csvs, asked = new Set() }: MapQuestion): GroupMap {
  const all = mappedGroups(groups, csvs, asked);
  const near = asked.size === 0 ? all : nearTo(all);
  const { conflicts, uncompared } = findConflicts(near);
  const inConflict = new Set(conflicts.flatMap((conflict) => conflict.groups));
  const rank = (index: number): number =>
    near[index]?.isAsked === true ? 0 : inConflict.has(index) ? 1 : 2;
  const order = [...near.entries()].sort(
    ([one, a], [other, b]) => rank(one) - rank(other) || compareBytes(a.name, b.name),
  );
  const drawn = order.slice(0, maxGroups);
  const position = new Map(drawn.map(([index], at) => [index, at]));
  const placed = conflicts.map((conflict) => ({
    ...conflict,
    groups: conflict.groups.flatMap((index) => position.get(index) ?? []).sort((a, b) => a - b),
  }));
  const shown = drawn.map(([, group]) => group);
  const { rows, leftOut } = rowsOf(shown, placed);
  const left: readonly [count: number, what: string][] = [
    [all.length - near.length, 'groups that share no namespace with what was asked about'],
    [near.length - drawn.length, 'other groups'],
    [rows.length - maxRows, 'rows of namespaces'],
    [leftOut, 'target namespaces'],
    [conflicts.length - maxConflicts, 'conflicts'],
    [uncompared, 'sets of groups that provide the same APIs, not compared'],
  ];
  return {
    groups: shown,
    rows: rows.slice(0, maxRows).sort(byName),
    conflicts: placed.slice(0, maxConflicts),
    leftOut: left.flatMap(([count, what]) => (count > 0 ? [`Not shown: ${what} (${count})`] : [])),
  };
}

function mappedGroups(
  groups: readonly OperatorGroup[],
  csvs: readonly ClusterServiceVersion[],
  asked: ReadonlySet<string>,
): MappedGroup[] {
  const groupsIn = groupBy(groups, ({ namespace }) => namespace);
  const csvsIn = groupBy(csvs, ({ namespace }) => namespace);
  return groups.map((group) => {
    const { namespace } = group;
    const { targets, providedAPIs } = groupSurface(group);
    // With several groups in a namespace its operators are members of none.
    const isAlone = groupsIn.get(namespace)?.length === 1;
    const members = (isAlone ? (csvsIn.get(namespace) ?? []) : []).filter(
      (csv) => !isCopied(csv) && !csv.isBeingDeleted,
    );
    const name = `${namespace}/${group.name}`;
    return {
      name,
      namespace,
      isAsked: asked.has(name),
      reach: targets.isAll ? null : targets.names(),
      // Two APIs may be spelt alike.
      apis: [
        ...new Set(
          new ApiSet([
            ...providedAPIs,
            ...members.flatMap((csv) => [...readableApis(csv)]),
          ]).texts(),
        ),
      ],
    };
  });
}

function nearTo(all: readonly MappedGroup[]): readonly MappedGroup[] {
  const asked = all.filter(({ isAsked }) => isAsked);
  const touched = new Set(asked.flatMap(({ reach, namespace }) => [...(reach ?? []), namespace]));
  const touchesAll = asked.some(({ reach }) => reach === null);
  return all.filter(
    ({ isAsked, namespace, reach }) =>
      isAsked ||
      touched.has(namespace) ||
      (reach === null ? touched.size > 0 : reach.some((each) => touchesAll || touched.has(each))),
  );
}

function findConflicts(groups: readonly MappedGroup[]): {
  readonly conflicts: readonly MapConflict[];
  readonly uncompared: number;
} {
  const conflicts: MapConflict[] = [];
  const positions = [...groups.keys()];
  for (const [namespace, inOne] of groupBy(positions, (index) => groups[index]?.namespace ?? '')) {
    if (inOne.length < 2) continue;
    conflicts.push({ apis: [], groups: inOne, namespaces: [namespace] });
  }
  const providersOf = groupBy(
    groups.flatMap(({ apis }, index) => apis.map((api) => ({ api, index }))),
    ({ api }) => api,
  );
  const shared = [...providersOf].filter(([, providers]) => providers.length > 1);
  const sets = groupBy(shared, ([, providers]) => providers.map(({ index }) => index).join());
  let steps = 0;
  let uncompared = 0;
  for (const same of sets.values()) {
    const providers = (same[0]?.[1] ?? []).map(({ index }) => index);
    steps += providers.reduce((sum, index) => sum + (groups[index]?.reach?.length ?? 1), 0);
    if (steps > maxSteps) uncompared++;
    else {
      const apis = same.map(([api]) => api).sort(compareBytes);
      append(conflicts, conflictOf(groups, providers, apis));
    }
  }
  return { conflicts, uncompared };
}

/** Namespaces that two or more providers of the same APIs reach. */
function conflictOf(
  groups: readonly MappedGroup[],
  providers: readonly number[],
  apis: readonly string[],
): MapConflict[] {
  const everywhere = providers.filter((index) => groups[index]?.reach === null);
  const named = providers.flatMap((index) =>
    (groups[index]?.reach ?? []).map((namespace) => ({ index, namespace })),
  );
  const reached = [...groupBy(named, ({ namespace }) => namespace)].filter(
    ([, those]) => those.length + everywhere.length > 1,
  );
  if (reached.length === 0 && everywhere.length < 2) return [];
  const parties = new Set(reached.flatMap(([, those]) => those.map(({ index }) => index)));
  return [
    {
      apis,
      groups: [...new Set([...everywhere, ...parties])].sort((a, b) => a - b),
      namespaces:
        everywhere.length > 1 ? null : reached.map(([namespace]) => namespace).sort(compareBytes),
    },
  ];
}

/** Conflicts first, then what groups share, then the rest. */
function rowsOf(
  groups: readonly MappedGroup[],
  conflicts: readonly MapConflict[],
): { readonly rows: readonly MapRow[]; readonly leftOut: number } {
  const everywhere = new Set([...groups.keys()].filter((index) => groups[index]?.reach === null));
  const marksIn = new Map<string, Map<number, Mark>>();
  const mark = (namespace: string, index: number, as: Mark): void => {
    const marks = marksIn.get(namespace) ?? new Map<number, Mark>();
    marksIn.set(namespace, marks.set(index, as));
  };
  let room = maxTargets;
  for (const [index, { namespace, reach }] of groups.entries()) {
    for (const each of (reach ?? []).slice(0, Math.max(0, room))) mark(each, index, 'reaches');
    room -= reach?.length ?? 0;
    if (reach?.length !== 0) mark(namespace, index, 'own');
  }
  const conflictsIn = groupBy(
    conflicts.flatMap((conflict) =>
      (conflict.namespaces ?? []).map((namespace) => ({ namespace, conflict })),
    ),
    ({ namespace }) => namespace,
  );
  const general = new Set(
    conflicts.flatMap((each) => (each.namespaces === null ? each.groups : [])),
  );
  const rowOf = (namespace: string | null): MapRow => {
    const own = namespace === null ? undefined : marksIn.get(namespace);
    const here = namespace === null ? [] : (conflictsIn.get(namespace) ?? []);
    const marks = groups.map(
      (_, index): Mark => own?.get(index) ?? (everywhere.has(index) ? 'all' : 'none'),
    );
    const parties = [...general, ...here.flatMap(({ conflict }) => conflict.groups)];
    return {
      namespaces: namespace === null ? null : [namespace],
      marks,
      conflicting: new Set(parties.filter((index) => marks[index] !== 'none')),
    };
  };
  const rows = [
    ...(everywhere.size > 0 ? [rowOf(null)] : []),
    ...[...marksIn.keys()].sort(compareBytes).map(rowOf),
  ];
  const alike = groupBy(
    rows,
    ({ namespaces, marks, conflicting }) =>
      `${namespaces === null} ${marks.join()} ${[...conflicting].sort().join()}`,
  );
  const folded = [...alike.values()]
    .map((same): MapRow => {
      const [first] = same;
      if (first.namespaces === null) return first;
      return { ...first, namespaces: same.flatMap(({ namespaces }) => namespaces ?? []) };
    })
    .sort((a, b) => weight(b) - weight(a));
  return { rows: folded, leftOut: Math.max(0, -room) };
}

/** Groups that meet in the row; conflicts count for more than all groups together. */
function weight({ marks, conflicting }: MapRow): number {
  return marks.filter((mark) => mark !== 'none').length + conflicting.size * (maxGroups + 1);
}

function byName({ namespaces: a }: MapRow, { namespaces: b }: MapRow): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return compareBytes(a[0] ?? '', b[0] ?? '');
}
