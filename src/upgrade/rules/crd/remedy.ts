/** Remedies in words, for findings that no change of a schema ends. */
import { type Finding, namesOf } from '../../../rule/index.js';
import { noScopeChange, noStoredVersionRemoved } from './definitions.js';
import { servedVersionValidatorRule } from './comparisons.js';

const remedies: ReadonlyMap<string, string> = new Map(
  [noScopeChange, noStoredVersionRemoved, servedVersionValidatorRule].flatMap((rule) =>
    namesOf(rule).map((name) => [name, rule.instead] as const),
  ),
);

export function remedyFor({ rule, object }: Pick<Finding, 'rule' | 'object'>): string | undefined {
  const sentence = remedies.get(rule);
  // A function, because `$&` in a name would mean something in a replacement text.
  return object === undefined ? sentence : sentence?.replace(/\bNAME\b/, () => object.name);
}

export function withRemedy(finding: Finding): Finding {
  const fix = finding.fix ?? remedyFor(finding);
  return fix === undefined ? finding : { ...finding, fix };
}
