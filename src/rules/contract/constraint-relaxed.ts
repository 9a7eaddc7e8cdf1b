import { from } from '../source.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { valueAt } from '../../crd/schema-keys.js';
import { placeOfRemoved } from '../../crd/place.js';
import { defineContractRule, type ContractDifference } from './rule.js';
import { fieldDifferences } from './field-differences.js';

const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
const lower = ['minimum', 'minLength', 'minItems', 'minProperties'];
const flags = [
  'exclusiveMaximum',
  'exclusiveMinimum',
  'uniqueItems',
  'x-kubernetes-embedded-resource',
];
/** What may come to allow more by any change. */
const others = [
  'pattern',
  'format',
  'multipleOf',
  'not',
  'allOf',
  'anyOf',
  'oneOf',
  'x-kubernetes-validations',
  'additionalProperties',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
];
const keywords = [...upper, ...lower, ...flags, ...others];

export const constraintRelaxed = defineContractRule({
  id: 'ConstraintRelaxed',
  audience: 'readers',
  fields: keywords.map((keyword) => `schema.${keyword}`),
  checks: 'A bound, pattern, format or validation rule of a field goes, or lets more through.',
  why: 'A client that was built on the bound (a field of 32 bits, a label, a list that was never empty) reads a value beyond it.',
  instead: 'Keep the bound, or add a field that goes further beside the old one.',
  source: from.kubernetesPages('API conventions: Backward compatibility gotchas'),
  example: {
    before: 'properties: { size: { type: integer, maximum: 10 } }',
    after: 'properties: { size: { type: integer, maximum: 100 } }',
    says: 'maximum lets more through',
    accepted: 'properties: { size: { type: integer, maximum: 5 } }',
  },
  *compare(pair) {
    yield* fieldDifferences(pair, keywords, ({ keywords: differing, old, new: next }) => {
      const relaxed = keywords.filter(
        (keyword) =>
          differing.has(keyword) && isRelaxed(keyword, own(old, keyword), own(next, keyword)),
      );
      if (relaxed.length === 0) return undefined;
      return `${relaxed.join(', ')} ${relaxed.length === 1 ? 'lets' : 'let'} more through`;
    });
    yield* undeclared(pair);
  },
});

function isRelaxed(
  keyword: string,
  old: JsonValue | undefined,
  next: JsonValue | undefined,
): boolean {
  // What two schemas of other fields say is compared beneath.
  if (keyword === 'additionalProperties' && isObject(old ?? null) && isObject(next ?? null))
    return false;
  // What was not said before cannot say less.
  if (old === undefined || old === null || old === false) return keyword === 'additionalProperties';
  if (next === undefined || next === null) return true;
  if (upper.includes(keyword)) return Number(next) > Number(old);
  if (lower.includes(keyword)) return Number(next) < Number(old);
  if (flags.includes(keyword)) return next !== true;
  return true;
}

/** A field that is not declared any more holds anything where undeclared fields are kept. */
function* undeclared({
  removed,
  next,
}: Parameters<typeof constraintRelaxed.compare>[0]): Generator<ContractDifference> {
  for (const { old: before, new: after, field } of removed) {
    const place = placeOfRemoved(field.spot, before, after);
    const around = 'keys' in place ? valueAt(next.document, place.keys) : undefined;
    if (!isObject(around ?? null)) continue;
    const keeps = own(around as JsonObject, 'x-kubernetes-preserve-unknown-fields') === true;
    if (!keeps && own(around as JsonObject, 'additionalProperties') === undefined) continue;
    yield {
      reason:
        'the field is no longer declared, and takes any value that undeclared fields may have',
      version: after.name,
      path: field.path,
      place,
    };
  }
}
