/** Whether two schemas accept the same objects, by what is written in them. */
import { isObject, own, sameJson, type JsonValue } from '../../../text/documents/index.js';

const words: ReadonlySet<string> = new Set(['description', 'title', 'example', 'externalDocs']);
/** Keywords whose keys are names of the author's, each with a schema. */
const byName: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  'dependencies',
]);
const values: ReadonlySet<string> = new Set(['default', 'enum']);

/** Equal but for what is only for readers, and the order of keys. */
export function sameMeaning(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, index) => sameMeaning(each, b[index] ?? null))
    );
  }
  if (!isObject(a) || !isObject(b)) return sameJson(a, b);
  const meant = (key: string): boolean => !words.has(key);
  const keys = Object.keys(a).filter(meant);
  if (keys.length !== Object.keys(b).filter(meant).length) return false;
  return keys.every((key) => {
    const [left, right] = [a[key] ?? null, own(b, key)];
    if (right === undefined) return false;
    if (values.has(key)) return sameJson(left, right);
    return byName.has(key) ? sameByName(left, right) : sameMeaning(left, right);
  });
}

function sameByName(a: JsonValue, b: JsonValue): boolean {
  if (!isObject(a) || !isObject(b)) return sameMeaning(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameMeaning(a[key] ?? null, b[key] ?? null))
  );
}
