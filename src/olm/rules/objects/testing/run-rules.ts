import type { Finding } from '../../../../rule/finding.js';
import type { OlmKind, RuleContext } from '../rule.js';
import { olmRules } from '../table.js';

/** Asks every rule that is about this kind and request, in the table's order. */
export function runOlmRules(kind: OlmKind, context: RuleContext): Finding[] {
  return olmRules
    .filter((rule) => rule.subject === kind && rule.requests.includes(context.request))
    .flatMap((rule) => rule.judge(context));
}
