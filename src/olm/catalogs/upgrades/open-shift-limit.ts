/** Rule: cluster-olm-operator: `olm.maxOpenShiftVersion` in the annotation `olm.properties`. */
import {
  compareVersions,
  InvalidVersionError,
  parseTolerantVersion,
  parseVersion,
  type Version,
} from '../../../text/versions/index.js';
import {
  cannotUnmarshal,
  type JsonKind,
  quote,
  syntaxError,
  typeName,
} from '../../../text/go/index.js';
import type { JsonValue } from '../../../text/documents/index.js';
import { treeOfJson } from '../../../text/documents/json-tree.js';
import type { ScalarNode, YamlNode } from '../../../text/documents/yaml-nodes.js';
import { attempt } from '../../once.js';

type ClusterCompatibility =
  | { readonly clusterError: string }
  | { readonly nextMinor: string; readonly errors: readonly string[] }
  | {
      readonly nextMinor: string;
      readonly blocksUpgrade: boolean;
      readonly maxOpenShiftVersion?: string;
    };

const propertyName = 'olm.maxOpenShiftVersion';

/** @param olmProperties the annotation's text, because 4.20 is not 4.2 */
export function clusterCompatibility(cluster: string, olmProperties: string): ClusterCompatibility {
  const current = attempt(InvalidVersionError, () => parseVersion(cluster));
  if (current instanceof InvalidVersionError) return { clusterError: current.message };
  const nextMinor = nextMinorOf(current);
  const properties = readRawProperties(olmProperties);
  if ('error' in properties) {
    return {
      nextMinor,
      errors: [`failed to unmarshal properties annotation: ${properties.error}`],
    };
  }
  const [first, ...others] = properties.filter(({ type }) => type === propertyName);
  if (first === undefined) return { nextMinor, blocksUpgrade: false };
  const maximum = attempt(InvalidVersionError, () => readMaximum(first));
  const isUnreadable = maximum instanceof InvalidVersionError;
  const errors = [
    ...(isUnreadable
      ? [`error converting to semver for version ${first.value}: ${maximum.message}`]
      : []),
    ...(others.length > 0 ? [`more than one ${propertyName} found in bundle`] : []),
  ];
  if (isUnreadable || errors.length > 0) {
    return { nextMinor, errors: [errors.join('\n')] };
  }
  return {
    nextMinor,
    blocksUpgrade: compareVersions(maximum, sameRelease(current)) <= 0,
    maxOpenShiftVersion: `${maximum.major}.${maximum.minor}`,
  };
}

export function limitErrorText(error: string): string {
  return error.startsWith('failed to unmarshal')
    ? `could not convert olm.properties: ${error}`
    : error;
}

/** 4.23 and 5.0 are one release under two names; 5.1 follows both. */
export function nextMinorOf({ major, minor }: Version): string {
  if (major === 4 && minor === 23) return '5.1';
  return `${major}.${BigInt.asUintN(64, BigInt(minor) + 1n)}`;
}

/** 4.23 and 5.0 are one release under two names. */
function sameRelease({ major, minor }: Version): Version {
  const none = { patch: 0, prerelease: [], build: [] };
  return major === 4 && minor === 23 ? { major: 5, minor: 0, ...none } : { major, minor, ...none };
}

/** A number is read as it is written, a string as carelessly as blang allows. */
function readMaximum({ value: json }: RawProperty): Version {
  if (json === '') throw new InvalidVersionError('unexpected end of JSON input');
  const value: unknown = JSON.parse(json);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) {
      throw new InvalidVersionError(cannotUnmarshal(`number ${json}`, 'float64'));
    }
    if (!/^[1-9][0-9]*\.(?:0|[1-9][0-9]*)$/.test(json)) {
      throw new InvalidVersionError(
        `invalid semver format ${quote(json)}: expected <major>.<minor>`,
      );
    }
    return parseTolerantVersion(json);
  }
  if (typeof value !== 'string') {
    throw new InvalidVersionError(
      `invalid type ${typeName(value as JsonValue, 'float64')} for olm.maxOpenshiftVersion: ${json}`,
    );
  }
  if (value.startsWith('v') || value.split('.').length !== 2) {
    throw new InvalidVersionError('invalid version format');
  }
  return parseTolerantVersion(value);
}

export type ClassicLimit =
  | { readonly kind: 'none' }
  | { readonly kind: 'limit'; readonly version: Version }
  /** OLM's words. */
  | { readonly kind: 'unreadable'; readonly problem: string };

/**
 * Up to which version an operator of OLM classic works. What cannot be read keeps the cluster back too.
 * Rule: OLM's `maxOpenShiftVersion` and `incompatibleOperators`. @param properties a list as JSON text
 */
export function classicLimit(properties: string): ClassicLimit {
  const read = readRawProperties(properties);
  if ('error' in read) {
    return unreadable(`failed to unmarshal properties annotation: ${read.error}`);
  }
  const [first, second] = read.filter(({ type }) => type === propertyName);
  if (first === undefined) return { kind: 'none' };
  if (second !== undefined) {
    return unreadable(`defining more than one "${propertyName}" property is not allowed`);
  }
  const value = first.value.replaceAll(/^"+|"+$/g, '');
  if (value === '') return unreadable('value cannot be "" (an empty string)');
  const version = attempt(InvalidVersionError, () => parseTolerantVersion(value));
  if (version instanceof InvalidVersionError) {
    return unreadable(`failed to parse "${value}" as semver: ${version.message}`);
  }
  const { patch, prerelease } = version;
  return patch === 0 && prerelease.length === 0
    ? { kind: 'limit', version: { ...version, build: [] } }
    : unreadable(
        `property ${propertyName} must specify only <major>.<minor> version, got invalid value ${value}`,
      );
}

export function isBelowNextMinor(limit: Version, cluster: Version): boolean {
  const { major, minor } = sameRelease(cluster);
  const next = { ...sameRelease(cluster), major, minor: Number(minor) + 1 };
  return compareVersions(sameRelease(limit), next) < 0;
}

function unreadable(problem: string): ClassicLimit {
  return { kind: 'unreadable', problem };
}

interface RawProperty {
  readonly type: string;
  /** JSON text, "" when the property has no value. */
  readonly value: string;
}

/** Rule: encoding/json into operator-registry's `[]property.Property`; `error` is its text. */
export function readRawProperties(text: string): RawProperty[] | { readonly error: string } {
  const syntax = syntaxError(text);
  if (syntax !== undefined) return { error: syntax };
  const start = text.search(/\S/);
  const kind = kindOf(text, start);
  if (kind === 'null') return [];
  if (kind !== 'array') return { error: cannotUnmarshal(kind, '[]property.Property') };
  const tree = treeOfJson(text);
  const errors: string[] = [];
  const properties = (tree?.kind === 'sequence' ? tree.items : []).map((element) => {
    if (element.kind === 'mapping') return readProperty(text, element.members, errors);
    const elementKind = kindOf(text, element.start);
    if (elementKind !== 'null') errors.push(cannotUnmarshal(elementKind, 'property.Property'));
    return { type: '', value: '' };
  });
  const [error] = errors;
  return error === undefined ? properties : { error };
}

/** Field names match in any case; the last one counts. @param members key, value, key, value */
function readProperty(text: string, members: readonly YamlNode[], errors: string[]): RawProperty {
  let type = '';
  let value = '';
  for (let index = 0; index + 1 < members.length; index += 2) {
    const field = (members[index] as ScalarNode).text.toLowerCase();
    const { start, end } = members[index + 1] as YamlNode;
    const raw = text.slice(start, end);
    if (field === 'value') value = raw;
    if (field !== 'type') continue;
    const kind = kindOf(text, start);
    if (kind === 'string') type = JSON.parse(raw) as string;
    else if (kind !== 'null') errors.push(cannotUnmarshal(kind, 'string', 'Property.type'));
  }
  return { type, value };
}

function kindOf(text: string, offset: number): JsonKind {
  switch (text[offset]) {
    case '[':
      return 'array';
    case '{':
      return 'object';
    case '"':
      return 'string';
    case 't':
    case 'f':
      return 'bool';
    case 'n':
      return 'null';
    default:
      return 'number';
  }
}
