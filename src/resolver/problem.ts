/**
 * From a namespace to a problem for the solver: which entries can matter, what they need, what excludes what.
 * Rule: `Resolve`, `getSubscriptionVariables`, `getBundleVariables` and `addInvariants` of OLM classic.
 */
import { formatApiKey } from './api.js';
import type { Cause } from './cause.js';
import { ConstraintError } from './constraint.js';
import { constraintRemedy } from './constraint-remedy.js';
import { ConstraintList } from './constraint-list.js';
import type { Entry } from './entry.js';
import { aggregate, ResolutionError } from './error.js';
import { formulaParts, type Formula } from './formula.js';
import type { SubscriptionState } from './namespace.js';
import type { Requirement } from './requirement.js';
import type { Constraint } from './satisfiability.js';
import { subscriptionCandidates, type SubscriptionCandidates } from './subscription.js';
import type { Universe } from './universe.js';
import type { NamespaceProblem, Variable, Waived } from './namespace-problem.js';
import { describeEntry } from './wording.js';

/** @throws ResolutionError with OLM's text */
export function buildProblem(
  universe: Universe,
  subscriptions: readonly SubscriptionState[],
  documents: boolean,
  waived: Waived = () => 'keep',
): NamespaceProblem {
  const builder = new Builder(universe, documents, waived);
  const errors = builder.reach(universe.installed.entries);
  if (errors.length > 0) throw aggregate(errors, builder.places, builder.remedies);
  for (const subscription of subscriptions) errors.push(...builder.subscribe(subscription));
  if (universe.errors.length > 0) throw aggregate(universe.errors);
  if (errors.length > 0) throw aggregate(errors, builder.places, builder.remedies);
  return builder.finish();
}

class Builder {
  private readonly meanings: Variable[] = [];
  private readonly list = new ConstraintList(this.meanings, (entry) => this.number(entry));
  /** Variables by the universe's slots; -1 for what is not reached. */
  private readonly numbers: Int32Array;
  private readonly visited: Uint8Array;
  /** Lists of candidates that have all been visited: dependencies share them. */
  private readonly exhausted = new Set<readonly Entry[]>();
  private readonly replaced = new Map<string, string>();
  private readonly subscribed: SubscriptionCandidates[] = [];
  /** Subscriptions are chosen for before CSVs without subscription; OLM has no fixed order here. */
  private readonly anchors: number[] = [];
  private readonly lateAnchors: number[] = [];
  /** Sentences that say where errors came from. */
  readonly places: string[] = [];
  readonly remedies: string[] = [];
  /** Where the constraints of the entry at hand begin. */
  private firstOfEntry = 0;
  /** Under the documented semantics: what no chosen bundle may meet while `subject` is chosen. */
  private readonly forbidden: {
    subject: number;
    owner: Entry;
    formula: Formula & { kind: 'none' };
  }[] = [];

  constructor(
    private readonly universe: Universe,
    private readonly documents: boolean,
    private readonly waived: Waived,
  ) {
    this.numbers = new Int32Array(universe.size).fill(-1);
    this.visited = new Uint8Array(universe.size);
  }

  /** Adds entries and whatever they can need; gives the errors on the way, in OLM's order. */
  reach(entries: readonly Entry[]): string[] {
    const errors: string[] = [];
    const stack = [...entries];
    for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
      const slot = this.universe.slot(entry);
      if (this.visited[slot] === 1) continue;
      this.visited[slot] = 1;
      const number = this.number(entry);
      this.firstOfEntry = this.list.constraints.length;
      const { bundle } = entry;
      if (entry.installed && entry.subscription === undefined) {
        this.lateAnchors.push(number);
        this.add({ kind: 'mandatory', subject: number }, { kind: 'unsubscribed-csv', entry });
      }
      if (bundle.deprecated) {
        this.add({ kind: 'prohibited', subject: number }, { kind: 'deprecated', entry });
      }
      let asked: Requirement | undefined;
      try {
        // All are parsed before any is looked up.
        for (asked of bundle.requirements) asked.predicate();
      } catch (error) {
        const message = expected(error);
        errors.push(message);
        const remedy = asked && constraintRemedy(asked.property.value, message);
        if (remedy !== undefined) this.remedies.push(remedy);
        const hint = remedy === undefined ? '' : ` What would help: ${remedy}.`;
        this.places.push(`The bundle is ${describeEntry(entry)}.${hint}`);
        continue;
      }
      for (const given of bundle.requirements) {
        const substitute = this.waived(entry, given);
        const requirement = substitute === 'keep' ? given : substitute;
        if (requirement === undefined) continue;
        try {
          const candidates = this.require(number, entry, requirement);
          if (!this.exhausted.has(candidates)) this.pushUnvisited(candidates, stack);
        } catch (error) {
          errors.push(expected(error));
          this.places.push(`The channel is looked at for a dependency of ${describeEntry(entry)}.`);
        }
      }
    }
    return errors;
  }

  private pushUnvisited(candidates: readonly Entry[], stack: Entry[]): void {
    const before = stack.length;
    for (const candidate of candidates) {
      if (this.visited[this.universe.slot(candidate)] !== 1) stack.push(candidate);
    }
    if (stack.length === before) this.exhausted.add(candidates);
  }

  subscribe(subscription: SubscriptionState): string[] {
    const subject = this.meanings.push({ kind: 'subscription', subscription }) - 1;
    this.anchors.push(subject);
    let found: SubscriptionCandidates;
    try {
      found = subscriptionCandidates(this.universe, subscription);
    } catch (error) {
      return [expected(error)];
    }
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
      options.push(...new Map(stack.map((entry) => [entry.id, entry])).values());
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
    const { list, meanings, replaced, subscribed, anchors } = this;
    return {
      variables: meanings.length,
      meanings,
      constraints: list.constraints,
      causeOf: (index) => list.causeOf(index),
      replaced,
      subscriptions: subscribed,
      anchors: [...anchors, ...this.lateAnchors],
    };
  }

  private number(entry: Entry): number {
    const slot = this.universe.slot(entry);
    const known = this.numbers[slot] ?? -1;
    if (known >= 0) return known;
    // Entries of one id are one variable to OLM.
    const number = this.meanings.push({ kind: 'entry', entry }) - 1;
    this.numbers[slot] = number;
    for (const twin of this.universe.twins(entry) ?? []) {
      this.numbers[this.universe.slot(twin)] = number;
    }
    return number;
  }

  private add(constraint: Constraint, cause: Cause): void {
    this.list.add(constraint, cause);
  }

  /** Gives the entries that may meet the requirement. */
  private require(subject: number, owner: Entry, requirement: Requirement): readonly Entry[] {
    if (!this.documents) {
      const entries = this.universe.preferred(requirement, owner.catalog);
      this.list.depend(subject, owner, requirement, entries, this.firstOfEntry);
      return entries;
    }
    return this.requireFormula(subject, owner, requirement, formulaParts(requirement));
  }

  private requireFormula(
    subject: number,
    owner: Entry,
    requirement: Requirement,
    parts: readonly Formula[],
  ): readonly Entry[] {
    const reached: Entry[] = [];
    for (const part of parts) {
      if (part.kind === 'some') {
        const entries = this.universe.preferred(part.requirement, owner.catalog);
        this.list.depend(subject, owner, part.requirement, entries, this.firstOfEntry);
        reached.push(...entries);
      } else if (part.kind === 'none') {
        this.forbidden.push({ subject, owner, formula: part });
      } else {
        const candidates = part.alternatives.map((alternative) => {
          const number = this.meanings.push({ kind: 'alternative', owner, requirement }) - 1;
          reached.push(...this.requireFormula(number, owner, requirement, alternative));
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
    for (const meaning of this.meanings) {
      if (meaning.kind !== 'entry' || !this.isUnambiguous(meaning.entry)) continue;
      const { entry } = meaning;
      for (const api of entry.bundle.apis) append(apis, api, entry);
      for (const { name } of entry.bundle.packages) append(packages, name, entry);
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

  private atMostOne(given: readonly Entry[], causeOf: (entries: readonly Entry[]) => Cause): void {
    if (given.length <= 1) return;
    const entries = given.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    const cause = causeOf(entries);
    const members = new Set<number>();
    for (const entry of entries) {
      const number = this.number(entry);
      // An entry that is listed twice counts as two providers, so it is impossible.
      if (members.has(number)) this.add({ kind: 'prohibited', subject: number }, cause);
      members.add(number);
    }
    if (members.size > 1) this.add({ kind: 'at-most-one', members: [...members] }, cause);
  }

  private addForbidden(): void {
    for (const { subject, owner, formula } of this.forbidden) {
      for (const [other, meaning] of this.meanings.entries()) {
        if (meaning.kind !== 'entry' || !formula.meets(meaning.entry)) continue;
        const { entry } = meaning;
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

  /** Two entries of one id (packages of a catalog that share CSV and channel name) confuse OLM. */
  private isUnambiguous(entry: Entry): boolean {
    return this.universe.twins(entry) === undefined;
  }
}

function expected(error: unknown): string {
  if (error instanceof ResolutionError || error instanceof ConstraintError) return error.message;
  throw error;
}

function append<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
