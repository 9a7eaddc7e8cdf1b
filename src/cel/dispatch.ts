/** Which overload a call runs: the checker's, else the first that fits. Source: cel-go/common/decls/decls.go. */
import type { Run } from './attribute.js';
import {
  spend,
  Uint,
  CelList,
  type CelValue,
  CelMap,
  Duration,
  Timestamp,
  EvaluationError,
  noSuchOverload,
  typeNameOf,
} from './values.js';
import { hashOf, attempt } from './collections.js';
import type { Language } from './language.js';
import type { CelFunction, Implementation, Overload, GenericOverload } from './overloads.js';
import type { Call } from './syntax/tree.js';
import type { CelType } from './types.js';

// `in` of literals is a look-up in a set of equal numbers, too. Source: cel-go's maybeOptimizeSetMembership.

/** Undefined where the list holds something else than literals. */
export function membership(
  value: Run,
  list: CelList,
): { readonly run: Run; readonly constant?: { readonly value: CelValue } } | undefined {
  if (list.size === 0) return { run: () => false, constant: { value: false } };
  const set = new Set<unknown>();
  for (const item of list.items()) {
    const isPrimitive = item instanceof Uint || (item !== null && typeof item !== 'object');
    if (!isPrimitive) return undefined;
    for (const candidate of [item, ...equalNumbers(item)]) set.add(hashOf(candidate));
  }
  return {
    run: (frame) => {
      spend(1);
      return set.has(hashOf(value(frame)));
    },
  };
}

/** A double stands for integers only where none is lost, an integer for its nearest double. */
function equalNumbers(value: CelValue): CelValue[] {
  const integer = value instanceof Uint ? value.value : value;
  if (typeof integer === 'bigint') {
    const other = typeof value === 'bigint' ? new Uint(integer) : integer;
    const hasOther = typeof value === 'bigint' ? integer >= 0n : integer < 2n ** 63n;
    return [Number(integer), ...(hasOther ? [other] : [])];
  }
  if (typeof value !== 'number' || !Number.isInteger(value)) return [];
  return [
    ...(Math.abs(value) < 2 ** 63 ? [BigInt(value)] : []),
    ...(value >= 0 && value < 2 ** 64 ? [new Uint(BigInt(value))] : []),
  ];
}

export function callOf({ name, overloads = [] }: Call, language: Language): Implementation {
  const called = language.functions.find(name) as CelFunction;
  if (called.whole !== undefined) return callWhole(called.name, called.whole);
  const [first] = overloads.length === 1 ? overloads : called.overloads;
  if (overloads.length === 1 || called.overloads.length === 1) {
    return callOne(called, first as Overload);
  }
  return (values) => {
    for (const overload of called.overloads) {
      const { run } = overload;
      if (run !== undefined && takesAll(overload, values, called.isUnguarded)) {
        return run(values);
      }
    }
    throw noOverload(name, values);
  };
}

function callWhole(name: string, { takes, run }: GenericOverload): Implementation {
  return (values) => {
    const first = values[0];
    if (takes === undefined || takes(first as CelValue)) return run(values);
    // These three look for the function themselves, and say less when they have none.
    const isReceiver =
      typeof first === 'string' || first instanceof Timestamp || first instanceof Duration;
    throw isReceiver ? noSuchOverload() : new EvaluationError(`no such overload: ${name}`);
  };
}

function callOne(called: CelFunction, overload: Overload): Implementation {
  const run = overload.run as Implementation;
  if (called.isUnguarded) return run;
  return (values) => {
    if (takesAll(overload, values, false)) return run(values);
    throw noOverload(called.name, values);
  };
}

function noOverload(name: string, values: readonly CelValue[]): EvaluationError {
  return new EvaluationError(`no such overload: ${name}(${values.map(typeNameOf).join(', ')})`);
}

function takesAll(
  { parameters }: Overload,
  values: readonly CelValue[],
  isUnguarded: boolean,
): boolean {
  if (parameters.length !== values.length) return false;
  return isUnguarded || parameters.every((type, index) => takes(type, values[index] as CelValue));
}

/** Only the first entry of a list or a map is checked. */
function takes(type: CelType, value: CelValue): boolean {
  if (type.kind === 'dyn' || type.kind === 'any' || type.kind === 'parameter') return true;
  if (type.name !== typeNameOf(value)) return false;
  const [first, second] = type.parameters;
  if (value instanceof CelList) {
    return value.size === 0 || takesRead(first as CelType, () => value.at(0));
  }
  if (!(value instanceof CelMap)) return true;
  const [key] = value.keys();
  if (key === undefined) return true;
  const content = (): CelValue => value.find(key) ?? null;
  return takes(first as CelType, key) && takesRead(second as CelType, content);
}

function takesRead(type: CelType, read: () => CelValue): boolean {
  const value = attempt(read);
  return value instanceof EvaluationError ? type.kind === 'dyn' : takes(type, value);
}
