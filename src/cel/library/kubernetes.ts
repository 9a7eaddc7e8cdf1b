/** The CEL of Kubernetes 1.35: k8s.io/apiserver/pkg/cel/environment/base.go. */
import {
  noSuchOverload,
  EvaluationError,
  printed,
  CelList,
  CelMap,
  Duration,
  noValue,
  Optional,
  Timestamp,
  Uint,
  type CelValue,
  Opaque,
} from '../values.js';
import { declare, sharing, type CelFunction, declareWhole, FunctionTable } from '../overloads.js';
import { listOf, attempt } from '../collections.js';
import type { Language } from '../language.js';
import { kubernetesMacros } from '../syntax/macros.js';
import { listOfType, mapOfType, opaqueType, types, type CelType } from '../types.js';
import { conversionFunctions, timeFunctions } from './conversions.js';
import { inclusion, kubernetesLists, listFunctions, mapInsertion, sets } from './list-functions.js';
import { networkFunctions, urlFunctions } from './network-functions.js';
import { operators } from './operators.js';
import { quantityFunctions } from './quantity.js';
import { regexFunctions, standardStrings, stringFunctions } from './string-functions.js';
import { isBase64, uuidPatterns } from '../../text/formats/index.js';
import { isDate, isDateTime } from '../../text/formats/time.js';
import { parseRequestURI } from '../../text/formats/network.js';
import {
  label1035Problems,
  labelProblems,
  labelValueProblems,
  maskTrailingDash,
  qualifiedNameProblems,
  subdomainProblems,
} from '../../text/formats/names.js';
import { byteLength, quote } from '../../text/go/index.js';
import {
  compareVersions,
  formatVersion,
  InvalidVersionError,
  parseVersion,
  type Version,
} from '../../text/versions/index.js';

// Kubernetes' authorizer: rules of definitions have none, but their calls are checked against its functions.

const prefix = 'kubernetes.authorization';

const signatures = [
  `authorizer_path ${prefix}.Authorizer:path(string) ${prefix}.PathCheck`,
  `authorizer_group ${prefix}.Authorizer:group(string) ${prefix}.GroupCheck`,
  `authorizer_serviceaccount ${prefix}.Authorizer:serviceAccount(string, string) ${prefix}.Authorizer`,
  `groupcheck_resource ${prefix}.GroupCheck:resource(string) ${prefix}.ResourceCheck`,
  `resourcecheck_subresource ${prefix}.ResourceCheck:subresource(string) ${prefix}.ResourceCheck`,
  `resourcecheck_namespace ${prefix}.ResourceCheck:namespace(string) ${prefix}.ResourceCheck`,
  `resourcecheck_name ${prefix}.ResourceCheck:name(string) ${prefix}.ResourceCheck`,
  `pathcheck_check ${prefix}.PathCheck:check(string) ${prefix}.Decision`,
  `resourcecheck_check ${prefix}.ResourceCheck:check(string) ${prefix}.Decision`,
  `decision_errored ${prefix}.Decision:errored() bool`,
  `decision_error ${prefix}.Decision:error() string`,
  `decision_allowed ${prefix}.Decision:allowed() bool`,
  `decision_reason ${prefix}.Decision:reason() string`,
  `authorizer_fieldselector ${prefix}.ResourceCheck:fieldSelector(string) ${prefix}.ResourceCheck`,
  `authorizer_labelselector ${prefix}.ResourceCheck:labelSelector(string) ${prefix}.ResourceCheck`,
];

const authorizationFunctions: readonly CelFunction[] = declare(
  sharing(signatures, (): never => {
    throw noSuchOverload();
  }),
);

// Optional values: cel-go/cel/library.go.

/** 0001-01-01, which is Go's zero time. */
const firstMoment = -62135596800_000_000_000n;

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (value instanceof CelList || value instanceof CelMap) {
    // Lists and objects of a resource do not say that they are empty.
    return !value.isOfResource && value.size === 0;
  }
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Timestamp) return value.nanoseconds === firstMoment;
  return value instanceof Duration && value.nanoseconds === 0n;
}

function unwrapped(list: CelList): CelList {
  const values: CelValue[] = [];
  for (const item of list.items()) {
    if (!(item instanceof Optional)) {
      throw new EvaluationError(`value ${printed(item)} is not optional`);
    }
    if (item.value !== undefined) values.push(item.value);
  }
  return listOf(values);
}

function itemAt(list: CelList, index: number): Optional {
  return list.size === 0 ? noValue : new Optional(list.at(index));
}

/** Functions that the planner implements itself. */
const planned = [
  ['optional_or_optional optional_type(V):or(optional_type(V)) optional_type(V)'],
  ['optional_orValue_value optional_type(V):orValue(V) V'],
  ['select_optional_field _?._(dyn, string) optional_type(V)'],
  [
    'list_optindex_optional_int _[?_](list(V), int) optional_type(V)',
    'optional_list_optindex_optional_int _[?_](optional_type(list(V)), int) optional_type(V)',
    'map_optindex_optional_value _[?_](map(K, V), K) optional_type(V)',
    'optional_map_optindex_optional_value _[?_](optional_type(map(K, V)), K) optional_type(V)',
  ],
  [
    'optional_list_index_int _[_](optional_type(list(V)), int) optional_type(V)',
    'optional_map_index_value _[_](optional_type(map(K, V)), K) optional_type(V)',
  ],
].map((overloads) => declareWhole(overloads, () => noValue));

const optionalFunctions: readonly CelFunction[] = [
  ...declare({
    'optional_of optional.of(V) optional_type(V)': (value: CelValue) => new Optional(value),
    'optional_ofNonZeroValue optional.ofNonZeroValue(V) optional_type(V)': (value: CelValue) =>
      isZero(value) ? noValue : new Optional(value),
    'optional_none optional.none() optional_type(V)': () => noValue,
    'optional_value optional_type(V):value() V': ({ value: content }: Optional): CelValue => {
      if (content === undefined) throw new EvaluationError('optional.none() dereference');
      return content;
    },
    'optional_hasValue optional_type(V):hasValue() bool': (value: Optional) => value.isPresent,
    'list_last list(V):last() optional_type(V)': (list: CelList) => itemAt(list, list.size - 1),
    'list_first list(V):first() optional_type(V)': (list: CelList) => itemAt(list, 0),
    'optional_unwrap optional.unwrap(list(optional_type(V))) list(V)': unwrapped,
    'optional_unwrapOpt list(optional_type(V)):unwrapOpt() list(V)': unwrapped,
  }),
  ...planned,
];

type Problems = (text: string) => string[];

class NamedFormat extends Opaque {
  override readonly typeName = 'kubernetes.NamedFormat';
  override readonly hash = undefined;
  constructor(
    readonly name: string,
    readonly problems: Problems,
  ) {
    super();
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof NamedFormat)) throw noSuchOverload();
    return other.name === this.name;
  }
}

const unless =
  (holds: (text: string) => boolean, problem: string): Problems =>
  (text) =>
    holds(text) ? [] : [problem];

const named: readonly (readonly [string, Problems])[] = [
  ['dns1123Label', (text) => labelProblems(text)],
  ['dns1123Subdomain', (text) => subdomainProblems(text)],
  ['dns1035Label', (text) => label1035Problems(text)],
  ['qualifiedName', qualifiedNameProblems],
  ['dns1123LabelPrefix', (text) => labelProblems(maskTrailingDash(text))],
  ['dns1123SubdomainPrefix', (text) => subdomainProblems(maskTrailingDash(text))],
  ['dns1035LabelPrefix', (text) => label1035Problems(maskTrailingDash(text))],
  ['labelValue', labelValueProblems],
  [
    'uri',
    (text) => {
      const parsed = parseRequestURI(text);
      return typeof parsed === 'string' ? [`parse ${quote(text)}: ${parsed}`] : [];
    },
  ],
  ['uuid', unless((text) => uuidPatterns.uuid.test(text), 'does not match the UUID format')],
  ['byte', unless(isBase64, 'invalid base64')],
  ['date', unless(isDate, 'invalid date')],
  ['datetime', unless(isDateTime, 'invalid datetime')],
];

const formats = new Map(named.map(([name, problems]) => [name, new NamedFormat(name, problems)]));

const formatFunctions: readonly CelFunction[] = declare({
  ...Object.fromEntries(
    [...formats].map(([name, format]) => [
      `format.${name} format.${name}() kubernetes.NamedFormat`,
      () => format,
    ]),
  ),
  'format-named format.named(string) optional_type(kubernetes.NamedFormat)': (name: string) => {
    const format = formats.get(name);
    return format === undefined ? noValue : new Optional(format);
  },
  'format-validate kubernetes.NamedFormat:validate(string) optional_type(list(string))': (
    format: NamedFormat,
    text: string,
  ) => {
    const problems = format.problems(text);
    return problems.length === 0 ? noValue : new Optional(listOf(problems));
  },
});

/** A version as github.com/blang/semver/v4 reads it; build metadata does not count. */
class Semver extends Opaque {
  override readonly typeName = 'kubernetes.Semver';
  override readonly hash = undefined;

  constructor(readonly version: Version) {
    super();
  }

  override get goData(): string {
    return `(semver.Version)${formatVersion(this.version)}`;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof Semver)) throw noSuchOverload();
    return compareVersions(this.version, other.version) === 0;
  }
}

/** Drops a leading v and zeros, and fills a short version up. @throws InvalidVersionError */
function normalised(text: string): string {
  const [major = '', minor, ...patch] = (text.startsWith('v') ? text.slice(1) : text).split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor])];
  if (patch.length > 0) parts.push(patch.join('.'));
  const trimmed = parts.map((part) =>
    byteLength(part) > 1 ? part.replace(/^0+/, '').replace(/^(?!\d)/, '0') : part,
  );
  if (trimmed.length < 3 && /[+-]/.test(trimmed[trimmed.length - 1] ?? '')) {
    throw new InvalidVersionError('short version cannot contain PreRelease/Build meta data');
  }
  while (trimmed.length < 3) trimmed.push('0');
  return trimmed.join('.');
}

function toVersion(text: string, normalise = false): Semver {
  try {
    return new Semver(parseVersion(normalise ? normalised(text) : text));
  } catch (error) {
    if (error instanceof InvalidVersionError) throw new EvaluationError(error.message);
    throw error;
  }
}

const isVersion = (text: string, normalise?: boolean): boolean =>
  !(attempt(() => toVersion(text, normalise)) instanceof EvaluationError);

const order = (left: Semver, right: Semver): number => compareVersions(left.version, right.version);
const type = 'kubernetes.Semver';

const semverFunctions: readonly CelFunction[] = declare({
  [`string_to_semver semver(string) ${type}`]: toVersion,
  [`string_bool_to_semver semver(string, bool) ${type}`]: toVersion,
  'is_semver_string isSemver(string) bool': isVersion,
  'is_semver_string_bool isSemver(string, bool) bool': isVersion,
  [`semver_is_greater_than ${type}:isGreaterThan(${type}) bool`]: (a: Semver, b: Semver) =>
    order(a, b) > 0,
  [`semver_is_less_than ${type}:isLessThan(${type}) bool`]: (a: Semver, b: Semver) =>
    order(a, b) < 0,
  [`semver_compare_to ${type}:compareTo(${type}) int`]: (a: Semver, b: Semver) =>
    BigInt(order(a, b)),
  [`semver_major ${type}:major() int`]: ({ version }: Semver) => BigInt(version.major),
  [`semver_minor ${type}:minor() int`]: ({ version }: Semver) => BigInt(version.minor),
  [`semver_patch ${type}:patch() int`]: ({ version }: Semver) => BigInt(version.patch),
});

export const standardFunctions: readonly CelFunction[] = [
  ...operators,
  ...conversionFunctions,
  ...standardStrings,
  ...timeFunctions,
];

export const standardTypes: ReadonlyMap<string, CelType> = new Map(
  [
    types.bool,
    types.bytes,
    types.double,
    types.duration,
    types.int,
    listOfType(types.dyn),
    mapOfType(types.dyn, types.dyn),
    types.null,
    types.string,
    types.timestamp,
    types.type,
    types.uint,
  ].map((type) => [type.name, type]),
);

/** By the name under which Kubernetes introduced them. `inclusion` came after 1.35. */
export const kubernetesLibraries = {
  standard: standardFunctions,
  urls: urlFunctions,
  regex: regexFunctions,
  lists: kubernetesLists,
  authorization: authorizationFunctions,
  optionals: optionalFunctions,
  quantities: quantityFunctions,
  strings: stringFunctions,
  sets,
  networks: networkFunctions,
  formats: formatFunctions,
  mapInsertion,
  semver: semverFunctions,
  listExtensions: listFunctions,
  inclusion,
} satisfies Record<string, readonly CelFunction[]>;

export const kubernetes = {
  functions: new FunctionTable(
    Object.values(kubernetesLibraries).filter((library) => library !== inclusion),
  ),
  macros: kubernetesMacros,
  hasOptionals: true,
  types: new Map([
    ...standardTypes,
    ...['optional_type', 'net.IP', 'net.CIDR'].map((name) => [name, opaqueType(name)] as const),
  ]),
  fieldOf: (fields: ReadonlyMap<string, CelType>, name: string) =>
    fields.get(name) ?? fields.get(`__${name}__`),
  checksLiterals: true,
  checksFormats: true,
  foldsLiterals: true,
} satisfies Language;
