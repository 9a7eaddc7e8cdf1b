/** CEL constraints of bundles: each must be of type bool; one that fails is false. Rule: `constraints/cel.go` of operator-framework/api. */
import {
  CelMistakes,
  type CelValue,
  checkExpression,
  EvaluationError,
  listOf,
  makeProgram,
  NotEvaluable,
  Panic,
  type Program,
  ValueMap,
  type CelType,
  declare,
  FunctionTable,
  type Language,
  listOfType,
  mapOfType,
  standardFunctions,
  standardMacros,
  standardTypes,
  types,
  Uint,
} from '../../cel/index.js';
import {
  InvalidInputError,
  isObject,
  NumberText,
  type JsonValue,
} from '../../text/documents/index.js';
import { ResolutionError } from '../catalogs/upgrades/upgrade-path.js';
import { compareVersions, readTolerantVersion, type Version } from '../../text/versions/index.js';

export interface CelProperty {
  readonly type: string;
  readonly value: JsonValue;
}

export interface CelRule {
  readonly text: string;
  /** @throws InvalidInputError `E_LIMIT` when the rule takes too many steps on so many properties */
  holds(properties: readonly CelProperty[]): boolean;
}

const stepBudget = 1_000_000;

/** @throws ResolutionError in OLM's words where they are known; InvalidInputError `E_RESOLVE` for a rule that cannot be judged here */
export function compileCel(text: string): CelRule {
  const program = compile(text);
  return {
    text,
    holds(properties) {
      const list = listOf(
        properties.map(
          ({ type, value }) =>
            new ValueMap([
              ['type', type],
              ['value', dynamicValue(value)],
            ]),
        ),
      );
      const variables = new Map([['properties', list]]);
      try {
        return program.evaluate(variables, { steps: stepBudget }) === true;
      } catch (error) {
        // A run-time error is false, as in OLM.
        if (error instanceof EvaluationError || error instanceof Panic) return false;
        if (!(error instanceof NotEvaluable)) throw error;
        throw new InvalidInputError(
          'E_LIMIT',
          `the CEL rule ${shorten(text)} takes more than ${stepBudget} steps on a bundle with ${properties.length} properties; nest fewer comprehensions`,
        );
      }
    },
  };
}

function compile(text: string): Program {
  try {
    const expression = checkExpression(text, constraintVariables, constraintLanguage);
    if (expression.type.kind !== 'bool') {
      throw new ResolutionError('cel expressions must have type Bool');
    }
    return makeProgram(expression, constraintLanguage);
  } catch (error) {
    if (error instanceof CelMistakes) {
      throw new ResolutionError(error.message);
    }
    if (!(error instanceof NotEvaluable)) throw error;
    throw new InvalidInputError(
      'E_RESOLVE',
      `the CEL rule ${shorten(text)} cannot be judged: ${error.message}; write it without message literals and optional entries`,
    );
  }
}

/** JSON as Go's decoder hands it to cel-go: every number is a double. */
function dynamicValue(value: JsonValue): CelValue {
  if (value instanceof NumberText) return value.value;
  if (Array.isArray(value)) return listOf(value.map(dynamicValue));
  if (!isObject(value)) return value;
  return new ValueMap(Object.entries(value).map(([key, item]) => [key, dynamicValue(item)]));
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** `properties`, the only variable. */
const constraintVariables: ReadonlyMap<string, CelType> = new Map([
  ['properties', listOfType(mapOfType(types.string, types.any))],
]);

const semver = declare({
  'semver_compare semver_compare(any, any) int': (a: CelValue, b: CelValue) =>
    BigInt(compareVersions(versionOf(a), versionOf(b))),
});

const constraintLanguage: Language = {
  functions: new FunctionTable([standardFunctions, semver]),
  macros: standardMacros,
  hasOptionals: false,
  types: standardTypes,
  fieldOf: () => undefined,
  hidesMixedComparisons: true,
};

/** OLM prints the value and reads what it printed: numbers can be versions, lists and null cannot. */
function versionOf(value: CelValue): Version {
  const plain = value instanceof Uint ? value.value : value;
  const isText =
    typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'bigint';
  const version = isText ? readTolerantVersion(String(plain)) : undefined;
  if (version === undefined) throw new EvaluationError('unable to parse to semver format');
  return version;
}
