/** The place in a document of the field that an API server's error names. */
import {
  isObject,
  keyLengths,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { valueAt } from '../../text/documents/fields.js';

export type Keys = readonly (string | number)[];

/** Fields that the internal type has once for all versions, by their names there. */
const ofAllVersions: ReadonlyMap<string, readonly string[]> = new Map([
  ['validation', ['schema']],
  ['subresources', ['subresources']],
  ['additionalPrinterColumns', ['additionalPrinterColumns']],
  ['selectableFields', ['selectableFields']],
  ['version', ['name']],
]);

/** Leads to the field, or to the nearest thing above it that is there. What all versions share is in the first that has it. */
export function keysOfField(definition: JsonObject, field: string): Keys {
  const [, name = '', rest = ''] = /^spec\.(\w+)(.*)$/s.exec(field) ?? [];
  const moved = ofAllVersions.get(name);
  const versions = valueAt(definition, 'spec', 'versions');
  if (moved === undefined || !Array.isArray(versions)) {
    const keys = walk(definition, field, []);
    // A file says nothing of its status; what is amiss with stored versions is mended in its own.
    return keys.length === 0 && field.startsWith('status.storedVersions')
      ? walk(definition, 'spec.versions', [])
      : keys;
  }
  const index = versions.findIndex(
    (version) => isObject(version) && moved.every((key) => own(version, key) !== undefined),
  );
  if (index < 0) return walk(definition, 'spec.versions', []);
  const start = ['spec', 'versions', index, ...moved];
  return walk(valueAt(definition, ...start), rest.replace(/^\./, ''), start);
}

/** The keys of a schema below its root as people write them: `^.spec.routes[*].name`. */
export function caretPath(keys: Keys): string {
  const below = keys.slice(keys.indexOf('openAPIV3Schema') + 1);
  let path = '^';
  for (let at = 0; at < below.length; at++) {
    if (below[at] === 'properties') path += `.${below[++at] ?? ''}`;
    else path += '[*]';
  }
  return path;
}

/** Follows the text as far as the document goes: names may hold dots and brackets themselves. */
function walk(from: JsonValue | undefined, text: string, start: Keys): Keys {
  const keys = [...start];
  let [at, rest] = [from, text];
  while (rest !== '') {
    const step = stepOf(at, rest);
    if (step === undefined) break;
    keys.push(step.key);
    at = below(at, step.key);
    rest = rest.slice(step.length).replace(/^\./, '');
  }
  return keys;
}

function stepOf(
  at: JsonValue | undefined,
  rest: string,
): { readonly key: string | number; readonly length: number } | undefined {
  if (Array.isArray(at)) {
    const [step, index] = /^\[(\d+)\]/.exec(rest) ?? [];
    if (step === undefined || at[Number(index)] === undefined) return undefined;
    return { key: Number(index), length: step.length };
  }
  if (!isObject(at)) return undefined;
  const around = rest.startsWith('[') ? 1 : 0;
  let found: { readonly key: string; readonly length: number } | undefined;
  for (const length of keyLengths(at)) {
    const end = around + length;
    if (around === 1 && rest[end] !== ']') continue;
    if (!['.', '[', ''].includes(rest.charAt(end + around)) || end + around > rest.length) continue;
    const key = rest.slice(around, end);
    const written = end + around;
    if (written > (found?.length ?? -1) && own(at, key) !== undefined) {
      found = { key, length: written };
    }
  }
  return found;
}

function below(at: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(at)) return at[Number(key)];
  return isObject(at) ? own(at, String(key)) : undefined;
}
