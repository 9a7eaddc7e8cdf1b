/** Fields: declared, required, pruned, preserved, and how many. */
import { escapeName, type SchemaNode } from '../../../kubernetes/index.js';
import { followsFromRules, isKeptByRules, isSafeByRules } from './cel-rules.js';
import { countRule } from './keyword-rules.js';
import { field, inField, inTurn, keywords, openness, requirement, without } from './change.js';
import type { Difference } from './difference.js';
import type { Budget } from '../budget.js';
import {
  isResource,
  ownFieldAfter,
  ownFieldBefore,
  serverManagedFields,
  saidOf,
} from '../server-managed-fields.js';
import { absent, below, type Pin, pinFields, pinValue, pinWithin, type Place } from '../pin.js';
import { Sampler } from '../values/sampler.js';
import { accepts, anything, conjuncts, otherFieldsOf, typesOf, undeclared } from '../shape.js';
import { addSafe, isOfType, noteReshaped, type Pair, type TypeChange, type Walk } from './pair.js';
import { largest, smallest } from '../../../text/long-lists.js';

/** Fields by what becomes of their stored values under the new schema. */
export interface FieldsDifference {
  /** They look otherwise. */
  readonly reshaped: Set<string>;
  /** Rules take them for another type. */
  readonly retyped: Set<string>;
}

export function compareFields(walk: Walk, pair: Pair): FieldsDifference {
  const reshaped = new Set<string>();
  const retyped = new Set<string>();
  if (!typesOf(pair.before).has('object')) return { reshaped, retyped };
  let isCountChanged = false;
  const note = (name: string, compare: () => TypeChange): void => {
    const before = walk.reshaped.length;
    const change = compare();
    const kind = name === undeclared ? 'key' : 'property';
    noteReshaped(walk, below(pair.place, { kind, name }), change, before);
    if (isOfType(change)) retyped.add(name);
    else if (change !== 'no') reshaped.add(name);
    if (change === 'presence') isCountChanged = true;
  };
  const names = namesOf(pair);
  const from = walk.reshaped.length;
  const isOfAll = [pair.before, pair.after].some((node) => node.additionalProperties !== undefined);
  if (isOfAll && isResource(pair.before, pair.place))
    for (const name of serverManagedFields) names.add(name);
  for (const name of names) note(name, () => compareField(walk, pair, name));
  note(undeclared, () => compareOthers(walk, pair));
  compareRequired(walk, pair, from);
  compareCount(walk, pair, isCountChanged, 'minProperties');
  compareCount(walk, pair, isCountChanged, 'maxProperties');
  return { reshaped, retyped };
}

function namesOf({ before, after }: Pair): Set<string> {
  const names = new Set(before.properties?.keys());
  for (const name of after.properties?.keys() ?? []) names.add(name);
  return names;
}

function compareField(walk: Walk, pair: Pair, name: string): TypeChange {
  const { before, after, mode } = pair;
  const place = below(pair.place, { kind: 'property', name });
  const isOwn = serverManagedFields.has(name) && isResource(before, pair.place);
  const isStill = mode === 'validation' || isResource(after, pair.place);
  if (isOwn && isStill) return compareOwn(walk, pair, name);
  const from = isOwn
    ? ownFieldBefore(before, pair.place, name)
    : (before.properties?.get(name) ?? otherFieldsOf(before));
  const to =
    after.properties?.get(name) ??
    (mode === 'validation' ? after.additionalProperties?.schema : otherFieldsOf(after));
  if (from === undefined) {
    if (to === undefined || mode === 'validation') return 'no';
    const isSet = to.default !== undefined;
    if (to.default !== undefined && !accepts(to, to.default)) {
      const reason = 'a field is added with a default that its schema refuses';
      const change = { at: pair.place, exchange: field(name) };
      walk.add({
        place,
        proof: 'open',
        isOfAbsence: true,
        reason,
        change,
        candidates: () => [absent],
      });
      return 'presence';
    }
    walk.add({
      place,
      proof: isSet ? 'behavior' : 'safe',
      reason: isSet ? 'a field is added and set by default' : 'an optional field is added',
    });
    return isSet ? 'presence' : 'no';
  }
  if (to === undefined) {
    if (mode === 'validation') return 'no';
    if (isKeptByRules(walk, place)) {
      const reason = 'the field is gone, and validation rules let it have no value';
      walk.add({ place, proof: 'safe', reason });
      return 'no';
    }
    walk.add(pruned(pair, name, from, walk.budget));
    return 'presence';
  }
  const isMapKey = before.properties?.has(name) !== true;
  const isGiven =
    before.requires(name) && from.default === undefined && !from.nullable && from.type !== '';
  return walk.compare({ before: from, after: to, place, mode, isMapKey, isGiven });
}

/**
 * Sound: the walk assumes that the old side lets through at least as much as the API server and that schema did.
 */
function compareOwn(walk: Walk, pair: Pair, name: string): TypeChange {
  const { before, after, mode } = pair;
  const [old, now] = [saidOf(before, name), saidOf(after, name)];
  if (walk.identities.same(old, now) || (now === undefined && mode === 'validation')) return 'no';
  const place = below(pair.place, { kind: 'property', name });
  const isSaid = mode === 'validation' && now !== undefined;
  const open = walk
    .attempt({
      before: ownFieldBefore(before, pair.place, name),
      after: isSaid ? now : ownFieldAfter(after, name),
      place,
      mode,
    })
    .filter(({ proof }) => proof === 'open');
  const always = 'every object has apiVersion, kind and metadata, whether the schema names them';
  if (open.length === 0) addSafe(walk, { ...pair, place }, always);
  // One of the schemas may not have the place of the difference: the field is exchanged as a whole.
  const change = { at: pair.place, exchange: field(name) };
  for (const each of open) {
    walk.add(each.change?.isConsequence === true ? each : { ...each, change });
  }
  return open.length === 0 ? 'no' : 'inside';
}

function pruned(
  { before, place }: Pair,
  name: string,
  from: SchemaNode,
  budget: Budget,
): Difference {
  // A field that is not declared is still there where undeclared ones are kept.
  const isKept = otherFieldsOf(before) !== undefined;
  return {
    place: below(place, { kind: 'property', name }),
    proof: 'open',
    isOfPruning: true,
    change: { at: place, exchange: isKept ? inTurn(field(name), openness) : field(name) },
    reason: 'the field is gone: its values are pruned',
    candidates: () => samplesOf(from, budget),
  };
}

function samplesOf(node: SchemaNode, budget: Budget): Pin[] {
  const pins: Pin[] = [];
  for (const richness of [0, 1, 2]) {
    for (const branch of [0, 1, 2, 3]) {
      const sampler = new Sampler({ branch, richness, useDefaults: branch === 0 }, budget);
      const value = sampler.value([node], undefined, richness, 0);
      if (value !== undefined) pins.push(pinValue(value));
    }
  }
  return pins;
}

function compareOthers(walk: Walk, pair: Pair): TypeChange {
  const { before, after, mode } = pair;
  const from = otherFieldsOf(before);
  const place = below(pair.place, { kind: 'key', name: freshName(pair) });
  if (mode === 'validation') {
    const to = after.additionalProperties?.schema;
    if (from === undefined || to === undefined) return 'no';
    return walk.compare({ before: from, after: to, place, mode });
  }
  const to = otherFieldsOf(after);
  if (from === undefined) {
    if (to !== undefined) {
      walk.add({
        place: pair.place,
        proof: 'safe',
        reason: 'fields that were pruned are kept from now on',
      });
    }
    return 'no';
  }
  if (to === undefined) {
    // Objects are refused for their type there.
    if (!typesOf(after).has('object')) return 'presence';
    walk.add({
      place: pair.place,
      proof: 'open',
      isOfPruning: true,
      reason: 'undeclared fields are no longer kept: their values are pruned',
      change: { at: pair.place, exchange: openness },
      candidates: () => [
        ...samplesOf(from, walk.budget).map((pin) => pinFields([freshName(pair), pin])),
        ...samplesOf(from, walk.budget).map((pin): Pin => ({
          kind: 'list',
          items: [pinFields([freshName(pair), pin])],
        })),
      ],
    });
    return 'presence';
  }
  if (from === anything && to === anything) return 'no';
  return walk.compare({ before: from, after: to, place, mode, isMapKey: true });
}

function freshName({ before, after }: Pair): string {
  const acceptedByServer = (name: string): boolean =>
    before.properties?.has(name) === true || after.properties?.has(name) === true;
  let name = 'key';
  for (let index = 0; acceptedByServer(name); index++) name = `key${index}`;
  return name;
}

function compareRequired(walk: Walk, pair: Pair, from: number): void {
  const { before, after, place, mode } = pair;
  const old = new Set(conjuncts(before).flatMap((each) => each.required));
  const now = new Set(after.required);
  const at = (name: string): Place => below(place, { kind: 'property', name });
  const safe = (name: string, reason: string): void =>
    addSafe(walk, { ...pair, place: at(name) }, reason);
  for (const name of now) {
    const fallback = after.properties?.get(name)?.default;
    // A manifest must name the field only where no default does it instead.
    if (old.has(name) && before.properties?.get(name)?.default === undefined) {
      if (mode === 'structure' && holdsNull(before, name) && dropsNull(after, name)) {
        walk.add({
          place: at(name),
          proof: 'open',
          reason: 'null counts as left out from now on, and the field is required',
          change: { at: place, exchange: inField(name, keywords('nullable')) },
          candidates: () => [pinValue(null)],
        });
      }
      continue;
    }
    if (place === undefined && serverManagedFields.has(name)) {
      if (!before.requires(name)) safe(name, 'every object has it, whatever the schema says');
      continue;
    }
    if (mode === 'structure' && fallback !== undefined) {
      if (!before.requires(name)) safe(name, 'the field is required, and set by default');
      continue;
    }
    const identifier = escapeName(name);
    const isAsked = mode === 'structure' && identifier !== undefined;
    if (isAsked && followsFromRules(walk, pair, `has(self.${identifier})`, from)) {
      safe(name, 'a validation rule requires the field already');
      continue;
    }
    walk.add({
      place: at(name),
      proof: 'open',
      isOfAbsence: true,
      reason: 'the field is required from now on',
      change: { at: place, exchange: requirement(name) },
      candidates: () => [absent, pinValue(null)],
    });
  }
  for (const name of before.required)
    if (!now.has(name)) safe(name, 'the field is no longer required');
}

function holdsNull(node: SchemaNode, name: string): boolean {
  const declared = node.properties?.get(name) ?? node.additionalProperties?.schema;
  return declared === undefined || declared.nullable;
}

function dropsNull(node: SchemaNode, name: string): boolean {
  const declared = node.properties?.get(name) ?? node.additionalProperties?.schema;
  return declared !== undefined && !declared.nullable && declared.default === undefined;
}

function compareCount(
  walk: Walk,
  pair: Pair,
  reshaped: boolean,
  side: 'minProperties' | 'maxProperties',
): void {
  const { before, after, place, mode } = pair;
  const now = after[side];
  if (before[side] === now && !(reshaped && now !== undefined)) return;
  const bounds = conjuncts(before).flatMap((each) => each[side] ?? []);
  const isWithin =
    now === undefined ||
    (side === 'minProperties'
      ? now <= largest(bounds, surelyPresent(pair))
      : smallest(bounds, maxPresent(before, place)) <= now);
  if (isWithin && !(reshaped && now !== undefined)) {
    addSafe(walk, pair, `${side} is relaxed`);
    return;
  }
  const said = reshaped || mode !== 'structure' ? undefined : countRule(pair, side, now);
  if (isSafeByRules(walk, pair, side, said)) return;
  walk.add({
    place,
    proof: 'open',
    reason: isWithin
      ? `${side} counts fields that defaults add or pruning takes away`
      : `${side} is ${before[side] === undefined ? 'new' : 'tightened'}: ${now}`,
    change:
      before[side] === now
        ? { at: place, exchange: without(side), isConsequence: true }
        : { at: place, exchange: keywords(side) },
    candidates: () => [
      ...withFields(pair, now ?? 0, side, walk.budget),
      pinWithin(
        before,
        side === 'minProperties'
          ? { maxProperties: (now ?? 1) - 1 }
          : { minProperties: (now ?? 0) + 1 },
      ),
    ],
  });
}

/** Fields that are required, or that a default fills in before and after; a whole object has its own anyway. */
function surelyPresent({ before, after, place }: Pair): number {
  const required = new Set(conjuncts(before).flatMap((each) => each.required));
  const isFilled = (node: SchemaNode, name: string): boolean =>
    node.properties?.get(name)?.default !== undefined;
  const named = [...required].filter((name) => !isFilled(before, name) || isFilled(after, name));
  return new Set([...named, ...(place === undefined ? serverManagedFields : [])]).size;
}

/** Fields of a resource are counted whether its schema names them or not. */
function maxPresent(node: SchemaNode, place: Place | undefined): number {
  if (otherFieldsOf(node) !== undefined) return Infinity;
  const declared = [...(node.properties?.keys() ?? [])];
  return new Set([...declared, ...(isResource(node, place) ? serverManagedFields : [])]).size;
}

const maxFieldsTried = 1_000;

function withFields(
  { before, after }: Pair,
  bound: number,
  side: 'minProperties' | 'maxProperties',
  budget: Budget,
): Pin[] {
  const names = [...(before.properties?.keys() ?? [])];
  const others = otherFieldsOf(before);
  const counts =
    side === 'minProperties' ? [0, bound - 1, bound, bound + 1] : [bound + 1, bound, names.length];
  const sampler = new Sampler({ branch: 0, richness: 0, useDefaults: true }, budget);
  // Fields that the new schema prunes or does not fill come first: they change the count most.
  const ordered = names.sort((left, right) => weight(after, right) - weight(after, left));
  // Required, and yet left out: a default stands in for them.
  const filledIn = before.required.filter(
    (name) => before.properties?.get(name)?.default !== undefined,
  );
  const made = (count: number): Pin => {
    const fields: [string, Pin][] = [];
    for (let index = 0; fields.length < count && index < count + names.length; index++) {
      const name = ordered[index] ?? `key${index}`;
      const node = before.properties?.get(name) ?? others;
      const value = node === undefined ? undefined : sampler.value([node], undefined, 0, 0);
      if (value !== undefined) fields.push([name, pinValue(value)]);
    }
    const chosen = new Set(fields.map(([name]) => name));
    const left = side === 'minProperties' ? filledIn.filter((name) => !chosen.has(name)) : [];
    return pinFields(...fields, ...left.map((name) => [name, absent] as const));
  };
  return counts.filter((count) => count >= 0 && count <= maxFieldsTried).map(made);
}

function weight(after: SchemaNode, name: string): number {
  const node = after.properties?.get(name);
  if (node === undefined) return otherFieldsOf(after) === undefined ? 2 : 0;
  return node.default === undefined ? 1 : 0;
}
