/** Which keywords the rules of the walk look at: what none has looked at is not proven. */
import type { JudgedKeyword as Keyword, SchemaNode } from '../../../kubernetes/index.js';
import type { Identities } from '../identity.js';
import { isIrrelevant } from './irrelevant.js';
import { anything, otherFieldsOf, typesOf } from '../shape.js';
import { isFreed } from './lists.js';
import type { Pair } from './pair.js';

/** The rule that compares each keyword, or the condition under which it does. */
const looksAt: Readonly<Record<Keyword, (pair: Pair, isListed: boolean) => boolean>> = {
  type: always,
  intOrString: always,
  nullable: always,
  embeddedResource: always,
  mapType: always,
  enum: always,
  allOf: always,
  anyOf: always,
  oneOf: always,
  not: always,
  minimum: ofNumbers,
  maximum: ofNumbers,
  exclusiveMinimum: ofNumbers,
  exclusiveMaximum: ofNumbers,
  multipleOf: ofNumbers,
  minLength: ofStrings,
  maxLength: ofStrings,
  pattern: ofStrings,
  format: always,
  properties: ofObjects,
  required: ofObjects,
  minProperties: ofObjects,
  maxProperties: ofObjects,
  additionalProperties: ofOthers,
  preserveUnknownFields: (pair) => pair.before.type === 'array' || ofOthers(pair),
  items: (pair) => ofLists(pair) && areItemsCompared(pair),
  uniqueItems: ofLists,
  minItems: ofLists,
  maxItems: ofLists,
  listType: ofLists,
  listMapKeys: ofLists,
  // Under a logical operator rules are not compared, and a default sets nothing.
  rules: ({ mode }) => mode === 'structure',
  default: always,
};

const allKeywords = Object.keys(looksAt) as Keyword[];

function always(): boolean {
  return true;
}

/** Each listed value is put to the whole schema. */
function ofNumbers({ before }: Pair, isListed: boolean): boolean {
  return isListed || typesOf(before).has('integer');
}

function ofStrings({ before }: Pair, isListed: boolean): boolean {
  return isListed || typesOf(before).has('string');
}

function ofObjects({ before }: Pair): boolean {
  return typesOf(before).has('object');
}

function ofLists({ before }: Pair): boolean {
  return typesOf(before).has('array');
}

function areItemsCompared(pair: Pair): boolean {
  const { items, preserveUnknownFields } = pair.after;
  const isKept = preserveUnknownFields === true || isFreed(pair);
  return items !== undefined || pair.mode === 'validation' || isKept;
}

/** Where anything is kept by both, nothing is compared. */
function ofOthers(pair: Pair): boolean {
  const { before, after, mode } = pair;
  const isOpen = otherFieldsOf(before) === anything && otherFieldsOf(after) === anything;
  return ofObjects(pair) && (mode === 'validation' || !isOpen);
}

/**
 * Keywords that may speak of their values; under a logical operator an absent one asks for nothing. @param isListed all looked
 * at
 */
export function uncheckedKeywords(
  pair: Pair,
  isListed: boolean,
  identities: Identities,
): Keyword[] {
  const { before, after, mode } = pair;
  return allKeywords.filter((keyword) => {
    if (before[keyword] === after[keyword] || looksAt[keyword](pair, isListed)) return false;
    if (isIrrelevant(keyword, before, after)) return false;
    const [old, now] = [part(before, keyword), part(after, keyword)];
    if (identities.same(old, now)) return false;
    return mode === 'structure' || !identities.same(now, part(nothing, keyword));
  });
}

const nothing = {} as unknown as SchemaNode;

function part(node: SchemaNode, keyword: Keyword): SchemaNode {
  const value = node[keyword];
  return (value === undefined ? {} : { [keyword]: value }) as unknown as SchemaNode;
}
