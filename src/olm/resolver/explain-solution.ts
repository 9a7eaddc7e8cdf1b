import type { Entry } from './entry.js';
import type { NamespaceProblem } from './namespace-problem.js';
import { candidatesOf, refusalsOf } from './refusals.js';
import type { Pick, Solution } from './satisfiability.js';
import type { Universe } from './universe.js';
import { describeNeed } from './wording.js';

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
      return `${cause.entry.name} needs ${describeNeed(cause.requirement.predicate())}`;
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
