/**
 * Whether an installed bundle keeps an OpenShift cluster from its next minor version.
 * Rule: cluster-olm-operator: `olm.maxOpenShiftVersion` in the annotation `olm.properties`.
 */
import {
  InvalidVersionError,
  type Version,
  compareVersions,
  parseTolerantVersion,
  parseVersion,
} from '../../../text/versions/index.js';
import { type RawProperty, readRawProperties } from './raw-properties.js';
import { cannotUnmarshal, quote, typeName } from '../../../text/go/index.js';
import type { JsonValue } from '../../../text/documents/index.js';

export type ClusterCompatibility =
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
  const current = attempt(() => parseVersion(cluster));
  if (typeof current === 'string') return { clusterError: current };
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
  const maximum = attempt(() => readMaximum(first));
  const errors = [
    ...(typeof maximum === 'string'
      ? [`error converting to semver for version ${first.value}: ${maximum}`]
      : []),
    ...(others.length > 0 ? [`more than one ${propertyName} found in bundle`] : []),
  ];
  if (typeof maximum === 'string' || errors.length > 0) {
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
export function sameRelease({ major, minor }: Version): Version {
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

function attempt(read: () => Version): Version | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidVersionError) return error.message;
    throw error;
  }
}
