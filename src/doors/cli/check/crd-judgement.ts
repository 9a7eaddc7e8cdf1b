/** What `check crd` knows of one pair before policy decides: findings, proof, and where each stands. */
import type { FoundCrd } from '../../../crd/collect.js';
import {
  asRefusedByKubernetes,
  findingsOfOld,
  judgeUpgrade,
  proofMessage,
  referenceProfiles,
} from '../../../rules/crd/index.js';
import { proveUpgrade, type ProofResult } from '../../../proof/index.js';
import { judgeContractWithRequests } from '../../../rules/contract/with-requests.js';
import { kubernetesRefusals } from '../../../rules/crd/kubernetes-refusals.js';
import { allowedHarm, judgedResults, proveFindings } from '../../../rules/crd/effects.js';
import type { JudgedFinding } from '../../../rules/upgrade/judged-finding.js';
import { locationOf, type DocumentPlace } from '../../../crd/place.js';
import { InvalidInputError, type JsonObject } from '../../../text/documents/index.js';
import type { Finding } from '../../../finding.js';
import type { Policy } from '../../../check/policy.js';
import { readsObjectsAlike } from '../../../rules/crd/unchanged.js';
import { placeOf } from '../options/crd-source.js';

export interface PairJudgement {
  /** With what the proof says about each, and by its keys where it stands. */
  readonly judged: readonly JudgedFinding[];
  readonly output: object;
  /** Every difference, where they were looked at. */
  readonly results?: readonly ProofResult[];
  /** What the old definition has of the findings by itself. */
  readonly previous: () => readonly Finding[];
}

/** @throws InvalidInputError, with its file where it is known, when one of them cannot be judged */
export function judgePair(
  old: FoundCrd,
  next: FoundCrd,
  policy: Pick<Policy, 'profile' | 'enforce'>,
): PairJudgement {
  try {
    return judge(old, next, policy);
  } catch (error) {
    throw inItsFile(error, old, next);
  }
}

/** Judgements name the two sides `$.old` and `$.new`; here each has a file. */
function inItsFile(error: unknown, old: FoundCrd, next: FoundCrd): unknown {
  if (!(error instanceof InvalidInputError)) return error;
  const [, side, rest = ''] = /^\$\.(old|new)(.*)$/s.exec(error.where.path ?? '') ?? [];
  if (side === undefined) {
    const message = `${next.name} cannot be judged: ${error.message}`;
    return new InvalidInputError(error.code, message, error.where, error.details);
  }
  const place = placeOf(side === 'old' ? old : next, []);
  const path = rest === '' ? {} : { path: `$${rest}` };
  return new InvalidInputError(error.code, error.message, { ...place, ...path }, error.details);
}

/** What the profile says, and who else is hurt than stored objects. */
function judge(
  old: FoundCrd,
  next: FoundCrd,
  policy: Pick<Policy, 'profile' | 'enforce'>,
): PairJudgement {
  const { profile } = policy;
  const judgement = judgeByProfile(old, next, policy);
  const contract = judgeContractWithRequests(old.crd, next.crd);
  const isProof = !referenceProfiles.some((each) => each === profile);
  const refused = isProof ? kubernetesRefusals(old.crd, next.crd) : undefined;
  const judged = [
    ...judgement.judged,
    ...(refused?.judged ?? []),
    ...contract.judged.map(({ finding, ...beside }) => ({
      finding: isProof ? asRefusedByKubernetes(finding) : finding,
      ...beside,
    })),
  ].map(({ place, ...told }) => ({ ...told, place: place && keysOf(place) }));
  const { results } = judgement;
  return {
    ...judgement,
    judged,
    output: {
      ...judgement.output,
      ...(isProof ? { message: proofMessage(next.name, deniedOf(judged)) } : {}),
      ...(results === undefined
        ? {}
        : { results: [...results, ...(refused?.results ?? []), ...contract.results] }),
    },
  };
}

/** As another thread can be told. */
function keysOf(place: DocumentPlace): DocumentPlace {
  const { side, keys } = locationOf(place);
  return { side, keys };
}

const deniedOf = (judged: readonly JudgedFinding[]): Finding[] =>
  judged.map(({ finding }) => finding).filter(({ severity }) => severity === 'error');

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
  { crd: next }: FoundCrd,
  { profile, enforce }: Pick<Policy, 'profile' | 'enforce'>,
): PairJudgement {
  const reference = referenceProfiles.find((each) => each === profile);
  if (reference === undefined) {
    const { findings, effect, results } = proveUpgrade(old, next);
    return {
      judged: judgedResults(next, results),
      output: { effect, results },
      results,
      previous: previousOf(old, profile, findings),
    };
  }
  const judgement = judgeUpgrade(old, next, reference);
  const { message, errors } = judgement;
  const previous = previousOf(old, profile, judgement.findings);
  const isHarmAsked = enforce === 'proven' && !readsObjectsAlike(old, next);
  if (judgement.allowed && !isHarmAsked)
    return { judged: [], output: { message, errors }, previous };
  const { proven, proof } = proveFindings(judgement, old, next);
  const { effect, results } = proof ?? {};
  const known = results === undefined ? {} : { effect, results };
  return {
    judged: [...proven.judged, ...(isHarmAsked ? allowedHarm(next, reference, proven) : [])],
    output: { message, errors, ...known },
    ...(results === undefined ? {} : { results }),
    previous,
  };
}
