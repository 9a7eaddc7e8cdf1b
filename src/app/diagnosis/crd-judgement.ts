/** What `check crd` knows of one pair before policy decides: findings, proof, and where each stands. */
import {
  type DocumentPlace,
  type FoundCrd,
  type Judgement,
  judgeUpgrade,
  locationOf,
  placeInFile,
  type ProofResult,
  UpgradePair,
} from '../../upgrade/index.js';
import { InvalidInputError } from '../../text/documents/index.js';
import type { Policy } from '../check/policy.js';

/** What a judgement depends on. */
export type JudgingPolicy = Pick<Policy, 'profile' | 'enforce' | 'crdify'>;

/** Without `previous` it is the same in another thread. */
export interface PairJudgement extends Pick<Judgement, 'judged' | 'previous'> {
  readonly output: object;
  /** Every difference for stored objects, where they were looked at. */
  readonly results?: readonly ProofResult[];
}

/** @throws InvalidInputError, with its file where it is known, when one of them cannot be judged */
export function judgePair(old: FoundCrd, next: FoundCrd, policy: JudgingPolicy): PairJudgement {
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
  const place = placeInFile(side === 'old' ? old : next, []);
  const path = rest === '' ? {} : { path: `$${rest}` };
  return new InvalidInputError(error.code, error.message, { ...place, ...path }, error.details);
}

function judge(
  { crd: old }: FoundCrd,
  { crd: next }: FoundCrd,
  { profile, enforce, crdify }: JudgingPolicy,
): PairJudgement {
  const pair = new UpgradePair(old, next, { crdify });
  const { judged, message, errors, proof, otherResults, previous } = judgeUpgrade(pair, {
    profile,
    effects: 'refused',
    isHarmAsked: enforce !== 'all',
    contract: 'requests',
  });
  return {
    judged: judged.map(({ place, ...rest }) => ({ ...rest, place: place && keyed(place) })),
    output: {
      message,
      ...(errors && { errors }),
      ...(proof && { effect: proof.effect, results: [...proof.results, ...otherResults] }),
    },
    ...(proof && { results: proof.results }),
    previous,
  };
}

/** As another thread can be told. */
function keyed(place: DocumentPlace): DocumentPlace {
  const { side, keys } = locationOf(place);
  return { side, keys };
}
