/**
 * Whether the defaults of a structural schema are what objects may be given: without unknown fields,
 * with valid metadata, and valid against their own schema.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/{validation,prune}.go.
 */
import { sameValue } from '../apiserver/equality.js';
import { coerceEmbedded, validateEmbedded } from '../apiserver/extensions.js';
import {
  BadRequest,
  breakdown,
  child,
  invalid,
  wholeObject,
  type FieldError,
} from '../apiserver/field-error.js';
import { compileSchema, type CompiledSchemas, type Release } from '../apiserver/open-api.js';
import { pruneDefault } from '../apiserver/prepare.js';
import { compileRules } from '../apiserver/rules/compile-rules.js';
import { typeOfSchema } from '../apiserver/rules/declared-types.js';
import { escapeName } from '../apiserver/rules/field-names.js';
import type { CelType } from '../../cel/index.js';
import { distinct, type SchemaError } from '../apiserver/schema-errors.js';
import { SchemaNode } from '../apiserver/schema.js';
import { isObject, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { languageOf } from './languages.js';
import { releaseOf, type ServerTraits, SharedAnswers } from './minors.js';
import { type SchemaFacts, holds } from './schema-walk.js';
import { isStructural, keyed } from './structural.js';

const metaFields = ['metadata', 'kind', 'apiVersion'];

/** Wraps a value into the object around it, from the nearest embedded resource on. */
type Surround = (value: JsonValue) => JsonValue;

const asResource: Surround = (value) => ({
  apiVersion: 'validation/v1',
  kind: 'Validation',
  ...(value as JsonObject),
});

function withoutNestedFalse(node: SchemaNode, isNested: boolean): SchemaNode {
  const { additionalProperties, items, properties, not } = node;
  const same = (each: SchemaNode): SchemaNode => withoutNestedFalse(each, isNested);
  const nested = (each: SchemaNode): SchemaNode => withoutNestedFalse(each, true);
  const values = additionalProperties?.schema;
  const isDropped = isNested && values === undefined;
  return new SchemaNode({
    ...node,
    allOf: node.allOf.map(nested),
    anyOf: node.anyOf.map(nested),
    oneOf: node.oneOf.map(nested),
    not: not && nested(not),
    items: items && same(items),
    properties:
      properties && new Map([...properties].map(([name, each]) => [name, same(each)] as const)),
    additionalProperties:
      additionalProperties && !isDropped
        ? { ...additionalProperties, schema: values && same(values) }
        : undefined,
  });
}

/** The defaults of a schema that is structural. Few of them are judged otherwise by some minors. */
export class Defaults {
  readonly #judges: ((traits: ServerTraits) => readonly FieldError[])[] = [];
  readonly #compiled = new Map<Release, CompiledSchemas>();

  constructor(
    private readonly root: SchemaNode,
    path: string,
    private readonly requiresPruned: boolean,
  ) {
    const resource = new SchemaNode({ ...root, embeddedResource: true });
    this.visit(resource, resource, path, asResource, false);
  }

  errors(traits: ServerTraits): FieldError[] {
    return this.#judges.flatMap((judge) => judge(traits));
  }

  private visit(
    schema: SchemaNode,
    resource: SchemaNode,
    path: string,
    surround: Surround,
    insideMeta: boolean,
  ): void {
    if (!schema.holds('defaults')) return;
    if (schema.embeddedResource) {
      resource = schema;
      surround = asResource;
      insideMeta = false;
    }
    if (schema.default !== undefined) {
      const value = schema.default;
      const field = child(path, 'default');
      const node = this.converted(schema);
      const shapeErrors = insideMeta
        ? () => metaErrors(surround(value), this.converted(resource), field)
        : (traits: ServerTraits) => this.shapeErrors(value, node, field, traits);
      const answers = new SharedAnswers<readonly FieldError[]>();
      this.#judges.push((traits) =>
        answers.of(traits, (asked) => {
          const { always, first } = shapeErrors(asked);
          const others = first.length > 0 ? first : this.valueErrors(value, node, field, asked);
          return [...always, ...others];
        }),
      );
    }
    // No default may be below additionalProperties.
    if (schema.items !== undefined) {
      this.visit(
        schema.items,
        resource,
        child(path, 'items'),
        (value) => surround([value]),
        insideMeta,
      );
    }
    for (const [name, property] of schema.properties ?? []) {
      this.visit(
        property,
        resource,
        keyed(path, 'properties', name),
        (value) => surround({ [name]: value }),
        insideMeta || (schema.embeddedResource && metaFields.includes(name)),
      );
    }
  }

  /** Servers make a structural schema first, without `additionalProperties: false` below anyOf and its like. */
  private converted(schema: SchemaNode): SchemaNode {
    return this.root.holds('closedUnderClauses') ? withoutNestedFalse(schema, false) : schema;
  }

  private shapeErrors(
    value: JsonValue,
    schema: SchemaNode,
    field: string,
    traits: ServerTraits,
  ): { always: FieldError[]; first: FieldError[] } {
    const always =
      this.requiresPruned && holdsUnknownFields(value, schema, false)
        ? [invalid(field, 'must not have unknown fields')]
        : [];
    const undecodable = coercionError(value, schema, field);
    if (undecodable !== undefined) return { always, first: [undecodable] };
    const first: FieldError[] = [];
    validateEmbedded(value, schema, field, first, traits);
    return { always, first };
  }

  private valueErrors(
    value: JsonValue,
    schema: SchemaNode,
    field: string,
    traits: ServerTraits,
  ): readonly FieldError[] {
    const found: SchemaError[] = [];
    this.compiled(schema, traits)(value, '', found, undefined);
    if (found.length > 0) {
      return distinct(found, traits.namesTooFew).map((error) => ({
        ...error,
        field: error.field === wholeObject ? field : `${field}.${error.field}`,
      }));
    }
    if (!schema.holds('rules')) return [];
    const type = typeOfSchema(schema, schema.embeddedResource);
    if (traits.breaksWithoutType && isUntyped(schema, type)) {
      return [breakdown(field, 'rules of what has no type')];
    }
    return ruleErrors(value, schema, field, traits);
  }

  private compiled(schema: SchemaNode, traits: ServerTraits): ReturnType<typeof compileSchema> {
    const release = schema.holds('released') ? releaseOf(traits) : '1.36';
    let compiled = this.#compiled.get(release);
    if (compiled === undefined) this.#compiled.set(release, (compiled = new Map()));
    return compileSchema(schema, release, compiled, true);
  }
}

/** Whether rules are met, or what holds values, where the type is unknown that they would have. */
function isUntyped(schema: SchemaNode, type: CelType | undefined): boolean {
  const { rules, items, properties } = schema;
  const values = schema.additionalProperties?.schema;
  const entries = type?.parameters.at(-1);
  const isMet = rules.length > 0 || items !== undefined || values !== undefined;
  if (type === undefined && isMet) return true;
  if (items !== undefined && isUntyped(items, entries)) return true;
  if (values !== undefined && isUntyped(values, entries)) return true;
  return [...(properties ?? [])].some(([name, property]) => {
    const identifier = escapeName(name);
    if (identifier !== undefined && type === undefined) return true;
    const own =
      identifier === undefined
        ? typeOfSchema(property, property.embeddedResource)
        : type?.fields?.get(identifier);
    return own !== undefined && isUntyped(property, own);
  });
}

/** A default is judged as a value that stays, and as one that is new. */
function ruleErrors(
  value: JsonValue,
  schema: SchemaNode,
  path: string,
  traits: ServerTraits,
): readonly FieldError[] {
  const rules = compileRules(schema, schema.embeddedResource, languageOf(traits, true));
  const { addsFieldPaths } = traits;
  for (const old of [value, undefined]) {
    const errors = rules?.evaluate(value, old, undefined, { path, addsFieldPaths }).errors ?? [];
    if (errors.length > 0) return errors;
  }
  return [];
}

/** Defaults inside of metadata are judged as part of the resource around them. */
function metaErrors(
  object: JsonValue,
  resource: SchemaNode,
  field: string,
): { always: FieldError[]; first: FieldError[] } {
  const schema = new SchemaNode({ ...resource, embeddedResource: true });
  const errors: FieldError[] = [];
  const undecodable = coercionError(object, schema, '');
  if (undecodable !== undefined) errors.push(undecodable);
  else validateEmbedded(object, schema, '', errors);
  const [first] = errors;
  if (first === undefined) return { always: [], first: [] };
  const detail = `must result in valid metadata: ${first.field}: ${first.detail}`;
  return { always: [], first: [invalid(field, detail)] };
}

/** The first embedded resource whose type or metadata cannot be decoded. */
function coercionError(
  value: JsonValue,
  schema: SchemaNode | undefined,
  path: string,
): FieldError | undefined {
  if (schema === undefined) return undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const error = coercionError(item, schema.items, `${path}[${index}]`);
      if (error !== undefined) return error;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (schema.embeddedResource) {
    for (const name of metaFields) {
      if (!Object.hasOwn(value, name)) continue;
      try {
        coerceEmbedded({ [name]: value[name] as JsonValue }, '');
      } catch (error) {
        if (!(error instanceof BadRequest)) throw error;
        // It begins with the name, which is in the field.
        return invalid(child(path, name), error.message.slice(name.length + 2));
      }
    }
  }
  for (const name of Object.keys(value)) {
    const property = schema.properties?.get(name);
    const below = property ?? schema.additionalProperties?.schema;
    const place = property === undefined ? `${path}[${name}]` : child(path, name);
    const error = coercionError(value[name] as JsonValue, below, place);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** @param preserved whether unknown fields are kept here because an ancestor list keeps them */
function holdsUnknownFields(
  value: JsonValue,
  schema: SchemaNode | undefined,
  preserved: boolean,
): boolean {
  const keeps = preserved || schema?.preserveUnknownFields === true;
  if (Array.isArray(value)) {
    if (keeps && schema?.items === undefined) return false;
    return value.some((item) => holdsUnknownFields(item, schema?.items, keeps));
  }
  if (!isObject(value)) return false;
  return Object.keys(value).some((name) => {
    if (schema?.embeddedResource === true && metaFields.includes(name)) return false;
    const property = schema?.properties?.get(name);
    if (property === undefined && schema?.additionalProperties === undefined) return !keeps;
    const below = property ?? schema?.additionalProperties?.schema;
    return holdsUnknownFields(value[name] as JsonValue, below, false);
  });
}

/** Whether an old schema has a default with unknown fields, or with metadata that would be dropped. */
export function holdsUnprunedDefaults(
  schema: SchemaNode,
  traits: ServerTraits,
  facts: SchemaFacts,
): boolean {
  if (!holds(schema, ({ default: value }) => value !== undefined)) return false;
  if (!isStructural(schema, traits, facts)) return false;
  // A default of the whole object that is none ends the pruning, and nothing is known of the others.
  const ends = schema.default !== undefined && !isObject(schema.default);
  return !ends && isUnpruned(schema, false, true);
}

function isUnpruned(schema: SchemaNode, preserved: boolean, isRoot: boolean): boolean {
  const { default: value, additionalProperties, items } = schema;
  if (value !== undefined) {
    const as = isRoot ? new SchemaNode({ ...schema, embeddedResource: true }) : schema;
    if (!sameValue(pruneDefault(value, as, preserved), value)) return true;
  }
  if (
    additionalProperties?.schema !== undefined &&
    isUnpruned(additionalProperties.schema, false, false)
  ) {
    return true;
  }
  const keeps = preserved || schema.preserveUnknownFields === true;
  if (items !== undefined && isUnpruned(items, keeps, false)) return true;
  for (const [name, property] of schema.properties ?? []) {
    // Fields of metadata are not pruned.
    if ((isRoot || schema.embeddedResource) && metaFields.includes(name)) continue;
    if (isUnpruned(property, false, false)) return true;
  }
  return false;
}
