import type { Operation } from 'fast-json-patch';
import { endedBy, type Finding, provenBy } from '../../rule/index.js';
import { knownMinors } from '../../kubernetes/index.js';
import { readCustomResourceDefinition } from '../crd/custom-resource-definition.js';
import { UpgradePair } from '../pair.js';
import { judgeByReference, referenceProfiles } from '../rules/crd/profiles.js';
import { rangesOf } from '../rules/definition/findings.js';
import { newRefusalsBeside } from '../rules/definition/sound-fixes.js';
import type { JudgePolicy } from './judge.js';
import { markersFor } from '../proof/fixes/markers.js';
import { differenceOf, repairUpgrade, type Repair, type RepairOptions } from '../proof/fixes/repair.js'; // prettier-ignore
import type { JsonObject } from '../../text/documents/index.js';

/** Limits where fixes were not requested: they are a hint, so few are tried and no caller waits. */
export const hintLimits = { most: 24, values: 300_000, atRandom: 40 };
/** Limits where a user requested fixes. */
export const fixLimits = { most: 400, values: 40_000_000 };

interface PatchOptions extends Omit<RepairOptions, 'refusalOf' | 'known'> {
  readonly minors?: readonly string[] | undefined;
  /** Whose rules are asked about it too, where they decide whatever is proven. */
  readonly policy?: JudgePolicy | undefined;
}

type PatchedPair = Pick<UpgradePair, 'old' | 'next'> & Partial<Pick<UpgradePair, 'known'>>;

/** Without a repair where nothing does harm. @throws InvalidInputError when they cannot be compared */
export function withPatches(
  { old, next: { document: next }, known }: PatchedPair,
  findings: readonly Finding[],
  { minors = knownMinors, policy, ...options }: PatchOptions,
): { readonly findings: readonly Finding[]; readonly repair: Repair | undefined } {
  const isHarmful = findings.some(({ effect }) => effect === 'breaking' || effect === 'data-loss');
  if (!isHarmful) return { findings, repair: undefined };
  const refusals = newRefusalsBeside(next, old.document, minors);
  const refusalOf = (changed: JsonObject): string | undefined => {
    const [refusal] = refusals(changed);
    if (refusal === undefined) return policy && refusalByRules(old, changed, findings, policy);
    const { field, message, kubernetes } = refusal;
    return `Kubernetes ${rangesOf(kubernetes)} would refuse it: ${field}: ${message}`;
  };
  const repair = repairUpgrade(old, next, { ...options, known, refusalOf });
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

/** The first thing that the rules refuse in a changed definition, and not in the given one. */
function refusalByRules(
  old: UpgradePair['old'],
  changed: JsonObject,
  findings: readonly Finding[],
  { profile, enforce = 'all', crdify }: JudgePolicy,
): string | undefined {
  const reference = referenceProfiles.find((each) => each === profile);
  if (reference === undefined || enforce !== 'all') return undefined;
  const nameOf = ({ rule, version, path }: Finding): string =>
    JSON.stringify([rule, version, path]);
  const before = new Set(findings.map(nameOf));
  const pair = new UpgradePair(old, readCustomResourceDefinition(changed), { crdify });
  const judged = judgeByReference(pair, reference).findings;
  const more = judged.find((each) => each.severity === 'error' && !before.has(nameOf(each)));
  return more && `${more.rule} would refuse it: ${more.message}`;
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
