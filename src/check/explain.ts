/** What a decision has to tell whoever asked, in sentences. */
import type { BypassEvaluation } from './bypass.js';
import type { DecidedFinding, Decision } from './decide.js';

/**
 * Everything but the findings themselves: which switch-off was used, which did not count and why,
 * which exemptions have expired.
 *
 * @param refusedByKubernetes rules that the API server enforces, switched off or not
 */
export function explainDecision(
  decision: Decision,
  bypass: Pick<BypassEvaluation, 'problems' | 'requestOnly'>,
  refusedByKubernetes: ReadonlySet<string>,
): string[] {
  return [
    ...explainBypasses(decision, refusedByKubernetes),
    ...bypass.problems,
    ...(decision.allowed ? [] : bypass.requestOnly),
    ...decision.warnings,
  ];
}

/** One sentence per finding that the caller is warned about, or that the text of the denial leaves out. */
export function explainWarned(decided: readonly DecidedFinding[]): string[] {
  return decided
    .filter(
      ({ disposition, bypass, finding }) =>
        (disposition === 'warned' && bypass === undefined) ||
        // The text of a denial is the reference's, which does not name it.
        (disposition === 'denied' && finding.reference !== undefined),
    )
    .map(({ finding, because }) => {
      const note = because === undefined ? '' : ` (not denied: ${because})`;
      return `${finding.rule}: ${finding.message}${note}`;
    });
}

function explainBypasses(decision: Decision, refusedByKubernetes: ReadonlySet<string>): string[] {
  return decision.bypassed.flatMap(({ bypass, family }) => {
    const passed = decision.decided
      .filter((each) => each.bypass === bypass && each.finding.family === family)
      .map(({ finding }) => finding);
    const rules = [...new Set(passed.map(({ rule }) => rule))].join(', ');
    const count = `${passed.length} finding${passed.length === 1 ? '' : 's'}`;
    return [
      `${family} is switched off by ${bypass.description}: ${count} not enforced (${rules})`,
      ...passed
        .filter(({ rule }) => refusedByKubernetes.has(rule))
        .map(({ rule, message }) => `${rule}: ${message}: Kubernetes itself refuses this`),
    ];
  });
}
