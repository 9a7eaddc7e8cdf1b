/** Explains a rule about definitions, by the name that a finding has. */
import { indexByName, ruleOfChange, upgradeRules } from '../../upgrade/index.js';
import type { Audience, Family, Severity } from '../../rule/index.js';

/** A rule as `olm-guard explain` and its page have it. */
export interface RuleExplanation {
  /** The name under which it is documented. */
  readonly id: string;
  readonly family: Family;
  /** The people hurt by what it finds. */
  readonly audience?: Audience;
  /** Before a policy has its say. */
  readonly severity: Severity;
  /** The change that it looks for. */
  readonly checks: string;
  /** The harm otherwise. */
  readonly why: string;
  /** How to have the same without harm. */
  readonly instead: string;
  /** Where the rule comes from: a repository and a function, or the page of a document. */
  readonly source: string;
  /** Parts of definitions, as YAML: what is there before, what the rule finds something in, and what it accepts instead. */
  readonly example: {
    readonly before?: string;
    readonly after: string;
    readonly accepted?: string;
  };
}

const ruleNamed = indexByName(upgradeRules);

/**
 * Explains what a rule checks, why, and what to do instead.
 *
 * @param name `rule` or `cause` of a finding: `NoScopeChange`, `MinimumRaised`, `ChangeValidator/MinimumRaised`
 * @returns undefined for a name that no rule about definitions has
 */
export function explainRule(name: string): RuleExplanation | undefined {
  const [given = '', change = given] = name.split('/');
  const ofChange = ruleOfChange.get(change);
  const rule =
    ruleNamed(given === change ? name : (ofChange ?? given)) ?? ruleNamed(ofChange ?? '');
  if (rule === undefined) return undefined;
  const { id, family, audience, severity, checks, why, instead, source } = rule;
  const { before, after, accepted } = rule.example;
  const example = { before, after, accepted };
  return { id, family, audience, severity, checks, why, instead, source, example };
}
