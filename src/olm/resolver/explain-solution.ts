import type { Entry } from './entry.js';
import type { Cause, NamespaceProblem } from './cause.js';
import type { Constraint, Pick, Solution } from './satisfiability.js';
import type { Universe } from './universe.js';
import { describeEntry, describeNeed, sentenceFor } from './explain-conflict.js';
import { formatApiKey } from './predicate.js';
import { minimiseCore, solve } from './solver.js';
import type { Requirement } from './requirement.js';

interface PassedOver {
  readonly name: string;
  readonly channel: string;
  readonly catalog: string;
  readonly catalogNamespace: string;
  readonly reason: string;
}

export interface ChosenOperator {
  readonly name: string;
  readonly package: string;
  readonly channel: string;
  readonly catalog: string;
  readonly catalogNamespace: string;
  /** `keep`: it runs already and stays. */
  readonly action: 'install' | 'upgrade' | 'keep';
  readonly because: string;
  /** Candidates that OLM would have preferred, and the next best. */
  readonly passedOver: readonly PassedOver[];
}

const nextBest = 2;

export function explainSolution(
  universe: Universe,
  problem: NamespaceProblem,
  solution: Solution & { kind: 'solution' },
): ChosenOperator[] {
  const refusals = refusalsOf(universe, problem, solution);
  return solution.picks.flatMap((pick): ChosenOperator[] => {
    const entry = problem.entries[pick.variable];
    if (entry === undefined) return [];
    const candidates = candidatesOf(problem, pick);
    const position = candidates.indexOf(entry);
    const refused = (refusals.get(pick) ?? []).map((each) => passed(each.entry, each.reason));
    const rest = candidates.slice(position + 1, position + 1 + nextBest);
    const later = rest.map((candidate) =>
      passed(candidate, rankReason(entry, candidate, universe)),
    );
    return [
      {
        name: entry.name,
        package: entry.package,
        channel: entry.channel,
        catalog: entry.catalog.name,
        catalogNamespace: entry.catalog.namespace,
        action: entry.installed ? 'keep' : problem.replaced.has(entry.id) ? 'upgrade' : 'install',
        because: because(pick, entry, problem, position),
        passedOver: [...refused, ...later],
      },
    ];
  });
}

function because(pick: Pick, entry: Entry, problem: NamespaceProblem, position: number): string {
  const cause = pick.constraint === undefined ? undefined : problem.causeOf(pick.constraint);
  switch (cause?.kind) {
    case 'subscription-requires': {
      const { name } = cause.subscription;
      if (entry.installed) {
        return position === 0
          ? `subscription ${name} has it and its channel has no upgrade for it`
          : `subscription ${name} has it and every upgrade is out`;
      }
      const current = cause.candidates.find(({ installed }) => installed);
      const best = position === 0 ? 'is the first' : 'is the first that fits';
      return current === undefined
        ? `subscription ${name} asks for it: it ${best} from the head of channel ${entry.channel}`
        : `it upgrades ${current.name} for subscription ${name}: it ${best} in channel ${entry.channel} whose replaces, skips or skipRange covers ${current.name}`;
    }
    case 'requires':
      return `${cause.entry.name} needs ${describeNeed(cause.requirement.read().predicate)}`;
    default:
      return entry.package === ''
        ? 'it runs in the namespace, without a subscription and without a property olm.package that would say its package, so it must stay'
        : 'it runs in the namespace without a subscription, so it must stay';
  }
}

/** The first rule of preference in which two candidates differ. */
function rankReason(chosen: Entry, other: Entry, universe: Universe): string {
  if (chosen.installed && !other.installed) return 'operators that run already come first';
  if (other.installed) return 'an upgrade comes before staying';
  if (chosen.catalog !== other.catalog) {
    const [first, second] = [universe.catalog(chosen.catalog), universe.catalog(other.catalog)];
    if (first === undefined || second === undefined) return 'its catalog comes later';
    if (first.priority > second.priority) {
      return `catalog ${second.key.name} has a lower priority (${second.priority}, not ${first.priority})`;
    }
    return `catalog ${first.key.name} comes before ${second.key.name}: own catalog first, then priority, namespace and name`;
  }
  if (chosen.inDefaultChannel && !other.inDefaultChannel) return 'default channels come first';
  if (chosen.package !== other.package) return `package ${chosen.package} comes first by name`;
  if (chosen.channel !== other.channel) return `channel ${chosen.channel} comes first by name`;
  return 'it is further from the head of the channel';
}

function passed({ name, channel, catalog }: Entry, reason: string): PassedOver {
  return { name, channel, catalog: catalog.name, catalogNamespace: catalog.namespace, reason };
}

interface Refusal {
  readonly entry: Entry;
  readonly reason: string;
}

/** Candidates whose refusal is proven by solving again; more get the short reason. */
const provenReasons = 5;
const unproven = 'leaves no solution with what is chosen before it';

/** By the pick that took the place of the refused, best first. */
function refusalsOf(
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
function candidatesOf(problem: NamespaceProblem, pick: Pick): readonly Entry[] {
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
    return `it needs ${describeNeed(need.read().predicate)}, which nothing meets`;
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
