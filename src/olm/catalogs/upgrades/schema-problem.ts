/**
 * What operator-controller's validator of JSON Schema prints: a line for each problem, with those of the
 * inside below it. Rule: ValidationError.BasicOutput of santhosh-tekuri/jsonschema v6, and
 * operator-controller's formatSchemaError.
 */
import { jsonKind, quote } from '../../../text/go/index.js';
import { formatPointer } from '../../../text/json-pointer.js';
import type { JsonValue } from '../../../text/documents/index.js';

/** Names of fields and places in lists, from the root. */
export type Place = readonly (string | number)[];

export interface Problem {
  readonly said: string;
  readonly below?: readonly Problem[];
  /** Those of one value: where nothing stands beside them, their line is left out. */
  readonly isGroup?: true;
}

const failed = 'validation failed';

/** The problems of one value, as one problem. */
export function grouped(problems: readonly Problem[]): readonly Problem[] {
  return problems.length < 2 ? problems : [{ said: failed, below: problems, isGroup: true }];
}

export function ungrouped(problems: readonly Problem[]): readonly Problem[] {
  const [only] = problems;
  return problems.length === 1 && only?.isGroup === true ? (only.below ?? []) : problems;
}

/** Those of a value whose schema is a reference; the validator drops the only one of them. */
export function referenced(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length === 0) return [];
  const below = ungrouped(problems);
  return [{ said: failed, below: below.length === 1 ? [] : below }];
}

export function linesOf(problems: readonly Problem[]): string[] {
  return problems.flatMap(({ said, below = [] }) => [said, ...linesOf(below)]);
}

export function wrongType(value: JsonValue, want: string, at: Place): Problem {
  const mismatch = `got ${kindOf(value)}, want ${want}`;
  if (at.length === 0) return { said: `invalid type: ${mismatch}` };
  const field = quote(formatPointer(at).slice(1).replaceAll('/', '.'));
  if (value === null) return { said: `required field ${field} is missing` };
  return { said: `invalid type for field ${field}: ${mismatch}` };
}

/** JSON Schema's name of the type. */
function kindOf(value: JsonValue): string {
  const kind = jsonKind(value);
  return kind === 'bool' ? 'boolean' : kind;
}
