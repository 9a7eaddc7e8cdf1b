/**
 * OpenAPI validation of a value, compiled once for each schema node. It follows kube-openapi's
 * validators step by step, because their quirks decide which objects are accepted; the count of
 * steps that applied decides which branch of anyOf and oneOf is reported.
 *
 * Source: k8s.io/kube-openapi/pkg/validation/validate/{schema,type,object_validator,slice_validator,
 * schema_props}.go; ratcheting: k8s.io/apiextensions-apiserver/pkg/apiserver/validation/ratcheting.go.
 */
import { NumberText, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { type Correlated, enumHolder, sameValue, isJsonInteger, schemaTypeOf } from './equality.js';
import { formatCheck } from '../../text/formats/index.js';
import { compileLogic, numberRange, numericFormat, numberRule } from './keyword-rules.js';
import { compilePattern } from '../../text/go/regexp.js';
import {
  badValueError,
  enumError,
  enumTexts,
  formatError,
  requiredError,
  tooFewError,
  tooLongError,
  tooManyError,
  tooShortError,
  typeError,
  type Check,
  type SchemaError,
} from './schema-errors.js';
import type { SchemaNode } from './schema.js';
import { type JsonNumber, float64Of, runeCount } from '../../text/go/index.js';

/** 1.33: formats of names mean nothing; 1.36: numbers have ranges; 1.38 names what is too short or too few. */
export type Release = '1.33' | '1.35' | '1.36' | '1.38';

type Compile = (schema: SchemaNode) => Check;

/** Schemas that were compiled already, of one release: for schemas that share most of their parts. */
export type CompiledSchemas = Map<SchemaNode, Check> | WeakMap<SchemaNode, Check>;

const compiledBy: Readonly<Record<Release, CompiledSchemas>> = {
  '1.33': new WeakMap(),
  '1.35': new WeakMap(),
  '1.36': new WeakMap(),
  '1.38': new WeakMap(),
};

/** Parts are compiled when a value first meets them. @param ofDefault int-or-string means no type, formats stay */
export function compileSchema(
  schema: SchemaNode,
  release: Release = '1.35',
  known: CompiledSchemas = compiledBy[release],
  ofDefault = false,
): Check {
  let check = known.get(schema);
  if (check === undefined) {
    const types =
      schema.intOrString && !ofDefault
        ? ['integer', 'string']
        : schema.type === ''
          ? []
          : [schema.type];
    check = compileNode(schema, types, release, ofDefault, (part) => {
      let inner: Check | undefined;
      return (value, path, errors, correlated) =>
        (inner ??= compileSchema(part, release, known, ofDefault))(value, path, errors, correlated);
    });
    known.set(schema, check);
  }
  return check;
}

function compileNode(
  schema: SchemaNode,
  types: readonly string[],
  release: Release,
  ofDefault: boolean,
  compile: Compile,
): Check {
  const type = types.length === 1 ? (types[0] ?? '') : '';
  const format = formatOf(schema.format, ofDefault ? '' : type, release);
  const checkType = typeCheck(types, ofDefault ? schema.format : format);
  const checkLogic = compileLogic(schema, compile);
  const checkString = stringCheck(schema, format);
  const rangeFormat = numericFormat(type, schema.format);
  const range = release >= '1.36' ? numberRange(type, rangeFormat) : undefined;
  const checkNumber = numberRule(schema, range);
  const checkList = listCheck(schema, compile);
  const checkObject = objectCheck(schema, compile);
  const checkEnum = enumCheck(schema.enum);
  const refusesNull = types.length > 0 && !types.includes('null') && !schema.nullable;
  // Logic, enum and the end of the chain count one each; a known type counts two.
  const formatSteps = formatCheck(format) === undefined ? 0 : 1;

  return (value, path, errors, correlated) => {
    if (value === null) {
      if (refusesNull) errors.push(typeError(path, types.join(','), 'null'));
      checkEnum?.(null, path, errors);
      return refusesNull ? 0 : 1;
    }
    let count = 3;
    if (checkType !== undefined) count += checkType(value, path, errors);
    count += checkLogic === undefined ? 1 : checkLogic(value, path, errors);
    if (typeof value === 'string') {
      checkString?.(value, path, errors);
      count += 1 + formatSteps;
    } else if (typeof value === 'number' || value instanceof NumberText) {
      checkNumber?.(value, path, errors);
      count += 2;
    } else if (Array.isArray(value)) {
      count += 2 + (checkList?.(value, path, errors, correlated) ?? 0);
    }
    checkEnum?.(value, path, errors);
    if (typeof value === 'object' && !Array.isArray(value) && !(value instanceof NumberText)) {
      count += 1 + (checkObject?.(value, path, errors, correlated) ?? 0);
    }
    return count;
  };
}

const nameFormats = ['k8sshortname', 'k8slongname'];

/** The format that counts: a known one, which since 1.36 must be one of its type. */
function formatOf(format: string, type: string, release: Release): string {
  if (release === '1.33' && nameFormats.includes(format.replaceAll('-', ''))) return '';
  if (release >= '1.36' && type !== '' && type !== 'string') return numericFormat(type, format);
  return formatCheck(format) === undefined ? '' : format;
}

/** Counts 2 for a value of the type, 1 for another. A format makes strings and lists pass. */
function typeCheck(
  types: readonly string[],
  format: string,
): ((value: JsonValue, path: string, errors: SchemaError[]) => number) | undefined {
  if (types.length === 0 && format === '') return undefined;
  const takesIntegers = types.includes('integer');
  const takesNumbers = types.includes('number');
  const numeric = takesIntegers || takesNumbers;
  return (value, path, errors) => {
    const actual = schemaTypeOf(value);
    const fits =
      types.includes(actual) ||
      (actual === 'integer' && takesNumbers) ||
      (actual === 'number' && takesIntegers && isJsonInteger(float64Of(value as JsonNumber)));
    if (fits) return 2;
    if (format !== '') {
      const textual = actual === 'string' || actual === 'array';
      if (textual && !numeric) return 2;
      if (!textual) {
        const formatOfValue = { integer: 'int64', number: 'float64' }[actual] ?? '';
        const isOther = formatOfValue !== format;
        errors.push(typeError(path, isOther ? format : types.join(','), isOther ? formatOfValue : actual)); // prettier-ignore
        return 1;
      }
    }
    errors.push(typeError(path, types.join(','), actual));
    return 1;
  };
}

function stringCheck(
  schema: SchemaNode,
  format: string,
): ((value: string, path: string, errors: SchemaError[]) => void) | undefined {
  const { maxLength, minLength, pattern } = schema;
  const compiled = pattern === '' ? undefined : compilePattern(pattern);
  const reason = typeof compiled === 'string' ? compiled : '';
  const invalidPattern = `${pattern}, but pattern is invalid: ${reason}`;
  const matchesFormat = format === '' ? undefined : formatCheck(format);
  const bounded = maxLength !== undefined || minLength !== undefined;
  if (!bounded && compiled === undefined && matchesFormat === undefined) return undefined;
  // If both length and pattern are wrong, only the first is reported.
  const lengthAndPattern = (value: string, path: string): SchemaError | undefined => {
    const length = bounded ? runeCount(value) : 0;
    if (maxLength !== undefined && length > maxLength) return tooLongError(path, maxLength);
    if (minLength !== undefined && length < minLength) return tooShortError(path, minLength, value);
    if (compiled === undefined) return undefined;
    const isInvalid = typeof compiled === 'string';
    if (!isInvalid && compiled.test(value)) return undefined;
    const wanted = isInvalid ? invalidPattern : pattern;
    return badValueError(path, `${path} in body should match '${wanted}'`, value);
  };
  return (value, path, errors) => {
    const error = lengthAndPattern(value, path);
    if (error !== undefined) errors.push(error);
    if (matchesFormat !== undefined && !matchesFormat(value)) {
      errors.push(formatError(path, format, value));
    }
  };
}

function enumCheck(
  values: readonly JsonValue[] | undefined,
): ((value: JsonValue, path: string, errors: SchemaError[]) => void) | undefined {
  if (values === undefined || values.length === 0) return undefined;
  const texts = enumTexts(values);
  const holds = enumHolder(values);
  return (value, path, errors) => {
    if (!holds(value)) errors.push(enumError(path, texts, value));
  };
}

function listCheck(schema: SchemaNode, compile: Compile): Check<readonly JsonValue[]> | undefined {
  const { minItems, maxItems, uniqueItems } = schema;
  const item = schema.items === undefined ? undefined : compile(schema.items);
  if (item === undefined && minItems === undefined && maxItems === undefined && !uniqueItems) {
    return undefined;
  }
  return (list, path, errors, correlated) => {
    let count = 0;
    if (item !== undefined) {
      for (let index = 0; index < list.length; index++) {
        const place = `${path}[${index}]`;
        const inner = correlated?.index(index);
        count += ratcheted(item, list[index] as JsonValue, place, errors, inner);
      }
    }
    if (minItems !== undefined && list.length < minItems) {
      errors.push(tooFewError(path, minItems, 'items', list.length));
    }
    if (maxItems !== undefined && list.length > maxItems) {
      errors.push(tooManyError(path, maxItems, 'items', list.length));
    }
    if (
      uniqueItems &&
      list.some((item, index) => list.slice(0, index).some((earlier) => sameValue(earlier, item)))
    )
      errors.push(badValueError(path, `${path} in body shouldn't contain duplicates`, ''));
    return count;
  };
}

function objectCheck(schema: SchemaNode, compile: Compile): Check<JsonObject> | undefined {
  const { minProperties, maxProperties, required, additionalProperties } = schema;
  const known = schema.properties ?? new Map<string, SchemaNode>();
  const order = new PropertyOrder(known);
  // Made for the first value: a schema of 100,000 properties is asked about a few.
  const checks = new Map<string, Check>();
  const additional =
    additionalProperties?.schema === undefined ? undefined : compile(additionalProperties.schema);
  const closed = additionalProperties?.allows === false;

  const others: Check<JsonObject> = (object, path, errors, correlated) => {
    let count = 0;
    for (const key of Object.keys(object)) {
      if (known.has(key)) continue;
      if (closed) {
        errors.push(badValueError(path, `${path}.${key} in body is a forbidden property`, key));
      } else if (additional !== undefined) {
        const inner = innerOf(correlated, path, key);
        count += ratcheted(additional, object[key] as JsonValue, `${path}.${key}`, errors, inner);
      }
    }
    return count;
  };

  return (object, path, errors, correlated) => {
    let count = 0;
    if (minProperties !== undefined || maxProperties !== undefined) {
      checkSize(Object.keys(object).length, schema, path, errors);
    }
    if (closed || additional !== undefined) count += others(object, path, errors, correlated);
    for (const name of order.present(object)) {
      let check = checks.get(name);
      if (check === undefined) checks.set(name, (check = compile(known.get(name) as SchemaNode)));
      const place = path === '' ? name : `${path}.${name}`;
      const inner = innerOf(correlated, path, name);
      count += ratcheted(check, object[name] as JsonValue, place, errors, inner);
    }
    for (const name of required) {
      if (!Object.hasOwn(object, name)) errors.push(requiredError(`${path}.${name}`));
    }
    return count;
  };
}

/** Errors come in the order of the schema, whatever that of the object is. */
class PropertyOrder {
  private names: readonly string[] | undefined;
  private places: ReadonlyMap<string, number> | undefined;

  constructor(private readonly known: ReadonlyMap<string, SchemaNode>) {}

  /** The properties that an object has; a small object costs no more under a large schema. */
  present(object: JsonObject): readonly string[] {
    const keys = Object.keys(object);
    if (keys.length * 4 > this.known.size) {
      this.names ??= [...this.known.keys()];
      return this.names.filter((name) => Object.hasOwn(object, name));
    }
    const found = keys.filter((key) => this.known.has(key));
    if (found.length < 2) return found;
    const places = (this.places ??= new Map([...this.known.keys()].map((name, at) => [name, at])));
    return found.sort((left, right) => (places.get(left) ?? 0) - (places.get(right) ?? 0));
  }
}

function checkSize(size: number, schema: SchemaNode, path: string, errors: SchemaError[]): void {
  const { minProperties, maxProperties } = schema;
  if (minProperties !== undefined && size < minProperties) {
    errors.push(tooFewError(path, minProperties, 'properties', size));
  }
  if (maxProperties !== undefined && size > maxProperties) {
    errors.push(tooManyError(path, maxProperties, 'properties', size));
  }
}

/** The root's apiVersion and kind are never compared: old and new were converted to the same type. */
function innerOf(
  correlated: Correlated | undefined,
  path: string,
  key: string,
): Correlated | undefined {
  if (correlated === undefined || (path === '' && (key === 'apiVersion' || key === 'kind'))) {
    return undefined;
  }
  return correlated.key(key);
}

/** Forgives what is refused in a value that has not changed. */
export function ratcheted(
  check: Check,
  value: JsonValue,
  path: string,
  errors: SchemaError[],
  correlated: Correlated | undefined,
): number {
  const before = errors.length;
  const count = check(value, path, errors, correlated);
  if (errors.length > before && correlated?.isUnchanged() === true) errors.length = before;
  return count;
}
