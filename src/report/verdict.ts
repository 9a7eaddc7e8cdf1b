/** The decision of a report in a word, and in one sentence who is affected. */
import type { Finding } from '../rule/index.js';
import { firstNames, shortened } from '../text/shortened.js';
import type { CheckReport, CheckResult } from './check-report.js';
import { plural } from '../text/plural.js';
import { countSeverities, gravityOf } from './grouping.js';
import { fieldOf, withoutLocation } from './wording.js';

export interface ReportVerdict {
  readonly word: string;
  readonly sentence: string;
  /** In a few words, for a title or the head of a comment. */
  readonly summary: string;
  readonly kind: 'denied' | 'warned' | 'allowed';
}

const longestSentence = 240;
/** More definitions than any public operator has. */
const maxNames = 200;
const partly = 'not everything was checked';

/** Follows the worst that was found: nothing is headed as fine that is not. */
export function verdictOf({
  results,
  unchecked = [],
  failed,
  counts,
  subject,
}: CheckReport): ReportVerdict {
  const denied = results.filter(({ verdict }) => !verdict.allowed);
  const findings = results.flatMap(({ verdict }) => verdict.findings);
  const { error: errors, warning: warnings } = countSeverities(findings);
  const isPartial = failed !== undefined || unchecked.length > 0;
  const also = isPartial ? `, ${partly}` : '';
  if (denied.length > 0) {
    const summary = `${counts['denied'] ?? denied.length} denied${also}`;
    const names = denied.map(({ name }) => name);
    const all = names.length === 1 ? '' : `; denied: ${firstNames(names, maxNames)}`;
    return { word: 'Denied', summary, sentence: `${worstSentence(denied)}${all}`, kind: 'denied' };
  }
  if (errors > 0) {
    const word = plural(errors, 'error');
    return { word, summary: word + also, sentence: worstSentence(results), kind: 'denied' };
  }
  if (failed !== undefined) {
    const sentence = unchecked[0] ?? 'the check did not get to its end';
    return { word: capital(partly), summary: partly, sentence, kind: 'denied' };
  }
  if (warnings > 0) {
    const word = plural(warnings, 'warning');
    return {
      word: `Allowed, ${word}`,
      summary: word + also,
      sentence: worstSentence(results),
      kind: 'warned',
    };
  }
  if (isPartial) {
    const sentence = 'Nothing was found in what could be checked';
    return { word: capital(partly), summary: `nothing found${also}`, sentence, kind: 'warned' };
  }
  const sentence = `${subject}: nothing was found that harms`;
  return { word: 'Allowed', summary: 'allowed', sentence, kind: 'allowed' };
}

function worstSentence(results: readonly CheckResult[]): string {
  const all = results.flatMap(({ name, verdict }) =>
    verdict.findings.map((finding) => ({ name, finding })),
  );
  const [worst] = all.toSorted((one, other) => gravityOf(one.finding) - gravityOf(other.finding));
  if (worst === undefined) return results[0]?.verdict.warnings[0] ?? 'denied without a finding';
  return shortened(harmSentence(worst.name, worst.finding), longestSentence);
}

/** Stored objects are named by the rule's own sentence; else the field and what happens to it. */
function harmSentence(name: string, finding: Finding): string {
  const { effect, family, object } = finding;
  const field = fieldOf(finding);
  const [message = ''] = withoutLocation(finding).split('\n', 1);
  if (family === 'stored-objects' || field === undefined) {
    return /^(is|has|was|names|would) /.test(message)
      ? `${name} ${message}`
      : `${name}: ${message}`;
  }
  const judged = object?.kind === 'CustomResourceDefinition' ? object.name : name;
  if (effect === 'breaking') return `Objects of ${judged} would be refused at ${field}: ${message}`;
  if (effect === 'data-loss') return `Objects of ${judged} would lose ${field}`;
  return `${judged}, ${field}: ${message}`;
}

export function capital(text: string): string {
  if (/^[^\s:]+[.[/][^\s:]/.test(text)) return text;
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
