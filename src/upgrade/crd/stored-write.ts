/** Writes that a new definition still accepts of an object that it refuses, found by trying them. */
import {
  defineOwn,
  isObject,
  mapMembers,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import type { StoredWrites } from '../../rule/index.js';
import {
  type FieldError,
  fieldOf,
  isUnchecked,
  type ObjectResult,
  type ObjectValidator,
  ratchetingSince,
  type SchemaNode,
} from '../../kubernetes/index.js';
import { objectAt } from '../../text/documents/fields.js';

/** Another answer, where the API server knows more of the rules. */
type Reading = (result: ObjectResult) => ObjectResult;

const asItIs: Reading = (result) => result;

/**
 * Asks for a create, and for the least update there is, one of the metadata alone: whatever else changes,
 * what is refused of the object as a whole is no longer unchanged. The place is the smallest one
 * beside which something else was changed.
 *
 * @param change an update that is refused, where the object by itself is not
 * @param written the object before defaults were set: a create of it has to be accepted too
 * @returns nothing where a rule could not be evaluated
 */
export function writesOfStored(
  validator: ObjectValidator,
  object: JsonObject,
  read: Reading = asItIs,
  change?: JsonObject,
  written = object,
): StoredWrites {
  const { hasStatus } = validator.definition;
  const old = asStored(object);
  const touch = (isRatcheting: boolean): ObjectResult =>
    validator.validateUpdate(withAnnotation(old), old, isRatcheting);
  const touched = read(touch(true)).valid;
  const posted = (each: JsonObject): boolean | null => read(validator.post(each).result).valid;
  const restored = posted(change ?? object);
  const created = restored !== true || written === object ? restored : posted(written);
  if (touched === null || created === null) return {};
  const create = created ? 'accepted' : 'refused';
  const unratcheted = touch(false);
  const errorsOf = (result: ObjectResult): FieldError[] =>
    read(result).errors.filter((error) => !isUnchecked(error));
  const isOfStatus = (error: FieldError): boolean => stepsOf(error)[0] === 'status';
  const refused =
    change &&
    errorsOf(validator.validateUpdate({ ...change, metadata: own(old, 'metadata') ?? {} }, old));
  const answer = (found: readonly FieldError[]) => (found.length > 0 ? 'ratcheted' : 'accepted');
  // No update is refused for a list that was not unique before. A create drops the status: what it would
  // be refused for is what its next write is refused for.
  const others = (refused ?? errorsOf(unratcheted)).filter(
    (each) => !hasStatus || !isOfStatus(each),
  );
  const ofStatus = hasStatus
    ? (refused ?? errorsOf(validator.validateCreate(object))).filter(isOfStatus)
    : [];
  const isWritten =
    touched || read(validator.validateStatus(withAnnotation(old), old)).valid !== false;
  const update = touched ? answer(others) : 'refused';
  const status = isWritten ? answer(ofStatus) : 'refused';
  const isRatcheted = update === 'ratcheted' || (hasStatus && status === 'ratcheted');
  const place =
    isRatcheted && placeOf(validator, old, touched && others.length > 0 ? others : ofStatus, read);
  return {
    stored: { create, update, ...(hasStatus && { status }), ...(place && { place }) },
    ...(!touched || read(unratcheted).valid === true ? {} : { storedFrom: ratchetingSince }),
  };
}

export function isUpdatable(validator: ObjectValidator, object: JsonObject): boolean {
  const old = asStored(object);
  return validator.validateUpdate(withAnnotation(old), old).valid === true;
}

/** No update goes without a resourceVersion, and objects from a file or made up have none. */
export function asStored(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata') ?? {};
  if (own(metadata, 'resourceVersion') !== undefined) return object;
  const uid = 'b7d3d5a1-3c3e-4b8a-9a67-1f1e2d3c4b5a';
  return withMember(object, 'metadata', { uid, ...metadata, resourceVersion: '1' });
}

function withAnnotation(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata') ?? {};
  return withMember(object, 'metadata', {
    ...metadata,
    annotations: { ...objectAt(metadata, 'annotations'), 'olm-guard.io/updated': '' },
  });
}

const maxBeside = 6;

function placeOf(
  validator: ObjectValidator,
  old: JsonObject,
  errors: readonly FieldError[],
  read: Reading,
): string {
  const known = new Set(errors.map(textOf));
  const steps = sharedSteps(errors.map(stepsOf));
  let node: SchemaNode | undefined = validator.definition.schema;
  let value: JsonValue | undefined = old;
  let depth = 0;
  for (const step of steps) {
    const within = steps.slice(0, depth);
    // At the root it is the metadata that was changed.
    if (depth > 0 && !canChangeBeside(within, step, node, value)) break;
    node = innerNode(node, step);
    value = innerValue(value, step);
    depth++;
  }
  return formatSteps(steps.slice(0, depth));

  function canChangeBeside(
    within: readonly string[],
    step: string,
    around: SchemaNode | undefined,
    container: JsonValue | undefined,
  ): boolean {
    if (around === undefined || container === undefined) return false;
    let tried = 0;
    for (const changed of changesBeside(around, container, step)) {
      if (tried++ === maxBeside) return false;
      const { valid, errors: now } = read(
        validator.validateUpdate(replaceAt(old, within, changed), old),
      );
      if (valid === true) return true;
      if (now.some((error) => known.has(textOf(error)))) return false;
    }
    return tried === 0;
  }
}

function* changesBeside(
  { properties, items, additionalProperties, required }: SchemaNode,
  value: JsonValue,
  step: string,
): Generator<JsonValue> {
  if (Array.isArray(value)) {
    if (items !== undefined) yield [...value, sampleOf(items)];
    return;
  }
  if (!isObject(value)) return;
  for (const [name, node] of properties ?? []) {
    if (name === step) continue;
    const isThere = own(value, name) !== undefined;
    if (isThere && required.includes(name)) continue;
    yield withMember(value, name, isThere ? undefined : sampleOf(node));
  }
  const others = additionalProperties?.schema;
  if (others !== undefined) yield withMember(value, 'olm-guard-other', sampleOf(others));
}

function sampleOf({
  default: value,
  enum: listed,
  type,
  items,
  properties,
  required,
}: SchemaNode): JsonValue {
  if (value !== undefined) return value;
  if (listed !== undefined && listed[0] !== undefined) return listed[0];
  switch (type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return items === undefined ? [] : [sampleOf(items)];
    case 'object': {
      const object: JsonObject = {};
      for (const name of required) {
        const node = properties?.get(name);
        if (node !== undefined) defineOwn(object, name, sampleOf(node));
      }
      return object;
    }
    default:
      return 'a';
  }
}

function innerNode(node: SchemaNode | undefined, step: string): SchemaNode | undefined {
  if (node?.items !== undefined) return node.items;
  return node?.properties?.get(step) ?? node?.additionalProperties?.schema;
}

function innerValue(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value ?? null) ? own(value as JsonObject, step) : undefined;
}

function replaceAt(root: JsonValue, [step, ...rest]: readonly string[], by: JsonValue): JsonValue {
  if (step === undefined) return by;
  const inner = replaceAt(innerValue(root, step) ?? null, rest, by);
  if (Array.isArray(root)) return root.with(Number(step), inner);
  return isObject(root) ? withMember(root, step, inner) : root;
}

/** @param value undefined for an object without the member */
function withMember(object: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  const copy = mapMembers(object, (each, key) => (key === name ? undefined : each));
  if (value !== undefined) defineOwn(copy, name, value);
  return copy;
}

function stepsOf(error: FieldError): string[] {
  return [...fieldOf(error).matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(
    ([, key, name]) => key ?? name ?? '',
  );
}

function sharedSteps([first = [], ...others]: readonly string[][]): string[] {
  const end = first.findIndex((step, index) => others.some((each) => each[index] !== step));
  return end < 0 ? first : first.slice(0, end);
}

function formatSteps(steps: readonly string[]): string {
  return steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

function textOf({ type, field }: FieldError): string {
  return `${type} ${field}`;
}
