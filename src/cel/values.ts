/** int is bigint, double is number, and the types that JavaScript lacks are classes. */
import { spend } from './budget.js';
import { EvaluationError } from './errors.js';

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
