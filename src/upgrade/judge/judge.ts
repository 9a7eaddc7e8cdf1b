import type { Finding } from '../../rule/index.js';
import type { ProofJudgement, ProofResult } from '../proof/index.js';
import {
  asRefusedByKubernetes,
  findingsOfOld,
  isSlowProfile,
  judgeByReference,
  referenceProfiles,
  type UpgradeJudgement,
} from '../rules/crd/profiles.js';
import { proofFindings, proofMessage, proofProfile } from '../rules/crd/proof-findings.js';
import { invalidInput, type JsonObject } from '../../text/documents/index.js';
import { type Release, releaseFor } from '../../kubernetes/index.js';
import {
  CustomResourceDefinition,
  readCustomResourceDefinition,
} from '../crd/custom-resource-definition.js';
import {
  type ContractJudgement,
  judgeContract,
  judgeContractWithRequests,
} from '../rules/contract/judge.js';
import {
  harmAllowedByProfile,
  judgedResults,
  proveFindings,
  unprovableVersions,
} from '../rules/crd/effects.js';
import { servedVersionValidator } from '../rules/crd/olm-v1.js';
import type { CrdifyOptions, ReferenceProfile } from '../rules/crd/rule.js';
import { type PairLimits, UpgradePair } from '../pair.js';

export interface Judgement {
  /** By the profile first, then who else is affected than stored objects. */
  readonly findings: readonly Finding[];
  /** The same before the proof of what becomes of objects. */
  readonly plain: readonly Finding[];
  /** The whole text of the profile's reference or of the proof; empty when it allows. */
  readonly message: string;
  /** As the reference lists them; no field under `proof`. */
  readonly errors?: UpgradeJudgement['errors'];
  /** The effect on stored objects, if it was requested and is known. */
  readonly proof?: ProofJudgement;
  /** Differences of which a proof knows nothing. */
  readonly otherResults: readonly ProofResult[];
  readonly previous: () => readonly Finding[];
}

/** Whose rules decide where no proof can be had. */
const ruleProfile = 'olm-v1';

export interface JudgePolicy {
  /** A reference, or `proof`, which has its own findings. */
  readonly profile: string;
  /** Under `all`, or without it, the profile alone decides; otherwise harm that it allows is warned of. */
  readonly enforce?: string | undefined;
  readonly crdify?: CrdifyOptions | undefined;
  /** Minors of Kubernetes, of which the newest decides by whose rules values are judged. */
  readonly kubernetes?: string | undefined;
  /** The same as a release; used instead of `kubernetes`. */
  readonly release?: Release | undefined;
}

interface Scope {
  /** None; none, but with the harm that the policy asks for; those of a refused upgrade; all. */
  readonly proven: 'none' | 'harm' | 'refused' | 'all';
  /** Which clients and readers are affected: not asked, asked, or shown by requests and objects. */
  readonly contract: 'none' | 'plain' | 'requests';
  /** The rules of `olm-v1` stand for the profile `proof`. */
  readonly isFallback?: true;
}

const scopes = {
  report: { proven: 'refused', contract: 'requests' },
  brief: { proven: 'harm', contract: 'requests' },
  /** A bundle, whose author reads warnings too. */
  bundle: { proven: 'all', contract: 'requests' },
  /** Answers of the gate, and scans, do not show requests or objects that prove a finding. */
  review: { proven: 'refused', contract: 'plain' },
  /** The profile's own rules, whatever they do to objects. */
  rules: { proven: 'none', contract: 'plain' },
  /** A review for which there is no time or no thread for a proof. */
  fallback: { proven: 'none', contract: 'plain', isFallback: true },
  /** The same on the event loop: the contract only warns, so it is left out. */
  hurried: { proven: 'none', contract: 'none', isFallback: true },
  /** A search for fixes, which end only harm to objects. */
  fixes: { proven: 'refused', contract: 'none' },
} as const satisfies Readonly<Record<string, Scope>>;

type EntryPoint = keyof typeof scopes;

type Definition = JsonObject | CustomResourceDefinition;

export class Judge {
  private constructor(
    private readonly policy: JudgePolicy,
    private readonly profile: ReferenceProfile | typeof proofProfile,
    private readonly scope: Scope,
  ) {}

  /** @throws InvalidInputError `E_INPUT` for an unknown profile */
  static for(policy: JudgePolicy, at: EntryPoint = 'report'): Judge {
    const scope: Scope = scopes[at];
    const profile = profileNamed(policy.profile);
    const isReplaced = profile === proofProfile && scope.isFallback === true;
    return new Judge(policy, isReplaced ? ruleProfile : profile, scope);
  }

  get isByProof(): boolean {
    return this.profile === proofProfile;
  }

  /** Whether its rules take milliseconds for a usual pair, if nothing is proven, so that it may be judged on an event loop. */
  get isQuick(): boolean {
    return this.profile !== proofProfile && !isSlowProfile(this.profile);
  }

  /** @throws InvalidInputError `E_INPUT`, below `$.old` or `$.new`, for what is no v1 CustomResourceDefinition */
  pair(old: Definition, next: Definition, limits: PairLimits = {}): UpgradePair {
    const { crdify, kubernetes, release = releaseFor(kubernetes) } = this.policy;
    return new UpgradePair(decoded(old, '$.old'), decoded(next, '$.new'), {
      ...limits,
      crdify,
      release,
    });
  }

  /** @throws InvalidInputError `E_INPUT`; `E_LIMIT` for more differences than the pair is worth */
  upgrade(pair: UpgradePair): Judgement;
  upgrade(old: Definition, next: Definition): Judgement;
  upgrade(old: UpgradePair | Definition, next?: Definition): Judgement {
    const pair = old instanceof UpgradePair ? old : this.pair(old, next as Definition);
    if (this.profile === proofProfile) return judgeByProof(pair, this.scope);
    const { enforce = 'all' } = this.policy;
    return judgeAsReference(pair, this.profile, this.scope, enforce !== 'all');
  }
}

function decoded(definition: Definition, path: string): CustomResourceDefinition {
  return definition instanceof CustomResourceDefinition
    ? definition
    : readCustomResourceDefinition(definition, { path });
}

function profileNamed(name: string): ReferenceProfile | typeof proofProfile {
  const known = referenceProfiles.find((each) => each === name);
  if (known !== undefined) return known;
  if (name === proofProfile) return proofProfile;
  const message = `there is no profile "${name}"; use one of ${[...referenceProfiles, proofProfile].join(', ')}`;
  throw invalidInput(message, { path: '$.profile' });
}

/** @throws InvalidInputError when the old definition cannot be judged */
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

function judgeByProof(pair: UpgradePair, scope: Scope): Judgement {
  const { proof, refusals, next } = pair;
  const instead = inPlaceOfProof(pair);
  const contract = contractOf(pair, scope);
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
  scope: Scope,
  isHarmWanted: boolean,
): Judgement {
  const known = referenceOf(pair, profile);
  const { reference } = known;
  const contract = contractOf(pair, scope);
  const { message, errors, allowed } = reference;
  const plain = [...reference.findings, ...contract.findings];
  const base = {
    plain,
    message,
    errors,
    otherResults: contract.results,
    previous: () => previousFindings(pair, profile, reference.findings),
  };
  const { proven: wanted } = scope;
  if (wanted === 'none') return { ...base, findings: plain };
  // No object can read otherwise where its schemas mean the same.
  const isHarmAsked = isHarmWanted && !pair.hasSameObjectSemantics;
  const isProven = isHarmAsked || wanted === 'all' || (wanted === 'refused' && !allowed);
  if (!isProven) return { ...base, findings: plain };
  const proven = (known.proven ??= proveFindings(pair, reference));
  const harm = isHarmAsked ? harmAllowedByProfile(pair.next.document, profile, proven) : [];
  return {
    ...base,
    findings: [...proven.findings, ...harm, ...contract.findings],
    proof: proven.proof,
  };
}

interface KnownReference {
  readonly profile: ReferenceProfile;
  readonly reference: ReturnType<typeof judgeByReference>;
  proven?: ReturnType<typeof proveFindings>;
}

/** A denial and the search for its fixes ask the same of one pair. */
const references = new WeakMap<UpgradePair, KnownReference>();

function referenceOf(pair: UpgradePair, profile: ReferenceProfile): KnownReference {
  const last = references.get(pair);
  if (last?.profile === profile) return last;
  const judged = { profile, reference: judgeByReference(pair, profile) };
  references.set(pair, judged);
  return judged;
}

function contractOf(pair: UpgradePair, { contract }: Scope): ContractJudgement {
  if (contract === 'none') return { findings: [], results: [] };
  return contract === 'plain' ? judgeContract(pair) : judgeContractWithRequests(pair);
}

/** The author of a definition must not escape judgement by its shape. @throws InvalidInputError */
function inPlaceOfProof(pair: UpgradePair): readonly Finding[] {
  const versions = unprovableVersions(pair.proof);
  if (versions.size === 0) return [];
  const open = judgeByReference(pair, ruleProfile).findings.filter(
    ({ version }) => version === undefined || versions.has(version),
  );
  return fallbackFindings(open);
}

/** Findings of `olm-v1` that decide where no proof can be had. */
export function fallbackFindings(findings: readonly Finding[]): Finding[] {
  // Served versions of the new definition may never have agreed, and a proof does not ask.
  return findings.filter(({ rule }) => rule !== servedVersionValidator).map(asUnprovable);
}

/** Neither many reviews nor large ones nor slow ones are to be a way past the gate. */
export function asUnprovable(finding: Finding): Finding {
  return { ...finding, effect: 'undecided', unprovable: true };
}
