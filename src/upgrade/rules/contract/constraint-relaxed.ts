import { from } from '../../../rule/index.js';
import {
  isObject,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import { valueAt } from '../../../text/documents/fields.js';
import { placeOfRemoved } from '../../crd/place.js';
import { defineContractRule, type ContractDifference, type ContractPair } from './rule.js';
import { fieldDifferences } from './readers.js';
import { append } from '../../../text/long-lists.js';

const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
const lower = ['minimum', 'minLength', 'minItems', 'minProperties'];
const flags = [
  'exclusiveMaximum',
  'exclusiveMinimum',
  'uniqueItems',
  'x-kubernetes-embedded-resource',
];
/** Keywords for which any change may allow more, or less. */
const others = [
  'pattern',
  'format',
  'multipleOf',
  'x-kubernetes-validations',
  'additionalProperties',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
];
const keywords = [...upper, ...lower, ...flags, ...others];
/** Schemas beneath these are at the path of the field that they are about. */
const operators = ['not', 'allOf', 'anyOf', 'oneOf'];

const messages = {
  relaxed: 'more values are accepted: {keywords} relaxed',
  changed: 'more values may be accepted: {keywords} changed',
  undeclared:
    'the field is no longer declared, and takes any value that undeclared fields may have',
} as const;
type Relaxation = ContractDifference<typeof messages>;

export const constraintRelaxed = defineContractRule({
  id: 'ConstraintRelaxed',
  audience: 'readers',
  fields: [...keywords, ...operators].map((keyword) => `schema.${keyword}`),
  checks:
    'A bound, pattern, format or validation rule of a field is removed, or lets more through.',
  why: 'A client that was built on the bound (a field of 32 bits, a label, a list that was never empty) reads a value beyond it.',
  instead: 'Keep the bound, or add a field that goes further alongside the old one.',
  source: from.kubernetesPages('API conventions: Backward compatibility gotchas'),
  messages,
  example: {
    before: 'properties: { size: { type: integer, maximum: 10 } }',
    after: 'properties: { size: { type: integer, maximum: 100 } }',
    says: 'more values are accepted: maximum relaxed',
    accepted: 'properties: { size: { type: integer, maximum: 10 }, longSize: { type: integer } }',
  },
  *compare(pair) {
    yield* fieldDifferences<typeof messages>(
      pair,
      keywords,
      ({ keywords: differing, old, new: next }) => {
        const relaxed = keywords.filter(
          (keyword) =>
            differing.has(keyword) && isRelaxed(keyword, own(old, keyword), own(next, keyword)),
        );
        if (relaxed.length === 0) return undefined;
        const isCertain = relaxed.some((keyword) => !isOpen(keyword, own(next, keyword)));
        const data = { keywords: relaxed };
        return isCertain
          ? { id: 'relaxed', data }
          : { id: 'relaxed', data, otherwise: { id: 'changed', data } };
      },
    );
    yield* undeclared(pair);
    yield* operatorsRelaxed(pair);
  },
});

/** Whether a keyword that still says something may let less through as well as more. */
function isOpen(keyword: string, next: JsonValue | undefined): boolean {
  return others.includes(keyword) && keyword !== 'additionalProperties' && (next ?? null) !== null;
}

interface Meeting {
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly path: string;
  readonly above?: Meeting;
  readonly steps: readonly string[];
}

/** Written out only for the meetings that are reported, which are few. */
function keysOf({ above, steps }: Meeting): readonly string[] {
  return above === undefined ? steps : [...keysOf(above), ...steps];
}

/** Logical operators that were there, and say something else or nothing now. */
function* operatorsRelaxed({ shared, shows }: ContractPair): Generator<Relaxation> {
  for (const { old: before, new: version } of shared) {
    if (before.schema === undefined || version.schema === undefined) continue;
    const open: Meeting[] = [{ old: before.schema, new: version.schema, path: '^', steps: [] }];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const { old, new: next, path } = at;
      if (old === next) continue;
      const relaxed = operators.filter((operator) => {
        const was = own(old, operator) ?? null;
        return was !== null && !sameJson(was, own(next, operator) ?? null);
      });
      if (relaxed.length > 0) {
        const spot = { keys: keysOf(at) };
        const field = {
          path,
          length: path.length,
          spot,
          old,
          new: next,
          keywords: new Set(relaxed),
        };
        const witness = shows?.(version.name, [path], { field });
        yield {
          id:
            witness !== undefined || relaxed.every((operator) => own(next, operator) === undefined)
              ? 'relaxed'
              : 'changed',
          data: { keywords: relaxed },
          witness,
          version: version.name,
          path,
          place: { side: 'new', version: version.index, spot },
        };
      }
      append(open, meetingsBelow(at));
    }
  }
}

function meetingsBelow(above: Meeting): Meeting[] {
  const { old, new: next, path } = above;
  const below: Meeting[] = [];
  const meet = (
    left: JsonObject,
    right: JsonObject,
    steps: readonly string[],
    at: string,
  ): void => {
    const name = steps.at(-1) ?? '';
    const was = own(left, name) ?? null;
    if (!isObject(was)) return;
    const is = own(right, name) ?? null;
    if (isObject(is) && is !== was) below.push({ old: was, new: is, path: at, above, steps });
  };
  for (const keyword of ['items', 'additionalProperties']) {
    meet(old, next, [keyword], `${path}[*]`);
  }
  const had = own(old, 'properties') ?? null;
  const has = own(next, 'properties') ?? null;
  if (isObject(had) && isObject(has)) {
    for (const name of Object.keys(had)) meet(had, has, ['properties', name], `${path}.${name}`);
  }
  return below;
}

function isRelaxed(
  keyword: string,
  old: JsonValue | undefined,
  next: JsonValue | undefined,
): boolean {
  // Two schemas for additional fields are compared beneath.
  if (keyword === 'additionalProperties' && isObject(old ?? null) && isObject(next ?? null))
    return false;
  // An absent keyword cannot be relaxed.
  if (old === undefined || old === null || old === false) return keyword === 'additionalProperties';
  if (next === undefined || next === null) return true;
  if (upper.includes(keyword)) return Number(next) > Number(old);
  if (lower.includes(keyword)) return Number(next) < Number(old);
  if (flags.includes(keyword)) return next !== true;
  if ((old === 'int64' && next === 'int32') || (old === 'double' && next === 'float')) return false;
  // Items of an atomic list may be equal.
  if (keyword === 'x-kubernetes-list-type' && old === 'atomic') return false;
  if (keyword === 'x-kubernetes-validations') {
    const rules = new Set(ruleTexts(next));
    return ruleTexts(old).some((rule) => !rules.has(rule));
  }
  return true;
}

/** The expressions of rules; their messages let nothing through. */
function ruleTexts(rules: JsonValue): (JsonValue | undefined)[] {
  return Array.isArray(rules)
    ? rules.map((rule) => (isObject(rule) ? own(rule, 'rule') : rule))
    : [];
}

/** A field that is not declared any more holds anything where undeclared fields are kept. */
function* undeclared({ removed, next }: ContractPair): Generator<Relaxation> {
  for (const { old: before, new: after, field } of removed) {
    const place = placeOfRemoved(field.spot, before, after);
    const around = 'keys' in place ? valueAt(next.document, ...place.keys) : undefined;
    if (!isObject(around ?? null)) continue;
    const keeps = own(around as JsonObject, 'x-kubernetes-preserve-unknown-fields') === true;
    if (!keeps && own(around as JsonObject, 'additionalProperties') === undefined) continue;
    yield { id: 'undeclared', version: after.name, path: field.path, place };
  }
}
