/** Packages, edges and steps of update paths, and where the paths of the two OLMs differ. */
import { type Catalog, type Channel, contentsOf, type PackageContents } from '../catalog.js';

export interface PackageInCatalog extends PackageContents {
  readonly catalog: string;
  readonly priority: number;
}

/** The installed bundle. `release` is absent when it was never set, which is not the same as "". */
export interface InstalledBundle {
  readonly name: string;
  readonly version: string;
  readonly release?: string;
}

/** Why an entry is an update of what is installed. */
export interface Edge {
  readonly kind: 'replaces' | 'skips' | 'skipRange';
  readonly channel: string;
  /** The range, for `skipRange`. */
  readonly range?: string;
}

export interface Step {
  /** Absent for a first installation. */
  readonly from?: string;
  readonly to: string;
  /** The catalog it comes from, where several are looked at. */
  readonly catalog?: string;
  readonly channel: string;
  /** Empty for a first installation, and for a step that SelfCertified forces. */
  readonly edges: readonly Edge[];
  /** Bundles between the two that are never installed on this way, highest first. */
  readonly passedOver: readonly string[];
  /** Which of the four documented criteria holds, under the documented precedence. */
  readonly criterion?: 1 | 2 | 3 | 4;
}

export interface UpgradePath {
  readonly steps: readonly Step[];
  /** The last step leads to what had been installed before: it would be an update cycle. */
  readonly loops: boolean;
  /** Why nothing, or nothing further, can be resolved; OLM's text where it has one. */
  readonly error?: string;
}

interface Stop {
  readonly name: string;
}

/** Ends where `next` finds nothing or comes back; errors that `expected` turns into a text end it too. */
export function follow<At extends Stop>(
  start: At | undefined,
  next: (installed: At | undefined) => { readonly step: Step; readonly at: At } | undefined,
  expected: (error: unknown) => string,
): UpgradePath {
  const steps: Step[] = [];
  const seen = new Set(start === undefined ? [] : [start.name]);
  try {
    for (let installed = start; ;) {
      const found = next(installed);
      if (found === undefined) return { steps, loops: false };
      steps.push(found.step);
      if (seen.has(found.at.name)) return { steps, loops: true };
      seen.add(found.at.name);
      installed = found.at;
    }
  } catch (error) {
    return { steps, loops: false, error: expected(error) };
  }
}

export function startingFrom(installed: Stop | undefined): { readonly from?: string } {
  return installed === undefined ? {} : { from: installed.name };
}

/** No bundle can be chosen; `message` is the text of the reference where it has one. */
export class ResolutionError extends Error {
  override readonly name = 'ResolutionError';

  constructor(
    message: string,
    readonly places: readonly string[] = [],
    readonly remedies: readonly string[] = [],
  ) {
    super(message);
  }
}

/** The text of a {@link ResolutionError}; anything else is a programming error and thrown again. */
export function resolutionText(error: unknown): string {
  if (error instanceof ResolutionError) return error.message;
  throw error;
}

export function packageOf(
  catalog: Catalog,
  packageName: string,
  { name, priority = 0 }: { readonly name: string; readonly priority?: number },
): PackageInCatalog | undefined {
  const contents = contentsOf(catalog, packageName);
  const isKnown =
    contents.channels.length + contents.bundles.length > 0 ||
    catalog.packages.some((each) => each.name === packageName) ||
    [...catalog.deprecations, ...catalog.others].some((each) => each.package === packageName);
  return isKnown ? { catalog: name, priority, ...contents } : undefined;
}

/**
 * Where the paths of OLM classic and OLM v1 differ, and why. Source: OpenShift's page “Update paths”.
 *
 * @param channels say what is skipped
 */
export function pathDifferences(
  classic: UpgradePath,
  v1: UpgradePath,
  channels: readonly Channel[],
): string[] {
  const index = firstDifference(classic.steps, v1.steps);
  const ours = classic.steps[index];
  const theirs = v1.steps[index];
  if (ours === undefined && theirs === undefined) return errorDifferences(classic, v1);
  if (ours === undefined && theirs !== undefined) {
    return [onlyV1(theirs, classic), ...skippedReason(theirs, channels)];
  }
  if (ours !== undefined && theirs === undefined) return [onlyClassic(ours, v1)];
  return ours === undefined || theirs === undefined
    ? []
    : [
        `${startOf(ours)} OLM classic goes to ${ours.to}, the entry nearest the head; OLM v1 goes to ${theirs.to}, the highest version among the successors, deprecated ones last`,
        ...skippedReason(theirs, channels),
      ];
}

export function edgeWords(step: Step): string {
  if (step.from === undefined) return 'first installation';
  if (step.edges.length === 0) return 'no edge: forced by SelfCertified';
  const from = step.from;
  return [...new Set(step.edges.map((edge) => oneEdge(edge, from)))].join(', ');
}

function oneEdge({ kind, range }: Edge, from: string): string {
  return kind === 'skipRange'
    ? `skipRange ${JSON.stringify(range)} covers ${from}`
    : `${kind} ${from}`;
}

function firstDifference(classic: readonly Step[], v1: readonly Step[]): number {
  const index = classic.findIndex((step, place) => step.to !== v1[place]?.to);
  return index < 0 ? classic.length : index;
}

function startOf({ from }: Step): string {
  return from === undefined ? 'For a first installation' : `From ${from}`;
}

function onlyV1(step: Step, classic: UpgradePath): string {
  const stops =
    classic.error === undefined
      ? 'OLM classic finds no update path'
      : `OLM classic stops (${classic.error})`;
  return `${startOf(step)} ${stops}; OLM v1 goes to ${step.to} (${edgeWords(step)})`;
}

function onlyClassic(step: Step, v1: UpgradePath): string {
  const stops =
    v1.error === undefined
      ? 'OLM v1 stays: nothing better satisfies version range, channels and edges'
      : `OLM v1 stops (${v1.error})`;
  return `${startOf(step)} OLM classic goes to ${step.to} (${edgeWords(step)}); ${stops}`;
}

function errorDifferences(classic: UpgradePath, v1: UpgradePath): string[] {
  return [
    ...(classic.error !== undefined && v1.error === undefined
      ? [`OLM classic stops (${classic.error}); OLM v1 does not check the graph`]
      : []),
    ...(v1.error !== undefined && classic.error === undefined
      ? [`OLM v1 stops (${v1.error}); OLM classic stays where it is without an error`]
      : []),
  ];
}

function skippedReason({ to }: Step, channels: readonly Channel[]): string[] {
  for (const { name, entries } of channels) {
    const skipper = entries.find(({ skips }) => skips?.includes(to));
    if (skipper !== undefined) {
      return [
        `${to} is skipped by ${skipper.name} in channel ${name}: for OLM classic it is not on the replaces chain and never a target; OLM v1 has no such chain`,
      ];
    }
  }
  return [];
}
