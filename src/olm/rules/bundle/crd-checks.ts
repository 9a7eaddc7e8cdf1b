import {
  effectWords,
  type FoundCrd,
  hintLimits,
  judgeForServers,
  Judge,
  type JudgePolicy,
  type ProofResult,
  type ReferenceProfile,
  withPatches,
  withRemedy,
} from '../../../upgrade/index.js';
import type { TargetMinors } from '../../../kubernetes/index.js';
import { InvalidInputError } from '../../../text/documents/index.js';
import { type Effect, type Finding, foundAt, referenceToDefinition } from '../../../rule/index.js';
import { type Bundle, locate, placeIn } from './bundle.js';
import { bundleRules } from './rules.js';

export type BundleProfile = ReferenceProfile | 'proof';

export interface CrdComparison {
  readonly name: string;
  readonly message: string;
  /** The real effect on stored objects; undefined when it could not be judged. */
  readonly effect: Effect | undefined;
  readonly results: readonly ProofResult[];
  readonly findings: readonly Finding[];
  /** Findings that the old definition already has, for the ratchet. */
  readonly previous: () => readonly Finding[];
}

export interface CrdComparisonOptions extends JudgePolicy {
  readonly profile: BundleProfile;
}

/** Never throws: a definition that cannot be judged becomes a finding. @param hints the budget for fixes */
export function compareCrds(
  before: FoundCrd,
  next: FoundCrd,
  policy: CrdComparisonOptions,
  hints = { values: 0 },
): CrdComparison {
  const old = { ...before, crd: before.crd.asInstalled() };
  const { name } = next;
  const placed = (finding: Finding): Finding => {
    const { side, keys } = finding[foundAt] ?? { keys: [] };
    return placeIn(about(finding, name), side === 'old' ? old : next, ...keys);
  };
  try {
    const judge = Judge.for(policy, 'bundle');
    const pair = judge.pair(old.crd, next.crd);
    const { findings, message, proof, previous } = judge.upgrade(pair);
    const { release } = pair.options;
    const patched =
      hints.values > 0
        ? withPatches(pair, findings, { ...hintLimits, proof, release, policy })
        : { findings, repair: undefined };
    hints.values -= patched.repair?.cost ?? 0;
    return {
      name,
      message: policy.profile === 'proof' ? '' : message,
      effect: proof?.effect,
      results: proof?.results ?? [],
      findings: patched.findings.map(placed),
      previous: () => previous().map((each) => about(each, name)),
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const undecided = bundleRules.crdUnjudged.finding({
      id: 'unjudged',
      data: { definition: name, problem: error.describe() },
      effect: 'undecided',
    });
    return {
      name,
      message: '',
      effect: undefined,
      results: [],
      findings: [locate(undecided, next, 'metadata', 'name')],
      previous: () => [],
    };
  }
}

/** Validates a definition as API servers would: an update if the old bundle has it, else a create. */
export function askServers(
  next: FoundCrd,
  against: Bundle | undefined,
  minors: TargetMinors,
): { readonly findings: readonly Finding[]; readonly unchecked: readonly string[] } {
  const before = against?.crds.get(next.name);
  const judged = judgeForServers(next.crd.document, before?.crd.asInstalled().document, minors);
  const findings = judged.findings.map((finding) =>
    placeIn(finding, next, ...(finding[foundAt]?.keys ?? [])),
  );
  return { findings, unchecked: judged.unchecked.map((each) => `${next.name}: ${each}`) };
}

/** One sentence on what an upgrade does to stored objects, unless a finding says it already. */
export function proofSentence({
  name,
  effect,
  results,
  findings,
}: CrdComparison): string | undefined {
  if (effect === undefined || effect === 'safe') return undefined;
  if (findings.some((finding) => finding.effect === effect)) return undefined;
  const worst = results.find((result) => result.effect === effect);
  const where = [worst?.version ?? '', worst?.path ?? ''].filter((part) => part !== '').join(' ');
  return `proof: ${name}: ${effectWords[effect]}${where === '' ? '' : ` at ${where}`}: ${worst?.reason ?? ''}`;
}

function about(finding: Finding, name: string): Finding {
  return withRemedy({ ...finding, object: referenceToDefinition(name) });
}
