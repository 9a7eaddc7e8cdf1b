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
      groups.some((pattern) => subject.groups.some((group) => matches(pattern, group)))) &&
    (names === undefined || names.some((pattern) => matches(pattern, subject.name))) &&
    (paths === undefined || paths.some((path) => isAtOrBeneath(path, finding.path)))
  );
}

/**
 * Whether the whole text is what the pattern says, where `*` stands for any run of characters and
 * everything else for itself: no part of a name will do, and there is no regular expression.
 */
function matches(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}

function isAtOrBeneath(path: string, candidate: string | undefined): boolean {
  if (candidate === undefined || !candidate.startsWith(path)) return false;
  const next = candidate.charAt(path.length);
  return next === '' || next === '.' || next === '[' || path === '^';
}
