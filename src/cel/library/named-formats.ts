/** Named formats and semantic versions: Kubernetes' CEL libraries. */
import { isBase64, uuidPatterns } from '../../text/formats/codes.js';
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
import { attempt } from '../equal.js';
import { EvaluationError, noSuchOverload } from '../errors.js';
import { listOf } from '../lists.js';
import { declare, type CelFunction } from '../overloads.js';
import { noValue, Opaque, Optional, type CelValue } from '../values.js';

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

export const formatFunctions: readonly CelFunction[] = declare([
  ...[...formats].map(
    ([name, format]) =>
      [`format.${name}`, `format.${name}() kubernetes.NamedFormat`, () => format] as const,
  ),
  [
    'format-named',
    'format.named(string) optional_type(kubernetes.NamedFormat)',
    ([a]) => {
      const format = formats.get(a as string);
      return format === undefined ? noValue : new Optional(format);
    },
  ],
  [
    'format-validate',
    'kubernetes.NamedFormat:validate(string) optional_type(list(string))',
    ([a, b]) => {
      const problems = (a as NamedFormat).problems(b as string);
      return problems.length === 0 ? noValue : new Optional(listOf(problems));
    },
  ],
]);

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

/**
 * Drops a leading v and leading zeros, and fills a short version up.
 *
 * @throws InvalidVersionError for a short version with something behind it
 */
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

function toVersion(text: string, normalise: CelValue | undefined): Semver {
  try {
    return new Semver(parseVersion(normalise === true ? normalised(text) : text));
  } catch (error) {
    if (error instanceof InvalidVersionError) throw new EvaluationError(error.message);
    throw error;
  }
}

const isVersion = (text: string, normalise: CelValue | undefined): boolean =>
  !(attempt(() => toVersion(text, normalise)) instanceof EvaluationError);

const version = (value: CelValue | undefined): Version => (value as Semver).version;
const order = (left: CelValue | undefined, right: CelValue | undefined): number =>
  compareVersions(version(left), version(right));

export const semverFunctions: readonly CelFunction[] = declare({
  'string_to_semver semver(string) kubernetes.Semver': ([a]) => toVersion(a as string, false),
  'string_bool_to_semver semver(string, bool) kubernetes.Semver': ([a, b]) =>
    toVersion(a as string, b),
  'is_semver_string isSemver(string) bool': ([a]) => isVersion(a as string, false),
  'is_semver_string_bool isSemver(string, bool) bool': ([a, b]) => isVersion(a as string, b),
  'semver_is_greater_than kubernetes.Semver:isGreaterThan(kubernetes.Semver) bool': ([a, b]) =>
    order(a, b) > 0,
  'semver_is_less_than kubernetes.Semver:isLessThan(kubernetes.Semver) bool': ([a, b]) =>
    order(a, b) < 0,
  'semver_compare_to kubernetes.Semver:compareTo(kubernetes.Semver) int': ([a, b]) =>
    BigInt(order(a, b)),
  'semver_major kubernetes.Semver:major() int': ([a]) => BigInt(version(a).major),
  'semver_minor kubernetes.Semver:minor() int': ([a]) => BigInt(version(a).minor),
  'semver_patch kubernetes.Semver:patch() int': ([a]) => BigInt(version(a).patch),
});
