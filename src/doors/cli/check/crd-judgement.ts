/** What `check crd` knows of one pair before policy decides: findings, proof, and where each stands. */
import type { FoundCrd } from '../../../crd/collect.js';
import {
  asRefusedByKubernetes,
  findingsOfOld,
  isWorthSaying,
  judgeUpgrade,
  proofMessage,
  referenceProfiles,
  schemaKeys,
  type Keys,
} from '../../../rules/crd/index.js';
import { proveUpgrade, type ProofResult } from '../../../proof/index.js';
import { judgeContractWithRequests } from '../../../rules/contract/with-requests.js';
import { kubernetesRefusals } from '../../../rules/crd/kubernetes-refusals.js';
import { allowedHarm, proveFindings } from '../../../rules/crd/effects.js';
import { InvalidInputError, type JsonObject } from '../../../text/documents/index.js';
import type { Finding } from '../../../finding.js';
import type { Policy } from '../../../check/policy.js';
import { readsObjectsAlike } from '../../../rules/crd/unchanged.js';
import { placeOf } from '../options/crd-source.js';

export interface PairJudgement {
  readonly findings: readonly Finding[];
  readonly output: object;
  /** What the proof says about each finding, in their order. */
  readonly proofs: readonly (ProofResult | undefined)[];
  /** Every difference, where they were looked at. */
  readonly results?: readonly ProofResult[];
  readonly stands: readonly { readonly side: 'old' | 'new'; readonly keys: Keys }[];
  /** What the old definition has of the findings by itself. */
  readonly previous: () => readonly Finding[];
}

/** @throws InvalidInputError, with its file where it is known, when one of them cannot be judged */
export function judgePair(
  old: FoundCrd,
  fresh: FoundCrd,
  policy: Pick<Policy, 'profile' | 'enforce'>,
): PairJudgement {
  try {
    return judge(old, fresh, policy);
  } catch (error) {
    throw inItsFile(error, old, fresh);
  }
}

/** Judgements name the two sides `$.old` and `$.new`; here each has a file. */
function inItsFile(error: unknown, old: FoundCrd, fresh: FoundCrd): unknown {
  if (!(error instanceof InvalidInputError)) return error;
  const [, side, rest = ''] = /^\$\.(old|new)(.*)$/s.exec(error.where.path ?? '') ?? [];
  if (side === undefined) {
    const message = `${fresh.name} cannot be judged: ${error.message}`;
    return new InvalidInputError(error.code, message, error.where, error.details);
  }
  const place = placeOf(side === 'old' ? old : fresh, []);
  const path = rest === '' ? {} : { path: `$${rest}` };
  return new InvalidInputError(error.code, error.message, { ...place, ...path }, error.details);
}

/** What the profile says, and who else is hurt than stored objects. */
function judge(
  old: FoundCrd,
  fresh: FoundCrd,
  policy: Pick<Policy, 'profile' | 'enforce'>,
): PairJudgement {
  const { profile } = policy;
  const judgement = judgeByProfile(old, fresh, policy);
  const contract = judgeContractWithRequests(old.crd, fresh.crd);
  const isProof = !referenceProfiles.some((each) => each === profile);
  const refused = isProof ? kubernetesRefusals(old.crd, fresh.crd) : undefined;
  const more = [
    ...(refused?.findings ?? []).map((finding) => ({ finding, at: refused?.locate(finding) })),
    ...contract.findings.map((finding) => ({
      finding: isProof ? asRefusedByKubernetes(finding) : finding,
      at: contract.locate(finding),
    })),
  ];
  const findings = [...judgement.findings, ...more.map(({ finding }) => finding)];
  const { results } = judgement;
  const denied = findings.filter(({ severity }) => severity === 'error');
  return {
    ...judgement,
    findings,
    output: {
      ...judgement.output,
      ...(isProof ? { message: proofMessage(fresh.name, denied) } : {}),
      ...(results === undefined
        ? {}
        : { results: [...results, ...(refused?.results ?? []), ...contract.results] }),
    },
    proofs: [...judgement.proofs, ...more.map(() => undefined)],
    stands: [
      ...judgement.stands,
      ...more.map(({ at }) => ({ side: at?.side ?? ('new' as const), keys: at?.keys ?? [] })),
    ],
  };
}

/** What the old definition by itself has of findings by a profile. */
export function previousOf(
  old: JsonObject,
  profile: Policy['profile'],
  findings: readonly Finding[],
): () => readonly Finding[] {
  const reference = referenceProfiles.find((each) => each === profile);
  return reference === undefined
    ? () => proveUpgrade(old, old).findings
    : () => findingsOfOld(old, reference, findings);
}

function judgeByProfile(
  { crd: old }: FoundCrd,
  fresh: FoundCrd,
  { profile, enforce }: Pick<Policy, 'profile' | 'enforce'>,
): PairJudgement {
  const next = fresh.crd;
  const reference = referenceProfiles.find((each) => each === profile);
  if (reference === undefined) {
    const { findings, effect, results } = proveUpgrade(old, next);
    const denied = findings.filter(({ severity }) => severity === 'error');
    return {
      findings,
      output: { message: proofMessage(fresh.name, denied), effect, results },
      proofs: results.filter(isWorthSaying),
      results,
      stands: findings.map((finding) => standOf(finding, next)),
      previous: previousOf(old, profile, findings),
    };
  }
  const judgement = judgeUpgrade(old, next, reference);
  const { message, errors } = judgement;
  const stands = judgement.findings.map((finding) => {
    const location = judgement.locate(finding);
    return { side: location?.side ?? 'new', keys: location?.keys ?? [] };
  });
  const previous = previousOf(old, profile, judgement.findings);
  const isHarmAsked = enforce === 'proven' && !readsObjectsAlike(old, next);
  if (judgement.findings.length === 0 && !isHarmAsked) {
    return {
      findings: judgement.findings,
      output: { message, errors },
      proofs: [],
      stands,
      previous,
    };
  }
  const judged = proveFindings(judgement, old, next);
  const { findings, proofs, proof, besides } = judged;
  const harm = isHarmAsked ? allowedHarm(fresh.name, reference, judged) : [];
  const { effect, results } = proof ?? {};
  const proven = proof === undefined ? {} : { effect, results };
  const known = results === undefined ? {} : { results };
  return {
    findings: [...findings, ...harm],
    output: { message, errors, ...proven },
    proofs: [...proofs, ...(isHarmAsked ? besides : [])],
    ...known,
    stands: [...stands, ...harm.map((finding) => standOf(finding, next))],
    previous,
  };
}

function standOf({ version, path }: Finding, next: JsonObject): PairJudgement['stands'][number] {
  const keys = version === undefined ? ['spec'] : schemaKeys(next, version, path ?? '');
  return { side: 'new', keys };
}
