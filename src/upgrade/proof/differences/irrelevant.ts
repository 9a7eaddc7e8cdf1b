/** Keywords that speak of values which a node cannot have. */
import type { SchemaKeywords, SchemaNode } from '../../../kubernetes/index.js';
import type { Identities } from '../identity.js';
import { typesOf, type JsonType } from '../shape.js';

const speaksOf = new Map<keyof SchemaKeywords, readonly JsonType[]>([
  ['maximum', ['integer', 'number']],
  ['exclusiveMaximum', ['integer', 'number']],
  ['minimum', ['integer', 'number']],
  ['exclusiveMinimum', ['integer', 'number']],
  ['multipleOf', ['integer', 'number']],
  ['maxLength', ['string']],
  ['minLength', ['string']],
  ['pattern', ['string']],
  ['items', ['array']],
  ['uniqueItems', ['array']],
  ['maxItems', ['array']],
  ['minItems', ['array']],
  ['listType', ['array']],
  ['listMapKeys', ['array']],
  ['properties', ['object']],
  ['additionalProperties', ['object']],
  ['required', ['object']],
  ['maxProperties', ['object']],
  ['minProperties', ['object']],
  ['preserveUnknownFields', ['object', 'array']],
]);

/** Keywords that say nothing without another one. */
const dependent: readonly (readonly [keyof SchemaKeywords, (node: SchemaNode) => boolean])[] = [
  ['exclusiveMaximum', ({ maximum }) => maximum !== undefined],
  ['exclusiveMinimum', ({ minimum }) => minimum !== undefined],
  ['listMapKeys', ({ listType }) => listType === 'map'],
  // Only strings have a format that is enforced; what is none is refused by its type.
  ['format', ({ type }) => type === '' || type === 'string'],
];

/** Whether a keyword says nothing about any value that the old node lets through. */
export function isIrrelevant(
  keyword: keyof SchemaKeywords,
  before: SchemaNode,
  after: SchemaNode,
): boolean {
  const types = typesOf(before);
  const about = speaksOf.get(keyword);
  if (about !== undefined && !about.some((type) => types.has(type))) return true;
  return dependent.some(([key, counts]) => key === keyword && !counts(before) && !counts(after));
}

/** Whether both nodes differ only in keywords about types that the old one does not let through. */
export function differsIrrelevantly(
  before: SchemaNode,
  after: SchemaNode,
  identities: Identities,
): boolean {
  let stripped = after;
  for (const keyword of new Set([...speaksOf.keys(), ...dependent.map(([each]) => each)])) {
    if (!isIrrelevant(keyword, before, after)) continue;
    const rest = Object.entries(stripped).filter(([key]) => key !== keyword);
    const old = before[keyword];
    stripped = Object.fromEntries(
      old === undefined ? rest : [...rest, [keyword, old]],
    ) as unknown as SchemaNode;
  }
  return identities.same(before, stripped);
}
