/** Why each operator was chosen, and what was passed over for which reason. */
import { formatApiKey } from './api.js';
import type { Cause } from './cause.js';
import type { Entry } from './entry.js';
import { sentenceFor } from './explain-conflict.js';
import { minimiseCore } from './minimal-core.js';
import type { NamespaceProblem } from './namespace-problem.js';
import type { Constraint, Pick, Solution } from './satisfiability.js';
import { solve } from './solver.js';
import type { Universe } from './universe.js';
import { describeEntry, describeNeed } from './wording.js';

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
  /** What OLM would have preferred, and the next best. */
  readonly passedOver: readonly PassedOver[];
}

/** Candidates whose refusal is proven by solving again; more get the short reason. */
const provenReasons = 5;
/** Next best candidates that are named. */
const nextBest = 2;

export function explainSolution(
  universe: Universe,
  problem: NamespaceProblem,
  solution: Solution & { kind: 'solution' },
): ChosenOperator[] {
  let proofs = provenReasons;
  const unmet = unmetNeeds(problem);
  const chosen = solution.picks.flatMap(({ variable }) => entryOf(problem, variable) ?? []);
  return solution.picks.flatMap((pick, index): ChosenOperator[] => {
    const entry = entryOf(problem, pick.variable);
    if (entry === undefined) return [];
    const candidates = candidatesOf(problem, pick);
    const position = candidates.indexOf(entry);
    const earlier = solution.picks.slice(0, index);
    const refused = candidates.slice(0, Math.max(0, position)).map((candidate) => {
      const short = shortReason(candidate, chosen, unmet);
      if (short !== undefined || proofs === 0) {
        return passed(candidate, short ?? 'leaves no solution with what is chosen before it');
      }
      proofs--;
      return passed(candidate, provenReason(candidate, earlier, problem, universe));
    });
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

function entryOf(problem: NamespaceProblem, variable: number): Entry | undefined {
  const meaning = problem.meanings[variable];
  return meaning?.kind === 'entry' ? meaning.entry : undefined;
}

function candidatesOf(problem: NamespaceProblem, pick: Pick): readonly Entry[] {
  const constraint =
    pick.constraint === undefined ? undefined : problem.constraints[pick.constraint];
  if (constraint?.kind !== 'dependency') return [];
  return constraint.candidates.flatMap((candidate) => entryOf(problem, candidate) ?? []);
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
      return `${cause.entry.name} needs ${describeNeed(cause.requirement.predicate())}`;
    default:
      return 'it runs in the namespace without a subscription, so it must stay';
  }
}

/** A reason that can be read off without solving. */
function shortReason(
  candidate: Entry,
  chosen: readonly Entry[],
  unmet: ReadonlyMap<Entry, string>,
): string | undefined {
  if (candidate.bundle.deprecated) return 'it is deprecated (olm.deprecated)';
  const need = unmet.get(candidate);
  if (need !== undefined) return `it needs ${need}, which nothing meets`;
  const rival = chosen.find((other) => other !== candidate && excludes(other, candidate));
  if (rival === undefined) return undefined;
  const what = rival.bundle.apis.find((api) => candidate.bundle.apis.includes(api));
  return rival.package === candidate.package
    ? undefined
    : `${describeEntry(rival)} is chosen and provides ${what === undefined ? 'the same' : formatApiKey(what)} as well`;
}

/** Entries with a dependency without candidates, and what it asks for. */
function unmetNeeds(problem: NamespaceProblem): Map<Entry, string> {
  const unmet = new Map<Entry, string>();
  for (const [index, constraint] of problem.constraints.entries()) {
    if (constraint.kind !== 'dependency' || constraint.candidates.length > 0) continue;
    const cause = problem.causeOf(index);
    if (cause?.kind !== 'requires') continue;
    unmet.set(cause.entry, describeNeed(cause.requirement.predicate()));
  }
  return unmet;
}

function excludes(a: Entry, b: Entry): boolean {
  return a.bundle.apis.some((api) => b.bundle.apis.includes(api));
}

/** What contradicts the candidate, given what was chosen before: a minimal conflict without the givens. */
function provenReason(
  candidate: Entry,
  earlier: readonly Pick[],
  problem: NamespaceProblem,
  universe: Universe,
): string {
  const variable = problem.meanings.findIndex(
    (meaning) => meaning.kind === 'entry' && meaning.entry === candidate,
  );
  const given = [...earlier.map((pick) => pick.variable), variable];
  const assumed = given.map((subject): Constraint => ({ kind: 'mandatory', subject }));
  const size = problem.constraints.length;
  const trial = { ...problem, constraints: [...problem.constraints, ...assumed] };
  const solution = solve(trial, 500);
  if (solution.kind !== 'contradiction') return 'leaves no solution with what is chosen before it';
  const core = minimiseCore(trial, solution.core);
  const causes = core.flatMap((index) => problem.causeOf(index) ?? []);
  const kept = causes.filter((cause) => !isGiven(cause));
  const sentences = (kept.length > 0 ? kept : causes).map((cause) => sentenceFor(cause, universe));
  const before = core.flatMap((index) => {
    const entry =
      index >= size && index < size + given.length - 1 ? given[index - size] : undefined;
    return entry === undefined ? [] : (entryOf(problem, entry)?.name ?? []);
  });
  const prefix =
    before.length === 0 ? '' : `${[...new Set(before)].join(', ')} is chosen already. `;
  return `${prefix}${[...new Set(sentences)].join(' ')}`;
}

function isGiven({ kind }: Cause): boolean {
  return kind === 'subscription-exists' || kind === 'unsubscribed-csv';
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
