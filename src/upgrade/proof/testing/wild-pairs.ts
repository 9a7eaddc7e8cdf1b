/** Pairs of definitions with every keyword that the API server knows, one to three of them changed. */
import { own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { definition } from '../../rules/crd/testing/definition.js';
import { Dice } from './dice.js';
import {
  addLogic,
  addRule,
  fieldsOf,
  listKeywords,
  names,
  numberKeywords,
  objectKeywords,
  schema,
  stringKeywords,
  withDefault,
} from './wild-schemas.js';

/** Changes something somewhere; the schema stays one that an API server takes. */
function mutate(dice: Dice, made: JsonObject, depth: number): void {
  const children = childrenOf(made);
  if (children.length > 0 && dice.chance(0.65)) {
    mutate(dice, dice.pick(children), depth - 1);
    return;
  }
  const type = own(made, 'type');
  const own1 =
    type === 'string'
      ? stringKeywords
      : type === 'integer' || type === 'number'
        ? numberKeywords
        : type === 'array'
          ? listKeywords
          : objectKeywords;
  const change = dice.below(type === 'object' ? 12 : 8);
  delete made['default'];
  switch (change) {
    case 0:
    case 1:
    case 2: {
      const name = dice.pick(Object.keys(own1));
      if (own(made, name) !== undefined && dice.chance(0.5)) delete made[name];
      else if (type !== undefined && type !== 'boolean') made[name] = own1[name]?.(dice) ?? null;
      return;
    }
    case 3:
      if (own(made, 'nullable') === true) delete made['nullable'];
      else made['nullable'] = true;
      return;
    case 4:
      for (const operator of ['allOf', 'anyOf', 'oneOf', 'not']) {
        if (dice.chance(0.5)) delete made[operator];
      }
      addLogic(dice, made);
      return;
    case 5:
      if (dice.chance(0.3)) delete made['x-kubernetes-validations'];
      else addRule(dice, made);
      return;
    case 6:
      replace(made, withDefault(dice, schema(dice, depth)));
      return;
    case 7:
      if (type === 'array') changeListType(dice, made);
      else if (type === 'string' || type === 'integer') {
        replace(made, { 'x-kubernetes-int-or-string': true });
      } else changeOpenness(made);
      return;
    default:
      changeFields(dice, made, depth);
  }
}

function childrenOf(made: JsonObject): JsonObject[] {
  const properties = (own(made, 'properties') ?? {}) as JsonObject;
  const children = Object.values(properties) as JsonObject[];
  for (const keyword of ['items', 'additionalProperties']) {
    const child = own(made, keyword);
    if (child !== undefined) children.push(child as JsonObject);
  }
  return children;
}

function replace(made: JsonObject, other: JsonObject): void {
  for (const key of Object.keys(made)) delete made[key];
  Object.assign(made, other);
}

function changeListType(dice: Dice, made: JsonObject): void {
  const items = own(made, 'items') as JsonObject;
  const isScalar = ['string', 'integer', 'boolean'].includes(own(items, 'type') as string);
  delete made['x-kubernetes-list-map-keys'];
  if (isScalar && dice.chance(0.7)) made['x-kubernetes-list-type'] = 'set';
  else made['x-kubernetes-list-type'] = 'atomic';
}

function changeOpenness(made: JsonObject): void {
  if (own(made, 'x-kubernetes-embedded-resource') === true) {
    delete made['x-kubernetes-embedded-resource'];
  } else if (own(made, 'x-kubernetes-preserve-unknown-fields') === true) {
    delete made['x-kubernetes-preserve-unknown-fields'];
  } else if (own(made, 'type') === 'object' && own(made, 'additionalProperties') === undefined) {
    made['x-kubernetes-preserve-unknown-fields'] = true;
  }
}

function changeFields(dice: Dice, made: JsonObject, depth: number): void {
  if (own(made, 'additionalProperties') !== undefined) return;
  const properties = { ...((own(made, 'properties') ?? {}) as JsonObject) };
  const fields = Object.keys(properties);
  const required = ((own(made, 'required') ?? []) as string[]).slice();
  const name = dice.pick(names);
  switch (dice.below(4)) {
    case 0:
      properties[name] = withDefault(dice, schema(dice, depth - 1));
      break;
    case 1:
      if (fields.length > 0 && !mentions(made)) {
        const gone = dice.pick(fields);
        made['properties'] = Object.fromEntries(
          fields
            .filter((each) => each !== gone)
            .map((each) => [each, properties[each] as JsonValue]),
        );
        made['required'] = required.filter((each) => each !== gone);
      }
      return;
    case 2:
      if (fields.length > 0) required.push(dice.pick(fields));
      break;
    default:
      required.pop();
  }
  made['properties'] = properties;
  made['required'] = [...new Set(required)];
}

/** Whether a logical operator or a rule may speak of fields: those must stay declared. */
function mentions(made: JsonObject): boolean {
  return ['allOf', 'anyOf', 'oneOf', 'not', 'x-kubernetes-validations'].some(
    (keyword) => own(made, keyword) !== undefined,
  );
}

export interface WildPair {
  readonly old: JsonObject;
  readonly new: JsonObject;
  /** Schemas of the old version and of the one that its objects are read under. */
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The versions that these are. */
  readonly from: string;
  readonly to: string;
}

export function wildPair(seed: number): WildPair {
  const dice = new Dice(seed);
  const spec = fieldsOf(dice, 3);
  const changed = structuredClone(spec);
  for (let left = 1 + dice.below(3); left > 0; left--) mutate(dice, changed, 3);
  const [before, after] = [spec, changed].map((each): JsonObject => ({
    type: 'object',
    properties: { spec: each },
    ...(seed % 2 === 0 ? { required: ['spec'] } : {}),
  })) as [JsonObject, JsonObject];
  const moves = dice.chance(0.15);
  const versions = moves
    ? [
        { name: 'v1', storage: false, schema: before },
        { name: 'v2', schema: after },
      ]
    : [{ schema: after }];
  return {
    old: definition({ versions: [{ schema: before }], stored: ['v1'] }),
    new: definition({ versions, stored: ['v1'] }),
    before,
    after,
    from: 'v1',
    to: moves ? 'v2' : 'v1',
  };
}
