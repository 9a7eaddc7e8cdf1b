/** Rule: `Resolve`, `getSubscriptionVariables`, `getBundleVariables` and `addInvariants` of OLM classic. */
import { formatApiKey } from './predicate.js';
import type { Cause, NamespaceProblem, WaivedDependency } from './cause.js';
import { constraintRemedy } from './constraint-remedy.js';
import { Candidates, ConstraintList } from './constraint-list.js';
import type { CatalogKey, Entry } from './entry.js';
import { ResolutionError } from '../catalogs/upgrades/upgrade-path.js';
import { type Formula, formulasOf } from './formula.js';
import type { SubscriptionState } from './namespace.js';
import type { Requirement, Requirements } from './requirement.js';
import type { Constraint } from './satisfiability.js';
import { subscriptionCandidates, type SubscriptionCandidates } from './subscription.js';
import type { Universe } from './universe.js';
import { describeEntry } from './explain-conflict.js';
import { append } from '../../text/long-lists.js';
import { addTo } from '../../text/group.js';
import { attempt } from '../once.js';

/** @throws ResolutionError with OLM's text */
export function buildProblem(
  universe: Universe,
  subscriptions: readonly SubscriptionState[],
  requirements: Requirements,
  waived: WaivedDependency = () => 'keep',
): NamespaceProblem {
  const builder = new Builder(universe, requirements, waived);
  const errors = builder.reach(universe.installed.entries);
  if (errors.length > 0) throw aggregate(errors, builder.places, builder.remedies);
  for (const subscription of subscriptions) append(errors, builder.subscribe(subscription));
  if (universe.errors.length > 0) throw aggregate(universe.errors);
  if (errors.length > 0) throw aggregate(errors, builder.places, builder.remedies);
  return builder.finish();
}

class Builder {
  private readonly entries: (Entry | undefined)[] = [];
  private readonly list = new ConstraintList(this.entries);
  readonly numbers: Int32Array;
  private readonly visited: Uint8Array;
  /** By the catalog of the dependent bundle. */
  private readonly candidates = new Map<CatalogKey, KnownCandidates>();
  private readonly replaced = new Map<string, string>();
  private readonly subscribed: SubscriptionCandidates[] = [];
  /** Subscriptions are chosen for before CSVs without subscription; OLM has no fixed order here. */
  private readonly anchors: number[] = [];
  private readonly lateAnchors: number[] = [];
  readonly places: string[] = [];
  readonly remedies: string[] = [];
  private firstOfEntry = 0;
  /** Under the documented semantics: what no chosen bundle may meet while `subject` is chosen. */
  private readonly forbidden: {
    subject: number;
    owner: Entry;
    formula: Formula & { kind: 'none' };
  }[] = [];

  constructor(
    readonly universe: Universe,
    private readonly requirements: Requirements,
    private readonly waived: WaivedDependency,
  ) {
    this.numbers = new Int32Array(universe.size).fill(-1);
    this.visited = new Uint8Array(universe.size);
  }

  /** Adds entries and whatever they can need; gives the errors on the way, in OLM's order. */
  reach(entries: readonly Entry[]): string[] {
    const errors: string[] = [];
    const stack = [...entries];
    for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
      if (this.visited[entry.slot] === 1) continue;
      this.visited[entry.slot] = 1;
      const number = this.number(entry);
      this.firstOfEntry = this.list.length;
      const { bundle } = entry;
      if (entry.installed && entry.subscription === undefined) {
        this.lateAnchors.push(number);
        this.add({ kind: 'mandatory', subject: number }, { kind: 'unsubscribed-csv', entry });
      }
      if (bundle.deprecated) {
        this.add({ kind: 'prohibited', subject: number }, { kind: 'deprecated', entry });
      }
      let asked: Requirement | undefined;
      // All are parsed before any is looked up.
      const refusal = errorOf(() => {
        for (asked of bundle.requirements) asked.read();
      });
      if (refusal !== undefined) {
        errors.push(refusal);
        const remedy = asked && constraintRemedy(asked.property.value, refusal);
        if (remedy !== undefined) this.remedies.push(remedy);
        const hint = remedy === undefined ? '' : ` What would help: ${remedy}.`;
        this.places.push(`The bundle is ${describeEntry(entry)}.${hint}`);
        continue;
      }
      for (const given of bundle.requirements) {
        const substitute = this.waived(entry, given);
        const requirement = substitute === 'keep' ? given : substitute;
        if (requirement === undefined) continue;
        const error = errorOf(() => this.require(number, entry, requirement, stack));
        if (error === undefined) continue;
        errors.push(error);
        this.places.push(`The channel is looked at for a dependency of ${describeEntry(entry)}.`);
      }
    }
    return errors;
  }

  private pushUnvisited(candidates: Candidates, stack: Entry[]): void {
    if (candidates.areVisited) return;
    const before = stack.length;
    for (const slot of candidates.slots) {
      if (this.visited[slot] !== 1) stack.push(this.universe.entry(slot));
    }
    candidates.areVisited = stack.length === before;
  }

  /** @throws ResolutionError */
  private candidatesFor(requirement: Requirement, own: CatalogKey): Candidates {
    let known = this.candidates.get(own);
    if (known === undefined) {
      this.candidates.set(own, (known = new KnownCandidates(this.requirements.count)));
    }
    let candidates = known.get(requirement);
    if (candidates === undefined) {
      const slots = this.universe.preferred(requirement, own);
      // All are numbered in the order in which they are found.
      for (const slot of slots) {
        if ((this.numbers[slot] ?? -1) < 0) this.number(this.universe.entry(slot));
      }
      candidates = new Candidates(requirement, slots, this);
      known.set(requirement, candidates);
    }
    return candidates;
  }

  subscribe(subscription: SubscriptionState): string[] {
    const subject = this.entries.push(undefined) - 1;
    this.anchors.push(subject);
    const found = attempt(ResolutionError, () =>
      subscriptionCandidates(this.universe, subscription),
    );
    if (found instanceof ResolutionError) return [found.message];
    this.subscribed.push(found);
    this.add({ kind: 'mandatory', subject }, { kind: 'subscription-exists', subscription });
    if (found.missing !== undefined) {
      const cause: Cause = { kind: 'subscription-invalid', subscription, reason: found.missing };
      this.add({ kind: 'prohibited', subject }, cause);
      return [];
    }
    const { current, upgrades } = found;
    const options: Entry[] = [];
    for (const stack of upgrades) {
      const errors = this.reach(stack);
      if (errors.length > 0) return errors;
      // Entries of one id are one option: a channel may list a bundle twice.
      const isAlone = stack.length === 1;
      append(options, isAlone ? stack : new Map(stack.map((entry) => [entry.id, entry])).values());
    }
    if (current !== undefined) {
      for (const entry of options) {
        this.replaced.set(entry.id, current.name);
        this.add(
          { kind: 'conflict', subject: this.number(entry), other: this.number(current) },
          { kind: 'replaces', entry, current },
        );
      }
      options.push(current);
    }
    const candidates = [...new Set(options)].map((entry) => this.number(entry));
    this.add(
      { kind: 'dependency', subject, candidates },
      { kind: 'subscription-requires', subscription, candidates: options },
    );
    return [];
  }

  finish(): NamespaceProblem {
    this.addInvariants();
    this.addForbidden();
    const { list, entries, replaced, subscribed, anchors } = this;
    return {
      variables: entries.length,
      entries,
      constraints: list,
      causeOf: (index) => list.causeOf(index),
      replaced,
      subscriptions: subscribed,
      anchors: [...anchors, ...this.lateAnchors],
    };
  }

  private number(entry: Entry): number {
    const known = this.numbers[entry.slot] ?? -1;
    if (known >= 0) return known;
    // Entries of one id are one variable to OLM.
    const number = this.entries.push(entry) - 1;
    this.numbers[entry.slot] = number;
    const twins = this.universe.twins(entry);
    if (twins !== undefined) for (const twin of twins) this.numbers[twin.slot] = number;
    return number;
  }

  private add(constraint: Constraint, cause: Cause): void {
    this.list.add(constraint, cause);
  }

  /** Adds the entries that may meet the requirement to those that are still to be visited. */
  private require(subject: number, owner: Entry, requirement: Requirement, stack: Entry[]): void {
    if (this.requirements.semantics !== 'documents') {
      const candidates = this.candidatesFor(requirement, owner.catalog);
      this.list.depend(subject, owner, candidates, this.firstOfEntry);
      this.pushUnvisited(candidates, stack);
      return;
    }
    const parts = formulasOf(requirement);
    for (const candidates of this.requireFormula(subject, owner, requirement, parts)) {
      this.pushUnvisited(candidates, stack);
    }
  }

  private requireFormula(
    subject: number,
    owner: Entry,
    requirement: Requirement,
    parts: readonly Formula[],
  ): readonly Candidates[] {
    const reached: Candidates[] = [];
    for (const part of parts) {
      if (part.kind === 'some') {
        const candidates = this.candidatesFor(part.requirement, owner.catalog);
        this.list.depend(subject, owner, candidates, this.firstOfEntry);
        reached.push(candidates);
      } else if (part.kind === 'none') {
        this.forbidden.push({ subject, owner, formula: part });
      } else {
        const candidates = part.alternatives.map((alternative) => {
          const number = this.entries.push(undefined) - 1;
          append(reached, this.requireFormula(number, owner, requirement, alternative));
          return number;
        });
        this.add(
          { kind: 'dependency', subject, candidates },
          { kind: 'requires', entry: owner, requirement, candidates: [] },
        );
      }
    }
    return reached;
  }

  /** One provider per API, one operator per package. */
  private addInvariants(): void {
    const apis = new Map<string, Entry[]>();
    const packages = new Map<string, Entry[]>();
    for (const entry of this.entries) {
      // Two entries of one id (packages of a catalog that share CSV and channel name) confuse OLM.
      if (entry === undefined || this.universe.twins(entry) !== undefined) continue;
      for (const api of entry.bundle.apis) addTo(apis, api, entry);
      for (const { name } of entry.bundle.packages) addTo(packages, name, entry);
    }
    for (const [name, entries] of packages) {
      this.atMostOne(entries, (members) => ({
        kind: 'one-per-package',
        package: name,
        entries: members,
      }));
    }
    for (const [api, entries] of apis) {
      const name = formatApiKey(api);
      this.atMostOne(entries, (members) => ({ kind: 'one-provider', api: name, entries: members }));
    }
  }

  private atMostOne(given: Entry[], causeOf: (entries: readonly Entry[]) => Cause): void {
    if (given.length <= 1) return;
    const entries = given.sort((a, b) => this.universe.compareIds(a, b));
    const cause = causeOf(entries);
    const members: number[] = [];
    for (const entry of entries) {
      const number = this.number(entry);
      // An entry that is listed twice counts as two providers, so it is impossible.
      if (number === members.at(-1)) this.add({ kind: 'prohibited', subject: number }, cause);
      else members.push(number);
    }
    if (members.length > 1) this.add({ kind: 'at-most-one', members }, cause);
  }

  private addForbidden(): void {
    for (const { subject, owner, formula } of this.forbidden) {
      for (const [other, entry] of this.entries.entries()) {
        if (entry === undefined || !formula.meets(entry)) continue;
        const cause: Cause = {
          kind: 'forbids',
          entry: owner,
          requirement: formula.requirement,
          other: entry,
        };
        const constraint: Constraint =
          other === subject
            ? { kind: 'prohibited', subject }
            : { kind: 'conflict', subject, other };
        this.add(constraint, cause);
      }
    }
  }
}

function errorOf(run: () => void): string | undefined {
  return attempt(ResolutionError, run)?.message;
}

/** Several errors as Kubernetes' aggregate prints them: without repetitions, in brackets if more than one. */
export function aggregate(
  messages: readonly string[],
  places: readonly string[] = [],
  remedies: readonly string[] = [],
): ResolutionError {
  const [only = '', ...others] = new Set(messages);
  const message = others.length === 0 ? only : `[${[only, ...others].join(', ')}]`;
  return new ResolutionError(message, [...new Set(places)], [...new Set(remedies)]);
}

/** A hundred thousand dependencies of a large namespace are looked up here: by their numbers, where they have one. */
class KnownCandidates {
  private readonly byNumber: (Candidates | undefined)[];
  private readonly others = new Map<Requirement, Candidates>();

  /** Numbers are below `count`. */
  constructor(count: number) {
    this.byNumber = new Array<Candidates | undefined>(count);
  }

  get(requirement: Requirement): Candidates | undefined {
    const { number } = requirement;
    return number < 0 ? this.others.get(requirement) : this.byNumber[number];
  }

  set(requirement: Requirement, candidates: Candidates): void {
    const { number } = requirement;
    if (number < 0) this.others.set(requirement, candidates);
    else this.byNumber[number] = candidates;
  }
}
