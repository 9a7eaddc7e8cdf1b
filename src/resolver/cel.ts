/**
 * CEL rules of `olm.constraint`: the variable `properties` and the function `semver_compare`.
 * Rule: `constraints/cel.go` of operator-framework/api. A rule must be of type bool; a rule that fails
 * while it runs is false.
 */
import { Environment } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';
import { InvalidInputError, NumberText, type JsonValue } from '../documents/index.js';
import { compareVersions } from '../versions/index.js';
import { checkNames, estimateCost } from './cel-bounds.js';
import { CelError } from './cel-error.js';
import { readTolerantVersion } from './tolerant-version.js';

/** What a rule sees of one property of a bundle. */
export interface CelProperty {
  readonly type: string;
  readonly value: JsonValue;
}

export interface CelRule {
  readonly text: string;
  /** @throws InvalidInputError `E_LIMIT` when the rule would take too many steps on so many properties */
  holds(properties: readonly CelProperty[]): boolean;
}

/** Steps that one evaluation may take, by an upper estimate made before it runs. */
const stepBudget = 5_000_000;

const environment = new Environment({ unlistedVariablesAreDyn: false });
environment.registerVariable('properties', 'list<map<string, dyn>>');
environment.registerFunction('semver_compare(dyn, dyn): int', (a: unknown, b: unknown) =>
  BigInt(compareTolerantly(a, b)),
);
// Patterns are RE2 in CEL, and the library's own `matches` would backtrack.
environment.registerFunction('string.matchesRe2(string): bool', matchesRe2);
environment.registerFunction('matches(string, string): bool', matchesRe2);

/** @throws CelError */
export function compileCel(text: string): CelRule {
  let program;
  try {
    program = environment.parse(withRe2(text));
    checkNames(program.ast);
    const checked = program.check();
    if (!checked.valid) throw checked.error ?? new Error('does not type-check');
    if (checked.type !== 'bool') throw new CelError('cel expressions must have type Bool');
  } catch (error) {
    if (error instanceof CelError) throw error;
    throw new CelError(compileText(text, error));
  }
  const run = program;
  return {
    text,
    holds: (properties) => {
      if (estimateCost(run.ast, properties) > stepBudget) {
        throw new InvalidInputError(
          'E_LIMIT',
          `the CEL rule ${shorten(text)} would take more than ${stepBudget} steps on a bundle with ${properties.length} properties; nest fewer comprehensions`,
        );
      }
      try {
        return (
          run({
            properties: properties.map(({ type, value }) => ({ type, value: plain(value) })),
          }) === true
        );
      } catch {
        // A run-time error is false, as in OLM.
        return false;
      }
    },
  };
}

function compileText(text: string, error: unknown): string {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const unknown = /^Unknown variable: (.+)$/.exec(message);
  if (unknown === null) return `ERROR: <input>: ${message}`;
  const name = unknown[1] ?? '';
  const column = Math.max(
    0,
    text.search(new RegExp(String.raw`\b${name.replaceAll(/\W/g, String.raw`\$&`)}\b`)),
  );
  return `ERROR: <input>:1:${column + 1}: undeclared reference to '${name}' (in container '')\n | ${text}\n | ${'.'.repeat(column)}^`;
}

function compareTolerantly(a: unknown, b: unknown): number {
  const [left, right] = [a, b].map((value) => readTolerantVersion(String(value)));
  if (left === undefined || right === undefined)
    throw new Error('unable to parse to semver format');
  return compareVersions(left, right);
}

function matchesRe2(text: string, pattern: string): boolean {
  return RE2JS.compile(pattern).matcher(text).find();
}

const stringsAndMatches =
  /[rR]?[bB]?(?:"""[\s\S]*?"""|'''[\s\S]*?''')|[rR][bB]?(?:"[^"\n]*"|'[^'\n]*')|[bB]?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\.(\s*)matches(\s*\()/g;

function withRe2(text: string): string {
  return text.replaceAll(stringsAndMatches, (whole: string, before?: string, after?: string) =>
    after === undefined ? whole : `.${before ?? ''}matchesRe2${after}`,
  );
}

/** JSON as encoding/json hands it to cel-go: every number is a double. */
function plain(value: JsonValue): unknown {
  if (value instanceof NumberText) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
