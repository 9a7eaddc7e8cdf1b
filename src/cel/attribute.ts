/**
 * A chain of links is one thing to cel-go: after an optional one all are. Source: cel-go/interpreter/attributes.go.
 */
import {
  spend,
  EvaluationError,
  type Frame,
  goTypeOf,
  printed,
  CelList,
  CelMap,
  noValue,
  Opaque,
  Optional,
  TypeValue,
  Uint,
  type CelValue,
} from './values.js';
import { attempt, indexOf } from './collections.js';

export type Run = (frame: Frame) => CelValue;

export interface Qualifier {
  readonly isOptional: boolean;
  /** For `has()`: whether the link is there, as a value. */
  readonly isTest?: boolean;
  readonly key: Run;
  /** The key of a link that is not optional, where it is a name in the expression. */
  readonly field?: string | undefined;
}

/** Where a chain begins, or a choice between two chains that the same links follow. */
export type Attribute =
  | { readonly base: Run; readonly qualifiers: Qualifier[] }
  | { readonly condition: Run; readonly yes: Attribute; readonly no: Attribute };

export function qualify(attribute: Attribute, qualifier: Qualifier): Attribute {
  if ('base' in attribute) {
    return { base: attribute.base, qualifiers: [...attribute.qualifiers, qualifier] };
  }
  const { condition, yes, no } = attribute;
  return { condition, yes: qualify(yes, qualifier), no: qualify(no, qualifier) };
}

export function readAttribute(attribute: Attribute): Run {
  if ('condition' in attribute) {
    const { condition } = attribute;
    const [yes, no] = [readAttribute(attribute.yes), readAttribute(attribute.no)];
    return (frame) => (truth(condition(frame)) ? yes(frame) : no(frame));
  }
  const { base, qualifiers } = attribute;
  if (qualifiers.length === 0) {
    return (frame) => {
      const value = base(frame);
      return value instanceof Optional ? follow(value, qualifiers, frame) : value;
    };
  }
  const fields = qualifiers.map(({ field }) => field);
  if (!fields.every((field) => field !== undefined)) {
    return (frame) => follow(base(frame), qualifiers, frame);
  }
  const last = fields.length - 1;
  const tested = qualifiers.findIndex(({ isTest }) => isTest);
  if (tested >= 0 && tested < last) return (frame) => follow(base(frame), qualifiers, frame);
  return (frame) => {
    let value = base(frame);
    if (value instanceof Optional) return follow(value, qualifiers, frame);
    for (let index = 0; index <= last; index++) {
      spend(1);
      const found = find(value, fields[index] as string, index === tested);
      if (index === tested) return found !== undefined;
      value = found as CelValue;
    }
    return value;
  };
}

/** @throws EvaluationError for what is neither true nor false */
function truth(value: CelValue): boolean {
  if (typeof value === 'boolean') return value;
  throw new EvaluationError('no such overload');
}

function follow(start: CelValue, qualifiers: readonly Qualifier[], frame: Frame): CelValue {
  if (!(start instanceof Optional)) return followFrom(start, false, qualifiers, frame);
  if (!start.isPresent) return start;
  const content = attempt(() => asPlainData(start.value as CelValue));
  if (qualifiers.length === 0) return new Optional(content);
  if (content instanceof EvaluationError) throw content;
  return followFrom(content, true, qualifiers, frame);
}

function followFrom(
  start: CelValue,
  startsOptional: boolean,
  qualifiers: readonly Qualifier[],
  frame: Frame,
): CelValue {
  let value = start;
  let isOptional = startsOptional;
  for (const qualifier of qualifiers) {
    isOptional ||= qualifier.isOptional;
    spend(1);
    const found = find(value, keyOf(qualifier.key(frame)), isOptional || qualifier.isTest === true);
    if (found === undefined) return qualifier.isTest === true && !isOptional ? false : noValue;
    value = found;
    if (qualifier.isTest === true) value = true;
  }
  return isOptional ? new Optional(value) : value;
}

/** A type becomes its name; a type that only Kubernetes has cannot be read again. @throws EvaluationError */
function asPlainData(value: CelValue): CelValue {
  if (value instanceof CelList || value instanceof CelMap) return value.withoutSchema();
  if (value instanceof Optional) return asPlainData(value.value ?? null);
  if (value instanceof TypeValue) return value.typeName;
  if (value instanceof Opaque && value.goData !== undefined) {
    throw new EvaluationError(`unsupported conversion to ref.Val: ${value.goData}`);
  }
  return value;
}

/** @throws EvaluationError for a value that can be no key */
function keyOf(value: CelValue): CelValue {
  if (value instanceof Uint) return value;
  if (value !== null && typeof value !== 'object') return value;
  throw new EvaluationError(`invalid qualifier type: ${goTypeOf(value)}`);
}

/** @returns undefined for what is not there, where that is asked */
function find(container: CelValue, key: CelValue, mayBeAbsent: boolean): CelValue | undefined {
  if (container instanceof CelMap) {
    const found = container.find(key);
    if (found !== undefined || mayBeAbsent) return found;
  } else if (container instanceof CelList) {
    const index = indexOf(key);
    if (index >= 0 && index < container.size) return itemOf(container, key, index);
    if (mayBeAbsent) return undefined;
    throw new EvaluationError(`index out of bounds: ${printed(key)}`);
  } else if (mayBeAbsent) return undefined;
  throw new EvaluationError(`no such key: ${printed(key)}`);
}

/** A list of a resource takes no index but an int. */
function itemOf(list: CelList, key: CelValue, index: number): CelValue {
  if (list.isOfResource && typeof key !== 'bigint') {
    throw new EvaluationError(`unsupported index: ${printed(key)}`);
  }
  return list.at(index);
}
