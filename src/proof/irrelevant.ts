/** Keywords that speak of values which a node cannot have. */
import type { SchemaNode } from '../apiserver/schema.js';
import type { Identities } from './identity.js';
import { typesOf, type JsonType } from './shape.js';

const speaksOf = new Map<keyof SchemaNode, readonly JsonType[]>([
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
const dependent: readonly (readonly [keyof SchemaNode, (node: SchemaNode) => boolean])[] = [
  ['exclusiveMaximum', ({ maximum }) => maximum !== undefined],
  ['exclusiveMinimum', ({ minimum }) => minimum !== undefined],
  ['listMapKeys', ({ listType }) => listType === 'map'],
  // Only strings have a format that is enforced; what is none is refused by its type.
  ['format', ({ type }) => type === '' || type === 'string'],
];

/** Whether both nodes differ only in keywords about types that the old one does not let through. */
export function differsIrrelevantly(
  before: SchemaNode,
  after: SchemaNode,
  identities: Identities,
): boolean {
  const types = typesOf(before);
  let stripped = after;
  const unspoken = [
    ...[...speaksOf].flatMap(([keyword, about]) =>
      about.some((type) => types.has(type)) ? [] : [keyword],
    ),
    ...dependent.flatMap(([keyword, counts]) => (counts(before) || counts(after) ? [] : [keyword])),
  ];
  for (const keyword of unspoken) {
    const rest = Object.entries(stripped).filter(([key]) => key !== keyword);
    const old = before[keyword];
    stripped = Object.fromEntries(
      old === undefined ? rest : [...rest, [keyword, old]],
    ) as unknown as SchemaNode;
  }
  return identities.same(before, stripped);
}
