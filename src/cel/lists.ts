/** Lists that are literals, and what is made of them. Source: cel-go/common/types/list.go. */
import { spend } from './budget.js';
import { attempt, equal, equalLoosely } from './equal.js';
import { EvaluationError, noSuchOverload } from './errors.js';
import { printed } from './printed.js';
import { typeNameOf } from './value-types.js';
import { CelList, Uint, type CelValue } from './values.js';

abstract class PlainList extends CelList {
  override equals(other: CelValue): boolean {
    if (!(other instanceof CelList) || this.size !== other.size) return false;
    for (let index = 0; index < this.size; index++) {
      const [mine, theirs] = [attempt(() => this.at(index)), attempt(() => other.at(index))];
      if (!equalLoosely(mine, theirs)) return false;
    }
    return true;
  }

  override includes(value: CelValue): boolean {
    for (let index = 0; index < this.size; index++) {
      if (attempt(() => equal(value, this.at(index))) === true) return true;
    }
    return false;
  }

  override plus(other: CelValue): CelList {
    if (!(other instanceof CelList)) throw noSuchOverload();
    if (this.size === 0) return other;
    return other.size === 0 ? this : new Concatenation(this, other);
  }
}

export class ValueList extends PlainList {
  constructor(readonly values: readonly CelValue[]) {
    super();
  }

  override get size(): number {
    return this.values.length;
  }

  override at(index: number): CelValue {
    const value = this.values[index];
    if (value === undefined) {
      throw new EvaluationError(`index '${index}' out of range in list size '${this.size}'`);
    }
    return value;
  }
}

/** The accumulator of a comprehension: adding to it changes it. */
export class GrowingList extends ValueList {
  private readonly growing: CelValue[];

  constructor() {
    const values: CelValue[] = [];
    super(values);
    this.growing = values;
  }

  override plus(other: CelValue): CelList {
    if (!(other instanceof CelList)) throw noSuchOverload();
    if (other instanceof ValueList && other !== this) {
      spend(other.size);
      for (const value of other.values) this.growing.push(value);
    } else for (const value of [...other.items()]) this.growing.push(value);
    return this;
  }

  finished(): ValueList {
    return new ValueList(this.growing);
  }
}

class Concatenation extends PlainList {
  override readonly size: number;

  constructor(
    private readonly first: CelList,
    private readonly second: CelList,
  ) {
    super();
    this.size = first.size + second.size;
  }

  override at(index: number): CelValue {
    const { size } = this.first;
    return index < size ? this.first.at(index) : this.second.at(index - size);
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof CelList) || this.size !== other.size) return false;
    let failure: EvaluationError | undefined;
    for (let index = 0; index < this.size; index++) {
      const same = attempt(() => equal(this.at(index), other.at(index)));
      if (same === false) return false;
      if (same instanceof EvaluationError) failure ??= same;
    }
    if (failure !== undefined) throw failure;
    return true;
  }

  override includes(value: CelValue): boolean {
    const found = attempt(() => this.first.includes(value));
    if (found === true || this.second.includes(value)) return true;
    if (found instanceof EvaluationError) throw found;
    return false;
  }
}

export function listOf(values: readonly CelValue[]): CelList {
  return new ValueList(values);
}

/** The place that a value names in any list. @throws EvaluationError for what is no index */
export function indexOf(index: CelValue): number {
  if (typeof index === 'bigint') return Number(index);
  const number = index instanceof Uint ? Number(index.value) : index;
  if (typeof number !== 'number') {
    throw new EvaluationError(`unsupported index type '${typeNameOf(index)}' in list`);
  }
  const isWhole = Number.isInteger(number) && Math.abs(number) < 2 ** 63;
  if (isWhole) return number;
  throw new EvaluationError(`unsupported index value ${printed(index)} in list`);
}
