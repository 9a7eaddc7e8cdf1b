import type { ValidationRule } from '../../../kubernetes/index.js';
import { compileAssumed, declaredType, ruleCases, treeOf } from '../values/cel-cases.js';
import { rule as oneRule, withoutRule } from './change.js';
import type { Pair, Walk } from './pair.js';
import { isRead, readsOf } from './reads.js';
import { hasSameDefault } from '../values/facts.js';
import { candidatesOf, longestRead } from '../values/near-rule.js';

/**
 * @param from how many places looked otherwise before those in the value
 * @param isRetyped whether rules take the value for one of another type
 */
export function compareRules(
  walk: Walk,
  { before, after, place, mode }: Pair,
  from: number,
  isRetyped: boolean,
): void {
  if (mode === 'validation' || before.rules.length + after.rules.length === 0) return;
  const reshaped = walk.reshaped.slice(from);
  const looksAt = (rule: ValidationRule): boolean => {
    if (reshaped.length === 0) return false;
    const tree = treeOf(rule, declaredType(after, place === undefined), walk.budget);
    const reads = tree && readsOf(tree);
    return reshaped.some((changed) => reads === undefined || isRead(reads, changed, place));
  };
  const old = new Map(before.rules.map((rule) => [keyOf(rule), rule]));
  const now = new Map(after.rules.map((rule) => [keyOf(rule), rule]));
  for (const key of old.keys()) {
    if (!now.has(key)) walk.add({ place, proof: 'safe', reason: 'a validation rule is gone' });
  }
  const unchanged = isRetyped ? [] : before.rules.filter((rule) => !looksAt(rule));
  let assumed: ReturnType<typeof compileAssumed> | undefined;
  for (const [key, rule] of now) {
    const known = old.get(key);
    const isNew = known === undefined;
    if (known !== undefined && !isRetyped && !looksAt(rule)) {
      if (known.rule !== rule.rule) {
        walk.add({ place, proof: 'safe', reason: 'a validation rule is written otherwise' });
      }
      continue;
    }
    assumed ??= compileAssumed(before, unchanged, walk.budget);
    const cases = ruleCases(before, after, rule, assumed, place === undefined, walk.budget);
    if (cases?.isAlwaysTrue === true) {
      const odd = isNew ? cases.odd() : undefined;
      const holds = isNew ? 'is new that always holds' : 'still holds always';
      const but = odd === undefined ? '' : ', but reads no integer with a fraction';
      walk.add({
        place,
        reason: `a validation rule ${holds}${but}: ${shorten(rule.rule)}`,
        proof: odd === undefined ? 'safe' : 'open',
        change: { at: place, exchange: oneRule(rule) },
        harmOf: () => 'AbsurdValue',
        candidates: () => odd ?? [],
      });
      continue;
    }
    const isTransition = /\boldSelf\b/.test(rule.rule);
    walk.add({
      place,
      proof: 'open',
      reason: isNew
        ? `a validation rule is new: ${shorten(rule.rule)}`
        : `a validation rule looks at fields that are pruned, set by default or of another type from now on: ${shorten(rule.rule)}`,
      change: isNew
        ? { at: place, exchange: oneRule(rule) }
        : { at: place, exchange: withoutRule(rule), isConsequence: true },
      candidates: () => [...(cases?.pins ?? []), ...candidatesOf(before, rule, walk.budget)],
      obstacle: cases?.obstacle,
      isTransition,
      isAskedOnCreate: rule.optionalOldSelf,
    });
  }
}

/** Whether the rules that the old schema has at the place make sure of it, so that a keyword may say it too. */
export function followsFromRules({ budget }: Walk, pair: Pair, expression: string): boolean {
  const { before, after, place } = pair;
  const [first] = before.rules;
  if (first === undefined || !hasSameDefault(pair)) return false;
  const rule = { ...first, rule: expression, messageExpression: '', optionalOldSelf: false };
  const assumed = compileAssumed(before, before.rules, budget);
  const cases = ruleCases(before, after, rule, assumed, place === undefined, budget);
  return cases?.isAlwaysTrue === true && cases.odd() === undefined;
}

export function keyOf(rule: ValidationRule): string {
  return `${canonical(rule.rule)}\u0000${rule.optionalOldSelf}`;
}

/** The same for rules that differ only in space and in how plain strings are quoted. */
function canonical(text: string): string {
  if (text.length > longestRead) return text;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\s+|[^\s"']+/g);
  // Raw and triple-quoted strings, and comments, are left as they are written.
  if (tokens === null || tokens.join('') !== text || /[rRbB]['"]|'''|"""|\/\//.test(text))
    return text;
  return tokens
    .map((token) => {
      if (/^\s/.test(token)) return ' ';
      return /^'[^'"\\]*'$/.test(token) ? `"${token.slice(1, -1)}"` : token;
    })
    .join('')
    .trim();
}

export function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
