import {
  InvalidInputError,
  isObject,
  type JsonObject,
  metaOf,
  parseJson,
  parseYaml,
  stringifyJson,
} from '../../text/documents/index.js';
import {
  flagAt,
  objectAt,
  objectsAt,
  textAt,
  textMapAt,
  valueAt,
} from '../../text/documents/fields.js';
import { oncePer, attempt } from '../once.js';
import { projectedProperties } from './open-shift-limit.js';
import type { FoundManifest, NamespacedName, OlmView, WantedManifest } from './view.js';
import { gunzip } from '../../text/platform.js';

/** A step of an InstallPlan whose object could be read, or why it could not. */
interface Step {
  readonly kind: string;
  readonly name: string;
  readonly object: JsonObject | null;
  /** Null when there is an object. */
  readonly unread: string | null;
  readonly isTooMuch: boolean;
}

export function isApproved(plan: JsonObject): boolean {
  return flagAt(plan, 'spec', 'approved');
}

function pending(plan: JsonObject): JsonObject[] {
  return objectsAt(plan, 'status', 'plan').filter(
    (step) => !['Created', 'Present'].includes(textAt(step, 'status') ?? ''),
  );
}

export function hasNewSteps(plan: JsonObject, before: JsonObject): boolean {
  const textOf = (step: JsonObject): string => stringifyJson(valueAt(step, 'resource') ?? null);
  const known = new Set(pending(before).map(textOf));
  return pending(plan).some((step) => !known.has(textOf(step)));
}

export function pendingSteps(plan: JsonObject, kinds: readonly string[], view: OlmView): Step[] {
  const known = writtenManifests(plan);
  return pending(plan).flatMap((step): Step[] => {
    const kind = textAt(step, 'resource', 'kind') ?? '';
    const name = textAt(step, 'resource', 'name') ?? '';
    if (!kinds.includes(kind)) return [];
    const written = writtenManifest(textAt(step, 'resource', 'manifest') ?? '', known);
    const bundle = 'object' in written ? bundleOf(written.object) : undefined;
    const found = bundle === undefined ? written : view.manifest(bundle, { kind, name });
    return [
      'object' in found
        ? { kind, name, object: asResolved(found.object, bundle), unread: null, isTooMuch: false }
        : { kind, name, object: null, unread: found.unread, isTooMuch: found.isTooMuch === true },
    ];
  });
}

/** Several rules read each step, and several steps may bring the same. */
const writtenManifests = oncePer((_plan: JsonObject) => new Map<string, FoundManifest>());

function writtenManifest(text: string, known: Map<string, FoundManifest>): FoundManifest {
  let found = known.get(text);
  if (found === undefined) known.set(text, (found = readManifest(text)));
  return found;
}

function readManifest(text: string): FoundManifest {
  const value = attempt(InvalidInputError, () => parseJson(text));
  if (value instanceof InvalidInputError) {
    return { unread: `its manifest cannot be read: ${value.message}` };
  }
  return isObject(value) ? { object: value } : { unread: 'its manifest is no object' };
}

interface BundleReference extends NamespacedName {
  readonly replaces: string;
  readonly properties: string;
}

/** A ClusterServiceVersion of an unpacked bundle, as OLM writes it: by what the catalog says of the bundle. */
function asResolved(manifest: JsonObject, bundle: BundleReference | undefined): JsonObject {
  if (bundle === undefined || textAt(manifest, 'kind') !== 'ClusterServiceVersion') return manifest;
  const { replaces, properties } = bundle;
  const metadata = objectAt(manifest, 'metadata');
  const annotations = {
    ...objectAt(metadata, 'annotations'),
    ...(properties !== '' && { [projectedProperties]: properties }),
  };
  const spec = { ...objectAt(manifest, 'spec'), replaces };
  return { ...manifest, metadata: { ...metadata, annotations }, spec };
}

function bundleOf(manifest: JsonObject): BundleReference | undefined {
  if (textAt(manifest, 'kind') !== 'ConfigMap') return undefined;
  const at = (field: string): string => textAt(manifest, field) ?? '';
  const reference = { name: at('name'), namespace: at('namespace') };
  const catalog = [at('catalogSourceName'), at('catalogSourceNamespace')];
  if ([...Object.values(reference), ...catalog].includes('')) return undefined;
  return { ...reference, replaces: at('replaces'), properties: at('properties') };
}

/** A manifest of a bundle that OLM unpacked into a ConfigMap: one key each, plain or gzipped. */
export function manifestFrom(
  configMap: JsonObject | undefined | null,
  { namespace, name }: NamespacedName,
  wanted: WantedManifest,
): FoundManifest {
  const where = `ConfigMap ${namespace}/${name}`;
  if (configMap === null) {
    return { unread: `its manifest is in ${where}, which this view does not read` };
  }
  if (configMap === undefined) {
    return { unread: `its manifest is in ${where}, which does not exist` };
  }
  const object = attempt(InvalidInputError, () => manifestIn(configMap, wanted));
  if (object instanceof InvalidInputError) {
    return { unread: `${where} ${object.message}`, isTooMuch: true };
  }
  return object === null ? { unread: `${where} does not hold it` } : { object };
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

/** Null when there is none. Each other manifest is parsed at most once. @throws InvalidInputError `E_LIMIT` */
function manifestIn(configMap: JsonObject, { kind, name }: WantedManifest): JsonObject | null {
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

/** Empty when the data is not gzipped, as that of every manifest is; undefined when it is too large. */
function unpacked(encoded: string, maxOutputLength: number): string | undefined {
  try {
    return gunzip(Buffer.from(encoded, 'base64'), maxOutputLength).toString('utf8');
  } catch (error) {
    return error instanceof RangeError ? undefined : '';
  }
}

function read(text: string): JsonObject | undefined {
  const value = attempt(InvalidInputError, () =>
    parseYaml(text, { dialect: 'kubernetes', maxAliasNodes }),
  );
  if (!(value instanceof InvalidInputError)) return isObject(value) ? value : undefined;
  if (value.code !== 'E_LIMIT') return undefined;
  throw new InvalidInputError('E_LIMIT', `holds a manifest that ${value.message}`);
}
