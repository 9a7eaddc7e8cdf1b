/**
 * Values of CEL at run time: int is bigint, double is number, and the types that JavaScript lacks
 * are classes. Lists and maps over an object's JSON convert their items when they are read.
 */
import { EvaluationError } from './errors.js';
import type { CelList } from './lists.js';
import type { CelMap } from './maps.js';

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

/** An optional value; reading one that could not be converted throws why. */
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

/** A value of one of Kubernetes' own types. */
export abstract class Opaque {
  abstract readonly typeName: string;
  /** @throws EvaluationError where the type has no equality with the other value. */
  abstract equals(other: CelValue): boolean;
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
