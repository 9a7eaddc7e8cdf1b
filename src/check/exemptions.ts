/** Which exemption of the policy covers a finding. */
import type { Finding } from '../finding.js';
import { changeName, fineName } from '../rules/crd/change-name.js';
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

/** As a denial names it. */
export function nameOf({ reason, isComment }: Exemption): string {
  const origin = isComment === true ? 'in the source' : 'of the policy';
  return `exemption${reason === undefined ? '' : ` "${reason}"`} ${origin}`;
}

/** What is said of one that would have counted. */
export function expiredWarning(exemption: Exemption): string {
  return `${nameOf(exemption)} expired at ${exemption.until ?? ''} and no longer counts`;
}

/**
 * The exemptions that are about something that was judged, and cover nothing of what was found there.
 *
 * @param judged what was found, by what it was found in
 */
export function unusedExemptions(
  exemptions: readonly Exemption[],
  judged: readonly { readonly subject: Subject; readonly findings: readonly Finding[] }[],
): readonly Exemption[] {
  return exemptions.filter((exemption) => {
    const concerned = judged.filter(({ subject }) => concerns(exemption, subject));
    return (
      concerned.length > 0 &&
      !concerned.some(({ subject, findings }) =>
        findings.some((finding) => covers(exemption, finding, subject)),
      )
    );
  });
}

function covers(exemption: Exemption, finding: Finding, subject: Subject): boolean {
  const { families, rules, paths, causes } = exemption;
  return (
    (families === undefined || families.includes(finding.family)) &&
    (rules === undefined || rules.some((name) => isNamed(name, finding))) &&
    (causes === undefined || causes.some((cause) => cause === finding.cause)) &&
    concerns(exemption, subject, finding.object?.name) &&
    (paths === undefined || paths.some((path) => isAtOrBeneath(path, finding.path)))
  );
}

/** @param object what a finding is about, where that is a part of the subject: a definition of a bundle */
function concerns({ groups, names }: Exemption, subject: Subject, object = subject.name): boolean {
  return (
    (groups === undefined ||
      groups.some((pattern) => subject.groups.some((group) => matches(pattern, group)))) &&
    (names === undefined ||
      names.some((pattern) => matches(pattern, subject.name) || matches(pattern, object)))
  );
}

/** By its rule, by what changed, or by both as reports print them. */
export function isNamed(name: string, finding: Finding): boolean {
  return [finding.rule, changeName(finding), fineName(finding)].includes(name);
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
