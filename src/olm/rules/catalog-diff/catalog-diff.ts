/** The check for a change to a catalog: what it takes away from those who have installed from the old one. */
import type { Finding } from '../../../rule/index.js';
import type { Catalog } from '../../catalogs/index.js';
import { bundleFindings } from './bundles.js';
import { channelFindings } from './channels.js';
import { DiffCost } from './cost.js';
import { contractFindings, crdEdges, crdFindings, type CrdQuestion } from './crd-edges.js';
import { gainedEdgeFindings, lostEdgeFindings } from './edges.js';
import { readPackages, type PackageState } from '../../catalogs/upgrades/package-state.js';
import { headWarnings } from '../catalog/warnings.js';
import { replacementFindings } from './replacements.js';
import { diffFinding } from './rules.js';
import { zStreamFindings } from './z-streams.js';

interface NameChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface PackageDiff {
  readonly package: string;
  readonly state: 'added' | 'removed' | 'changed';
  readonly findings: readonly Finding[];
  readonly channels: NameChanges;
  readonly bundles: NameChanges;
  /** Edges along which definitions were compared, and those of whose ends one is not known. */
  readonly edges: { readonly judged: number; readonly unknown: number };
}

/**
 * Compares two catalogs, package by package in the order of the new one; packages that are the same are
 * left out. Severity `error` is for what the change makes worse; what was so before warns.
 *
 * @param crds asks for the definitions of bundles; without it edges are not judged
 * @throws InvalidInputError `E_LIMIT` where they have more updates than can be compared
 */
export function diffCatalogs(
  old: Catalog,
  now: Catalog,
  crds?: CrdQuestion,
  cost = new DiffCost(),
): PackageDiff[] {
  const before = readPackages(old);
  const after = readPackages(now);
  const diffs = [...after.values()].map((item) => {
    const was = before.get(item.name);
    return was === undefined ? only(item, 'added', []) : changed(was, item, crds, cost);
  });
  const removed = [...before.values()].filter(({ name }) => !after.has(name));
  return [
    ...diffs.filter(
      ({ state, findings, channels, bundles }) =>
        state === 'added' ||
        findings.length > 0 ||
        [channels, bundles].some((changes) => changes.added.length + changes.removed.length > 0),
    ),
    ...removed.map((item) => only(item, 'removed', [packageRemoved(item)])),
  ];
}

function changed(
  old: PackageState,
  now: PackageState,
  crds: CrdQuestion | undefined,
  cost: DiffCost,
): PackageDiff {
  const edges = crds && crdEdges(old, now, crds, cost);
  return {
    package: now.name,
    state: 'changed',
    findings: [
      ...channelFindings(old, now),
      ...replacementFindings(old, now),
      ...zStreamFindings(old, now, cost),
      ...lostEdgeFindings(old, now, cost),
      ...gainedEdgeFindings(old, now, cost),
      ...strandedFindings(old, now),
      ...bundleFindings(old, now),
      ...crdFindings(edges?.pairs ?? [], now, crds ?? {}),
      ...contractFindings(edges?.pairs ?? [], now),
    ],
    channels: changesOf(old.channels, now.channels),
    bundles: changesOf(old.bundles, now.bundles),
    edges: { judged: edges?.judged ?? 0, unknown: edges?.unknown ?? 0 },
  };
}

/** Heads that lose their way into a later channel by the change, such as a hotfix that the next release does not know. */
function strandedFindings(old: PackageState, now: PackageState): Finding[] {
  const before = new Set(headWarnings(old).map(({ message }) => message));
  return headWarnings(now).filter(({ message }) => !before.has(message));
}

function only(
  item: PackageState,
  state: 'added' | 'removed',
  findings: readonly Finding[],
): PackageDiff {
  const none = { added: [], removed: [] };
  const changes = (names: ReadonlyMap<string, unknown>): NameChanges => ({
    ...none,
    [state]: [...names.keys()],
  });
  return {
    package: item.name,
    state,
    findings,
    channels: changes(item.channels),
    bundles: changes(item.bundles),
    edges: { judged: 0, unknown: 0 },
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function packageRemoved(item: PackageState): Finding {
  return diffFinding('CatalogPackageRemoved', {
    id: 'removed',
    data: {
      package: item.name,
      contents: `${counted(item.bundles.size, 'bundle')} in ${counted(item.channels.size, 'channel')}`,
    },
    place: item.place,
    about: item.name,
  });
}

function changesOf(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): NameChanges {
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}
