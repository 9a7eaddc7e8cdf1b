/** Judges against the new schema without every other difference that may do harm, and with this one alone. */
import type { JsonObject } from '../../../text/documents/index.js';
import {
  compileDefinition,
  type FieldError,
  isUnchecked,
  type ObjectValidator,
  type VersionDefinition,
} from '../../../kubernetes/index.js';
import {
  concerns,
  errorsExcept,
  isExactly,
  isExactlyLost,
  isNamedUnusually,
  sharedErrors,
} from './attribution.js';
import { exchanged, wholeAt, withoutScale, type Change } from '../differences/change.js';
import type { Difference } from '../differences/difference.js';
import type { Budget } from '../budget.js';
import { formatPlace, isWithin } from '../pin.js';
import { harmless, type Accepted, type Harm, type Trial } from './trial.js';

export class Isolation {
  private readonly openAt = new Map<string, number>();
  private readonly openCount: number;
  /** Whether errors may name one place by the text of another. */
  private readonly isAmbiguous: boolean;
  private base: ObjectValidator | undefined;
  private current: { readonly of: Difference; alone?: ObjectValidator; without?: ObjectValidator };

  constructor(
    private readonly trial: Trial,
    private readonly differences: readonly Difference[],
    private readonly budget: Budget,
  ) {
    this.current = { of: none };
    const open = differences.filter(({ proof }) => proof === 'open');
    this.openCount = open.length;
    this.isAmbiguous = open.some(({ place }) => isNamedUnusually(place));
    for (const { place, isOfAll } of open) {
      // A difference that stands for all others has no place of its own.
      if (isOfAll === true) continue;
      const path = formatPlace(place);
      this.openAt.set(path, (this.openAt.get(path) ?? 0) + 1);
    }
  }

  ownHarm(difference: Difference, object: Accepted, all: Harm): Harm {
    const { change, place } = difference;
    if (this.isOnly(difference, all)) return all;
    if (change === undefined) return harmless;
    if (change.isConsequence === true) {
      const left = this.trial.harm(object, this.without(difference));
      return made(errorsExcept(all.errors, left.errors), []);
    }
    const alone = this.trial.harm(object, this.alone(difference));
    if (alone === harmless || this.trial.harm(object, this.undone()) !== harmless) return harmless;
    const lost = alone.lost.filter(
      (path) => all.lost.includes(path) && concerns({ errors: [], lost: [path] }, place),
    );
    return made(sharedErrors(alone.errors, all.errors), lost);
  }

  /** Places of differences that end it when taken back, each by itself. @param object that shows it; without one, all that may cause it */
  causesOf(consequence: Difference, object: Accepted | undefined): readonly string[] {
    const around = formatPlace(consequence.place);
    const within = this.differences.filter(
      ({ place, proof, isOfAll, change }) =>
        proof !== 'safe' &&
        isOfAll !== true &&
        change?.isConsequence !== true &&
        isWithin(formatPlace(place), around),
    );
    const causes =
      object === undefined
        ? within.filter(reshapes)
        : within.slice(0, maxCauses).filter(this.ends(consequence, object));
    return [...new Set(causes.map(({ place }) => formatPlace(place)))];
  }

  private ends(consequence: Difference, object: Accepted): (cause: Difference) => boolean {
    const { errors } = this.ownHarm(consequence, object, this.trial.harm(object));
    const own = errorsExcept(errors, []);
    return ({ place, change = wholeAt(place) }) => {
      const without = this.compile(this.trial.after, this.trial.before, [change]);
      const left = this.trial.harm(object, without);
      return errorsExcept(own, left.errors).length === own.length;
    };
  }

  isCured(difference: Difference, object: Accepted): boolean {
    if (difference.change === undefined) return false;
    return this.trial.harm(object, this.without(difference)) === harmless;
  }

  /** The same for an update, which only validation rules can refuse. */
  ownRefusal(
    difference: Difference,
    object: JsonObject,
    old: JsonObject,
    all: readonly FieldError[],
  ): readonly FieldError[] {
    if (this.isOnly(difference, { errors: all, lost: [] })) return all;
    const { change } = difference;
    if (change === undefined) return [];
    const refusal = (schema: ObjectValidator): readonly FieldError[] =>
      this.trial.refusesUpdate(object, old, schema) ?? [];
    if (change.isConsequence === true) {
      return errorsExcept(all, refusal(this.without(difference)));
    }
    if (refusal(this.undone()).length > 0) return [];
    return sharedErrors(refusal(this.alone(difference)), all);
  }

  private isOnly(difference: Difference, { errors, lost }: Harm): boolean {
    if (this.openCount === 1) return true;
    if (this.isAmbiguous) return false;
    const isRefusedThere = errors.every(
      (error) => isUnchecked(error) || isExactly(error.field, difference.place),
    );
    if (!isRefusedThere || !lost.every((path) => isExactlyLost(path, difference.place)))
      return false;
    let others = -1;
    for (let at = difference.place; at !== undefined; at = at.parent) {
      others += this.openAt.get(formatPlace(at)) ?? 0;
    }
    return others + (this.openAt.get(formatPlace(undefined)) ?? 0) === 0;
  }

  private undone(): ObjectValidator {
    return (this.base ??= this.compile(
      this.trial.after,
      this.trial.before,
      this.differences.filter(({ proof }) => proof === 'open').flatMap(changesOf),
    ));
  }

  private alone(difference: Difference): ObjectValidator {
    const current = this.of(difference);
    return (current.alone ??= this.compile(this.undone(), this.trial.after, changesOf(difference)));
  }

  private without(difference: Difference): ObjectValidator {
    const current = this.of(difference);
    return (current.without ??= this.compile(
      this.trial.after,
      this.trial.before,
      changesOf(difference),
    ));
  }

  /** Differences come one after the other: what was compiled for one is dropped with it. */
  private of(difference: Difference): Isolation['current'] {
    if (this.current.of !== difference) this.current = { of: difference };
    return this.current;
  }

  private compile(
    target: ObjectValidator,
    source: ObjectValidator,
    changes: readonly Change[],
  ): ObjectValidator {
    const { definition } = target;
    const schema = exchanged(definition.schema, source.definition.schema, changes, this.budget);
    const from = (part: Change['beside']): VersionDefinition =>
      changes.some(({ beside }) => beside === part) ? source.definition : definition;
    const scale = changes.includes(withoutScale) ? undefined : from('scale').scale;
    const { hasStatus } = from('status');
    const { preserveUnknownFields } = from('preserveUnknownFields');
    return compileDefinition(
      { ...definition, schema, preserveUnknownFields, scale, hasStatus },
      this.budget,
    );
  }
}

/** Differences of which it is asked whether they are the cause of another one's harm. */
const maxCauses = 50;

/** Whether values look otherwise to what is around them, or are there no more or anew. */
function reshapes({ proof, isOfPruning, isOfAbsence, reason }: Difference): boolean {
  const isOfPresence = proof === 'behavior' || isOfPruning === true || isOfAbsence === true;
  return isOfPresence || reason.startsWith('the type changes');
}

const none: Difference = { place: undefined, proof: 'safe', reason: '' };

function changesOf({ change }: Difference): Change[] {
  return change === undefined ? [] : [change];
}

function made(errors: Harm['errors'], lost: Harm['lost']): Harm {
  return errors.length + lost.length === 0 ? harmless : { errors, lost };
}
