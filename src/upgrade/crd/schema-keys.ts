/** Turns a path as the proof writes it into the keys that lead there in the document. */
import { isObject, keyLengths, own, type JsonObject } from '../../text/documents/index.js';
import { valueAt } from '../../text/documents/fields.js';

/** The schema's author chooses names: one that holds separators would otherwise pass for another place. */
export function formatName(name: string): string {
  return name.replace(/[%.[\]]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function parseName(step: string): string {
  return step.replace(/%(25|2E|5B|5D)/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

export type Keys = readonly (string | number)[];

export function schemaKeys(definition: JsonObject, version: string, path: string): Keys {
  const versions = valueAt(definition, 'spec', 'versions');
  if (!Array.isArray(versions)) return ['spec'];
  const index = versions.findIndex((each) => isObject(each) && own(each, 'name') === version);
  const at = versions[index];
  if (!isObject(at)) return ['spec', 'versions'];
  const root = valueAt(at, 'schema', 'openAPIV3Schema');
  const keys: (string | number)[] = ['spec', 'versions', index];
  if (!isObject(root)) return keys;
  keys.push('schema', 'openAPIV3Schema');
  return follow(root, path.replace(/^\^/, ''), keys);
}

function follow(schema: JsonObject, rest: string, keys: (string | number)[]): Keys {
  if (rest === '') return keys;
  if (rest.startsWith('[*]')) {
    for (const keyword of ['items', 'additionalProperties']) {
      const inner = own(schema, keyword);
      if (isObject(inner)) return follow(inner, rest.slice(3), [...keys, keyword]);
    }
    return keys;
  }
  const properties = own(schema, 'properties');
  if (!isObject(properties)) return keys;
  const step = /^\.([^.[]*)/.exec(rest)?.[1] ?? '';
  const written = parseName(step);
  if (rest.startsWith('.') && own(properties, written) !== undefined) {
    return into(written, step.length);
  }
  const name = longestStep(properties, rest);
  return name === undefined ? keys : into(name, name.length);

  function into(field: string, length: number): Keys {
    const inner = own(properties as JsonObject, field);
    if (!isObject(inner)) return keys;
    return follow(inner, rest.slice(length + 1), [...keys, 'properties', field]);
  }
}

/** The longest name of a property with which the rest goes on; a name may be thousands of dots. */
function longestStep(properties: JsonObject, rest: string): string | undefined {
  if (!rest.startsWith('.')) return undefined;
  const lengths = keyLengths(properties);
  for (let end = rest.length; end > 0; end--) {
    const next = rest[end];
    if (next !== undefined && next !== '.' && next !== '[') continue;
    if (!lengths.has(end - 1)) continue;
    const name = rest.slice(1, end);
    if (own(properties, name) !== undefined) return name;
  }
  return undefined;
}
