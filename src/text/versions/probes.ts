/** Versions at which two ranges are worth comparing: every bound, and what is beside it. */
import type { Integer } from './integer.js';
import { type Version, compareVersions, formatVersion } from './version.js';

/** Distinct, rising; includes 0.0.0 and a pre-release beside every release. */
export function probes(bounds: readonly Version[]): Version[] {
  const found = new Map<string, Version>();
  for (const bound of [{ major: 0, minor: 0, patch: 0 }, ...bounds]) {
    for (const [major, minor, patch] of neighbours(bound)) {
      const release = { major, minor, patch, prerelease: [], build: [] };
      const versions = [release, { ...release, prerelease: ['alpha'] }];
      if ('prerelease' in bound && bound.prerelease.length > 0) {
        versions.push({ ...release, prerelease: bound.prerelease.map(String) });
      }
      for (const version of versions) found.set(formatVersion(version), version);
    }
  }
  return [...found.values()].toSorted(compareVersions);
}

type Numbers = readonly [major: Integer, minor: Integer, patch: Integer];

function neighbours({
  major,
  minor,
  patch,
}: Pick<Version, 'major' | 'minor' | 'patch'>): Numbers[] {
  return [
    [major, minor, patch],
    [major, minor, shift(patch, 1)],
    [major, minor, shift(patch, -1)],
    [major, shift(minor, 1), 0],
    [major, shift(minor, -1), 0],
    [shift(major, 1), 0, 0],
    [shift(major, -1), 0, 0],
  ];
}

/** Stays where it is at either end. */
function shift(number: Integer, by: 1 | -1): Integer {
  if (by === -1) return number === 0 ? 0 : plain(BigInt(number) - 1n);
  return plain(BigInt.asUintN(64, BigInt(number) + 1n));
}

function plain(value: bigint): Integer {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
