/** Named formats and semantic versions: Kubernetes' CEL libraries. */
import { isBase64, uuidPatterns } from '../../text/formats/index.js';
import { isDate, isDateTime } from '../../text/formats/time.js';
import { parseRequestURI } from '../../text/formats/uri.js';
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
import { attempt, listOf } from '../collections.js';
import {
  EvaluationError,
  noSuchOverload,
  noValue,
  Opaque,
  Optional,
  type CelValue,
} from '../values.js';
import { declare, type CelFunction } from '../overloads.js';

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

export const formatFunctions: readonly CelFunction[] = declare({
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

export const semverFunctions: readonly CelFunction[] = declare({
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
