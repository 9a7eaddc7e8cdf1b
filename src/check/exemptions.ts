/** Which exemption of the policy covers a finding. */
import type { Finding } from '../finding.js';
import type { Exemption } from './policy.js';
import { parseTime } from './rfc3339.js';

/** The object under review, as exemptions name it. */
export interface Subject {
  readonly groups: readonly string[];
  readonly name: string;
}

export interface ExemptionMatch {
  readonly exemption: Exemption;
  readonly expired: boolean;
}

/** The first exemption in force; else the first that would cover the finding had it not expired. */
export function findExemption(
  exemptions: readonly Exemption[],
  finding: Finding,
  subject: Subject,
  now: Date,
): ExemptionMatch | undefined {
  let expired: Exemption | undefined;
  for (const exemption of exemptions) {
    if (!covers(exemption, finding, subject)) continue;
    if (exemption.until === undefined || (parseTime(exemption.until) ?? 0) > now.getTime()) {
      return { exemption, expired: false };
    }
    expired ??= exemption;
  }
  return expired === undefined ? undefined : { exemption: expired, expired: true };
}

function covers(exemption: Exemption, finding: Finding, subject: Subject): boolean {
  const { families, groups, names, rules, paths } = exemption;
  return (
    (families === undefined || families.includes(finding.family)) &&
    (rules === undefined || rules.includes(finding.rule)) &&
    (groups === undefined ||
      groups.some((group) => subject.groups.some((each) => groupMatches(group, each)))) &&
    (names === undefined || names.some((name) => nameMatches(name, subject.name))) &&
    (paths === undefined || paths.some((path) => isAtOrBeneath(path, finding.path)))
  );
}

function groupMatches(pattern: string, group: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? group.endsWith(pattern.slice(1)) : pattern === group;
}

/** Matches `*` without a regular expression: each part must follow the one before it. */
function nameMatches(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  if (parts.length === 1) return pattern === name;
  const last = parts.at(-1) ?? '';
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}

function isAtOrBeneath(path: string, candidate: string | undefined): boolean {
  if (candidate === undefined || !candidate.startsWith(path)) return false;
  const next = candidate.charAt(path.length);
  return next === '' || next === '.' || next === '[' || path === '^';
}
