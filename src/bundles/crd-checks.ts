/** What the bundle's CustomResourceDefinitions do to those of the bundle before it. */
import { proveUpgrade, type ProofResult } from '../crd/containment/proof.js';
import type { FoundCrd } from '../crd/collect.js';
import {
  findingsOfOld,
  judgeUpgrade,
  type ReferenceProfile,
  type UpgradeJudgement,
} from '../crd/index.js';
import { InvalidInputError } from '../documents/index.js';
import type { Effect, Finding } from '../finding.js';
import { say, spotIn, type BundleFinding, type Spot } from './finding.js';
import { pathKeys } from './path-keys.js';
import { bundleRules } from './rules.js';

export type BundleProfile = ReferenceProfile | 'proof';

/** One definition that both bundles bring. */
export interface CrdComparison {
  readonly name: string;
  /** The whole text of the profile's reference; empty when it allows, and under `proof`. */
  readonly message: string;
  /** What really happens to stored objects; undefined when it could not be judged. */
  readonly effect: Effect | undefined;
  readonly results: readonly ProofResult[];
  readonly findings: readonly BundleFinding[];
  /** What the old definition has by itself, for the ratchet. */
  readonly previous: readonly Finding[];
}

/** Never throws for what a bundle may hold: what cannot be judged is named as such. */
export function compareCrds(old: FoundCrd, next: FoundCrd, profile: BundleProfile): CrdComparison {
  const { name } = next;
  try {
    const { effect, results, findings: proven } = proveUpgrade(old.crd, next.crd);
    if (profile === 'proof') {
      const findings = proven.map((finding) => ({
        finding: about(finding, name),
        spot: spotIn(next, ...pathKeys('$.spec')),
      }));
      return { name, message: '', effect, results, findings, previous: [] };
    }
    const judgement = judgeUpgrade(old.crd, next.crd, profile);
    const findings = judgement.findings.map((finding) => ({
      finding: about(finding, name),
      spot: spotOf(judgement, finding, old, next),
    }));
    const plain = judgement.findings;
    const previous = findingsOfOld(old.crd, profile, plain).map((each) => about(each, name));
    return { name, message: judgement.message, effect, results, findings, previous };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const message = `the upgrade of ${name} cannot be judged: ${error.describe()}`;
    const unjudged = say(bundleRules.crdUnjudged, message, next, 'metadata', 'name');
    const undecided = { ...unjudged.finding, effect: 'undecided' } as const;
    return {
      name,
      message: '',
      effect: undefined,
      results: [],
      findings: [{ finding: undecided, spot: unjudged.spot }],
      previous: [],
    };
  }
}

/** One sentence on what an upgrade really does to stored objects. */
export function proofSentence({ name, effect, results }: CrdComparison): string | undefined {
  if (effect === undefined) return undefined;
  if (effect === 'safe') return `proof: every stored object of ${name} passes the new definition`;
  const worst = results.find((result) => result.effect === effect);
  const where = [worst?.version ?? '', worst?.path ?? ''].filter((part) => part !== '').join(' ');
  return `proof: ${name} is ${effect}${where === '' ? '' : ` at ${where}`}: ${worst?.reason ?? ''}`;
}

function about(finding: Finding, name: string): Finding {
  const object = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    name,
  } as const;
  return { ...finding, object };
}

function spotOf(
  { locate: find }: UpgradeJudgement,
  finding: Finding,
  old: FoundCrd,
  next: FoundCrd,
): Spot {
  const location = find(finding);
  return spotIn(location?.side === 'old' ? old : next, ...(location?.keys ?? []));
}
