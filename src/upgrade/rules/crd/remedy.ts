/** In words, the way out of what no change of a schema mends. */
import { type Finding, namesOf } from '../../../rule/index.js';
import { noScopeChange, noStoredVersionRemoved } from './definitions.js';
import { servedVersionValidatorRule } from './comparisons.js';

const waysOut: ReadonlyMap<string, string> = new Map(
  [noScopeChange, noStoredVersionRemoved, servedVersionValidatorRule].flatMap((rule) =>
    namesOf(rule).map((name) => [name, rule.instead] as const),
  ),
);

export function remedyFor({ rule, object }: Pick<Finding, 'rule' | 'object'>): string | undefined {
  const sentence = waysOut.get(rule);
  // A function: a name may hold what a replacement text means otherwise.
  return object === undefined ? sentence : sentence?.replace(/\bNAME\b/, () => object.name);
}

export function withRemedy(finding: Finding): Finding {
  const fix = finding.fix ?? remedyFor(finding);
  return fix === undefined ? finding : { ...finding, fix };
}
