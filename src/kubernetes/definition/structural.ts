/**
 * Whether a schema is structural: each field and list is specified outside of value validation, which
 * alone may be in anyOf, allOf, oneOf and not.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/{convert,validation,complete}.go.
 */
import { child, forbidden, invalid, required, type FieldError } from '../apiserver/field-error.js';
import { compilePattern } from '../../text/go/regexp.js';
import type { ServerTraits } from './minors.js';
import type { SchemaFacts } from './schema-walk.js';
import { isUsed, usedKeywords, type Keyword, type SchemaNode } from '../apiserver/schema.js';

type Level = 'root' | 'item' | 'field';

/** `path[key]`, as field paths print keys. */
export function keyed(path: string, keyword: string, key: string): string {
  return `${child(path, keyword)}[${key}]`;
}

export function indexed(path: string, keyword: string, index: number): string {
  return `${child(path, keyword)}[${index}]`;
}

/** Errors that keep a schema with no unsupported keyword from being structural. */
export function structuralErrors(
  schema: SchemaNode,
  path: string,
  traits: ServerTraits,
): FieldError[] {
  const validation = new StructuralValidation(traits);
  validation.invariants(schema, 'root', path);
  validation.completeness(schema, schema, path, path);
  return validation.errors;
}

/** Whether a schema, were it stored, would count as structural. */
export function isStructural(
  schema: SchemaNode,
  traits: ServerTraits,
  facts: SchemaFacts,
): boolean {
  return (
    facts.unsupported(schema) === undefined && structuralErrors(schema, '', traits).length === 0
  );
}

class StructuralValidation {
  readonly errors: FieldError[] = [];

  constructor(private readonly traits: ServerTraits) {}

  invariants(schema: SchemaNode, level: Level, path: string): void {
    const { errors } = this;
    const { additionalProperties, items, type } = schema;
    if (items?.holds('refusable') === true) this.invariants(items, 'item', child(path, 'items'));
    if (items === undefined && type === 'array') {
      errors.push(required(child(path, 'items'), 'must be specified'));
    }
    for (const [name, property] of schema.properties ?? []) {
      if (!property.holds('refusable')) continue;
      this.invariants(property, 'field', keyed(path, 'properties', name));
    }
    if (additionalProperties !== undefined) {
      const place = child(path, 'additionalProperties');
      if (level === 'root') errors.push(forbidden(place, 'must not be used at the root'));
      if (additionalProperties.schema?.holds('refusable') === true) {
        this.invariants(additionalProperties.schema, 'field', place);
      }
      if (schema.embeddedResource) {
        errors.push(forbidden(place, 'must not be used if x-kubernetes-embedded-resource is set'));
      }
    }
    this.extensions(schema, path);
    this.valueValidation(
      schema,
      this.isIntOrString(schema.anyOf),
      this.isIntOrString(schema.allOf[0]?.anyOf),
      path,
    );
    this.type(schema, level, path);
    this.metaFields(schema, level, path);
  }

  private type(schema: SchemaNode, level: Level, path: string): void {
    const { type, embeddedResource } = schema;
    const place = child(path, 'type');
    if (embeddedResource && type !== 'object') {
      const detail = 'must be object if x-kubernetes-embedded-resource is true';
      this.errors.push(type === '' ? required(place, detail) : invalid(place, detail));
    } else if (type === '' && !schema.intOrString && schema.preserveUnknownFields !== true) {
      this.errors.push(required(place, missingType[level]));
    }
    if (level === 'root' && type !== '' && type !== 'object') {
      this.errors.push(invalid(place, 'must be object at the root'));
    }
  }

  private extensions(schema: SchemaNode, path: string): void {
    const preserves = schema.preserveUnknownFields === true;
    const exclusive = 'must be false if x-kubernetes-int-or-string is true';
    if (schema.intOrString && preserves) {
      this.errors.push(invalid(child(path, 'x-kubernetes-preserve-unknown-fields'), exclusive));
    }
    if (schema.intOrString && schema.embeddedResource) {
      this.errors.push(invalid(child(path, 'x-kubernetes-embedded-resource'), exclusive));
    }
    if (schema.embeddedResource && !preserves && (schema.properties?.size ?? 0) === 0) {
      this.errors.push(
        required(
          child(path, 'properties'),
          'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
        ),
      );
    }
  }

  private metaFields(schema: SchemaNode, level: Level, path: string): void {
    if (level !== 'root' && !schema.embeddedResource) return;
    const expected = { kind: 'string', apiVersion: 'string', metadata: 'object' };
    for (const [name, type] of Object.entries(expected)) {
      const property = schema.properties?.get(name);
      if (property === undefined || property.type === type) continue;
      this.errors.push(invalid(`${keyed(path, 'properties', name)}.type`, `must be ${type}`));
    }
    const metadata = schema.properties?.get('metadata');
    if (level !== 'root' || metadata === undefined) return;
    if (this.restrictsMetadata(metadata)) {
      this.errors.push(
        forbidden(
          keyed(path, 'properties', 'metadata'),
          'must not specify anything other than name and generateName, but metadata is implicitly specified',
        ),
      );
    }
  }

  private restrictsMetadata(metadata: SchemaNode): boolean {
    const names = [...(metadata.properties?.keys() ?? [])];
    const onlyNames = names.every((name) => name === 'name' || name === 'generateName');
    return this.structuralKeywords(metadata).some(
      (keyword) =>
        keyword !== 'type' && keyword !== 'default' && !(keyword === 'properties' && onlyNames),
    );
  }

  private structuralKeywords(schema: SchemaNode): Keyword[] {
    return usedKeywords(schema).filter((keyword) => {
      if (isClause(keyword)) return (schema[keyword]?.length ?? 0) > 0;
      if (keyword === 'items') return schema.items !== undefined;
      if (keyword === 'externalDocs' || keyword === 'example') return this.traits.keepsExamples;
      return !lost.has(keyword);
    });
  }

  /** `anyOf: [{type: integer}, {type: string}]`, which x-kubernetes-int-or-string may be spelled with. */
  private isIntOrString(anyOf: readonly SchemaNode[] | undefined): boolean {
    if (anyOf?.length !== 2) return false;
    return ['integer', 'string'].every((type, index) => {
      const schema = anyOf[index];
      if (schema?.type !== type) return false;
      const { additionalProperties } = schema;
      const others = this.structuralKeywords(schema).filter((keyword) => keyword !== 'type');
      return others.every(
        (keyword) =>
          keyword === 'additionalProperties' &&
          this.traits.ignoresNestedFalse &&
          additionalProperties?.allows === false,
      );
    });
  }

  private valueValidation(
    schema: SchemaNode,
    skipsAnyOf: boolean,
    skipsFirstAnyOf: boolean,
    path: string,
  ): void {
    if (!skipsAnyOf) {
      schema.anyOf.forEach((clause, index) => {
        this.nested(clause, false, indexed(path, 'anyOf', index));
      });
    }
    schema.allOf.forEach((clause, index) => {
      this.nested(clause, skipsFirstAnyOf && index === 0, indexed(path, 'allOf', index));
    });
    schema.oneOf.forEach((clause, index) => {
      this.nested(clause, false, indexed(path, 'oneOf', index));
    });
    if (schema.not !== undefined) this.nested(schema.not, false, child(path, 'not'));
    if (schema.pattern === '') return;
    const compiled = compilePattern(schema.pattern);
    if (typeof compiled !== 'string') return;
    this.errors.push(
      invalid(child(path, 'pattern'), `must be a valid regular expression, but isn't: ${compiled}`),
    );
  }

  private nested(schema: SchemaNode, skipsAnyOf: boolean, path: string): void {
    this.valueValidation(schema, skipsAnyOf, false, path);
    if (schema.items !== undefined) this.nested(schema.items, false, child(path, 'items'));
    for (const [name, property] of schema.properties ?? []) {
      this.nested(property, false, keyed(path, 'properties', name));
    }
    for (const [keyword, spelled, detail] of forbiddenInside) {
      if (!this.isUsedInside(schema, keyword)) continue;
      this.errors.push(forbidden(child(path, spelled), `${detail} to be structural`));
    }
    if (schema.properties?.has('metadata') === true) {
      this.errors.push(
        forbidden(
          keyed(path, 'properties', 'metadata'),
          'must not be specified in a nested context',
        ),
      );
    }
  }

  private isUsedInside(schema: SchemaNode, keyword: Keyword): boolean {
    if (keyword === 'additionalProperties') {
      const { additionalProperties: of } = schema;
      return of !== undefined && (of.allows || !this.traits.ignoresNestedFalse);
    }
    const isList = keyword === 'listMapKeys' || keyword === 'rules';
    return isList ? schema[keyword].length > 0 : isUsed(schema, keyword);
  }

  completeness(
    schema: SchemaNode,
    structural: SchemaNode | undefined,
    place: string,
    path: string,
  ): void {
    if (structural === undefined) {
      this.errors.push(required(place, `because it is defined in ${path}`));
      return;
    }
    if (schema.not !== undefined)
      this.nestedCompleteness(schema.not, structural, place, child(path, 'not'));
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      schema[keyword].forEach((clause, index) => {
        this.nestedCompleteness(clause, structural, place, indexed(path, keyword, index));
      });
    }
  }

  private nestedCompleteness(
    schema: SchemaNode,
    structural: SchemaNode | undefined,
    place: string,
    path: string,
  ): void {
    this.completeness(schema, structural, place, path);
    if (structural === undefined) return;
    if (schema.items !== undefined) {
      this.nestedCompleteness(
        schema.items,
        structural.items,
        child(place, 'items'),
        child(path, 'items'),
      );
    }
    for (const [name, property] of schema.properties ?? []) {
      this.nestedCompleteness(
        property,
        structural.properties?.get(name),
        keyed(place, 'properties', name),
        keyed(path, 'properties', name),
      );
    }
  }
}

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function isClause(keyword: Keyword): keyword is 'enum' | 'allOf' | 'anyOf' | 'oneOf' {
  return ['enum', 'allOf', 'anyOf', 'oneOf'].includes(keyword);
}

const lost: ReadonlySet<string> = new Set(
  'id schemaUrl ref patternProperties dependencies additionalItems definitions'.split(' '),
);

/** Keywords that anyOf, allOf, oneOf and not may not hold, and the value they must have instead. */
const forbiddenInside: readonly (readonly [Keyword, string, string])[] = [
  ['type', 'type', 'must be empty'],
  ['additionalProperties', 'additionalProperties', 'must be undefined'],
  ['default', 'default', 'must be undefined'],
  ['title', 'title', 'must be empty'],
  ['description', 'description', 'must be empty'],
  ['nullable', 'nullable', 'must be false'],
  ['preserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', 'must be false'],
  ['embeddedResource', 'x-kubernetes-embedded-resource', 'must be false'],
  ['intOrString', 'x-kubernetes-int-or-string', 'must be false'],
  ['listMapKeys', 'x-kubernetes-list-map-keys', 'must be empty'],
  ['listType', 'x-kubernetes-list-type', 'must be undefined'],
  ['mapType', 'x-kubernetes-map-type', 'must be undefined'],
  ['rules', 'x-kubernetes-validations', 'must be empty'],
];
