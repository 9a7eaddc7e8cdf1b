/** Places in an object that rules ask about, and the schemas that decide what stands there. */
import type { Node } from '../../../../cel/index.js';
import {
  escapeName,
  readSchema,
  type SchemaNode,
  unescapeName,
} from '../../../../kubernetes/index.js';
import type { Budget } from '../../budget.js';
import { accepts, fieldOf } from '../../shape.js';
import { sameJson } from '../../../../text/documents/index.js';

/** An integer, the place of a double among all doubles, or the size of a text, list or map. */
export interface Whole {
  readonly spot: Spot;
  readonly isSize: boolean;
}

/** Several of them, each so many times, and a number beside. */
export interface Sum {
  readonly parts: ReadonlyMap<string, { readonly of: Whole; readonly times: bigint }>;
  readonly plus: bigint;
}

/** A question about other places. */
export type Formula =
  | boolean
  | { readonly spot: Spot; readonly pattern: string }
  | { readonly sum: Sum; readonly most: bigint }
  | { readonly not: Formula }
  | { readonly any: readonly Formula[] };

export interface Spot {
  readonly key: string;
  /** Whether it is in the object as it was before an update. */
  readonly isOld: boolean;
  readonly steps: readonly string[];
  /** Undefined where only a default of the new schema stands. */
  readonly before: SchemaNode | undefined;
  readonly after: SchemaNode | undefined;
  /** The expression that gives the value, where it is at no place of the object. */
  readonly term?: Node;
  /** The text in which `find` looks for a pattern, where the value is what it finds. */
  readonly found?: { readonly spot: Spot; readonly pattern: string };
  /** The text of which a text is made, and what a test of the one says of the other; undefined if it is not known. */
  readonly source?: TextSource;
  /** Whether an integer that is worked out of other values, or the size of such a list, is no more than that. */
  readonly atMost?: (most: bigint) => Formula | undefined;
  /** The text and the separator of which `split` makes a list. */
  readonly separated?: { readonly spot: Spot; readonly by: string };
  /** A whole resource, of which some fields are there without being declared. */
  readonly isResource?: boolean;
}

export interface TextSource {
  readonly spot: Spot;
  readonly read: (test: string, text: string) => string | false | undefined;
  /** Where it matches, what is made of the text is another text. */
  readonly otherwise?: string;
}

/** Stands for the keys of a map. */
export const anyKey = '{}';

/** @param identifier the name as rules write it */
export function innerOf(spot: Spot, name: string, identifier: string): Spot {
  return {
    ...{ key: `${spot.key}.${identifier}`, isOld: spot.isOld, steps: [...spot.steps, name] },
    before: spot.before && fieldOf(spot.before, name),
    after: spot.after && fieldOf(spot.after, name),
  };
}

/** The place that stands for every item of a list, or every value of a map. */
export function itemOf(list: Spot): Spot | undefined {
  const { key, isOld, steps, before, after, term, separated } = list;
  const [old, now] = [before, after].map((node) => node && innerNodeOf(node));
  if (before?.type !== after?.type) return undefined;
  if (term !== undefined && separated === undefined) return undefined;
  if (old === undefined || now === undefined || old.nullable || now.nullable) return undefined;
  const isFilled = typeof now.default === 'object' && !hasSameDefault({ before: old, after: now });
  const step = before?.type === 'array' ? '[]' : anyKey;
  const made = term === undefined ? {} : { term };
  const item = { ...made, key: `${key}${step}`, isOld, steps: [...steps, step], after: now };
  return { ...item, before: isFilled ? undefined : old };
}

/** The field, or for `[]` every item; undefined where rules cannot name it. */
export function stepFrom(spot: Spot, step: string): Spot | undefined {
  if (step === '[]') return itemOf(spot);
  const identifier = escapeName(step);
  return identifier === undefined ? undefined : innerOf(spot, step, identifier);
}

/** Another item of a list, any of those that are not the first. */
export function secondItemOf(list: Spot): Spot | undefined {
  const item = list.before?.type === 'array' ? itemOf(list) : undefined;
  return item && { ...item, key: `${list.key}[+]` };
}

/** The item at a position, if the list is as long as that; `pinOf` knows it by its step. */
export function itemAt(list: Spot, index: bigint): Spot | undefined {
  const item = itemOf(list);
  const step = `[${index}]`;
  return item && { ...item, key: `${list.key}${step}`, steps: [...list.steps, step] };
}

function innerNodeOf(node: SchemaNode): SchemaNode | undefined {
  if (node.type === 'array') return node.items;
  const isMap = node.type === 'object' && node.properties === undefined && !node.embeddedResource;
  return isMap ? node.additionalProperties?.schema : undefined;
}

export function keyOfMap(map: Spot): Spot {
  const text = termSchemas.get('string');
  const term: Node = { kind: 'identifier', name: anyKey, position: -1 };
  return {
    key: `${map.key}${anyKey}key`,
    isOld: map.isOld,
    steps: [...map.steps, anyKey],
    before: text,
    after: text,
    term,
  };
}

/** The name of a field that is followed; those of a resource are there without being declared. */
export function nameOf(spot: Spot | undefined, identifier: string): string | undefined {
  if (spot === undefined || !/^[A-Za-z_]\w*$/.test(identifier)) return undefined;
  if ([spot.before, spot.after].some((node) => node?.embeddedResource === true)) return undefined;
  if (identifier.includes('__')) {
    const name = unescapeName(identifier);
    return name !== undefined && spot.after?.properties?.has(name) === true ? name : undefined;
  }
  const isOwn = spot.isResource === true && ['apiVersion', 'kind', 'metadata'].includes(identifier);
  return isOwn ? undefined : identifier;
}

/** Schemas of terms by their types: for what is ordered as integers are, and for texts. */
export const termSchemas: ReadonlyMap<string, SchemaNode> = new Map(
  [
    ['int', 'integer'],
    ['google.protobuf.Duration', 'integer'],
    ['google.protobuf.Timestamp', 'integer'],
    ['kubernetes.Quantity', 'integer'],
    ['double', 'number'],
    ['string', 'string'],
  ].map(([kind = '', type = '']) => [kind, readSchema({ type }, '$')]),
);

export function isText({ before, after }: Spot): boolean {
  return [before, after].every((node) => node?.type === 'string' && node.format === '');
}

/** An integer or a text, which functions of texts fail for or take. */
export function isTextOrInteger({ before, after }: Spot): boolean {
  return [before, after].every((node) => node?.intOrString === true && node.format === '');
}

/** Whether its size is what the schemas bound. */
export function isSized(spot: Spot): boolean {
  const { before, after } = spot;
  if (before === undefined || before.type !== after?.type) return false;
  const isMap = before.type === 'object' && before.additionalProperties?.schema !== undefined;
  return isText(spot) || before.type === 'array' || isMap;
}

export function isOfType(spot: Spot | undefined, type: string): spot is Spot {
  return (
    spot !== undefined &&
    [spot.before, spot.after].every((node) => node?.type === type && !node.intOrString)
  );
}

/** A format lets lists and texts pass for values of other types, and is read as bytes or a time. */
export function isReadable({ type, format }: SchemaNode): boolean {
  return format === '' || type === 'integer' || type === 'number';
}

export function isPlainNode(node: SchemaNode | undefined): boolean {
  return ['string', 'integer', 'boolean'].includes(node?.type ?? '') && node?.intOrString !== true;
}

/** Whether no list that the old schema accepts has the text. */
export function isNoItem(text: unknown, list: Spot | undefined): boolean {
  if (typeof text !== 'string' || list === undefined) return false;
  if (list.before?.type !== 'array') return false;
  const { before, after } = itemOf(list) ?? {};
  const isSame = before?.type === after?.type && hasSameDefault({ before, after });
  return before !== undefined && isSame && !accepts(before, text);
}

/** Whether a value may be there that the old schema does not take. */
export function hasOtherDefault({ before, after }: Spot): boolean {
  const given = after?.default;
  return before !== undefined && given !== undefined && !accepts(before, given);
}

/** Whether no default stands there that the old rules may not have seen. */
export function hasSameDefault({ before, after }: Pick<Spot, 'before' | 'after'>): boolean {
  const [old, now] = [before?.default, after?.default];
  return now === undefined || (old !== undefined && sameJson(old, now));
}

const seen = [
  ...(['type', 'format', 'nullable', 'intOrString'] as const),
  ...(['embeddedResource', 'preserveUnknownFields'] as const),
  // Sets are equal in any order.
  'listType' as const,
];

/** Whether rules see under the new schema the value that they saw under the old one. */
export function looksAlike(
  before: SchemaNode | undefined,
  after: SchemaNode | undefined,
  budget: Budget,
): boolean {
  if (before === after) return true;
  if (before === undefined || after === undefined || budget.isSpent) return false;
  budget.spend(1);
  const isSame =
    seen.every((each) => before[each] === after[each]) &&
    before.listMapKeys.join() === after.listMapKeys.join() &&
    hasSameDefault({ before, after });
  if (!isSame || (before.default !== undefined && after.default === undefined)) return false;
  const names = new Set([
    ...(before.properties?.keys() ?? []),
    ...(after.properties?.keys() ?? []),
  ]);
  const others = [before, after].map(({ additionalProperties }) => additionalProperties?.schema);
  return (
    looksAlike(before.items, after.items, budget) &&
    before.additionalProperties?.allows === after.additionalProperties?.allows &&
    looksAlike(others[0], others[1], budget) &&
    [...names].every((name) => {
      const [old, now] = [before, after].map(({ properties }) => properties?.get(name));
      // No rule has read what was not declared.
      const isNew = old === undefined && before.preserveUnknownFields !== true;
      return looksAlike(old, now, budget) || (isNew && now?.default === undefined);
    })
  );
}

/** Within a billionth of an integer: stored as it is, and rules cannot read it; `3.0` is stored as `3`. */
export function fractionOf({ before, after }: Spot): number | undefined {
  const isWhole = (node: SchemaNode | undefined): node is SchemaNode =>
    node !== undefined && (node.type === 'integer' || node.intOrString);
  if (!isWhole(before) || !isWhole(after)) return undefined;
  const { minimum = 1, multipleOf = 1 } = before;
  const wholes = [1, Math.ceil(minimum), multipleOf];
  return wholes.map((whole) => whole * (1 + 1e-9)).find((each) => accepts(before, each));
}
