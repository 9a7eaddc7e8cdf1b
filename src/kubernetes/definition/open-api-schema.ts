/**
 * Requirements on a schema beside being structural: known types, no forbidden keyword, list types that
 * its items allow, and rules that have everything they need.
 *
 * Source: ValidateCustomResourceDefinitionOpenAPISchema of
 * k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go.
 */
import {
  breakdown,
  child,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../apiserver/field-error.js';
import { trimSpace } from '../../text/go/index.js';
import { escapeName, findField } from '../apiserver/rules/field-names.js';
import { listTypeErrors, mapListErrors } from './list-types.js';
import type { Requirements } from './custom-resource-definition.js';
import { type Multiplier, type SchemaFacts, schemaTypes } from './schema-walk.js';
import { RuledSchema, type Typing } from './expressions.js';
import type { SchemaNode, UnjudgedKeywords, ValidationRule } from '../apiserver/schema.js';
import { indexed, keyed } from './structural.js';
import { append } from '../../text/long-lists.js';

export interface SchemaJudgement {
  readonly errors: readonly FieldError[];
  readonly ruled: readonly RuledSchema[];
}

interface Place {
  /** Why no default may be here; undefined where one may. */
  readonly forbidsDefault: string | undefined;
  readonly insideMeta: boolean;
  readonly uncorrelated: string | undefined;
  /** Below anyOf and its like, rules are never looked at. */
  readonly isNested: boolean;
  /** Whether an ancestor has rules: from there on servers derive types from the schema around. */
  readonly isRuled: boolean;
  readonly typing: Typing;
  readonly multiplier: Multiplier | undefined;
}

type SchemaRequirements = Pick<Requirements, 'knownTypes' | 'atomicSetItems' | 'mapListKeys'>;

const metaFields = ['metadata', 'kind', 'apiVersion'];

export function judgeSchema(
  schema: SchemaNode,
  path: string,
  requirements: SchemaRequirements,
  facts: SchemaFacts,
): SchemaJudgement {
  const validation = new SchemaValidation(requirements, facts);
  const place = {
    forbidsDefault: undefined,
    insideMeta: false,
    uncorrelated: undefined,
    isNested: false,
    isRuled: false,
    typing: 'own' as const,
    multiplier: undefined,
  };
  validation.visit(schema, path, place, true);
  return validation;
}

class SchemaValidation implements SchemaJudgement {
  readonly errors: FieldError[] = [];
  readonly ruled: RuledSchema[] = [];

  constructor(
    private readonly requirements: SchemaRequirements,
    readonly facts: SchemaFacts,
  ) {}

  visit(schema: SchemaNode, path: string, place: Place, isRoot: boolean): void {
    const { errors, requirements } = this;
    const before = errors.length;
    this.keywords(schema, path, place);
    if (isAroundOthers(schema)) this.below(schema, path, place, isRoot);
    if (schema.preserveUnknownFields === false) {
      const detail = 'must be true or undefined';
      errors.push(invalid(child(path, 'x-kubernetes-preserve-unknown-fields'), detail));
    }
    const { listType, mapType, listMapKeys } = schema;
    if (listType !== undefined || mapType !== undefined || listMapKeys.length > 0) {
      append(errors, listTypeErrors(schema, path, requirements.atomicSetItems));
      if (requirements.mapListKeys) append(errors, mapListErrors(schema, path));
    }
    schema.rules.forEach((rule, index) => {
      ruleErrors(rule, schema, indexed(path, 'x-kubernetes-validations', index), this);
    });
    // An error here or below hides those of the expressions.
    if (schema.rules.length === 0 || place.isNested || errors.length > before) return;
    const { multiplier, uncorrelated, typing } = place;
    const isResource = isRoot || schema.embeddedResource;
    this.ruled.push(
      new RuledSchema({ schema, path, isResource, multiplier, uncorrelated, typing }, this.facts),
    );
  }

  private below(schema: SchemaNode, path: string, place: Place, isRoot: boolean): void {
    const isRuled = place.isRuled || schema.rules.length > 0;
    const isMultiplied = multiplies(schema);
    const typing =
      place.typing === 'own' && isRuled && !hasType(schema) ? 'impossible' : place.typing;
    const multiplier = isMultiplied ? { schema, path, outer: place.multiplier } : place.multiplier;
    const below: Place = { ...place, isRuled, typing, multiplier };
    // Only lists and maps have elements with a type.
    const { additionalProperties, intOrString, type } = schema;
    const isMap = type === 'object' && additionalProperties?.schema !== undefined;
    const hasElements = !intOrString && (isMap || type === 'array');
    const isAbsent = typing === 'own' && isRuled && !hasElements;
    const ofElement = isAbsent ? 'absent' : asked(typing);
    const element = ofElement === typing ? below : { ...below, typing: ofElement };
    this.additionalProperties(schema, path, element);
    this.properties(schema, path, below, isRoot);
    this.clauses(schema, path, { ...place, isNested: true });
    this.items(schema, path, element);
  }

  private keywords(schema: SchemaNode, path: string, place: Place): void {
    const { errors } = this;
    const { type } = schema;
    if (this.requirements.knownTypes && type !== '' && !schemaTypes.has(type)) {
      errors.push(notSupported(child(path, 'type'), [...schemaTypes].sort()));
    }
    if (type === 'null') {
      const detail = 'type cannot be set to null, use nullable as an alternative';
      errors.push(forbidden(child(path, 'type'), detail));
    }
    if (schema.default !== undefined && place.forbidsDefault !== undefined) {
      errors.push(forbidden(child(path, 'default'), `must not be set ${place.forbidsDefault}`));
    }
    if (schema.unjudged !== undefined) {
      for (const keyword of unsupportedKeywords(schema.unjudged)) {
        errors.push(forbidden(child(path, keyword), `${keyword} is not supported`));
      }
    }
    if ((schema.unjudged?.itemList?.schemas.length ?? 0) > 0) {
      const detail = 'items must be a schema object and not an array';
      errors.push(forbidden(child(path, 'items'), detail));
    }
    if (place.insideMeta && schema.embeddedResource) {
      const detail = 'must not be used inside of resource meta';
      errors.push(forbidden(child(path, 'x-kubernetes-embedded-resource'), detail));
    }
    if (schema.uniqueItems) {
      const detail =
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
      errors.push(forbidden(child(path, 'uniqueItems'), detail));
    }
  }

  private additionalProperties(
    { additionalProperties, properties }: SchemaNode,
    path: string,
    place: Place,
  ): void {
    if (additionalProperties === undefined) return;
    const { allows, schema } = additionalProperties;
    const field = child(path, 'additionalProperties');
    if ((properties?.size ?? 0) > 0 && (!allows || schema !== undefined)) {
      const detail = 'additionalProperties and properties are mutual exclusive';
      this.errors.push(forbidden(field, detail));
    }
    if (schema?.holds('refusable') !== true) return;
    const inside = place.insideMeta
      ? { ...place, forbidsDefault: 'inside additionalProperties applying to object metadata' }
      : place;
    this.visit(schema, field, inside, false);
  }

  private properties(schema: SchemaNode, path: string, place: Place, isRoot: boolean): void {
    const isKnownType = [undefined, 'granular', 'atomic'].includes(schema.mapType);
    const below = isKnownType ? place : uncorrelatedFrom(place, path);
    for (const [name, property] of schema.properties ?? []) {
      if (!property.holds('refusable')) continue;
      // Servers ask for no type of a field whose name rules cannot write.
      const isNamed = escapeName(name) !== undefined;
      const typing = isNamed || below.typing !== 'absent' ? asked(below.typing) : 'own';
      let inside = typing === below.typing ? below : { ...below, typing };
      if ((isRoot || schema.embeddedResource) && metaFields.includes(name)) {
        inside = { ...inside, insideMeta: true };
        if (isRoot) inside = { ...inside, forbidsDefault: `in top-level ${name}` };
      }
      this.visit(property, keyed(path, 'properties', name), inside, false);
    }
  }

  private clauses(schema: SchemaNode, path: string, place: Place): void {
    if (schema.not !== undefined) this.visit(schema.not, child(path, 'not'), place, false);
    for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
      schema[keyword].forEach((clause, index) => {
        this.visit(clause, indexed(path, keyword, index), place, false);
      });
    }
    for (const keyword of ['definitions', 'dependencies'] as const) {
      for (const [name, below] of schema.unjudged?.[keyword] ?? []) {
        if (below === undefined) continue;
        this.visit(below, keyed(path, keyword, name), place, false);
      }
    }
  }

  private items({ items, listType, unjudged }: SchemaNode, path: string, place: Place): void {
    const inside = listType === 'map' ? place : uncorrelatedFrom(place, path);
    const visit = (schema: SchemaNode, field: string): void => {
      this.visit(schema, field, inside, false);
    };
    if (items?.holds('refusable') === true) visit(items, child(path, 'items'));
    unjudged?.itemList?.schemas.forEach((schema, index) => {
      visit(schema, indexed(path, 'items', index));
    });
  }
}

/** The typing of a place whose parent has the given one. */
function asked(typing: Typing): Typing {
  return typing === 'absent' ? 'fatal' : typing;
}

function isAroundOthers(schema: SchemaNode): boolean {
  const { items, properties, additionalProperties, allOf, anyOf, oneOf, not, unjudged } = schema;
  return (
    items !== undefined ||
    properties !== undefined ||
    additionalProperties !== undefined ||
    allOf.length + anyOf.length + oneOf.length > 0 ||
    not !== undefined ||
    (unjudged?.itemList ?? unjudged?.definitions ?? unjudged?.dependencies) !== undefined
  );
}

export function multiplies({ type, additionalProperties }: SchemaNode): boolean {
  return type === 'array' || (type === 'object' && additionalProperties !== undefined);
}

/** Whether rules can know values of a schema: see `typeOfSchema`. */
function hasType({ intOrString, type, items, additionalProperties }: SchemaNode): boolean {
  if (intOrString) return true;
  if (type === 'array') return items !== undefined && hasType(items);
  if (type !== 'object') return schemaTypes.has(type);
  const values = additionalProperties?.schema;
  return values === undefined || hasType(values);
}

function uncorrelatedFrom(place: Place, path: string): Place {
  return place.uncorrelated === undefined ? { ...place, uncorrelated: path } : place;
}

function unsupportedKeywords(unjudged: UnjudgedKeywords): string[] {
  const found: string[] = [];
  if (unjudged.id !== undefined) found.push('id');
  if (unjudged.additionalItems !== undefined) found.push('additionalItems');
  if ((unjudged.patternProperties?.size ?? 0) > 0) found.push('patternProperties');
  if ((unjudged.definitions?.size ?? 0) > 0) found.push('definitions');
  if (unjudged.dependencies !== undefined) found.push('dependencies');
  if (unjudged.ref !== undefined) found.push('$ref');
  return found;
}

const reasons = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

/** Requirements on a rule beside an expression that compiles. */
function ruleErrors(
  { rule, message, messageExpression, reason, fieldPath }: ValidationRule,
  schema: SchemaNode,
  path: string,
  { errors, facts }: Pick<SchemaValidation, 'errors' | 'facts'>,
): void {
  const text = trimSpace(message);
  if (trimSpace(rule) === '') errors.push(required(child(path, 'rule'), 'rule is not specified'));
  else if (message !== '' && text === '') {
    errors.push(invalid(child(path, 'message'), 'must be non-empty if specified'));
  } else if (hasLineBreak(text)) {
    errors.push(invalid(child(path, 'message'), 'must not contain line breaks'));
  } else if (hasLineBreak(trimSpace(rule)) && text === '') {
    const detail = 'message must be specified if rule contains line breaks';
    errors.push(required(child(path, 'message'), detail));
  }
  if (messageExpression !== '' && trimSpace(messageExpression) === '') {
    const detail = 'messageExpression must be non-empty if specified';
    errors.push(required(child(path, 'messageExpression'), detail));
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(notSupported(child(path, 'reason'), reasons));
  }
  if (fieldPath === '') return;
  const field = child(path, 'fieldPath');
  if (trimSpace(fieldPath) === '') errors.push(invalid(field, 'must be non-empty if specified'));
  if (hasLineBreak(fieldPath)) errors.push(invalid(field, 'must not contain line breaks'));
  if (facts.unsupported(schema) !== undefined) return;
  const found = findField(fieldPath, schema, true);
  if (found === undefined) errors.push(breakdown(field, 'a path that leads below a schema'));
  else if (typeof found === 'string') errors.push(invalid(field, 'must be a valid path'));
}
