/** The one judge of an upgrade: every command, operation and review asks it. */
import type { Finding } from '../../rule/index.js';
import { proofFindings, proofMessage, proofProfile } from '../rules/crd/proof-findings.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { judgeContract, type ContractJudgement } from '../rules/contract/judge.js';
import { judgeContractWithRequests } from '../rules/contract/with-requests.js';
import {
  harmAllowedByProfile,
  judgedResults,
  proveFindings,
  unprovableVersions,
} from '../rules/crd/effects.js';
import { servedVersionValidator } from '../rules/crd/olm-v1.js';
import {
  asRefusedByKubernetes,
  findingsOfOld,
  judgeByReference,
  referenceProfiles,
} from '../rules/crd/profiles.js';
import type { ReferenceProfile } from '../rules/crd/rule.js';
import type { Judgement } from './judgement.js';
import type { UpgradePair } from '../pair.js';

export interface JudgeOptions {
  /** A reference, or `proof`, which has its own findings. */
  readonly profile: string;
  /**
   * For which upgrades a reference's findings say what they do to objects: for none, for those that
   * it refuses, or for all.
   */
  readonly effects: 'none' | 'refused' | 'all';
  /**
   * Whether what the reference allows although it harms objects is reported too, as warnings. Nothing is
   * looked for where no object can read otherwise.
   */
  readonly isHarmAsked: boolean;
  /** Who else is affected than stored objects: not asked, asked, or shown by requests and objects. */
  readonly contract: 'none' | 'plain' | 'requests';
}

/**
 * Judges an upgrade under a profile.
 *
 * @throws InvalidInputError `E_INPUT` for a profile that nobody knows and a keyword with a value it
 *   cannot have; `E_LIMIT` for more differences than the pair is worth
 */
export function judgeUpgrade(pair: UpgradePair, options: JudgeOptions): Judgement {
  const { profile } = options;
  if (profile === proofProfile) return judgeByProof(pair, options);
  const reference = referenceProfiles.find((each) => each === profile);
  if (reference !== undefined) return judgeAsReference(pair, reference, options);
  const message = `there is no profile "${profile}"; use one of ${[...referenceProfiles, proofProfile].join(', ')}`;
  throw new InvalidInputError('E_INPUT', message, { path: '$.profile' });
}

/**
 * What the old definition has of an upgrade's findings by itself.
 *
 * @throws InvalidInputError when it cannot be judged
 */
export function previousFindings(
  pair: UpgradePair,
  profile: string,
  findings: readonly Finding[],
): readonly Finding[] {
  const reference = referenceProfiles.find((each) => each === profile);
  return reference === undefined
    ? proofFindings(pair.old.name, pair.ofOld.proof.results)
    : findingsOfOld(pair, reference, findings);
}

function judgeByProof(pair: UpgradePair, options: JudgeOptions): Judgement {
  const { proof, refusals, next } = pair;
  const instead = inPlaceOfProof(pair);
  const contract = contractOf(pair, options);
  const replaced = new Set(instead.map(({ rule }) => rule));
  const findings = [
    ...refusals.findings.filter(({ rule }) => !replaced.has(rule)),
    ...judgedResults(next.document, proof.results),
    ...instead,
    ...contract.findings.map(asRefusedByKubernetes),
  ];
  const denied = findings.filter(({ severity }) => severity === 'error');
  return {
    findings,
    plain: findings,
    message: proofMessage(next.name, denied),
    proof,
    otherResults: [...refusals.results, ...contract.results],
    previous: () => previousFindings(pair, proofProfile, []),
  };
}

function judgeAsReference(
  pair: UpgradePair,
  profile: ReferenceProfile,
  options: JudgeOptions,
): Judgement {
  const reference = judgeByReference(pair, profile);
  const contract = contractOf(pair, options);
  const { message, errors, allowed } = reference;
  const plain = [...reference.findings, ...contract.findings];
  const base = {
    plain,
    message,
    errors,
    otherResults: contract.results,
    previous: () => previousFindings(pair, profile, reference.findings),
  };
  const { effects } = options;
  const isHarmAsked = options.isHarmAsked && !pair.hasSameObjectSemantics;
  if (!isHarmAsked && (effects === 'none' || (effects === 'refused' && allowed))) {
    return { ...base, findings: plain };
  }
  const proven = proveFindings(pair, reference);
  const harm = isHarmAsked ? harmAllowedByProfile(pair.next.document, profile, proven) : [];
  return {
    ...base,
    findings: [...proven.findings, ...harm, ...contract.findings],
    proof: proven.proof,
  };
}

function contractOf(pair: UpgradePair, { contract }: JudgeOptions): ContractJudgement {
  if (contract === 'none') return { findings: [], results: [] };
  return contract === 'plain' ? judgeContract(pair) : judgeContractWithRequests(pair);
}

/**
 * What the rules of `olm-v1` say of versions that no proof can follow: whoever writes a definition
 * must not escape judgement by the shape of it.
 *
 * @throws InvalidInputError when these rules cannot read it either
 */
function inPlaceOfProof(pair: UpgradePair): readonly Finding[] {
  const versions = unprovableVersions(pair.proof);
  if (versions.size === 0) return [];
  const open = judgeByReference(pair, 'olm-v1').findings.filter(
    ({ version }) => version === undefined || versions.has(version),
  );
  return fallbackFindings(open);
}

/** Findings of `olm-v1` that decide where no proof can be had. */
export function fallbackFindings(findings: readonly Finding[]): Finding[] {
  // Served versions of the new definition may never have agreed, and a proof does not ask.
  return findings.filter(({ rule }) => rule !== servedVersionValidator).map(asUnprovable);
}

/**
 * Where no proof can be had the rules of a reference decide, whatever the policy says of what a proof
 * leaves undecided: neither many reviews nor large ones nor slow ones are to be a way past the gate.
 */
export function asUnprovable(finding: Finding): Finding {
  return { ...finding, effect: 'undecided', unprovable: true };
}
