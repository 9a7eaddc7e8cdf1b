/** The changes that end findings about a definition: looked for, named beside each, and kept for `--fix`. */
import type { Release } from '../../kubernetes/index.js';
import {
  addBounds,
  fixLimits,
  type FoundCrd,
  hintLimits,
  type JudgePolicy,
  placeInFile,
  type RefusedCandidate,
  type ServersJudgement,
  withMarkers,
  withPatches,
} from '../../upgrade/index.js';
import type { Place } from '../../text/documents/index.js';
import { type Finding, foundAt } from '../../rule/index.js';
import type { CodeFrame, ReportedFinding } from '../../report/index.js';
import type { ChangeJudgement } from './pair-judgement.js';
import type { Repaired } from './fixed-text.js';

export interface FixContext {
  readonly isFixWanted: boolean;
  /** Where the changes are kept for `--fix`. */
  readonly repaired: Repaired[];
  /** Budget for hints where no fix is wanted; none where nothing reads them. */
  readonly hints?: HintBudget | undefined;
  /** The Kubernetes release whose rules apply to values; 1.35 by default. */
  readonly release?: Release | undefined;
  /** Minors of Kubernetes that have to take what a fix makes of the definition; all by default. */
  readonly minors?: readonly string[];
  readonly policy?: JudgePolicy;
}

export interface HintBudget {
  readonly limits: typeof hintLimits;
  /** Values that are left for all definitions together. */
  left: number;
}

export const hintsForReaders = (): HintBudget => ({ limits: hintLimits, left: 600_000 });

/** At a prompt the user waits, and `--fix` finds the rest. */
export const hintsAtPrompt = (): HintBudget => ({
  limits: { ...hintLimits, values: 15_000 },
  left: 60_000,
});

interface PairFixes {
  readonly findings: readonly Finding[];
  /** Why fixes are not offered, and where hints were not looked for to the end: a sentence each. */
  readonly notes?: readonly string[];
}

/** Gives each finding that does harm the patch that ends it, where one is found. */
export function withFixes(
  old: FoundCrd,
  next: FoundCrd,
  { findings, results }: ChangeJudgement,
  { isFixWanted, repaired, hints, ...asked }: FixContext,
): PairFixes {
  // A patch is one of the definition, and its controller would undo it.
  if (next.madeFrom !== undefined) return { findings };
  const limits = isFixWanted ? fixLimits : hints?.limits;
  if (limits === undefined) return { findings };
  const values = isFixWanted ? limits.values : Math.min(limits.values, hints?.left ?? 0);
  const { findings: patched, repair } = withPatches({ old: old.crd, next: next.crd }, findings, {
    ...limits,
    values,
    ...asked,
    ...(results && { proof: { results } }),
  });
  if (repair === undefined) return { findings };
  if (hints !== undefined) hints.left -= repair.cost;
  repaired.push({ next, repair });
  // `--fix` prints them on standard error.
  if (isFixWanted) return { findings: patched };
  const notes = repair.left.flatMap(({ path, refused }) =>
    refused === undefined ? [] : [`no fix at ${path}: ${notOffered(refused)}`],
  );
  return { findings: patched, notes: repair.isCutShort ? [...notes, moreFixes] : notes };
}

/** Why a change that ends the harm is not offered. */
export function notOffered({ title, reason }: RefusedCandidate): string {
  return `after "${title}", ${reason}`;
}

const moreFixes = 'not every fix was looked for; --fix FILE takes the time to';

/** With `--fix`: bounds that make rules cheap enough, unless an object is found that has more. */
export function keepBounds(
  next: FoundCrd,
  old: FoundCrd | undefined,
  { cheaper }: ServersJudgement,
  { isFixWanted, repaired }: FixContext,
): void {
  if (!isFixWanted || cheaper.length === 0 || next.madeFrom !== undefined) return;
  const index = repaired.findIndex((each) => each.next === next);
  const before = repaired[index]?.repair ?? {
    fixes: [],
    patched: next.crd.document,
    left: [],
    cost: 0,
  };
  const added = { next, ...addBounds(old?.crd, before, cheaper) };
  repaired.splice(index < 0 ? repaired.length : index, index < 0 ? 0 : 1, added);
}

export function findingsOfServers(
  next: FoundCrd,
  servers: ServersJudgement,
  frame: (place: Place) => CodeFrame | undefined,
): ReportedFinding[] {
  return servers.findings.map((finding) => {
    const place = placeInFile(next, finding[foundAt]?.keys ?? []);
    const bound = boundFor(finding, servers);
    return {
      finding: bound === undefined ? finding : withMarkers(finding, next.crd.document, bound.patch),
      place,
      note: { fix: bound?.title, frame: frame(place) },
    };
  });
}

export function boundFor(
  { message }: Finding,
  { cheaper }: ServersJudgement,
): ServersJudgement['cheaper'][number] | undefined {
  return cheaper.find(({ title }) => message.endsWith(title));
}
