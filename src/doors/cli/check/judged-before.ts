/** What can be said of a pair of definitions before policy decides, in whatever thread. */
import type { FoundCrd } from '../../../crd/collect.js';
import type { AskedMinors } from '../../../definition/index.js';
import { judgeForServers, type ServersJudgement } from '../../../rules/definition/index.js';
import type { Policy } from '../../../check/policy.js';
import { judgePair, type PairJudgement } from './crd-judgement.js';

export interface HowPairs extends Pick<Policy, 'profile' | 'enforce'> {
  readonly minors: AskedMinors;
}

export interface JudgedPair {
  readonly pair: Omit<PairJudgement, 'previous'>;
  readonly servers: ServersJudgement;
}

/** @throws InvalidInputError for a definition that cannot be judged */
export function judgeBefore(old: FoundCrd, fresh: FoundCrd, how: HowPairs): JudgedPair {
  const pair = judgePair(old, fresh, how);
  return { pair, servers: judgeForServers(fresh.crd, old.crd, how.minors) };
}
