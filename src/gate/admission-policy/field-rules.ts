/** Rules in CEL for a field of the new schema, so that values which were allowed stay so. */
import type { SchemaNode } from '../../kubernetes/index.js';
import { isNumber } from '../../text/go/index.js';
import { groupBy } from '../../text/group.js';
import { enforcedFormats } from '../../text/formats/index.js';
import type { JsonValue } from '../../text/documents/index.js';
import {
  hasNoSchema,
  isIntOrString,
  isSet,
  preserves,
  preservesName,
  typeOf,
} from './expressions.js';
import type { Budget } from '../../upgrade/index.js';
import { longestPattern, textSamples } from './text-samples.js';
import type { Need } from './use.js';

export interface FieldRule {
  /** The message where the condition is false. */
  readonly problem: string;
  /**
   * An expression over `f`, the field's new schema. Fields whose rules differ only in the values of their slots share an expression.
   */
  readonly condition: string;
  readonly values: readonly JsonValue[];
  /** In units of CEL, beside those of any rule. */
  readonly cost?: number;
}

/** Writes a value into a condition. */
export type Slot = (value: JsonValue) => string;

export const slotMark = (number: number): string => `\u0000${number}\u0000`;

export function fieldRule(
  problem: string,
  write: (slot: Slot) => string,
  cost?: number,
): FieldRule {
  const values: JsonValue[] = [];
  const condition = write((value) => slotMark(values.push(value) - 1));
  return { problem, condition, values, ...(cost !== undefined && { cost }) };
}

const isEmbedded = '"x-kubernetes-embedded-resource"';
const listType = '"x-kubernetes-list-type"';
const listKeys = '"x-kubernetes-list-map-keys"';

/** @param need of the values; without it all that are allowed stay so @param samples for patterns */
export function fieldRules(node: SchemaNode, need: Need | undefined, samples: Budget): FieldRule[] {
  return [
    typeRule(node),
    ...nullRule(node),
    enumRule(node, need),
    ...(isOf(node, 'object') ? objectRules(node) : []),
    ...(isOf(node, 'integer', 'number') ? [multipleRule(node)] : []),
    ...(isOf(node, 'string') ? textRules(node, samples) : []),
    ...boundsOf(node, need).map(boundRule),
    ...(node.type === 'array' ? [listRule(node)] : []),
  ];
}

/** An integer field may become a number: every integer is one. */
function typeRule(node: SchemaNode): FieldRule {
  const { type, intOrString } = node;
  const types = type === '' ? [] : type === 'integer' ? ['integer', 'number'] : [type];
  const isEither = intOrString || type === 'integer' || type === 'string';
  const untyped = isEither ? 'true' : `!${isSet(isIntOrString, 'f')}`;
  return fieldRule(
    `type may not change from ${type !== '' ? type : intOrString ? 'integer or string' : 'any'}`,
    (slot) => `has(f.type) ? f.type in ${slot(types)} : ${untyped}`,
  );
}

function nullRule({ nullable }: SchemaNode): FieldRule[] {
  return nullable ? [fieldRule('null is allowed now', () => 'has(f.nullable) && f.nullable')] : [];
}

function enumRule(node: SchemaNode, need: Need | undefined): FieldRule {
  const values = [...(need?.values ?? node.enum ?? [])].filter((each) => !isNested(each));
  const ofTypes = [...groupBy(values, typeOf).values()];
  return fieldRule(
    'enum lacks values that are allowed now',
    (slot) =>
      node.enum === undefined
        ? '!has(f.enum)'
        : `!has(f.enum) || (${['true', ...ofTypes.map((same) => `${slot(same)}.all(x, x in f.enum)`)].join(' && ')})`,
    values.length ** 2,
  );
}

function objectRules(node: SchemaNode): FieldRule[] {
  const rules: FieldRule[] = [
    fieldRule(
      'required lists fields that objects need not have now',
      (slot) =>
        `!has(f.required) || f.required.all(x, x in ${slot(setOf(node.required))} || (has(f.properties) && x in f.properties && "default" in f.properties[x]))`,
      5 * node.required.length,
    ),
  ];
  if (!node.embeddedResource) {
    rules.push(
      fieldRule(
        'objects need not be whole Kubernetes objects now',
        () => `!${isSet(isEmbedded, 'f')}`,
      ),
    );
  }
  if (node.embeddedResource && !node.preserveUnknownFields) {
    rules.push(
      fieldRule(
        'apiVersion, kind and metadata are kept now',
        () => `${isSet(isEmbedded, 'f')} || ${isSet(preserves, 'f')}`,
      ),
    );
  }
  const { additionalProperties } = node;
  const keepsAny =
    additionalProperties?.allows === true && additionalProperties.schema === undefined;
  if (node.preserveUnknownFields || keepsAny) {
    const kept = keepsAny
      ? ' || (has(f.additionalProperties) && f.additionalProperties == true)'
      : '';
    rules.push(fieldRule('unknown fields are kept now', () => `${isSet(preserves, 'f')}${kept}`));
  }
  if (node.preserveUnknownFields || additionalProperties?.allows === true) {
    rules.push(
      fieldRule(
        'a field is declared whose values may be others now',
        (slot) => `!${isSet(preserves, 'f')} || (${declaresNothing(node, slot)})`,
        5 * (node.properties?.size ?? 0),
      ),
    );
  }
  return rules;
}

/** To look up a name in a list costs an API server as much as the list is long, in a map nothing. */
function setOf(names: Iterable<string>): JsonValue {
  return Object.fromEntries([...names].map((name) => [name, true]));
}

/** Keywords of a schema that refuse no value. */
const harmless = ['description', 'title', 'default', 'nullable', 'example', 'externalDocs'];

/** Nothing of what is not declared now, but may be there. */
function declaresNothing(
  { type, properties, additionalProperties, items }: SchemaNode,
  slot: Slot,
): string {
  const known = slot(setOf(properties?.keys() ?? []));
  const isOpen = `f.properties[p].all(k, k in ${slot([...harmless, preservesName])})`;
  return [
    `(!has(f.properties) || f.properties.all(p, p in ${known} || ${isOpen}))`,
    ...(additionalProperties?.schema === undefined ? [hasNoSchema('f')] : []),
    ...(type === '' && items === undefined ? ['!has(f.items)'] : []),
  ].join(' && ');
}

function multipleRule({ multipleOf }: SchemaNode): FieldRule {
  return fieldRule('multipleOf refuses values that are allowed now', (slot) =>
    multipleOf === undefined
      ? '!has(f.multipleOf)'
      : `!has(f.multipleOf) || double(f.multipleOf) == double(${slot(multipleOf)})`,
  );
}

function textRules(node: SchemaNode, budget: Budget): FieldRule[] {
  const { pattern, format } = node;
  const isSame = (keyword: string, value: string, slot: Slot): string =>
    `!has(f.${keyword})${value === '' ? '' : ` || f.${keyword} == ${slot(value)}`}`;
  const samples = isFree(node) ? textSamples(node, budget) : [];
  return [
    fieldRule('pattern may refuse values that are allowed now', (slot) => {
      const accepts =
        samples.length === 0
          ? ''
          : ` || (f.pattern.size() <= ${longestPattern} && ${slot(samples)}.all(s, s.matches(f.pattern)))`;
      return `${isSame('pattern', pattern, slot)}${accepts}`;
    }),
    fieldRule(
      'format may refuse values that are allowed now',
      (slot) =>
        `${isSame('format', format, slot)} || !(f.format.replace("-", "") in ${slot([...enforcedFormats])})`,
    ),
  ];
}

/** Whether the keywords of a field alone say which values it takes. */
function isFree(node: SchemaNode): boolean {
  return node.rules.length === 0 && !hasOperators(node);
}

interface Bound {
  readonly keyword: string;
  readonly sign: '<' | '>';
  /** The value that must stay allowed; undefined where every value is allowed now. */
  readonly value: number | undefined;
  /** The keyword that excludes the bound itself, unless the definition already excludes it. */
  readonly exclusive?: string;
}

function boundRule({ keyword, sign, value, exclusive }: Bound): FieldRule {
  return fieldRule(`${keyword} refuses values that are allowed now`, (slot) => {
    if (value === undefined) return `!has(f.${keyword})`;
    const bound = `double(${slot(value)})`;
    const isMet = (strictly: boolean): string =>
      `double(f.${keyword}) ${sign}${strictly ? '' : '='} ${bound}`;
    return exclusive === undefined
      ? `!has(f.${keyword}) || ${isMet(false)}`
      : `!has(f.${keyword}) || (has(f.${exclusive}) && f.${exclusive} ? ${isMet(true)} : ${isMet(false)})`;
  });
}

/** Without objects, the bounds of the definition take the place of the values in use. */
function boundsOf(node: SchemaNode, need: Need | undefined): Bound[] {
  return [
    ...(isOf(node, 'integer', 'number') ? numeric(node, need) : []),
    ...(isOf(node, 'string') ? lengths('Length', node.minLength, node.maxLength, need) : []),
    ...(isOf(node, 'array') ? lengths('Items', node.minItems, node.maxItems, need) : []),
    ...(isOf(node, 'object')
      ? lengths('Properties', node.minProperties, node.maxProperties, need)
      : []),
  ];
}

function numeric(node: SchemaNode, need: Need | undefined): Bound[] {
  const { least, most } = need ?? {};
  const isLowOpen = least === undefined && node.minimum !== undefined && node.exclusiveMinimum;
  const isHighOpen = most === undefined && node.maximum !== undefined && node.exclusiveMaximum;
  return [
    {
      keyword: 'minimum',
      sign: '<',
      value: least ?? node.minimum,
      ...(isLowOpen ? {} : { exclusive: 'exclusiveMinimum' }),
    },
    {
      keyword: 'maximum',
      sign: '>',
      value: most ?? node.maximum,
      ...(isHighOpen ? {} : { exclusive: 'exclusiveMaximum' }),
    },
  ];
}

function lengths(of: string, least = 0, most: number | undefined, need: Need | undefined): Bound[] {
  return [
    {
      keyword: `min${of}`,
      sign: '<',
      value: need === undefined ? least : (need.shortest ?? least),
    },
    { keyword: `max${of}`, sign: '>', value: need === undefined ? most : (need.longest ?? most) },
  ];
}

function listRule(node: SchemaNode): FieldRule {
  const type = node.listType ?? 'atomic';
  return fieldRule('list type refuses lists that are allowed now', (slot) => {
    const same =
      type === 'atomic'
        ? ''
        : ` || (f[${listType}] == ${slot(type)} && ${slot([...node.listMapKeys])}.all(k, k in f[${listKeys}]))`;
    return `!(${listType} in f) || f[${listType}] == "atomic"${same}`;
  });
}

export const operators = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

export function hasOperators({ allOf, anyOf, oneOf, not }: SchemaNode): boolean {
  return allOf.length + anyOf.length + oneOf.length > 0 || not !== undefined;
}

/** Whether a schema constrains values of these types: one without a type may have any. */
function isOf({ type }: SchemaNode, ...types: readonly string[]): boolean {
  return type === '' || types.includes(type);
}

/** CEL compares lists and maps, but takes no literal of mixed types. */
export function isNested(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && !isNumber(value);
}
