/** What can be said of a pair of definitions before policy decides, in whatever thread. */
import { type FoundCrd, judgeForServers, type ServersJudgement } from '../../upgrade/index.js';
import type { TargetMinors } from '../../kubernetes/index.js';
import { judgePair, type JudgingPolicy, type PairJudgement } from './crd-judgement.js';

export interface HowPairs extends JudgingPolicy {
  readonly minors: TargetMinors;
}

export interface JudgedPair {
  readonly pair: Omit<PairJudgement, 'previous'>;
  readonly servers: ServersJudgement;
}

/** @throws InvalidInputError for a definition that cannot be judged */
export function judgeBefore(old: FoundCrd, next: FoundCrd, how: HowPairs): JudgedPair {
  const pair = judgePair(old, next, how);
  return { pair, servers: judgeForServers(next.crd.document, old.crd.document, how.minors) };
}
