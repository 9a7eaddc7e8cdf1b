/** Random schemas with every keyword that the API server knows. Nothing is shared with the proof's own search. */
import { own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import type { Dice } from './dice.js';

export const names = ['a', 'b', 'c', 'size', 'mode'] as const;
export const words = [
  '',
  'a',
  'ab',
  'b',
  'abc',
  'x-1',
  '10',
  'A',
  'one',
  'two',
  'three',
  'é',
  'abcdefgh',
];
const patterns = ['^[a-z]+$', '^[a-z0-9-]*$', 'a', '^(one|two|three)$', '^.{2,4}$', '^[^A-Z]*$'];
const formats = ['date-time', 'ipv4', 'uuid', 'byte', 'int32', 'duration', 'hostname'];

/** A structural schema as an API server takes it. */
export function schema(dice: Dice, depth: number): JsonObject {
  const kinds =
    depth <= 0
      ? ['string', 'string', 'integer', 'number', 'boolean', 'intOrString']
      : ['string', 'integer', 'object', 'object', 'map', 'list', 'set', 'mapList', 'open', 'whole'];
  const made = plain(dice, dice.pick(kinds), depth);
  if (dice.chance(0.12)) made['nullable'] = true;
  if (dice.chance(0.3)) addLogic(dice, made);
  if (dice.chance(0.15)) addRule(dice, made);
  return made;
}

function plain(dice: Dice, kind: string, depth: number): JsonObject {
  switch (kind) {
    case 'string':
      return { type: 'string', ...keywords(dice, stringKeywords) };
    case 'integer':
    case 'number':
      return { type: kind, ...keywords(dice, numberKeywords) };
    case 'boolean':
      return { type: 'boolean' };
    case 'intOrString':
      return { 'x-kubernetes-int-or-string': true };
    case 'object':
      return fieldsOf(dice, depth);
    case 'map':
      return {
        type: 'object',
        additionalProperties: schema(dice, depth - 1),
        ...keywords(dice, objectKeywords),
      };
    case 'list':
      return { type: 'array', items: schema(dice, depth - 1), ...keywords(dice, listKeywords) };
    case 'set':
      return {
        type: 'array',
        'x-kubernetes-list-type': 'set',
        items: { type: dice.pick(['string', 'integer']) },
        ...keywords(dice, listKeywords),
      };
    case 'mapList':
      return {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, a: schema(dice, 0) },
        },
      };
    case 'open':
      return {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        ...(dice.chance(0.5) ? { properties: { a: schema(dice, depth - 1) } } : {}),
      };
    default:
      return {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      };
  }
}

export function fieldsOf(dice: Dice, depth: number): JsonObject {
  const chosen = dice.some(names, 0.6);
  const properties: JsonObject = Object.fromEntries(
    chosen.map((name) => [name, withDefault(dice, schema(dice, depth - 1))]),
  );
  return {
    type: 'object',
    properties,
    ...(dice.chance(0.4) ? { required: dice.some(chosen, 0.4) } : {}),
    ...(dice.chance(0.15) ? keywords(dice, objectKeywords) : {}),
  };
}

type Keywords = Readonly<Record<string, (dice: Dice) => JsonValue>>;

export const stringKeywords: Keywords = {
  maxLength: (dice) => dice.pick([1, 2, 3, 5, 8]),
  minLength: (dice) => dice.pick([0, 1, 2, 3]),
  pattern: (dice) => dice.pick(patterns),
  format: (dice) => dice.pick(formats),
  enum: (dice) => distinct(dice.some(words, 0.3), 'one'),
};
export const numberKeywords: Keywords = {
  minimum: (dice) => dice.pick([-5, 0, 1, 2]),
  maximum: (dice) => dice.pick([2, 3, 10, 100]),
  exclusiveMinimum: () => true,
  exclusiveMaximum: () => true,
  multipleOf: (dice) => dice.pick([1, 2, 3]),
  enum: (dice) => distinct(dice.some([0, 1, 2, 3, 5, 10], 0.4), 1),
};
export const listKeywords: Keywords = {
  minItems: (dice) => dice.pick([0, 1, 2]),
  maxItems: (dice) => dice.pick([1, 2, 3]),
};
export const objectKeywords: Keywords = {
  minProperties: (dice) => dice.pick([0, 1, 2]),
  maxProperties: (dice) => dice.pick([1, 2, 3]),
};

function distinct(values: JsonValue[], otherwise: JsonValue): JsonValue[] {
  return values.length > 0 ? values : [otherwise];
}

function keywords(dice: Dice, all: Keywords): JsonObject {
  return Object.fromEntries(
    dice.some(Object.keys(all), 0.22).map((name) => [name, all[name]?.(dice) ?? null]),
  );
}

export function withDefault(dice: Dice, made: JsonObject): JsonObject {
  if (!dice.chance(0.15)) return made;
  const fallback = defaultFor(dice, made);
  return fallback === undefined ? made : { ...made, default: fallback };
}

/** Only where it surely fits: the API server refuses others. */
function defaultFor(dice: Dice, made: JsonObject): JsonValue | undefined {
  const listed = own(made, 'enum');
  const isBound = Object.keys(made).some((key) => key !== 'type' && key !== 'nullable');
  if (isBound) {
    const isPlainList = Array.isArray(listed) && Object.keys(made).length === 2;
    return isPlainList ? dice.pick(listed) : undefined;
  }
  switch (own(made, 'type')) {
    case 'string':
      return dice.pick(words);
    case 'integer':
      return dice.pick([0, 1, 5]);
    case 'boolean':
      return dice.chance(0.5);
    default:
      return undefined;
  }
}

function fieldNames(made: JsonObject): string[] {
  return Object.keys((own(made, 'properties') ?? {}) as JsonObject);
}

export function addLogic(dice: Dice, made: JsonObject): void {
  const operator = dice.pick(['allOf', 'anyOf', 'oneOf', 'not']);
  const branches = [branch(dice, made), branch(dice, made)].filter((each) => each !== undefined);
  if (branches.length < 2) return;
  made[operator] = operator === 'not' ? (branches[0] ?? {}) : branches;
}

/** What a value may be told under a logical operator. */
function branch(dice: Dice, made: JsonObject): JsonObject | undefined {
  switch (own(made, 'type')) {
    case 'string':
      return one(dice, stringKeywords, ['maxLength', 'minLength', 'pattern', 'enum']);
    case 'integer':
    case 'number':
      return one(dice, numberKeywords, ['minimum', 'maximum', 'enum', 'multipleOf']);
    case 'array':
      return one(dice, listKeywords, ['minItems', 'maxItems']);
    case 'object': {
      const fields = fieldNames(made);
      if (fields.length === 0) return one(dice, objectKeywords, ['minProperties', 'maxProperties']);
      const name = dice.pick(fields);
      const inner = branch(dice, (own(made, 'properties') as JsonObject)[name] as JsonObject);
      const isNested = inner !== undefined && dice.chance(0.5);
      return isNested
        ? { properties: { [name]: inner }, ...(dice.chance(0.4) ? { required: [name] } : {}) }
        : { required: [name] };
    }
    default:
      return undefined;
  }
}

function one(dice: Dice, all: Keywords, among: readonly string[]): JsonObject {
  const name = dice.pick(among);
  return { [name]: all[name]?.(dice) ?? null };
}

export function addRule(dice: Dice, made: JsonObject): void {
  const rule = ruleFor(dice, made);
  if (rule !== undefined) made['x-kubernetes-validations'] = [{ rule }];
}

function ruleFor(dice: Dice, made: JsonObject): string | undefined {
  const count = dice.below(4);
  switch (own(made, 'type')) {
    case 'string':
      return dice.pick([`size(self) <= ${count}`, "self.startsWith('a')", "self != 'one'"]);
    case 'integer':
      return dice.pick([`self > ${count}`, `self != ${count}`, `self % 2 == 0`]);
    case 'array':
      return dice.pick([`size(self) <= ${count}`, `size(self) >= ${count}`]);
    case 'object': {
      const fields = fieldNames(made);
      if (fields.length === 0) return `size(self) <= ${count}`;
      const [left, right] = [dice.pick(fields), dice.pick(fields)];
      return dice.pick([
        `has(self.${left})`,
        `!has(self.${left}) || has(self.${right})`,
        `!(has(self.${left}) && has(self.${right}))`,
      ]);
    }
    default:
      return undefined;
  }
}
