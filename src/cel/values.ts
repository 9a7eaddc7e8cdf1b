/** Values of CEL, their types and texts, and how evaluating fails: int is bigint, double is number, others are classes. */
import { types, type CelType } from './types.js';
import { formatFloat } from '../text/go/index.js';

/** A search meets thousands of errors, whose stack would take most of its time and is never read. */
const WithoutStack = function (this: Error, message: string): void {
  this.message = message;
} as unknown as new (message: string) => Error;
WithoutStack.prototype = Error.prototype;

/** The expression's value is an error; its text is cel-go's. */
export class EvaluationError extends WithoutStack {
  override readonly name = 'EvaluationError';
}

/** cel-go's evaluator breaks down, which no `||` makes up for. */
export class Panic extends Error {
  override readonly name = 'Panic';
}

export function noSuchOverload(): EvaluationError {
  return new EvaluationError('no such overload');
}

/** The expression is refused, in cel-go's words: by its checks, or because a tree that checks makes no program. */
export class CelMistakes extends Error {
  override readonly name = 'CelMistakes';

  constructor(
    message: string,
    readonly isOfProgram = false,
  ) {
    super(message);
  }
}

/** The expression uses what this evaluator does not have, or ran out of steps: nothing is said about it. */
export class NotEvaluable extends Error {
  override readonly name = 'NotEvaluable';
}

/** cel-go breaks down over the expression itself, before there is a value. */
export class CompilerPanic extends NotEvaluable {}

/** Why an expression that runs too long is not evaluated. */
export const tooManySteps = 'the rules need more steps than are allowed';

/**
 * The budget of an evaluation. The author of an object controls the values, and the author of a definition the
 * expressions: everything that takes longer the larger they are pays for it first.
 */
export interface Budget {
  steps: number;
}

/** Evaluations do not wait for anything, so one at a time runs. */
let current: Budget = { steps: 0 };

export function within<Given, Result>(
  budget: Budget,
  run: (given: Given) => Result,
  given: Given,
): Result {
  const outer = current;
  current = budget;
  try {
    return run(given);
  } finally {
    current = outer;
  }
}

/** @throws NotEvaluable when the budget is spent */
export function spend(steps: number): void {
  current.steps -= steps;
  if (current.steps < 0) throw new NotEvaluable(tooManySteps);
}

/** Looking through a text is much faster than evaluating anything. */
export function spendOnText(length: number): void {
  spend(length / 10);
}

export class Uint {
  constructor(readonly value: bigint) {}
}

/** A point in time, in nanoseconds since 1970. */
export class Timestamp {
  constructor(
    readonly nanoseconds: bigint,
    /** The zone in which it was written, east of UTC; it counts only where it is written again. */
    readonly offsetMinutes = 0,
  ) {}
}

export class Duration {
  constructor(readonly nanoseconds: bigint) {}
}

/** The value of `type(x)` and of a type's name. */
export class TypeValue {
  constructor(readonly typeName: string) {}
}

export class Optional {
  constructor(private readonly content: CelValue | EvaluationError | undefined) {}

  /** Also when its value is an error. */
  get isPresent(): boolean {
    return this.content !== undefined;
  }

  /** @throws EvaluationError */
  get value(): CelValue | undefined {
    if (this.content instanceof EvaluationError) throw this.content;
    return this.content;
  }
}

export const noValue = new Optional(undefined);

/** A value of a type that only its own functions look into. */
export abstract class Opaque {
  abstract readonly typeName: string;
  /** Its Go type and value as `%T` and `%v` print them, where it is data that cel-go cannot read again. */
  get goData(): string | undefined {
    return undefined;
  }

  /** The same for equal keys of a map; undefined for a value that Go cannot hash. */
  abstract readonly hash: unknown;
  /** @throws EvaluationError where the type has no equality with the other value. */
  abstract equals(other: CelValue): boolean;
}

export abstract class CelList {
  /** Lists of a resource do not say that they are empty, and are equal to what cannot be read. */
  get isOfResource(): boolean {
    return false;
  }

  abstract readonly size: number;
  /** @throws EvaluationError for an item that cannot be read */
  abstract at(index: number): CelValue;
  /** @throws EvaluationError where the two cannot be compared */
  abstract equals(other: CelValue): boolean;
  /** @throws EvaluationError for what is no list */
  abstract plus(other: CelValue): CelList;
  /** @throws EvaluationError where an item cannot be compared and none is equal */
  abstract includes(value: CelValue): boolean;

  withoutSchema(): CelList {
    return this;
  }

  *items(): Generator<CelValue> {
    for (let index = 0; index < this.size; index++) {
      spend(1);
      yield this.at(index);
    }
  }
}

export abstract class CelMap {
  /** See {@link CelList.isOfResource}. */
  get isOfResource(): boolean {
    return false;
  }

  abstract readonly size: number;
  /** Undefined where there is none. @throws EvaluationError for what cannot be read, or can be no key */
  abstract find(key: CelValue): CelValue | undefined;
  abstract keys(): CelValue[];
  /** @throws EvaluationError where the two cannot be compared */
  abstract equals(other: CelValue): boolean;

  withoutSchema(): CelMap {
    return this;
  }
}

export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | CelList
  | CelMap
  | TypeValue
  | Optional
  | Opaque;

export const maxInt = 2n ** 63n - 1n;
export const minInt = -(2n ** 63n);
export const maxUint = 2n ** 64n - 1n;

export function typeOfValue(value: CelValue): CelType {
  if (value === null) return types.null;
  switch (typeof value) {
    case 'boolean':
      return types.bool;
    case 'bigint':
      return types.int;
    case 'number':
      return types.double;
    case 'string':
      return types.string;
    default:
      return value instanceof Uint ? types.uint : types.bytes;
  }
}

export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      break;
  }
  if (value === null) return 'null_type';
  if (value instanceof CelList) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return types.timestamp.name;
  if (value instanceof Duration) return types.duration.name;
  if (value instanceof TypeValue) return 'type';
  if (value instanceof Optional) return 'optional_type';
  return value.typeName;
}

/** `%v`. */
export function printed(value: CelValue): string {
  if (value === null) return '0';
  if (typeof value === 'number') return formatFloat(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return `[${[...value].join(' ')}]`;
  if (value instanceof TypeValue) return value.typeName;
  if (value instanceof CelList) return `[${[...value.items()].map(printed).join(', ')}]`;
  if (value instanceof CelMap) {
    const entries = value
      .keys()
      .map((key) => `${printed(key)}: ${printed(value.find(key) ?? null)}`);
    return `{${entries.join(', ')}}`;
  }
  if (value instanceof Optional) {
    return value.value === undefined ? 'optional.none()' : `optional(${printed(value.value)})`;
  }
  return typeNameOf(value);
}

/** `%T`. */
export function goTypeOf(value: CelValue): string {
  if (value === null) return 'types.Null';
  if (value instanceof TypeValue) return '*types.Type';
  if (value instanceof Optional) return '*types.Optional';
  if (value instanceof Timestamp) return 'types.Timestamp';
  if (value instanceof Duration) return 'types.Duration';
  if (value instanceof CelList) return '*types.baseList';
  if (value instanceof CelMap) return '*types.baseMap';
  const name = typeNameOf(value);
  const last = name.slice(name.lastIndexOf('.') + 1);
  const isOfKubernetes = name !== last;
  if (last === 'NamedFormat') return 'cel.Format';
  return isOfKubernetes ? `cel.${last}` : `types.${last.charAt(0).toUpperCase()}${last.slice(1)}`;
}

/** Each is asked for its value when the expression reads it; undefined for one that is not there. */
export interface Variables {
  /** @throws EvaluationError */
  get(name: string): CelValue | undefined;
}

export class Frame {
  /** @param locals variables of folds, by the slot that the plan gave them; an error is one once it is read */
  constructor(
    readonly variables: Variables,
    readonly locals: (CelValue | EvaluationError | undefined)[] = [],
  ) {}

  /** The frame as it is around a fold, whose variables begin at the slot. */
  outside(slot: number): Frame {
    return new Frame(this.variables, this.locals.slice(0, slot));
  }
}
