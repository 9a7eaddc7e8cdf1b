import type { JsonObject, JsonValue } from '../../../text/documents/index.js';
import { valueAt } from '../../../text/documents/fields.js';
import { isNumber } from '../../../text/go/index.js';
import {
  sameValue,
  type ScalePaths,
  type SchemaNode,
  validateScale,
  type VersionDefinition,
} from '../../../kubernetes/index.js';
import { scaleChange, statusChange, withoutScale } from './change.js';
import { filled } from './defaults.js';
import {
  absent,
  below,
  formatPlace,
  isWithin,
  ordinary,
  type Pin,
  pinAt,
  pinFields,
  pinValue,
  type Place,
} from '../pin.js';
import type { Walk } from './pair.js';

/**
 * The scale subresource reads replicas at paths of the object, and refuses a value there that is not a number.
 *
 * @param restored places that this version has pruned so far and another version has stored */
export function compareScale(
  walk: Walk,
  before: VersionDefinition,
  after: VersionDefinition,
  restored: readonly string[] = [],
): void {
  const [old, now] = [before.scale, after.scale];
  const isSame = JSON.stringify(old) === JSON.stringify(now);
  if (now === undefined) {
    if (isSame) return;
    walk.add({ place: undefined, proof: 'safe', reason: 'the scale subresource is gone' });
    return;
  }
  const refused = refusedDefaults(before.schema, after.schema, now);
  if (!isSame) {
    walk.add({
      place: undefined,
      proof: 'open',
      reason:
        old === undefined
          ? 'the scale subresource is new, and refuses what is no number of replicas'
          : 'the scale subresource is read from other paths',
      change: scaleChange,
      harmOf: (witness) =>
        refused.length === 0 && hasOnlyOddNumbers(now, witness) ? 'AbsurdValue' : undefined,
      candidates: () => [
        ...refused.map(({ place }) => pinAt(place, absent)),
        ...pathsOf(now).flatMap((path) => valuesAbove(before.schema, path)),
        ...values.flatMap((value) =>
          pathsOf(now).map((path) => pinAt(placeOf(namesOf(path)), pinValue(value))),
        ),
      ],
    });
  }
  for (const { place, isChanged } of refused) {
    if (!isChanged) continue;
    walk.add({
      place,
      proof: 'open',
      isOfAbsence: true,
      reason: 'the scale subresource refuses what the default sets',
      change: withoutScale,
      candidates: () => [absent],
    });
  }
  for (const path of pathsOf(now)) {
    const place = placeOf(namesOf(path));
    if (!restored.some((each) => isWithin(formatPlace(place), each))) continue;
    walk.add({
      place,
      proof: 'open',
      reason: 'the scale subresource reads it, and refuses what is no number of replicas or text',
      change: withoutScale,
      harmOf: (witness) => (hasOnlyOddNumbers(now, witness) ? 'AbsurdValue' : undefined),
      candidates: () => values.map(pinValue),
    });
  }
}

/** Defaults on the way to what the scale subresource reads, with a value that it refuses. */
function refusedDefaults(before: SchemaNode, after: SchemaNode, scale: ScalePaths) {
  const found = new Map<
    string,
    { readonly place: Place | undefined; readonly isChanged: boolean }
  >();
  for (const path of pathsOf(scale)) {
    const names = namesOf(path);
    let [old, node]: (SchemaNode | undefined)[] = [before, after];
    for (const [index, name] of names.entries()) {
      [old, node] = [old?.properties?.get(name), node?.properties?.get(name)];
      const value = defaultOf(node);
      if (value === undefined) continue;
      const known = names.slice(0, index + 1);
      const object = known.reduceRight<JsonValue>((inner, each) => ({ [each]: inner }), value);
      if (validateScale(object as JsonObject, scale).length === 0) continue;
      const was = defaultOf(old);
      const isChanged = was === undefined || !sameValue(was, value);
      found.set(known.join('.'), { place: placeOf(known), isChanged });
    }
  }
  return [...found.values()];
}

/** Values of a schema on the way that is no object's, in which the scale subresource looks for a field. */
function valuesAbove(schema: SchemaNode, path: string): readonly Pin[] {
  const names = namesOf(path).slice(0, -1);
  let node: SchemaNode | undefined = schema;
  const end = names.findIndex((name) => (node = node?.properties?.get(name))?.type !== 'object');
  return end < 0 ? [] : [pinAt(placeOf(names.slice(0, end + 1)), ordinary)];
}

function defaultOf(node: SchemaNode | undefined): JsonValue | undefined {
  return node?.default === undefined ? undefined : filled(node, node.default);
}

function placeOf(names: readonly string[]): Place | undefined {
  return names.reduce<Place | undefined>(
    (place, name) => below(place, { kind: 'property', name }),
    undefined,
  );
}

const values = ['text', {}, true, null, -1, 1.000000001, 2 ** 31];

function namesOf(path: string): string[] {
  return path.split('.').filter((name) => name !== '');
}

/** Whether nothing but a number of replicas can be the reason: a selector that is no text is an everyday object. */
function hasOnlyOddNumbers(scale: ScalePaths, witness: JsonValue | undefined): boolean {
  if (witness === undefined) return false;
  const { labelSelector } = scale;
  const errors = validateScale(witness as JsonObject, scale);
  return errors.every(
    ({ field }) => field !== labelSelector && isNumber(valueAt(witness, ...namesOf(field))),
  );
}

function pathsOf({ specReplicas, statusReplicas, labelSelector }: ScalePaths): string[] {
  return [specReplicas, statusReplicas, ...(labelSelector === undefined ? [] : [labelSelector])];
}

/** A new status subresource: from now on a create drops the status before the schema is asked. */
export function compareStatus(
  walk: Walk,
  before: VersionDefinition,
  after: VersionDefinition,
): void {
  if (before.hasStatus || !after.hasStatus || !asksForStatus(after.schema)) return;
  walk.add({
    place: undefined,
    proof: 'open',
    reason:
      'the status subresource is new: a create drops the status, and an object without one is refused',
    change: statusChange,
    candidates: () => [pinFields(['status', ordinary])],
  });
}

/** Whether an object without a status may be refused for that. */
function asksForStatus(node: SchemaNode): boolean {
  const { required, rules, minProperties } = node;
  return (
    required.includes('status') ||
    // Every object has apiVersion, kind and metadata.
    (minProperties ?? 0) > 3 ||
    rules.some(({ rule }) => rule.includes('status')) ||
    [...node.allOf, ...node.anyOf, ...node.oneOf].some(asksForStatus)
  );
}
