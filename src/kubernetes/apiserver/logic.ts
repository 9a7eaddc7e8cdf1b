/**
 * anyOf and oneOf report the branch with most steps. Source:
 * k8s.io/kube-openapi/pkg/validation/validate/schema_props.go.
 */
import type { JsonValue } from '../../text/documents/index.js';
import { logicError, type SchemaError, type Check } from './schema-errors.js';
import type { SchemaNode } from './schema.js';
import { append } from '../../text/long-lists.js';

type Logic = (value: JsonValue, path: string, errors: SchemaError[]) => number;

interface Outcome {
  readonly errors: SchemaError[];
  readonly count: number;
}

/** Undefined where the schema has no logical operator; such a step counts one. */
export function compileLogic(
  schema: SchemaNode,
  compile: (schema: SchemaNode) => Check,
): Logic | undefined {
  const steps: Logic[] = [];
  if (schema.anyOf.length > 0) steps.push(anyOf(schema.anyOf.map(compile)));
  if (schema.oneOf.length > 0) steps.push(oneOf(schema.oneOf.map(compile)));
  if (schema.allOf.length > 0) steps.push(allOf(schema.allOf.map(compile)));
  if (schema.not !== undefined) steps.push(not(compile(schema.not)));
  if (steps.length === 0) return undefined;
  return (value, path, errors) =>
    steps.reduce((count, step) => count + step(value, path, errors), 1);
}

let branches = 0;

/** How many branches of logical operators were asked about values since the process began. */
export function branchesAsked(): number {
  return branches;
}

function run(check: Check, value: JsonValue, path: string): Outcome {
  branches++;
  const errors: SchemaError[] = [];
  return { count: check(value, path, errors, undefined), errors };
}

function anyOf(checks: readonly Check[]): Logic {
  return (value, path, errors) => {
    let best: Outcome | undefined;
    for (const check of checks) {
      const outcome = run(check, value, path);
      if (outcome.errors.length === 0) return outcome.count;
      if (best === undefined || outcome.count > best.count) best = outcome;
    }
    errors.push(logicError(path, 'validate at least one schema (anyOf)'));
    append(errors, best?.errors ?? []);
    return best?.count ?? 0;
  };
}

function oneOf(checks: readonly Check[]): Logic {
  return (value, path, errors) => {
    let best: Outcome | undefined;
    let first: Outcome | undefined;
    let valid = 0;
    for (const check of checks) {
      const outcome = run(check, value, path);
      if (outcome.errors.length === 0) {
        valid++;
        best = undefined;
        first ??= outcome;
      } else if (valid === 0 && (best === undefined || outcome.count > best.count)) best = outcome;
    }
    if (valid === 1) return first?.count ?? 0;
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    errors.push(logicError(path, `validate one and only one schema (oneOf). ${found}`));
    append(errors, best?.errors ?? []);
    return best?.count ?? 0;
  };
}

function allOf(checks: readonly Check[]): Logic {
  return (value, path, errors) => {
    let count = 0;
    let valid = 0;
    for (const check of checks) {
      const outcome = run(check, value, path);
      if (outcome.errors.length === 0) valid++;
      append(errors, outcome.errors);
      count += outcome.count;
    }
    if (valid !== checks.length) {
      const none = valid === 0 ? '. None validated' : '';
      errors.push(logicError(path, `validate all the schemas (allOf)${none}`));
    }
    return count;
  };
}

function not(check: Check): Logic {
  return (value, path, errors) => {
    if (run(check, value, path).errors.length === 0) {
      errors.push(logicError(path, 'not validate the schema (not)'));
    }
    return 0;
  };
}
