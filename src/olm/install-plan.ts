import { gunzipSync } from 'node:zlib';
import {
  InvalidInputError,
  isObject,
  parseJson,
  parseYaml,
  type JsonObject,
} from '../text/documents/index.js';
import { flagAt, objectsAt, textAt, textMapAt } from './fields.js';
import type { OlmView } from './view.js';

/** A step of an InstallPlan whose object could be read, or why it could not. */
export interface Step {
  readonly kind: string;
  readonly name: string;
  readonly object: JsonObject | null;
  /** Null when there is an object. */
  readonly unread: string | null;
}

export function isApproved(plan: JsonObject): boolean {
  return flagAt(plan, 'spec', 'approved');
}

/** Steps that are still to be done, of the kinds asked for. */
export function pendingSteps(plan: JsonObject, kinds: readonly string[], view: OlmView): Step[] {
  return objectsAt(plan, 'status', 'plan').flatMap((step): Step[] => {
    const kind = textAt(step, 'resource', 'kind') ?? '';
    const name = textAt(step, 'resource', 'name') ?? '';
    const isDone = ['Created', 'Present'].includes(textAt(step, 'status') ?? '');
    if (isDone || !kinds.includes(kind)) return [];
    const read = readManifest(textAt(step, 'resource', 'manifest') ?? '', { kind, name }, view);
    return [
      typeof read === 'string'
        ? { kind, name, object: null, unread: read }
        : { kind, name, object: read, unread: null },
    ];
  });
}

interface Wanted {
  readonly kind: string;
  readonly name: string;
}

function readManifest(manifest: string, wanted: Wanted, view: OlmView): JsonObject | string {
  const object = parsed(() => parseJson(manifest));
  if (typeof object === 'string') return object;
  const map = textAt(object, 'name') ?? '';
  const namespace = textAt(object, 'namespace') ?? '';
  const isReference =
    textAt(object, 'kind') === 'ConfigMap' &&
    [
      map,
      namespace,
      textAt(object, 'catalogSourceName') ?? '',
      textAt(object, 'catalogSourceNamespace') ?? '',
    ].every((part) => part !== '');
  if (!isReference) return object;
  const found = view.lookUp('ConfigMap', map, namespace);
  const where = `ConfigMap ${namespace}/${map}`;
  if (found === null) return `its manifest is in ${where}, which this view does not read`;
  if (found === undefined) return `its manifest is in ${where}, which does not exist`;
  return findInBundle(found, wanted) ?? `${where} does not hold it`;
}

const largestManifest = 4 * 1024 * 1024;

/** Bundles are unpacked into a ConfigMap, one key per manifest, plain or gzipped. */
function findInBundle(configMap: JsonObject, { kind, name }: Wanted): JsonObject | null {
  const texts = [...textMapAt(configMap, 'data').values()];
  for (const encoded of textMapAt(configMap, 'binaryData').values()) {
    try {
      const bytes = gunzipSync(Buffer.from(encoded, 'base64'), {
        maxOutputLength: largestManifest,
      });
      texts.push(bytes.toString('utf8'));
    } catch {
      // A key that is not gzipped, or too large, is not the manifest we look for.
    }
  }
  for (const text of texts) {
    const object = parsed(() => parseYaml(text, { dialect: 'kubernetes' }));
    if (typeof object === 'string') continue;
    if (textAt(object, 'kind') === kind && textAt(object, 'metadata', 'name') === name)
      return object;
  }
  return null;
}

function parsed(parse: () => unknown): JsonObject | string {
  try {
    const value = parse();
    return isObject(value) ? value : 'its manifest is no object';
  } catch (error) {
    if (error instanceof InvalidInputError) return `its manifest cannot be read: ${error.message}`;
    throw error;
  }
}
