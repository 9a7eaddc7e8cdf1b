/** Whether harm was done where a difference is, by the errors of two judgements of one object. */
import { type FieldError, fieldOf, isUnchecked, wholeObject } from '../../../kubernetes/index.js';
import { formatName } from '../../crd/schema-keys.js';
import type { Place } from '../pin.js';
import type { Harm } from './trial.js';

/** True when some refused or lost field lies on the way to the place, at it, or beneath it. */
export function concerns({ errors, lost }: Harm, place: Place | undefined): boolean {
  if (errors.length > 0 && isNamedUnusually(place)) return true;
  const refused = errors.filter((error) => !isUnchecked(error)).map(fieldOf);
  const isRefused = refused.some((field) => isNear(tokens(field), stepsOf(place)));
  return isRefused || lost.some((path) => isNear(tokens(path), stepsOf(place, formatName)));
}

/** Whether a field that is refused is the place itself. */
export function isExactly(field: string, place: Place | undefined): boolean {
  return field !== wholeObject && isSame(tokens(field), stepsOf(place));
}

/** The same for what is lost, whose path has no names that may be read otherwise. */
export function isExactlyLost(path: string, place: Place | undefined): boolean {
  return isSame(tokens(path), stepsOf(place, formatName));
}

function isSame(
  names: readonly (string | undefined)[],
  steps: readonly (string | undefined)[],
): boolean {
  return names.length === steps.length && names.every((name, index) => name === steps[index]);
}

/** Whether an API server's error may name another place than this one by the same text. */
export function isNamedUnusually(place: Place | undefined): boolean {
  for (let at = place; at !== undefined; at = at.parent) {
    if (at.step.kind !== 'item' && formatName(at.step.name) !== at.step.name) return true;
  }
  return false;
}

function stepsOf(
  place: Place | undefined,
  write = (name: string): string => name,
): (string | undefined)[] {
  const steps: (string | undefined)[] = [];
  for (let at = place; at !== undefined; at = at.parent) {
    steps.push(at.step.kind === 'item' ? undefined : write(at.step.name));
  }
  return steps.reverse();
}

/** `spec.list[0].a` → spec, any, a. */
function tokens(field: string): (string | undefined)[] {
  const text = field === wholeObject ? '' : field;
  // Behind the last `]` no bracket closes, and each that opens would be looked for to the end.
  const end = text.lastIndexOf(']') + 1;
  const closed = [...text.slice(0, end).matchAll(/\[(\d+)\]|\[([^\]]*)\]|([^.[\]]+)/g)];
  const rest = text.slice(end).match(/[^.[\]]+/g) ?? [];
  const named = closed.map(([, index, key, name]) =>
    index === undefined ? (key ?? name) : undefined,
  );
  return [...named, ...rest];
}

/** A refusal may name the place, something in it, or the value just around it. */
function isNear(
  field: readonly (string | undefined)[],
  steps: readonly (string | undefined)[],
): boolean {
  const shared = Math.min(field.length, steps.length);
  for (let index = 0; index < shared; index++) {
    const [left, right] = [field[index], steps[index]];
    if (left !== undefined && right !== undefined && left !== right) return false;
  }
  return field.length >= steps.length - 2;
}

/** Where schema errors keep the API server from asking the validation rules, errors of rules cannot be there. */
export function sharedErrors(
  alone: readonly FieldError[],
  all: readonly FieldError[],
): readonly FieldError[] {
  const known = new Set(all.map(textOf));
  const isCutShort = all.some((error) => isUnchecked(error) || error.type === 'BadRequest');
  return alone.filter(
    (error) =>
      !isUnchecked(error) &&
      (known.has(textOf(error)) || (isCutShort && !error.detail.startsWith('rule compile error'))),
  );
}

export function errorsExcept(
  all: readonly FieldError[],
  left: readonly FieldError[],
): readonly FieldError[] {
  const known = new Set(left.map(textOf));
  return all.filter((error) => !isUnchecked(error) && !known.has(textOf(error)));
}

/** How much of some harm is beside a part of it. */
export function countBeside(part: Harm, all: Harm): number {
  const certain = ({ errors }: Harm): number => errors.filter((each) => !isUnchecked(each)).length;
  return (
    Math.max(0, certain(all) - certain(part)) + Math.max(0, all.lost.length - part.lost.length)
  );
}

function textOf({ type, field, detail }: FieldError): string {
  return JSON.stringify([type, field, detail]);
}

export function isOfStatus({ errors, lost }: Harm): boolean {
  const fields = errors.filter((error) => !isUnchecked(error)).map(fieldOf);
  return [...fields, ...lost].every((path) => /^\.?status(?:$|[.[])/.test(path));
}

export function describeHarm({ errors, lost }: Harm): string {
  return errors.length > 0 ? describeErrors(errors) : `values lost: ${lost.slice(0, 3).join(', ')}`;
}

const texts = new Map<string, string>([
  ['FieldValueRequired', 'Required value'],
  ['FieldValueDuplicate', 'Duplicate value'],
  ['FieldValueTooLong', 'Too long'],
  ['FieldValueTooMany', 'Too many'],
  ['FieldValueNotSupported', 'Unsupported value'],
]);

export function describeErrors(errors: readonly FieldError[]): string {
  const first = errors.find((error) => !isUnchecked(error)) ?? errors[0];
  if (first === undefined) return 'it is refused';
  const { type, field, detail } = first;
  return [field, texts.get(type), detail]
    .filter((part) => part !== undefined && part !== '')
    .join(': ');
}
