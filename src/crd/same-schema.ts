/**
 * Quick looks at whether two schemas are the same, so that nothing has to be read where an upgrade
 * changes nothing. All answer no when in doubt: null, empty lists and objects, numbers that keep
 * their text, and schemas that are none may be read differently on both sides, or not at all.
 */
import { isObject, type JsonObject, type JsonValue } from '../text/documents/index.js';

/** Schemas without schemas below them whose keywords are texts, numbers and flags. */
export function sameLeaf(left: JsonObject, right: JsonObject): boolean {
  let keywords = 0;
  for (const keyword in left) {
    if (leadsToSchemas(keyword)) return false;
    const value = left[keyword];
    // What objects inherit is never a text, a number or a flag.
    if (typeof value === 'object' || right[keyword] !== value) return false;
    keywords++;
  }
  return keywords === Object.keys(right).length;
}

/** Schemas of any shape, compared to the bottom. */
export function sameSchema(left: JsonObject, right: JsonObject): boolean {
  return sameApartFrom(left, right, false);
}

/** Fields of any shape, without the fields below them: all keywords but `properties` and `items`. */
export function sameField(left: JsonObject, right: JsonObject): boolean {
  return sameApartFrom(left, right, true);
}

function sameApartFrom(left: JsonObject, right: JsonObject, fields: boolean): boolean {
  let keywords = 0;
  for (const keyword in left) {
    if (!Object.hasOwn(right, keyword)) return false;
    keywords++;
    if (fields && (keyword === 'properties' || keyword === 'items')) continue;
    const [value = null, other = null] = [left[keyword], right[keyword]];
    const isSame = leadsToSchemas(keyword)
      ? sameBelow(keyword, value, other)
      : sameValue(value, other);
    if (!isSame) return false;
  }
  return keywords === Object.keys(right).length;
}

function sameBelow(keyword: string, left: JsonValue, right: JsonValue): boolean {
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length > 0 &&
      left.length === right.length &&
      left.every((each, index) => sameSchemas(each, right[index] ?? null))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  switch (keyword) {
    case 'properties':
    case 'patternProperties':
    case 'definitions':
    case 'dependencies': {
      const names = Object.keys(left);
      return (
        names.length > 0 &&
        names.length === Object.keys(right).length &&
        names.every(
          (name) =>
            Object.hasOwn(right, name) && sameSchemas(left[name] ?? null, right[name] ?? null),
        )
      );
    }
    default:
      return sameSchema(left, right);
  }
}

function sameSchemas(left: JsonValue, right: JsonValue): boolean {
  return isObject(left) && isObject(right) && sameSchema(left, right);
}

function sameValue(left: JsonValue, right: JsonValue): boolean {
  if (typeof left !== 'object') return left === right;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length > 0 &&
      left.length === right.length &&
      left.every((each, index) => sameValue(each, right[index] ?? null))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length > 0 &&
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && sameValue(left[key] ?? null, right[key] ?? null),
    )
  );
}

function leadsToSchemas(keyword: string): boolean {
  switch (keyword) {
    case 'properties':
    case 'items':
    case 'additionalProperties':
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'not':
    case 'patternProperties':
    case 'additionalItems':
    case 'definitions':
    case 'dependencies':
      return true;
    default:
      return false;
  }
}
