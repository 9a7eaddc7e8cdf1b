/** The manifests of a bundle that OLM unpacked into a ConfigMap: one key each, plain or gzipped. */
import { gunzip } from '../../text/platform.js';
import {
  InvalidInputError,
  isObject,
  metaOf,
  parseYaml,
  type JsonObject,
} from '../../text/documents/index.js';
import { textAt, textMapAt } from '../../text/documents/fields.js';
import { oncePer } from '../once.js';

export interface WantedManifest {
  readonly kind: string;
  readonly name: string;
}

/** Bytes of all manifests; a ConfigMap of one megabyte can hold a thousand times that. */
const largestBundle = 16 * 1024 * 1024;

/** Manifests hardly have aliases, and a few bytes of them can stand for a million nodes. */
const maxAliasNodes = 10_000;

interface Manifest {
  readonly text: string;
  /** `KIND/NAME` once it was read; empty when it is no object of Kubernetes. */
  identity?: string;
}

const manifestsOf = oncePer((configMap: JsonObject): readonly Manifest[] | undefined => {
  const texts = [...textMapAt(configMap, 'data').values()];
  let left = largestBundle;
  for (const encoded of textMapAt(configMap, 'binaryData').values()) {
    const text = unpacked(encoded, Math.max(1, left));
    if (text === undefined) return undefined;
    left -= text.length;
    texts.push(text);
  }
  return texts.map((text) => ({ text }));
});

/** Null when there is none; what is not asked for is read at most once. @throws InvalidInputError `E_LIMIT` */
export function manifestIn(
  configMap: JsonObject,
  { kind, name }: WantedManifest,
): JsonObject | null {
  const manifests = manifestsOf(configMap);
  if (manifests === undefined) {
    const sentence = `unpacks to more than ${largestBundle / 1024 / 1024} MiB`;
    throw new InvalidInputError('E_LIMIT', sentence);
  }
  // It is mostly one that holds the name as it is.
  const [likely, unlikely]: [Manifest[], Manifest[]] = [[], []];
  for (const each of manifests) (each.text.includes(name) ? likely : unlikely).push(each);
  for (const manifest of [...likely, ...unlikely]) {
    const { text, identity = `${kind}/${name}` } = manifest;
    if (identity !== `${kind}/${name}`) continue;
    const object = read(text);
    const found = [textAt(object, 'kind') ?? '', metaOf(object).name];
    manifest.identity = found.join('/');
    if (object !== undefined && manifest.identity === `${kind}/${name}`) return object;
  }
  return null;
}

/** Empty for what is not gzipped, which no manifest here is; undefined when it is too large. */
function unpacked(encoded: string, maxOutputLength: number): string | undefined {
  try {
    return gunzip(Buffer.from(encoded, 'base64'), maxOutputLength).toString('utf8');
  } catch (error) {
    return error instanceof RangeError ? undefined : '';
  }
}

function read(text: string): JsonObject | undefined {
  try {
    const value = parseYaml(text, { dialect: 'kubernetes', maxAliasNodes });
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    if (error.code !== 'E_LIMIT') return undefined;
    throw new InvalidInputError('E_LIMIT', `holds a manifest that ${error.message}`);
  }
}
