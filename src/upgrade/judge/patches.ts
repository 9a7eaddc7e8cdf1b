/** Findings with the change of the new definition that ends them: applied and judged before it is offered. */
import type { Operation } from 'fast-json-patch';
import type { Finding } from '../../rule/index.js';
import type { UpgradePair } from '../pair.js';
import type { JudgedFinding } from '../judged-finding.js';
import { markersFor } from '../proof/fixes/markers.js';
import { differenceOf, repairUpgrade, type Repair, type RepairOptions } from '../proof/fixes/repair.js'; // prettier-ignore
import type { JsonObject } from '../../text/documents/index.js';

/** Where nobody asks for them, the ways out are a hint: few are tried, so that nobody waits. */
export const hintLimits = { most: 24, values: 200_000, atRandom: 40 };
/** Where somebody asks for them. */
export const fixLimits = { most: 400, values: 40_000_000 };

export interface PatchedFinding extends JudgedFinding {
  /** The change that would end it, in a few words. */
  readonly fix?: string;
}

/** Without a repair where nothing does harm. @throws InvalidInputError when they cannot be compared */
export function withPatches(
  { old, next: { document: next } }: Pick<UpgradePair, 'old' | 'next'>,
  judged: readonly JudgedFinding[],
  options: RepairOptions,
): { readonly judged: readonly PatchedFinding[]; readonly repair: Repair | undefined } {
  const isHarmful = judged.some(
    ({ finding: { effect } }) => effect === 'breaking' || effect === 'data-loss',
  );
  if (!isHarmful) return { judged, repair: undefined };
  const repair = repairUpgrade(old, next, options);
  const bySolved = new Map(
    repair.fixes.flatMap((fix) => fix.solves.map((difference) => [difference, fix] as const)),
  );
  const patched = judged.map((each): PatchedFinding => {
    const fix = each.proof && bySolved.get(differenceOf(each.proof));
    if (fix === undefined) return each;
    if (fix.endsAlone !== true) return { ...each, fix: fix.title };
    const finding = withMarkers({ ...each.finding, fix: fix.patch }, next, fix.patch);
    return { ...each, finding, fix: fix.title };
  });
  return { judged: patched, repair };
}

/** With what the patch is in the Go types that the definition is made of. */
export function withMarkers(
  finding: Finding,
  next: JsonObject,
  patch: readonly Operation[],
): Finding {
  const markers = markersFor(next, patch);
  return markers.length === 0 ? finding : { ...finding, markers };
}
