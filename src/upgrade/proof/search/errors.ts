/** Errors of two judgements of one object beside each other, and in one line. */
import { type FieldError, fieldOf, isUnchecked } from '../../../kubernetes/index.js';
import type { Harm } from './trial.js';

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
