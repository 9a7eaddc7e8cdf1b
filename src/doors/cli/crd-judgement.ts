/** What `check crd` knows of one pair before policy decides: findings, proof, and where each stands. */
import type { FoundCrd } from '../../crd/collect.js';
import {
  asRefusedByKubernetes,
  findingsOfOld,
  isWorthSaying,
  judgeUpgrade,
  proofMessage,
  referenceProfiles,
  schemaKeys,
  type Keys,
} from '../../rules/crd/index.js';
import { proveUpgrade, type ProofResult } from '../../proof/index.js';
import { judgeContractWithRequests } from '../../rules/contract/with-requests.js';
import { kubernetesRefusals } from '../../rules/crd/kubernetes-refusals.js';
import { proveFindings } from '../../rules/crd/effects.js';
import { InvalidInputError } from '../../text/documents/index.js';
import type { Finding } from '../../finding.js';
import type { Profile } from '../../check/policy.js';
import { placeOf } from './crd-source.js';

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
export function judgePair(old: FoundCrd, fresh: FoundCrd, profile: Profile): PairJudgement {
  try {
    return judge(old, fresh, profile);
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
function judge(old: FoundCrd, fresh: FoundCrd, profile: Profile): PairJudgement {
  const judgement = judgeByProfile(old, fresh, profile);
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

function judgeByProfile({ crd: old }: FoundCrd, fresh: FoundCrd, profile: Profile): PairJudgement {
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
      stands: findings.map(({ version, path }) => ({
        side: 'new',
        keys: version === undefined ? ['spec'] : schemaKeys(next, version, path ?? ''),
      })),
      previous: () => proveUpgrade(old, old).findings,
    };
  }
  const judgement = judgeUpgrade(old, next, reference);
  const { message, errors } = judgement;
  const stands = judgement.findings.map((finding) => {
    const location = judgement.locate(finding);
    return { side: location?.side ?? 'new', keys: location?.keys ?? [] };
  });
  const previous = (): readonly Finding[] => findingsOfOld(old, reference, judgement.findings);
  if (judgement.findings.length === 0) {
    return {
      findings: judgement.findings,
      output: { message, errors },
      proofs: [],
      stands,
      previous,
    };
  }
  const { findings, proofs, proof } = proveFindings(judgement, old, next);
  const { effect, results } = proof ?? {};
  const proven = proof === undefined ? {} : { effect, results };
  const known = results === undefined ? {} : { results };
  return { findings, output: { message, errors, ...proven }, proofs, ...known, stands, previous };
}
