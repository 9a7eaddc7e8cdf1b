/** Types, null, and what a whole resource inside the object must have. */
import { formatCheck } from '../../../text/formats/index.js';
import type { JsonValue } from '../../../text/documents/index.js';
import { keywords, wholeAt } from './change.js';
import { absent, pinFields, pinValue } from '../pin.js';
import { listedValues, typesOf, type JsonType } from '../shape.js';
import type { Pair, Walk } from './pair.js';

/** A definition may have been stored with a type that is none: no value is of it. */
const samples: ReadonlyMap<string, readonly JsonValue[]> = new Map<JsonType, readonly JsonValue[]>([
  ['object', [{}, { key: 'value' }]],
  ['array', [[], ['item']]],
  ['string', ['text', '1', '']],
  ['integer', [1, 0]],
  ['number', [0.5, 1.5]],
  ['boolean', [true, false]],
]);

/** @returns whether the types are so different that nothing beneath can be compared */
export function compareTypes(walk: Walk, pair: Pair): boolean {
  const { before, after, place, mode } = pair;
  const unconstrained = mode === 'validation' && after.type === '' && !after.intOrString;
  if (!unconstrained) {
    const now = typesOf(after);
    const gone = [...typesOf(before)].filter((type) => !now.has(type));
    const isListed = listedValues(before) !== undefined && before.type !== '';
    const isComparable = typesOf(before).size >= 4;
    if (gone.length > 0 && !isListed) {
      // Nothing refuses stored lists yet, and a later removal of the format would not be denied.
      const isKept = gone.includes('array') && passedByFormat(after).includes('array');
      const kept = isKept
        ? `; stored lists stay valid only while it has format ${after.format}`
        : '';
      walk.add({
        place,
        proof: 'open',
        reason: `the type changes from ${nameOf(before)} to ${nameOf(after)}${kept}`,
        ...(isKept && { isLeftToRules: true }),
        change: isComparable
          ? { at: place, exchange: keywords('type', 'intOrString', 'preserveUnknownFields') }
          : wholeAt(place),
        candidates: () => [
          ...gone.flatMap((type) => samples.get(type)?.map(pinValue) ?? []),
          { kind: 'object', fields: new Map() },
          { kind: 'list', items: [] },
        ],
      });
      // Values of the types that stay are still worth comparing where anything was allowed before.
      if (!isComparable) return true;
    } else if (nameOf(before) !== nameOf(after) && gone.length === 0 && mode === 'structure') {
      walk.add({
        place,
        proof: 'safe',
        reason: `the type is wider: ${nameOf(before)} → ${nameOf(after)}`,
      });
    }
  }
  compareNull(walk, pair);
  if (before.mapType !== after.mapType && mode === 'structure') {
    walk.add({ place, proof: 'safe', reason: 'only how maps are merged changes' });
  }
  compareEmbedded(walk, { before, after, place, mode });
  return false;
}

/**
 * Types that a schema has not, and whose values pass all the same because it has a format: lists, and
 * texts in that format. Numeric types know no such exception.
 *
 * Source: kube-openapi, `pkg/validation/validate/type.go`, `Validate`; seen on an API server of 1.35.
 */
export function passedByFormat({ type, format }: Pair['before']): readonly JsonType[] {
  const isExcepted = ['string', 'array', 'object', 'boolean'].includes(type);
  if (!isExcepted || formatCheck(format) === undefined) return [];
  return (['array', 'string'] as const).filter((each) => each !== type);
}

function nameOf(node: Pair['before']): string {
  if (node.intOrString) return 'int-or-string';
  return node.type === '' ? 'any' : node.type;
}

function compareNull(walk: Walk, pair: Pair): void {
  const { before, after, place, mode } = pair;
  if (before.nullable === after.nullable) return;
  const change = { at: place, exchange: keywords('nullable') };
  if (after.nullable) {
    if (mode === 'validation') return;
    if (before.default === undefined) {
      walk.add({ place, proof: 'safe', reason: 'null is allowed from now on' });
      return;
    }
    const reason = 'null stays null from now on, where it was replaced by the default';
    // Listed values never take null, and of all that a schema says only they are asked about it.
    if (after.enum === undefined) walk.add({ place, proof: 'behavior', reason });
    else walk.add({ place, proof: 'open', reason, change, candidates: () => [pinValue(null)] });
  } else if (mode === 'structure') {
    const reason = 'null is no longer allowed';
    // A field's null is dropped, as if it had been left out; a map's takes its key along, a list's is refused.
    const isKey = pair.isMapKey === true && after.default === undefined;
    if (place?.step.kind !== 'item' && !isKey) walk.add({ place, proof: 'behavior', reason });
    else walk.add({ place, proof: 'open', reason, change, candidates: () => [pinValue(null)] });
  }
}

function compareEmbedded(walk: Walk, { before, after, place }: Pair): void {
  if (before.embeddedResource === after.embeddedResource) return;
  const change = { at: place, exchange: keywords('embeddedResource') };
  if (!after.embeddedResource) {
    walk.add({
      place,
      proof: 'open',
      reason: 'it is no longer a resource of its own: its metadata may be pruned',
      change,
      candidates: () => [
        { kind: 'object', fields: new Map() },
        pinValue({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'a', labels: { a: 'b' } },
        }),
      ],
    });
    return;
  }
  walk.add({
    place,
    proof: 'open',
    reason: 'it must be a resource of its own from now on: apiVersion, kind and valid metadata',
    change,
    candidates: () => [
      pinValue({}),
      pinFields(['apiVersion', absent], ['kind', absent], ['metadata', absent]),
      pinFields(['apiVersion', pinValue('')], ['kind', pinValue('')]),
      pinFields(['metadata', pinValue({ name: 'Not A Name' })]),
    ],
  });
}
