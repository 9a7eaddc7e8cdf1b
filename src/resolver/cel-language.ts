/**
 * What a CEL rule of `olm.constraint` may use: cel-go's standard library and `semver_compare`.
 * Rule: `constraints/cel.go` of operator-framework/api.
 */
import {
  declare,
  EvaluationError,
  FunctionTable,
  itemAt,
  kubernetesOverloads,
  listOfType,
  mapOfType,
  types,
  Uint,
  type CelList,
  type CelType,
  type CelValue,
  type Language,
} from '../cel/index.js';
import { compareVersions, type Version } from '../text/versions/index.js';
import { readTolerantVersion } from './tolerant-version.js';

/** `properties`, the only variable. */
export const propertiesVariable: { readonly name: string; readonly type: CelType } = {
  name: 'properties',
  type: listOfType(mapOfType(types.string, types.any)),
};

const standardFunctions = new Set([
  'size', 'contains', 'startsWith', 'endsWith', 'matches', 'type', 'dyn',
  'bool', 'bytes', 'double', 'duration', 'int', 'string', 'timestamp', 'uint',
  'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getFullYear', 'getHours',
  'getMilliseconds', 'getMinutes', 'getMonth', 'getSeconds',
  '_+_', '_-_', '_*_', '_/_', '_%_', '-_', '!_', '_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_', '@in', '_[_]',
]); // prettier-ignore

const comparisons = new Set(['_<_', '_<=_', '_>_', '_>=_']);

const standard = kubernetesOverloads.filter(({ name }) => standardFunctions.has(name));
/** Numbers of different types compare when the rule runs, but the checker knows no such overload. */
const mixed = standard.filter(
  ({ name, parameters: [left, right] }) => comparisons.has(name) && left?.name !== right?.name,
);
const indexes = declare(
  ['uint', 'double'].map(
    (index) =>
      [`_[_](list(A), ${index}) A`, ([list, at]) => itemAt(list as CelList, at ?? null)] as const,
  ),
);

const semver = declare([
  [
    'semver_compare(dyn, dyn) int',
    ([a, b]) => BigInt(compareVersions(versionOf(a ?? null), versionOf(b ?? null))),
  ],
]);

export const constraintLanguage: Language = {
  functions: new FunctionTable(
    [standard.filter((it) => !mixed.includes(it)), semver],
    [...mixed, ...indexes],
  ),
  macros: new Set([
    'has/1', 'all/2', 'exists/2', 'exists_one/2', 'existsOne/2', 'map/2', 'map/3', 'filter/2',
  ]), // prettier-ignore
  joinsTypes: true,
  namesOperands: true,
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
