import { formatCheck } from '../../../text/formats/index.js';
import { readSchema, type SchemaNode } from '../../../kubernetes/index.js';
import { isKeptByRules } from './cel-rules.js';
import type { Said } from './ruled-places.js';
import { keywords } from './change.js';
import { ordinary, type Pin, pinValue, pinWithin } from '../pin.js';
import { findString } from '../../../text/regular/find-string.js';
import { commonStrings, demandsOnText } from '../values/scalars.js';
import { accepts, conjuncts, typesOf } from '../shape.js';
import { compareRange, limitsNumbers } from './numbers.js';
import { passedByFormat } from './type-change.js';
import { addSafe, type Pair, type Walk } from './pair.js';

export function compareStrings(walk: Walk, pair: Pair): void {
  if (!typesOf(pair.before).has('string')) {
    if (!isEnforced(pair.before.format) && !isEnforced(pair.after.format))
      compareFormat(walk, pair);
    else if (!losesExceptions(walk, pair)) refuseOthers(walk, pair);
    return;
  }
  compareLength(walk, pair, 'maxLength');
  compareLength(walk, pair, 'minLength');
  comparePattern(walk, pair);
  compareFormat(walk, pair);
}

/** Lists in place of strings are unlikely, but some may be stored: these are looked at where they can be. */
function losesExceptions(walk: Walk, { before, after, place, mode }: Pair): boolean {
  if (mode !== 'structure' || isEnforced(after.format)) return false;
  const lost = passedByFormat(before).filter((type) => !typesOf(after).has(type));
  if (lost.length === 0) return false;
  walk.add({
    place,
    proof: 'open',
    reason: `the format is gone, which let values of type ${lost.join(' and ')} pass too`,
    change: { at: place, exchange: keywords('format') },
    harmOf: () => 'AbsurdValue',
    candidates: () => [pinValue([])],
  });
  return true;
}

/** A format without a type takes strings and lists only. */
function refuseOthers(walk: Walk, { before, after, place }: Pair): void {
  if (after.type !== '' || after.intOrString || !isEnforced(after.format)) return;
  if (before.type === 'array' || (before.type === '' && before.format === after.format)) return;
  walk.add({
    place,
    proof: 'open',
    reason: `the format ${after.format} takes no value of type ${before.type}`,
    change: { at: place, exchange: keywords('format') },
    candidates: () => [ordinary],
  });
}

interface Known {
  readonly matches: readonly string[];
  readonly minLength: number;
  readonly maxLength: number;
  readonly isFormatted: boolean;
}

function knownOf(node: SchemaNode): Known {
  const all = conjuncts(node);
  return { ...demandsOnText(all), isFormatted: all.some((each) => isEnforced(each.format)) };
}

function isEnforced(format: string): boolean {
  return format !== '' && formatCheck(format) !== undefined;
}

function compareLength(walk: Walk, pair: Pair, side: 'minLength' | 'maxLength'): void {
  const { before, after, place } = pair;
  const now = after[side];
  if (before[side] === now) return;
  const { matches, minLength, maxLength, isFormatted } = knownOf(before);
  const isWithin =
    now === undefined ||
    (side === 'minLength' ? minLength >= now : maxLength <= now) ||
    (side === 'minLength' && now <= 0);
  if (isWithin) {
    addSafe(walk, pair, `${side} is relaxed`);
    return;
  }
  const wanted =
    side === 'minLength'
      ? { matches, minLength, maxLength: Math.min(maxLength, now - 1) }
      : { matches, minLength: Math.max(minLength, now + 1), maxLength };
  const answer = findString(wanted, walk.budget);
  const isOfPattern = answer.kind === 'none' && !isFormatted;
  // Nothing but the empty string is too short.
  const isNeverEmpty = side === 'minLength' && now <= 1 && !accepts(before, '', walk.release);
  const sign = side === 'minLength' ? '>=' : '<=';
  const said: Said = (value) => `size(${value}) ${sign} ${now}`;
  if (isOfPattern || isNeverEmpty || isKeptByRules(walk, place, said)) {
    const accepted = isFormatted ? 'the format' : 'what is accepted there';
    const what = isOfPattern ? 'the pattern' : isNeverEmpty ? accepted : 'a validation rule';
    walk.add({ place, proof: 'safe', reason: `${side} already follows from ${what}` });
    return;
  }
  walk.add({
    place,
    proof: 'open',
    reason: `${side} is ${before[side] === undefined ? 'new' : 'tightened'}: ${now}`,
    change: { at: place, exchange: keywords(side) },
    candidates: () => [
      ...(answer.kind === 'found' ? [pinValue(answer.text)] : []),
      pinWithin(before, side === 'minLength' ? { maxLength: now - 1 } : { minLength: now + 1 }),
      ...ofLength(side === 'minLength' ? now - 1 : now + 1),
    ],
  });
}

function ofLength(length: number): Pin[] {
  if (length < 0 || length > 300_000) return [];
  return ['a', '1', 'A', '-', '/a'].map((text) =>
    pinValue(text.repeat(Math.ceil(length / text.length)).slice(0, length)),
  );
}

function comparePattern(walk: Walk, pair: Pair): void {
  const { before, after, place } = pair;
  const now = after.pattern;
  if (before.pattern === now) return;
  const known = knownOf(before);
  if (now === '') {
    addSafe(walk, pair, 'the pattern is gone');
    return;
  }
  if (known.matches.includes(now)) return;
  const answer = findString({ ...known, misses: now }, walk.budget);
  const said: Said = (value) => `${value}.matches(${JSON.stringify(now)})`;
  const isOfRule = isKeptByRules(walk, place, said);
  if ((answer.kind === 'none' && !known.isFormatted) || isOfRule) {
    walk.add({ place, proof: 'safe', reason: 'the pattern matches everything that was allowed' });
    return;
  }
  walk.add({
    place,
    proof: 'open',
    reason: before.pattern === '' ? `a pattern is new: ${now}` : `the pattern changes to ${now}`,
    change: { at: place, exchange: keywords('pattern') },
    candidates: () => [
      ...(answer.kind === 'found' ? [pinValue(answer.text)] : []),
      pinWithin(before, { allOf: [...before.allOf, readSchema({ not: { pattern: now } }, '$')] }),
      ...commonStrings.map(pinValue),
      ...ofLength(known.minLength + 1),
    ],
  });
}

function compareFormat(walk: Walk, pair: Pair): void {
  const { before, after, place } = pair;
  if (before.format === after.format) return;
  if (limitsNumbers(after)) {
    compareRange(walk, pair);
    return;
  }
  if (!isEnforced(after.format)) {
    if (losesExceptions(walk, pair)) return;
    const isGone = after.format === '' || isEnforced(before.format);
    addSafe(walk, pair, isGone ? 'the format is gone' : 'Kubernetes does not enforce this format');
    return;
  }
  if (
    conjuncts(before).some(
      (each) => formatCheck(each.format) === formatCheck(after.format) && isEnforced(each.format),
    )
  ) {
    addSafe(walk, pair, 'the format is another name of the same');
    return;
  }
  const known = knownOf(before);
  walk.add({
    place,
    proof: 'open',
    reason: `the format ${after.format} is new`,
    change: { at: place, exchange: keywords('format') },
    candidates: () => {
      const made = findString(known, walk.budget);
      return [
        ...(made.kind === 'found' ? [pinValue(made.text)] : []),
        ...commonStrings.map(pinValue),
        ...ofLength(known.minLength + 3),
      ];
    },
  });
}
