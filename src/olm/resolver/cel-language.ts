/**
 * The language of CEL rules in `olm.constraint`: cel-go's standard library and `semver_compare`.
 * Rule: `constraints/cel.go` of operator-framework/api.
 */
import {
  type CelType,
  type CelValue,
  declare,
  EvaluationError,
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
import { compareVersions, readTolerantVersion, type Version } from '../../text/versions/index.js';

/** `properties`, the only variable. */
export const constraintVariables: ReadonlyMap<string, CelType> = new Map([
  ['properties', listOfType(mapOfType(types.string, types.any))],
]);

const semver = declare([
  [
    'semver_compare',
    'semver_compare(any, any) int',
    ([a, b]) => BigInt(compareVersions(versionOf(a ?? null), versionOf(b ?? null))),
  ],
]);

export const constraintLanguage: Language = {
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
