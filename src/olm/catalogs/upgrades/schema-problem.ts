/**
 * Output of operator-controller's validator of JSON Schema: a line for each problem, with the problems
 * inside below it. Rule: ValidationError.BasicOutput of santhosh-tekuri/jsonschema v6, and
 * operator-controller's formatSchemaError.
 */
import { jsonKind, quote } from '../../../text/go/index.js';
import { formatPointer } from '../../../text/json-pointer.js';
import type { JsonValue } from '../../../text/documents/index.js';

export type Place = readonly (string | number)[];

export interface Problem {
  readonly said: string;
  readonly below?: readonly Problem[];
  /** Says of what is wrong inside where it is, which the validator does not. */
  readonly hidden?: string;
  /** A group holds the problems of one value: where nothing is beside them, their line is left out. */
  readonly isGroup?: true;
}

const failed = 'validation failed';

export function grouped(problems: readonly Problem[]): readonly Problem[] {
  return problems.length < 2 ? problems : [{ said: failed, below: problems, isGroup: true }];
}

export function ungrouped(problems: readonly Problem[]): readonly Problem[] {
  const [only] = problems;
  return problems.length === 1 && only?.isGroup === true ? (only.below ?? []) : problems;
}

export function referenced(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length === 0) return [];
  const below = ungrouped(problems);
  const [only] = below;
  if (only === undefined || below.length > 1) return [{ said: failed, below }];
  return [{ said: failed, hidden: only.hidden ?? hiddenIn(only.below ?? [])[0] ?? only.said }];
}

export function hiddenIn(problems: readonly Problem[]): string[] {
  return problems.flatMap(({ hidden, below = [] }) => [
    ...(hidden === undefined ? [] : [hidden]),
    ...hiddenIn(below),
  ]);
}

export function linesOf(problems: readonly Problem[]): string[] {
  return problems.flatMap(({ said, below = [] }) => [said, ...linesOf(below)]);
}

export function wrongType(value: JsonValue, want: string, at: Place): Problem {
  const mismatch = `got ${kindOf(value)}, want ${want}`;
  if (at.length === 0) return { said: `invalid type: ${mismatch}` };
  const field = fieldOf(at);
  if (value === null) return { said: `required field ${field} is missing` };
  return { said: `invalid type for field ${field}: ${mismatch}` };
}

export function fieldOf(at: Place): string {
  return quote(formatPointer(at).slice(1).replaceAll('/', '.'));
}

function kindOf(value: JsonValue): string {
  const kind = jsonKind(value);
  return kind === 'bool' ? 'boolean' : kind;
}
