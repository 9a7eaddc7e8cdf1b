import { formatApiKey } from './api.js';
import type { Cause } from './cause.js';
import type { Entry } from './entry.js';
import { sentenceFor } from './explain-conflict.js';
import { minimiseCore } from './minimal-core.js';
import type { NamespaceProblem } from './namespace-problem.js';
import type { Requirement } from './requirement.js';
import type { Constraint, Pick, Solution } from './satisfiability.js';
import { solve } from './solver.js';
import type { Universe } from './universe.js';
import { describeEntry, describeNeed } from './wording.js';

interface Refusal {
  readonly entry: Entry;
  readonly reason: string;
}

/** Candidates whose refusal is proven by solving again; more get the short reason. */
const provenReasons = 5;
const unproven = 'leaves no solution with what is chosen before it';

/** By the pick that took the place of the refused, best first. */
export function refusalsOf(
  universe: Universe,
  problem: NamespaceProblem,
  { picks }: Solution & { kind: 'solution' },
): ReadonlyMap<Pick, readonly Refusal[]> {
  let proofs = provenReasons;
  const unmet = unmetNeeds(problem);
  const chosen = picks.flatMap(({ variable }) => problem.entries[variable] ?? []);
  return new Map(
    picks.map((pick, index): [Pick, Refusal[]] => {
      const entry = problem.entries[pick.variable];
      const candidates = candidatesOf(problem, pick);
      const position = entry === undefined ? 0 : Math.max(0, candidates.indexOf(entry));
      const refused = candidates.slice(0, position).map((candidate): Refusal => {
        const short = shortReason(candidate, chosen, unmet);
        if (short !== undefined) return { entry: candidate, reason: short };
        if (proofs === 0) return { entry: candidate, reason: unproven };
        proofs--;
        const reason = provenReason(candidate, picks.slice(0, index), problem, universe);
        return { entry: candidate, reason };
      });
      return [pick, refused];
    }),
  );
}

/** Candidates of the constraint that a pick satisfies, best first. */
export function candidatesOf(problem: NamespaceProblem, pick: Pick): readonly Entry[] {
  const constraint =
    pick.constraint === undefined ? undefined : problem.constraints.at(pick.constraint);
  if (constraint?.kind !== 'dependency') return [];
  return constraint.candidates.flatMap((candidate) => problem.entries[candidate] ?? []);
}

/** A reason that can be read off without solving. */
function shortReason(
  candidate: Entry,
  chosen: readonly Entry[],
  unmet: ReadonlyMap<Entry, Requirement>,
): string | undefined {
  if (candidate.bundle.deprecated) return 'it is deprecated (olm.deprecated)';
  const need = unmet.get(candidate);
  if (need !== undefined) {
    return `it needs ${describeNeed(need.predicate())}, which nothing meets`;
  }
  const rival = chosen.find((other) => other !== candidate && sharedApi(other, candidate));
  if (rival === undefined || rival.package === candidate.package) return undefined;
  const api = formatApiKey(sharedApi(rival, candidate) ?? '');
  return `${describeEntry(rival)} is chosen and provides ${api} as well`;
}

function unmetNeeds(problem: NamespaceProblem): Map<Entry, Requirement> {
  const unmet = new Map<Entry, Requirement>();
  for (const [index, constraint] of [...problem.constraints].entries()) {
    if (constraint.kind !== 'dependency' || constraint.candidates.length > 0) continue;
    const cause = problem.causeOf(index);
    if (cause?.kind === 'requires') unmet.set(cause.entry, cause.requirement);
  }
  return unmet;
}

function sharedApi(a: Entry, b: Entry): string | undefined {
  return a.bundle.apis.find((api) => b.bundle.apis.includes(api));
}

/** The candidate's conflict with the earlier choices: minimal, without the givens. */
function provenReason(
  candidate: Entry,
  earlier: readonly Pick[],
  problem: NamespaceProblem,
  universe: Universe,
): string {
  const variable = problem.entries.indexOf(candidate);
  const given = [...earlier.map((pick) => pick.variable), variable];
  const assumed = given.map((subject): Constraint => ({ kind: 'mandatory', subject }));
  const size = problem.constraints.length;
  const trial = { ...problem, constraints: [...problem.constraints, ...assumed] };
  const solution = solve(trial, 500);
  if (solution.kind !== 'contradiction') return unproven;
  const core = minimiseCore(trial, solution.core);
  const all = core.flatMap((index) => problem.causeOf(index) ?? []);
  const kept = all.filter((cause) => !isGiven(cause));
  const causes = kept.length > 0 ? kept : all;
  const sentences = causes.map((cause) => sentenceFor(cause, universe));
  const before = core.flatMap((index) => {
    const entry =
      index >= size && index < size + given.length - 1 ? given[index - size] : undefined;
    return entry === undefined ? [] : (problem.entries[entry]?.name ?? []);
  });
  const prefix =
    before.length === 0 ? '' : `${[...new Set(before)].join(', ')} is chosen already. `;
  return `${prefix}${[...new Set(sentences)].join(' ')}`;
}

function isGiven({ kind }: Cause): boolean {
  return kind === 'subscription-exists' || kind === 'unsubscribed-csv';
}
