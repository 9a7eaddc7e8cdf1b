/** What is known of a definition before and after, before policy decides: the same in every thread. */
import {
  type FoundCrd,
  judgeForServers,
  Judge,
  type JudgePolicy,
  placeInFile,
  type ProofResult,
  type ServersJudgement,
  type UpgradePair,
} from '../../upgrade/index.js';
import type { TargetMinors } from '../../kubernetes/index.js';
import { type Finding, foundAt, provenBy } from '../../rule/index.js';
import { InvalidInputError, parseJson, stringifyJson } from '../../text/documents/index.js';

export interface JudgingOptions extends JudgePolicy {
  /** Minors of Kubernetes that are asked whether they take the new definition. */
  readonly minors: TargetMinors;
}

export interface ChangeJudgement {
  readonly findings: readonly Finding[];
  readonly output: object;
  /** Every difference for stored objects, where they were looked at. */
  readonly results?: readonly ProofResult[];
}

export interface PairJudgement {
  readonly change: ChangeJudgement;
  readonly servers: ServersJudgement;
}

/** @throws InvalidInputError, with its file where it is known, when one of them cannot be judged */
export function judgePair(
  old: FoundCrd,
  next: FoundCrd,
  { minors, ...policy }: JudgingOptions,
  pair?: UpgradePair,
): PairJudgement {
  const change = judgeChange(old, next, policy, pair);
  return { change, servers: judgeForServers(next.crd.document, old.crd.document, minors) };
}

/** The same without what servers say. */
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
        ...(proof && { effect: proof.effect, results: [...proof.results, ...otherResults] }),
      },
      results: proof?.results,
    };
  } catch (error) {
    throw inItsFile(error, old, next);
  }
}

/** As text for another thread, also what findings have under symbols. */
export function writeJudgement({ change, servers }: PairJudgement): string {
  return stringifyJson({
    change: { ...change, findings: change.findings.map(packed) },
    servers: { ...servers, findings: servers.findings.map(packed) },
  });
}

/** @throws InvalidInputError for what is no JSON */
export function readJudgement(text: string): PairJudgement {
  const { change, servers } = parseJson(text) as unknown as Packed;
  return {
    change: { ...change, findings: change.findings.map(unpacked) },
    servers: { ...servers, findings: servers.findings.map(unpacked) },
  };
}

interface Packed {
  readonly change: Omit<ChangeJudgement, 'findings'> & PackedFindings;
  readonly servers: Omit<ServersJudgement, 'findings'> & PackedFindings;
}

interface PackedFindings {
  readonly findings: readonly ReturnType<typeof packed>[];
}

const packed = (finding: Finding) => ({
  finding,
  at: finding[foundAt],
  by: finding[provenBy],
});

const unpacked = ({ finding, at, by }: ReturnType<typeof packed>): Finding => {
  return { ...finding, [foundAt]: at, [provenBy]: by };
};

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
