import { identity, readSchema, type SchemaNode } from '../../../kubernetes/index.js';
import { isSafeByRules } from './cel-rules.js';
import { keywords, without, wholeAt } from './change.js';
import { firstNames } from '../../../text/shortened.js';
import { ordinary, type Pin, pinValue, pinWithin } from '../pin.js';
import { commonStrings } from '../values/scalars.js';
import { accepts, listedValues } from '../shape.js';
import { addSafe, type Pair, type Walk } from './pair.js';

/** Keywords that say the same of a value wherever it is, so that each value can be asked. */
const valueKeywords = [
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
] as const;

/** They may refuse a listed value too. */
const operators = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/** @returns whether only listed values were allowed before, and each was looked at */
export function compareValues(walk: Walk, pair: Pair): boolean {
  const { before, after, place, mode } = pair;
  const listed = listedValues(before);
  if (listed === undefined) {
    compareLists(walk, pair);
    return false;
  }
  const gone = listed.filter((value) => !accepts(after, value, walk.release));
  const nullGone = before.nullable && before.enum === undefined && after.enum !== undefined;
  const isOfTexts = before.type === 'string' && !before.nullable && gone.length > 0;
  const kept = (value: string): string => `!(${value} in ${JSON.stringify(gone)})`;
  const isAsked = isOfTexts && mode === 'structure';
  if (isAsked && isSafeByRules(walk, pair, 'the enum', kept)) return true;
  if (gone.length > 0 || nullGone) {
    walk.add({
      place,
      proof: 'open',
      reason:
        gone.length > 0
          ? `values are no longer allowed: ${firstNames(gone.map((value) => JSON.stringify(value)))}`
          : 'null is no longer allowed beside listed values',
      change:
        before.type === after.type && before.intOrString === after.intOrString
          ? { at: place, exchange: keywords('enum', ...valueKeywords, ...operators) }
          : wholeAt(place),
      candidates: () => [...gone.map(pinValue), pinValue(null)],
    });
  } else if (before.enum === undefined && after.enum !== undefined)
    addSafe(walk, pair, 'every value that was allowed is listed');
  else if (before.enum !== undefined && before.enum.length !== after.enum?.length)
    addSafe(walk, pair, after.enum === undefined ? isFree : hasMore);
  else if (valueKeywords.some((each) => before[each] !== after[each]))
    addSafe(walk, pair, 'every listed value is still accepted');
  return true;
}

/** Sound: a value of which nothing is reshaped is the one that was compared before. */
export function compareReshapedValues(walk: Walk, { before, after, place, mode }: Pair): void {
  if (mode === 'validation' || after.enum === undefined) return;
  const isSame = before.enum !== undefined && walk.identities.same(listOf(before), listOf(after));
  walk.add({
    place,
    proof: 'open',
    reason: 'listed values are compared with fields that are pruned or set by default from now on',
    change: isSame
      ? { at: place, exchange: without('enum'), isConsequence: true }
      : { at: place, exchange: keywords('enum') },
    candidates: () => (before.enum ?? after.enum ?? []).map(pinValue),
  });
}

function listOf({ enum: listed = [] }: SchemaNode): SchemaNode {
  return { enum: listed } as unknown as SchemaNode;
}

const isFree = 'any value is allowed instead of a list';
const hasMore = 'values are added to the list';

/** Where a list does not name all that is accepted. */
function compareLists(walk: Walk, pair: Pair): void {
  const { before, after } = pair;
  const old = before.enum === undefined ? undefined : new Set(before.enum.map(identity));
  const now = after.enum === undefined ? undefined : new Set(after.enum.map(identity));
  if (now !== undefined && !(old !== undefined && [...old].every((value) => now.has(value)))) {
    restrict(walk, pair);
  } else if (old !== undefined && old.size !== now?.size)
    addSafe(walk, pair, now === undefined ? isFree : hasMore);
}

function restrict(walk: Walk, pair: Pair): void {
  const { before, after, place, mode } = pair;
  const texts = after.enum?.filter((value) => typeof value === 'string') ?? [];
  const isOfTexts = before.type === 'string' && !before.nullable && before.format === '';
  const rule = (value: string): string => `${value} in ${JSON.stringify(texts)}`;
  if (mode === 'structure' && isOfTexts && isSafeByRules(walk, pair, 'the enum', rule)) return;
  const others = readSchema({ not: { enum: [...(after.enum ?? [])] } }, '$');
  walk.add({
    place,
    proof: 'open',
    reason: 'only listed values are allowed from now on',
    change: { at: place, exchange: keywords('enum') },
    candidates: () => [
      ...(before.nullable ? [pinValue(null)] : []),
      ordinary,
      ...(before.enum ?? []).map(pinValue),
      pinWithin(before, { allOf: [...before.allOf, others] }),
      ...unlisted(before.type),
    ],
  });
}

function unlisted(type: string): Pin[] {
  if (type === 'object' || type === 'array') return type === 'array' ? [pinValue([])] : [];
  const numbers = type === 'string' ? [] : [0, 1, -1, 2, 3, 7, 100, 0.5, 12_345];
  const texts = type === 'string' || type === '' ? ['unlisted', ...commonStrings] : [];
  return [...texts, ...numbers].map(pinValue);
}
