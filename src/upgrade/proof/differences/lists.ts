import { isObject, type JsonObject } from '../../../text/documents/index.js';
import { sameValue, type SchemaKeywords, type SchemaNode } from '../../../kubernetes/index.js';
import { isSafeByRules } from './cel-rules.js';
import { inTurn, keywords, without } from './change.js';
import type { Budget } from '../budget.js';
import { below, type Pin, pinFields, pinValue, pinWithin } from '../pin.js';
import { maxItems, Sampler, valuesOf } from '../values/sampler.js';
import { conjuncts, typesOf, anything } from '../shape.js';
import { addSafe, isOfType, type Pair, type TypeChange, type Walk } from './pair.js';
import { largest, smallest } from '../../../text/long-lists.js';

export function compareItems(walk: Walk, pair: Pair): TypeChange {
  const { before, after, place, mode } = pair;
  if (!typesOf(before).has('array')) return 'no';
  compareCount(walk, pair, 'minItems');
  compareCount(walk, pair, 'maxItems');
  const isNewlyDistinct = compareListType(walk, pair) && !after.uniqueItems;
  if (after.uniqueItems && !before.uniqueItems) {
    walk.add({
      place,
      proof: 'open',
      reason: 'items must be unique from now on',
      change: { at: place, exchange: keywords('uniqueItems') },
      candidates: () => equalKeys(before, [], walk.budget),
    });
  }
  if (before.uniqueItems && !after.uniqueItems)
    addSafe(walk, pair, 'items may be equal from now on');
  if (mode === 'structure' && isFreed(pair)) {
    addSafe(walk, pair, 'items may be anything from now on');
    return 'retyped';
  }
  const from = before.items ?? anything;
  const to =
    after.items ?? (mode === 'validation' || after.preserveUnknownFields ? anything : undefined);
  if (to === undefined || (before.items === undefined && after.items === undefined)) return 'no';
  if (after.items === undefined && mode === 'validation') return 'no';
  const items = walk.compare({
    before: from,
    after: to,
    place: below(place, { kind: 'item' }),
    mode,
  });
  if (!isNewlyDistinct) compareDistinct(walk, pair, items);
  return items;
}

/** Scalars are neither pruned nor refused where nothing is said of items. */
export function isFreed({ before, after }: Pair): boolean {
  const { items } = before;
  const isGone = after.items === undefined && after.preserveUnknownFields !== true;
  const isScalar = items !== undefined && scalars.has(items.type) && items.format === '';
  return isGone && isScalar && !items.nullable && items.default === undefined;
}

/** Sound: a list whose items, or the keys of whose items, stay as they were is as distinct as before. */
function compareDistinct(walk: Walk, pair: Pair, items: TypeChange): void {
  const { before, after, place } = pair;
  const isDistinct = after.uniqueItems || ['set', 'map'].includes(after.listType ?? '');
  if (!isDistinct || items === 'no' || isOfType(items)) return;
  const isOfKeys = after.listType === 'map' && !after.uniqueItems;
  if (isOfKeys && items !== 'presence' && !areKeysOtherwise(before, after)) return;
  const distinct = ['uniqueItems', 'listType', 'listMapKeys'] as const;
  const isSame = walk.identities.same(only(before, distinct), only(after, distinct));
  walk.add({
    place,
    proof: 'open',
    reason: 'items that must differ look otherwise from now on: defaults, nulls or fields change',
    change: isSame
      ? { at: place, exchange: inTurn(...distinct.map(without)), isConsequence: true }
      : { at: place, exchange: keywords(...distinct) },
    candidates: () => becomingEqual(before, after, walk.budget),
  });
}

/** Keys are scalars: only a default, or what becomes of null, makes another value of one. */
function areKeysOtherwise(before: SchemaNode, after: SchemaNode): boolean {
  return after.listMapKeys.some((key) => {
    const [old, now] = [before, after].map((list) => list.items?.properties?.get(key));
    if (old === undefined || now === undefined || !scalars.has(old.type)) return true;
    // Keys without a default differ where those with one did.
    const isOtherDefault =
      now.default !== undefined &&
      (old.default === undefined || !sameValue(old.default, now.default));
    return isOtherDefault || old.nullable !== now.nullable;
  });
}

const scalars: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

function only(node: SchemaNode, names: readonly (keyof SchemaKeywords)[]): SchemaNode {
  return Object.fromEntries(
    names.map((name) => [name, node[name] ?? false]),
  ) as unknown as SchemaNode;
}

/** An item without one of its fields, beside the same item with what a default or null makes of it. */
function becomingEqual(before: SchemaNode, after: SchemaNode, budget: Budget): Pin[] {
  const node = before.items ?? anything;
  const pins: Pin[] = [];
  const names = [...(node.properties?.keys() ?? [])].slice(0, 12);
  for (const richness of [0, 1]) {
    const sampler = new Sampler({ branch: 0, richness, useDefaults: false }, budget);
    const item = sampler.value([node], undefined, richness, 0);
    if (!isObject(item ?? null)) continue;
    for (const name of names) {
      const kept = Object.entries(item as JsonObject).filter(([key]) => key !== name);
      const others = Object.fromEntries(kept);
      const fallback = after.items?.properties?.get(name)?.default;
      for (const value of [fallback, null]) {
        if (value === undefined) continue;
        pins.push(pinValue([others, { ...others, [name]: value }]));
      }
      const values = valuesOf(node.properties?.get(name) ?? anything, budget, 2);
      pins.push(pinValue(values.map((value) => ({ ...others, [name]: value }))));
    }
  }
  return pins;
}

function compareCount(walk: Walk, pair: Pair, side: 'minItems' | 'maxItems'): void {
  const { before, after, place, mode } = pair;
  const now = after[side];
  if (before[side] === now) return;
  const bounds = conjuncts(before).flatMap((each) => each[side] ?? []);
  const isWithin =
    now === undefined ||
    (side === 'minItems' ? now <= largest(bounds, 0) : smallest(bounds) <= now);
  if (isWithin) {
    addSafe(walk, pair, `${side} is relaxed`);
    return;
  }
  const sign = side === 'minItems' ? '>=' : '<=';
  const rule = (value: string): string => `size(${value}) ${sign} ${now}`;
  if (mode === 'structure' && isSafeByRules(walk, pair, side, rule)) return;
  const count = side === 'minItems' ? Math.max(0, now - 1) : now + 1;
  walk.add({
    place,
    proof: 'open',
    reason: `${side} is ${before[side] === undefined ? 'new' : 'tightened'}: ${now}`,
    change: { at: place, exchange: keywords(side) },
    ...(count > maxItems ? { limit: `a list of ${count} items is larger than is tried` } : {}),
    candidates: () => [
      ...(side === 'minItems'
        ? [pinValue([]), distinctItems(before, largest(bounds, 0), walk.budget)]
        : []),
      ...(count <= maxItems
        ? [
            distinctItems(before, count, walk.budget),
            pinWithin(before, side === 'minItems' ? { maxItems: count } : { minItems: count }),
          ]
        : []),
    ],
  });
}

/** Items that a set or a map list takes: each another value, or another key. */
function distinctItems(list: SchemaNode, count: number, budget: Budget): Pin {
  const node = list.items ?? anything;
  const sampler = new Sampler({ branch: 0, richness: 0, useDefaults: false }, budget);
  const items = Array.from({ length: count }, (_, index): Pin => {
    const keys = list.listType === 'map' ? list.listMapKeys : [];
    if (keys.length === 0) {
      const value = sampler.value([node], undefined, 0, index);
      return value === undefined ? { kind: 'object', fields: new Map() } : pinValue(value);
    }
    return pinFields(
      ...keys.flatMap((key): [string, Pin][] => {
        const value = sampler.value([node.properties?.get(key) ?? anything], undefined, 0, index);
        return value === undefined ? [] : [[key, pinValue(value)]];
      }),
    );
  });
  return { kind: 'list', items };
}

/** @returns whether items must differ from now on, of which nothing more is said */
function compareListType(walk: Walk, pair: Pair): boolean {
  const { before, after, place } = pair;
  const old = before.listType ?? 'atomic';
  const now = after.listType ?? 'atomic';
  const sameKeys = JSON.stringify(before.listMapKeys) === JSON.stringify(after.listMapKeys);
  if (old === now && (now !== 'map' || sameKeys)) {
    if (before.listType !== after.listType) addSafe(walk, pair, 'atomic is the default list type');
    return false;
  }
  const safe = (reason: string): false => {
    walk.add({ place, proof: 'safe', reason });
    return false;
  };
  if (now === 'atomic') return safe(`the list is no longer a ${old}: items may be equal`);
  const hasAllKeys = before.listMapKeys.every((key) => after.listMapKeys.includes(key));
  if (old === 'map' && now === 'map' && hasAllKeys)
    return safe('the list has more keys, and items differ in fewer');
  const reason =
    now === 'set'
      ? 'items must differ from now on (list type set)'
      : `items must differ in ${after.listMapKeys.join(', ')} from now on (list type map)`;
  if (smallest(conjuncts(before).flatMap(({ maxItems }) => maxItems ?? [])) <= 1)
    return safe(`${reason}, and there is one at most`);
  walk.add({
    place,
    proof: 'open',
    reason,
    change: { at: place, exchange: keywords('listType', 'listMapKeys') },
    candidates: () => [
      ...equalKeys(before, after.listMapKeys, walk.budget),
      ...becomingEqual(before, after, walk.budget),
    ],
  });
  return true;
}

/** Two items with the same keys, in the order of the keys. */
function equalKeys(list: SchemaNode, keys: readonly string[], budget: Budget): Pin[] {
  const node = list.items ?? anything;
  const sampler = new Sampler({ branch: 0, richness: 0, useDefaults: true }, budget);
  const fields = keys.flatMap((key): [string, Pin][] => {
    const value = sampler.value([node.properties?.get(key) ?? anything], undefined, 0, 0);
    return value === undefined ? [] : [[key, pinValue(value)]];
  });
  const item = pinFields(...fields);
  const value = fields.length === 0 ? sampler.value([node], undefined, 0, 0) : undefined;
  const pin = value === undefined ? item : pinValue(value);
  return [{ kind: 'list', items: [pin, pin] }];
}
