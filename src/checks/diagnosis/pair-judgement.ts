import {
  type FoundCrd,
  Judge,
  type JudgePolicy,
  placeInFile,
  type ProofResult,
  shownResult,
  type UpgradePair,
} from '../../upgrade/index.js';
import type { Finding } from '../../rule/index.js';
import { InvalidInputError } from '../../text/documents/index.js';

export interface ChangeJudgement {
  readonly findings: readonly Finding[];
  readonly output: object;
  /** Every difference for stored objects, where they were looked at. */
  readonly results?: readonly ProofResult[];
}

/** @throws InvalidInputError, with its file where it is known, when one of them cannot be judged */
export function judgeChange(
  old: FoundCrd,
  next: FoundCrd,
  policy: JudgePolicy,
  pair?: UpgradePair,
): ChangeJudgement {
  try {
    const judge = Judge.for(policy);
    const { findings, message, errors, proof, otherResults } = judge.upgrade(
      pair ?? judge.pair(old.crd, next.crd),
    );
    return {
      findings,
      output: {
        message,
        errors,
        ...(proof && {
          effect: proof.effect,
          results: [...proof.results, ...otherResults].map(shownResult),
        }),
      },
      results: proof?.results,
    };
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
  const place = placeInFile(side === 'old' ? old : next, []);
  const path = rest === '' ? {} : { path: `$${rest}` };
  return new InvalidInputError(error.code, error.message, { ...place, ...path }, error.details);
}
