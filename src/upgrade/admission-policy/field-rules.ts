/** What a field of the new schema has to be, in CEL, so that values which were allowed stay so. */
import type { SchemaNode } from '../../kubernetes/index.js';
import { isNumber } from '../../text/go/index.js';
import { enforcedFormats } from '../../text/formats/index.js';
import type { JsonValue } from '../../text/documents/index.js';
import {
  hasNoSchema,
  isIntOrString,
  isSet,
  literal,
  preserves,
  preservesName,
} from './expressions.js';
import type { Constants } from './constants.js';
import { textSamples } from './text-samples.js';
import type { Need } from './use.js';

export interface FieldRule {
  /** Of `f`, the field's new schema; true where the values stay allowed. */
  readonly condition: string;
  /** What is wrong where it is false. */
  readonly problem: string;
}

const isEmbedded = '"x-kubernetes-embedded-resource"';
const listType = '"x-kubernetes-list-type"';
const listKeys = '"x-kubernetes-list-map-keys"';

/** @param need what the values of the field need; without it, all values that are allowed stay so */
export function fieldRules(
  node: SchemaNode,
  need: Need | undefined,
  constants: Constants,
): FieldRule[] {
  return [
    typeRule(node),
    ...nullRule(node),
    enumRule(node, need),
    ...(isOf(node, 'object') ? objectRules(node) : []),
    ...(isOf(node, 'integer', 'number') ? [multipleRule(node)] : []),
    ...(isOf(node, 'string') ? textRules(node, constants) : []),
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
  return {
    condition: `has(f.type) ? f.type in ${literal(types)} : ${untyped}`,
    problem: `type may not change from ${type !== '' ? type : intOrString ? 'integer or string' : 'any'}`,
  };
}

function nullRule({ nullable }: SchemaNode): FieldRule[] {
  return nullable
    ? [{ condition: 'has(f.nullable) && f.nullable', problem: 'null is allowed now' }]
    : [];
}

function enumRule(node: SchemaNode, need: Need | undefined): FieldRule {
  const values = [...(need?.values ?? node.enum ?? [])].filter((each) => !isNested(each));
  const keeps =
    node.enum === undefined
      ? ''
      : ` || (${['true', ...values.map((each) => `${literal(each)} in f.enum`)].join(' && ')})`;
  return {
    condition: `!has(f.enum)${keeps}`,
    problem: 'enum lacks values that are allowed now',
  };
}

function objectRules(node: SchemaNode): FieldRule[] {
  const rules: FieldRule[] = [
    {
      condition: `!has(f.required) || f.required.all(x, x in ${literal([...node.required])} || (has(f.properties) && x in f.properties && "default" in f.properties[x]))`,
      problem: 'required lists fields that objects need not have now',
    },
  ];
  if (!node.embeddedResource) {
    rules.push({
      condition: `!${isSet(isEmbedded, 'f')}`,
      problem: 'objects need not be whole Kubernetes objects now',
    });
  }
  if (node.embeddedResource && !node.preserveUnknownFields) {
    rules.push({
      condition: `${isSet(isEmbedded, 'f')} || ${isSet(preserves, 'f')}`,
      problem: 'apiVersion, kind and metadata are kept now',
    });
  }
  const { additionalProperties } = node;
  const keepsAny =
    additionalProperties?.allows === true && additionalProperties.schema === undefined;
  if (node.preserveUnknownFields || keepsAny) {
    const kept = keepsAny
      ? ' || (has(f.additionalProperties) && f.additionalProperties == true)'
      : '';
    rules.push({
      condition: `${isSet(preserves, 'f')}${kept}`,
      problem: 'unknown fields are kept now',
    });
  }
  if (node.preserveUnknownFields || additionalProperties?.allows === true) {
    rules.push({
      condition: `!${isSet(preserves, 'f')} || (${declaresNothing(node)})`,
      problem: 'a field is declared whose values may be others now',
    });
  }
  return rules;
}

/** What a schema may say that refuses no value. */
const harmless = ['description', 'title', 'default', 'nullable', 'example', 'externalDocs'];

/** Nothing of what is not declared now, but may be there. */
function declaresNothing({ type, properties, additionalProperties, items }: SchemaNode): string {
  const known = literal([...(properties?.keys() ?? [])]);
  const isOpen = `f.properties[p].all(k, k in ${literal([...harmless, preservesName])})`;
  return [
    `(!has(f.properties) || f.properties.all(p, p in ${known} || ${isOpen}))`,
    ...(additionalProperties?.schema === undefined ? [hasNoSchema('f')] : []),
    ...(type === '' && items === undefined ? ['!has(f.items)'] : []),
  ].join(' && ');
}

function multipleRule({ multipleOf }: SchemaNode): FieldRule {
  const same = multipleOf === undefined ? '' : ` || double(f.multipleOf) == ${double(multipleOf)}`;
  return {
    condition: `!has(f.multipleOf)${same}`,
    problem: 'multipleOf refuses values that are allowed now',
  };
}

function textRules(node: SchemaNode, constants: Constants): FieldRule[] {
  const { pattern, format } = node;
  const same = (keyword: string, value: string): string =>
    `!has(f.${keyword})${value === '' ? '' : ` || f.${keyword} == ${literal(value)}`}`;
  const samples = isFree(node) ? textSamples(node) : [];
  const accepts =
    samples.length === 0 ? '' : ` || ${constants.nameOf(samples)}.all(s, s.matches(f.pattern))`;
  return [
    {
      condition: `${same('pattern', pattern)}${accepts}`,
      problem: 'pattern may refuse values that are allowed now',
    },
    {
      condition: `${same('format', format)} || !(f.format.replace("-", "") in ${constants.nameOf(enforcedFormats)})`,
      problem: 'format may refuse values that are allowed now',
    },
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
  const isMet = (strictly: boolean): string =>
    `double(f.${keyword}) ${sign}${strictly ? '' : '='} ${double(value ?? 0)}`;
  const condition =
    value === undefined
      ? `!has(f.${keyword})`
      : exclusive === undefined
        ? `!has(f.${keyword}) || ${isMet(false)}`
        : `!has(f.${keyword}) || (has(f.${exclusive}) && f.${exclusive} ? ${isMet(true)} : ${isMet(false)})`;
  return { condition, problem: `${keyword} refuses values that are allowed now` };
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
  const keys = node.listMapKeys.map((each) => ` && ${literal(each)} in f[${listKeys}]`);
  const same = type === 'atomic' ? '' : ` || (f[${listType}] == ${literal(type)}${keys.join('')})`;
  return {
    condition: `!(${listType} in f) || f[${listType}] == "atomic"${same}`,
    problem: 'list type refuses lists that are allowed now',
  };
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

function double(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
