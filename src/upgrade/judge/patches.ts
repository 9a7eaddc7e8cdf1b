/** Findings with the change of the new definition that ends them: applied and judged before it is offered. */
import type { Operation } from 'fast-json-patch';
import { endedBy, type Finding, provenBy } from '../../rule/index.js';
import type { UpgradePair } from '../pair.js';
import { markersFor } from '../proof/fixes/markers.js';
import { differenceOf, repairUpgrade, type Repair, type RepairOptions } from '../proof/fixes/repair.js'; // prettier-ignore
import type { JsonObject } from '../../text/documents/index.js';

/** Limits where fixes were not requested: they are a hint, so few are tried and no caller waits. */
export const hintLimits = { most: 24, values: 200_000, atRandom: 40 };
/** Limits where a user requested fixes. */
export const fixLimits = { most: 400, values: 40_000_000 };

/** Without a repair where nothing does harm. @throws InvalidInputError when they cannot be compared */
export function withPatches(
  { old, next: { document: next } }: Pick<UpgradePair, 'old' | 'next'>,
  findings: readonly Finding[],
  options: RepairOptions,
): { readonly findings: readonly Finding[]; readonly repair: Repair | undefined } {
  const isHarmful = findings.some(({ effect }) => effect === 'breaking' || effect === 'data-loss');
  if (!isHarmful) return { findings, repair: undefined };
  const repair = repairUpgrade(old, next, options);
  const bySolved = new Map(
    repair.fixes.flatMap((fix) => fix.solves.map((difference) => [difference, fix] as const)),
  );
  const patched = findings.map((each): Finding => {
    const difference = each[provenBy];
    const fix = difference && bySolved.get(differenceOf(difference));
    if (fix === undefined) return each;
    const ended = { ...each, [endedBy]: { title: fix.title } };
    return fix.endsAlone === true
      ? withMarkers({ ...ended, fix: fix.patch }, next, fix.patch)
      : ended;
  });
  return { findings: patched, repair };
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
