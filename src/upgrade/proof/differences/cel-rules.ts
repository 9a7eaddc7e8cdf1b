import type { ValidationRule } from '../../../kubernetes/index.js';
import {
  type Around,
  type Assumed,
  compileAssumed,
  refusesNothing,
  type RuleCases,
  ruleCases,
} from '../values/cases/rule-cases.js';
import { declaredType, isTransition, ruleOf, treeOf } from '../values/cases/compiled.js';
import { ordinary, type Place } from '../pin.js';
import { type Change, rule as oneRule, withoutRule } from './change.js';
import type { Pair, Walk } from './pair.js';
import { rulesOfKeywords } from './keyword-rules.js';
import { isRead, readsOf } from './reads.js';
import { RuledPlaces, rulesOf, type Said, shareOfKeyword } from './ruled-places.js';
import { seenBefore } from './seen-before.js';
import { chained } from '../../../text/long-lists.js';
import { hasSameDefault, looksAlike } from '../values/cases/spots.js';

/**
 * @param from how many places looked otherwise before those in the value
 * @param isRetyped whether rules take the value for one of another type
 */
export function compareRules(walk: Walk, pair: Pair, from: number, isRetyped: boolean): void {
  const { before, after, place, mode } = pair;
  if (mode === 'validation' || before.rules.length + after.rules.length === 0) return;
  const reshaped = walk.reshaped.slice(from);
  const looksAt = (rule: ValidationRule): boolean => {
    if (reshaped.length === 0) return false;
    const tree = treeOf(rule, declaredType(after, place === undefined), walk.budget);
    const reads = tree && readsOf(tree);
    return reads === undefined || isReshaped(walk, reads, reshaped, place);
  };
  const old = new Map(before.rules.map((rule) => [keyOf(rule), rule]));
  const now = new Map(after.rules.map((rule) => [keyOf(rule), rule]));
  for (const key of old.keys()) {
    if (!now.has(key)) walk.add({ place, proof: 'safe', reason: 'a validation rule is gone' });
  }
  const unchanged = isRetyped ? [] : before.rules.filter((rule) => !looksAt(rule));
  const asked = after.rules.map(({ rule }) => rule);
  let assumed: readonly Assumed[] | undefined;
  let surroundings: [Around | undefined] | undefined;
  for (const [key, rule] of now) {
    const same = old.get(key);
    const isNew = same === undefined;
    if (same !== undefined && !isRetyped && !looksAt(rule)) {
      if (same.rule !== rule.rule) {
        walk.add({ place, proof: 'safe', reason: 'a validation rule is written otherwise' });
      }
      continue;
    }
    assumed ??= compileAssumed(
      before,
      [...unchanged, ...rulesOfKeywords(pair)],
      walk.budget,
      asked,
    );
    const known = assumed;
    const ask = (around?: Around, share?: number): RuleCases | undefined =>
      ruleCases(before, after, rule, known, place === undefined, walk.budget, around, share);
    let cases = ask();
    if (isNew && cases?.isAlwaysTrue === false) {
      const [around] = (surroundings ??= [aroundOf(walk, place)]);
      const inside = around && ask(around, shareOfKeyword);
      if (inside?.isAlwaysTrue === true) cases = inside;
    }
    const change: Change = isNew
      ? { at: place, exchange: oneRule(rule) }
      : { at: place, exchange: withoutRule(rule), isConsequence: true };
    if (cases?.isAlwaysTrue === true) {
      const odd = cases.odd();
      const holds = isNew ? 'is new that always holds' : 'still holds always';
      const but = odd === undefined ? '' : ', but reads no integer with a fraction';
      walk.add({
        place,
        reason: `a validation rule ${holds}${but}: ${shorten(rule.rule)}`,
        proof: odd === undefined ? 'safe' : 'open',
        change,
        harmOf: () => 'AbsurdValue',
        candidates: () => odd ?? [],
      });
      continue;
    }
    walk.add({
      place,
      proof: 'open',
      reason: isNew
        ? `a validation rule is new: ${shorten(rule.rule)}`
        : `a validation rule looks at fields that are pruned, set by default or of another type from now on: ${shorten(rule.rule)}`,
      change,
      candidates: () =>
        chained(cases?.pins ?? [ordinary], cases?.obstacle === undefined ? [] : cases.near()),
      obstacle: cases?.obstacle,
      isSafeAfterAll: () => {
        const seen = isRetyped ? undefined : seenBefore(walk, pair, reshaped);
        if (seen === undefined) return false;
        const all = [...known, ...seen.assumed];
        return refusesNothing(seen.before, seen.after, rule, all, place === undefined, walk.budget);
      },
      isTransition: isTransition(rule),
      isAskedOnCreate: rule.optionalOldSelf,
    });
  }
}

/** Whether rules that the old schema has there or around make sure of it, so that a keyword may say it too. */
export function followsFromRules(
  walk: Walk,
  pair: Pair,
  expression: string,
  from = walk.reshaped.length,
): boolean {
  const { budget } = walk;
  const { before, after, place } = pair;
  const around = aroundOf(walk, place);
  const isRuled = before.rules.length > 0 || around !== undefined;
  if (!isRuled || budget.isSpent || !hasSameDefault(pair)) return false;
  const rule = ruleOf(expression);
  const reshaped = walk.reshaped.slice(from);
  const assumed = rulesOf(walk, before).filter(({ tree }) => {
    if (reshaped.length === 0) return true;
    const reads = readsOf(tree);
    budget.spend(Math.ceil((reads.length * reshaped.length) / 10));
    return !budget.isSpent && !isReshaped(walk, reads, reshaped, place);
  });
  const isWhole = place === undefined;
  return refusesNothing(before, after, rule, assumed, isWhole, budget, around, shareOfKeyword);
}

/** Whether the rules of the old schema let no value be at the place, or with `said` none of which that does not hold. */
export function isKeptByRules(walk: Walk, place: Place | undefined, said?: Said): boolean {
  const [whole] = walk.around;
  if (whole === undefined || whole.place !== undefined || whole.mode !== 'structure') return false;
  return new RuledPlaces(whole.before, walk.budget, walk.compiled).keep(place, said);
}

/**
 * Whether a keyword follows from rules, which is then added as the reason why it is safe.
 *
 * @param said an expression where it says something of what is absent too
 */
export function isSafeByRules(
  walk: Walk,
  pair: Pair,
  keyword: string,
  said: Said | string | undefined,
): boolean {
  if (said === undefined) return false;
  const isSafe =
    typeof said === 'string'
      ? followsFromRules(walk, pair, said)
      : isKeptByRules(walk, pair.place, said);
  if (!isSafe) return false;
  const reason = `${keyword} already follows from a validation rule`;
  walk.add({ place: pair.place, proof: 'safe', reason });
  return true;
}

/** Steps up to a value whose rules are looked at. */
const furthest = 3;

/** The furthest value around the place that has rules and looks alike under both schemas, with all these rules. */
function aroundOf(walk: Walk, place: Place | undefined): Around | undefined {
  const { around, budget } = walk;
  if (!around.every(hasSameDefault)) return undefined;
  const path: string[] = [];
  let found: Around | undefined;
  let assumed: readonly Assumed[] = [];
  for (let at = place; at !== undefined && path.length < furthest; at = at.parent) {
    const { step, parent } = at;
    if (step.kind === 'key') break;
    path.unshift(step.kind === 'item' ? '[]' : step.name);
    const pair = around.find((each) => each.place === parent && each.mode === 'structure');
    if (pair === undefined) break;
    const { before, after } = pair;
    if (before.rules.length === 0 || before.embeddedResource) continue;
    const up = path.length;
    const about = rulesOf(walk, before).filter(({ tree }) =>
      isRead(readsOf(tree), place as Place, parent),
    );
    if (about.length === 0) continue;
    if (!looksAlike(before, after, budget)) break;
    assumed = [...assumed, ...about.map((each) => ({ ...each, up }))];
    found = { before, after, isResource: parent === undefined, path: [...path], assumed };
  }
  return found;
}

function isReshaped(
  { retyped }: Walk,
  reads: ReturnType<typeof readsOf>,
  places: readonly Place[],
  root: Place | undefined,
): boolean {
  return places.some((place) => isRead(reads, place, root, retyped.has(place)));
}

export function keyOf(rule: ValidationRule): string {
  return `${canonical(rule.rule)}\u0000${rule.optionalOldSelf}`;
}

/** Longer rules are compared as they are written: strings without an end would take long to find. */
const longestRead = 10_000;

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
