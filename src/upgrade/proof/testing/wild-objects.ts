/** Objects that attack a proof: near to what both schemas speak of, and made by none of the proof's own code. */
import { own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import type { Dice } from './dice.js';
import { words } from './wild-schemas.js';

const formatted = [
  '2024-01-01T00:00:00Z',
  '10.0.0.1',
  'b7d3d5a1-3c3e-4b8a-9a67-1f1e2d3c4b5a',
  'aGVsbG8=',
  '1h',
  'example.com',
];

/** An object that the first schema may take, near to what both schemas speak of. */
export function wildObject(dice: Dice, before: JsonObject, after: JsonObject): JsonObject {
  const body = value(dice, before, after, 5) as JsonObject;
  return {
    ...body,
    apiVersion: 'test.example.com/v1',
    kind: 'Sample',
    metadata: { name: 'example', namespace: 'default' },
  };
}

function value(dice: Dice, made: JsonObject, other: JsonObject, depth: number): JsonValue {
  if (own(made, 'nullable') === true && dice.chance(0.2)) return null;
  const listed = own(made, 'enum');
  if (Array.isArray(listed) && dice.chance(0.9)) return dice.pick(listed);
  const fallback = own(made, 'default');
  if (fallback !== undefined && dice.chance(0.2)) return fallback;
  switch (own(made, 'type')) {
    case 'string':
      return text(dice, made, other);
    case 'integer':
      return Math.trunc(number(dice, made, other));
    case 'number':
      return dice.chance(0.5) ? number(dice, made, other) + 0.5 : number(dice, made, other);
    case 'boolean':
      return dice.chance(0.5);
    case 'array':
      return list(dice, made, other, depth);
    case 'object':
      return fields(dice, made, other, depth);
    default:
      return dice.chance(0.5) ? dice.pick([0, 1, 5]) : dice.pick(words);
  }
}

function constants(made: JsonObject, other: JsonObject, keys: readonly string[]): number[] {
  const found: number[] = [];
  const collect = (node: JsonValue | undefined): void => {
    if (Array.isArray(node)) node.forEach(collect);
    else if (typeof node === 'object' && node !== null) {
      for (const [key, inner] of Object.entries(node as JsonObject)) {
        if (keys.includes(key) && typeof inner === 'number') found.push(inner);
        if (['allOf', 'anyOf', 'oneOf', 'not'].includes(key)) collect(inner);
      }
    }
  };
  [made, other].forEach(collect);
  return found;
}

function text(dice: Dice, made: JsonObject, other: JsonObject): string {
  const lengths = constants(made, other, ['minLength', 'maxLength']);
  const listed = own(other, 'enum');
  if (lengths.length > 0 && dice.chance(0.4)) {
    return dice
      .pick(['a', 'z', '1', 'é'])
      .repeat(Math.max(0, dice.pick(lengths) + dice.below(3) - 1));
  }
  if (Array.isArray(listed) && dice.chance(0.3)) {
    const chosen = dice.pick(listed);
    if (typeof chosen === 'string') return chosen;
  }
  return dice.pick(dice.chance(0.25) ? formatted : words);
}

function number(dice: Dice, made: JsonObject, other: JsonObject): number {
  const bounds = constants(made, other, ['minimum', 'maximum', 'multipleOf']);
  if (bounds.length > 0 && dice.chance(0.6)) return dice.pick(bounds) + dice.below(3) - 1;
  return dice.pick([0, 1, 2, 3, 4, 5, 6, 10, 11, -1, 100, 101, 12]);
}

function list(dice: Dice, made: JsonObject, other: JsonObject, depth: number): JsonValue[] {
  const items = (own(made, 'items') ?? {}) as JsonObject;
  const otherItems = (own(other, 'items') ?? {}) as JsonObject;
  const count = dice.below(5);
  const found = Array.from({ length: count }, () => value(dice, items, otherItems, depth - 1));
  if (found.length > 1 && dice.chance(0.2)) found[1] = structuredClone(found[0] ?? null);
  return found;
}

function fields(dice: Dice, made: JsonObject, other: JsonObject, depth: number): JsonObject {
  const properties = (own(made, 'properties') ?? {}) as JsonObject;
  const otherProperties = (own(other, 'properties') ?? {}) as JsonObject;
  const required = (own(made, 'required') ?? []) as string[];
  const density = dice.pick([0, 0.3, 0.6, 0.95]);
  const object: JsonObject = {};
  for (const name of Object.keys(properties)) {
    if (!required.includes(name) && !dice.chance(density)) continue;
    if (required.includes(name) && dice.chance(0.03)) continue;
    const twin = (own(otherProperties, name) ?? {}) as JsonObject;
    object[name] = dice.chance(0.04)
      ? null
      : value(dice, properties[name] as JsonObject, twin, depth - 1);
  }
  const others = own(made, 'additionalProperties');
  if (others !== undefined) {
    const twin = (own(other, 'additionalProperties') ?? {}) as JsonObject;
    for (const key of dice.some(['k', 'l', 'm', 'a'], 0.4)) {
      object[key] = value(dice, others as JsonObject, twin, depth - 1);
    }
  }
  if (own(made, 'x-kubernetes-preserve-unknown-fields') === true) {
    const loose: JsonValue[] = [
      'x',
      1,
      0.5,
      true,
      null,
      [],
      ['a'],
      {},
      { a: 1 },
      { k: { l: 'm' } },
    ];
    for (const key of dice.some([...Object.keys(otherProperties), 'loose'], 0.5)) {
      if (!Object.hasOwn(properties, key)) object[key] = structuredClone(dice.pick(loose));
    }
  }
  if (own(made, 'x-kubernetes-embedded-resource') === true) {
    object['apiVersion'] = 'v1';
    object['kind'] = 'ConfigMap';
    object['metadata'] = { name: dice.pick(['a', 'b-c']) };
  }
  return object;
}
