/**
 * The steps that OpenShift's documentation describes for OLM classic over several catalogs. OLM itself looks at the
 * subscription's catalog only, and at skipRange of every entry; the documentation looks at the heads of all catalogs.
 * Source: "How do operator upgrades work in OLM", section skipRange, order of precedence.
 */
import { channelOrder } from './channel-order.js';
import {
  type ClassicChannel,
  type InstalledCsv,
  type VersionedEntry,
  between,
  installedVersion,
} from './classic-path.js';
import { edgesTo } from './edges.js';
import {
  type Edge,
  follow,
  ResolutionError,
  resolutionText,
  startingFrom,
  type Step,
  type UpgradePath,
} from './upgrade-path.js';
import { attempt } from '../../once.js';

interface Source {
  readonly catalog: string;
  readonly channels: readonly ClassicChannel[];
}

export interface DocumentsRequest {
  readonly packageName: string;
  readonly source: string;
  readonly sources: readonly Source[];
  readonly channel: string;
  readonly installed?: InstalledCsv;
}

interface Chain {
  readonly catalog: string;
  readonly entries: readonly VersionedEntry[];
}

interface Found {
  readonly chain: Chain;
  readonly entry: VersionedEntry;
  readonly edges: readonly Edge[];
  readonly criterion?: Step['criterion'];
}

/** Never throws for what a catalog may hold. */
export function documentsPath(request: DocumentsRequest): UpgradePath {
  let chains: Chain[] | undefined;
  return follow<InstalledCsv>(
    request.installed,
    (installed) => {
      chains ??= readChains(request);
      const found =
        installed === undefined ? newest(chains) : nextEntry(chains, request, installed);
      return found && { at: found.entry, step: describeStep(found, request, installed) };
    },
    resolutionText,
  );
}

function readChains({ packageName, source, sources, channel }: DocumentsRequest): Chain[] {
  const own = sources.filter(({ catalog }) => catalog === source);
  const others = sources.filter(({ catalog }) => catalog !== source);
  const chains = [...own, ...others].map(({ catalog, channels }): Chain => {
    const found = channels.find(({ name }) => name === channel);
    if (found === undefined) return { catalog, entries: [] };
    const entries = attempt(ResolutionError, () => channelOrder(packageName, found));
    if (!(entries instanceof ResolutionError)) return { catalog, entries };
    if (catalog === source) throw entries;
    return { catalog, entries: [] };
  });
  if (chains.every(({ entries }) => entries.length === 0)) {
    throw new ResolutionError(
      `no operators found in channel ${channel} of package ${packageName} in any catalog`,
    );
  }
  return chains;
}

function newest(chains: readonly Chain[]): Found | undefined {
  for (const chain of chains) {
    const [entry] = chain.entries;
    if (entry !== undefined) return { chain, entry, edges: [] };
  }
  return undefined;
}

function nextEntry(
  chains: readonly Chain[],
  { source, channel }: DocumentsRequest,
  installed: InstalledCsv,
): Found | undefined {
  const own = chains.filter(({ catalog }) => catalog === source);
  const others = chains.filter(({ catalog }) => catalog !== source);
  return (
    byHead(own, channel, installed, 1) ??
    byReplacement(own, channel, installed, 2) ??
    byHead(others, channel, installed, 3) ??
    byReplacement(others, channel, installed, 4)
  );
}

function byHead(
  chains: readonly Chain[],
  channel: string,
  installed: InstalledCsv,
  criterion: 1 | 3,
): Found | undefined {
  for (const chain of chains) {
    const [entry] = chain.entries;
    if (entry === undefined || entry.name === installed.name) continue;
    const edges = edgesOf(entry, channel, installed).filter(({ kind }) => kind === 'skipRange');
    if (edges.length > 0) return { chain, entry, edges, criterion };
  }
  return undefined;
}

function byReplacement(
  chains: readonly Chain[],
  channel: string,
  installed: InstalledCsv,
  criterion: 2 | 4,
): Found | undefined {
  for (const chain of chains) {
    for (const entry of chain.entries) {
      const edges = edgesOf({ ...entry, skipRange: '' }, channel, installed);
      if (edges.length > 0) return { chain, entry, edges, criterion };
    }
  }
  return undefined;
}

function edgesOf(entry: VersionedEntry, channel: string, installed: InstalledCsv): Edge[] {
  const origin = { name: installed.name, version: installedVersion(installed) };
  return edgesTo([{ entry, channel }], origin);
}

function describeStep(
  { chain, entry, edges, criterion }: Found,
  { channel }: DocumentsRequest,
  installed: InstalledCsv | undefined,
): Step {
  return {
    ...startingFrom(installed),
    to: entry.name,
    catalog: chain.catalog,
    channel,
    edges,
    passedOver: between(chain.entries, entry.name, installed?.name),
    criterion,
  };
}
