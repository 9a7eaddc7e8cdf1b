/** In words, the way out of what no change of a schema mends. */
import { type Finding, namesOf } from '../../../rule/index.js';
import { noScopeChange } from './no-scope-change.js';
import { noStoredVersionRemoved } from './no-stored-version-removed.js';
import { servedVersionValidatorRule } from './served-version-validator.js';

const waysOut: ReadonlyMap<string, string> = new Map(
  [noScopeChange, noStoredVersionRemoved, servedVersionValidatorRule].flatMap((rule) =>
    namesOf(rule).map((name) => [name, rule.instead] as const),
  ),
);

/** The way out of such a finding, in a sentence; undefined where a change of the schema is one. */
export function remedyFor({ rule, object }: Pick<Finding, 'rule' | 'object'>): string | undefined {
  const sentence = waysOut.get(rule);
  // A function: a name may hold what a replacement text means otherwise.
  return object === undefined ? sentence : sentence?.replace(/\bNAME\b/, () => object.name);
}

/** A finding with the way out as its fix, where it has none of its own. */
export function withRemedy(finding: Finding): Finding {
  const fix = finding.fix ?? remedyFor(finding);
  return fix === undefined ? finding : { ...finding, fix };
}
