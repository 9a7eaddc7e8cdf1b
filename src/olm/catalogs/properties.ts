/** Properties of packages, channels and bundles. Rule: `property.Parse` of operator-registry. */
import { isUtf8 } from '../../text/platform.js';
import {
  InvalidInputError,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  parseDocuments,
  parseJson,
  parseYaml,
} from '../../text/documents/index.js';
import type { CatalogBundle, PackageProperty, Property } from './catalog.js';
import { propertyShapes } from './shapes.js';
import { decodeBase64, field, mismatch, quote } from '../../text/go/index.js';
import { attempt, valueUnless } from '../once.js';

/** In the reference's words. Bundle objects are left to {@link bundleObjectProblem}, which comes first. */
export function propertyProblem(properties: readonly Property[]): string | undefined {
  for (const [index, { type, value }] of properties.entries()) {
    if (type === 'olm.bundle.object') continue;
    const shape = propertyShapes.get(type);
    const problem =
      shape !== undefined
        ? mismatch(value, shape)
        : value === undefined
          ? 'unexpected end of JSON input'
          : undefined;
    if (problem !== undefined) return `parse property[${index}] of type ${quote(type)}: ${problem}`;
  }
  return undefined;
}

export function packageProperties(properties: readonly Property[]): PackageProperty[] {
  return properties
    .filter(({ type }) => type === 'olm.package')
    .map(({ value }) => ({
      packageName: textField(value, 'packageName'),
      version: textField(value, 'version'),
      release: textField(value, 'release'),
    }));
}

export function textField(value: JsonValue | undefined, name: string): string {
  const found = isObject(value) ? field(value, name) : undefined;
  return typeof found === 'string' ? found : '';
}

/** opm decodes them while it loads a catalog, before it validates. Rule: `readBundleObjects` of declcfg. */
export function bundleObjectProblem(properties: readonly Property[]): string | undefined {
  const shape = propertyShapes.get('olm.bundle.object');
  for (const [index, { type, value }] of properties.entries()) {
    if (type !== 'olm.bundle.object' || shape === undefined) continue;
    const problem = mismatch(value, shape);
    if (problem !== undefined) {
      return `parse property at index ${index} as bundle object: ${problem}`;
    }
    const data = isObject(value) ? field(value, 'data') : undefined;
    const reason =
      typeof data === 'string'
        ? manifestProblem(data)
        : Array.isArray(data)
          ? yamlProblem(Buffer.from(data.map(Number)))
          : undefined;
    if (reason !== undefined) {
      return `convert bundle object property at index ${index} to JSON: ${reason}`;
    }
  }
  return undefined;
}

/** JSON is taken as it is; anything else must be YAML. */
function manifestProblem(base64: string): string | undefined {
  // The start shows the format: most manifests are JSON and need not be decoded whole.
  if (/^\s*\{/.test(decodeBase64(base64.slice(0, 64)).toString('latin1'))) return undefined;
  return yamlProblem(decodeBase64(base64));
}

function yamlProblem(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  if (/^\s*\{/.test(text)) return undefined;
  if (!isUtf8(bytes)) return 'yaml: invalid UTF-8';
  const read = attempt(InvalidInputError, () => parseYaml(text));
  return read instanceof InvalidInputError ? `yaml: ${read.message}` : undefined;
}

const annotation = 'olm.skipRange';
const encodedAnnotation = encodings(annotation);

/** A text as it is in base64, by where in three bytes it begins: most objects need not be decoded. */
function encodings(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.from(`${' '.repeat(before)}${text}`)
      .toString('base64')
      .replace(/=+$/, '');
    // A character that shares six bits with a neighbour has several encodings.
    const isShared = (before + text.length) % 3 !== 0;
    return whole.slice(before === 0 ? 0 : before + 1, isShared ? -1 : undefined);
  });
}

const csvKind = 'ClusterServiceVersion';
const encodedKind = encodings(csvKind);

/** `spec` of the ClusterServiceVersion among a bundle's `olm.bundle.object` properties. */
export function carriedCsvSpec(properties: readonly Property[]): JsonObject | undefined {
  for (const { type, value } of properties) {
    const data = type === 'olm.bundle.object' ? textField(value, 'data') : '';
    if (!encodedKind.some((part) => data.includes(part))) continue;
    const object = readManifest(decodeBase64(data));
    if (!isObject(object) || textField(object, 'kind') !== csvKind) continue;
    const spec = field(object, 'spec');
    return isObject(spec) ? spec : undefined;
  }
  return undefined;
}

/** Undefined for what cannot be read: operator-registry takes it as it is. */
function readManifest(bytes: Buffer): JsonValue | undefined {
  const text = bytes.toString('utf8');
  const parse = /^\s*\{/.test(text) ? parseJson : parseYaml;
  return valueUnless(InvalidInputError, () => parse(text));
}

export function skipRangeAnnotation(properties: readonly Property[]): string | undefined {
  for (const { type, value } of properties) {
    if (type === 'olm.csv.metadata') {
      const annotations = isObject(value) ? field(value, 'annotations') : undefined;
      const range = textField(annotations, annotation);
      if (range !== '') return range;
    }
    const data = type === 'olm.bundle.object' ? textField(value, 'data') : '';
    if (!encodedAnnotation.some((part) => data.includes(part))) continue;
    const text = decodeBase64(data).toString();
    const found = /"?olm\.skipRange"?\s*:\s*["']?([^"'\n]+)/.exec(text)?.[1];
    if (found !== undefined) return found.trim();
  }
  return undefined;
}

/** Undefined for a bundle without objects. @throws InvalidInputError for one that is no manifest */
export function bundleCrds(bundle: CatalogBundle): JsonObject[] | undefined {
  let isCarrier = false;
  const found: JsonObject[] = [];
  for (const { type, value } of bundle.properties) {
    if (type !== 'olm.bundle.object') continue;
    const data = isObject(value) ? field(value, 'data') : undefined;
    if (typeof data !== 'string') continue;
    isCarrier = true;
    const bytes = decodeBase64(data);
    if (!bytes.includes('CustomResourceDefinition')) continue;
    for (const document of parseDocuments(bytes, { file: bundle.place.file ?? bundle.name })) {
      if (isDefinition(document.value)) found.push(document.value);
    }
  }
  return isCarrier ? found : undefined;
}

function isDefinition(value: unknown): value is JsonObject {
  return isObject(value) && own(value, 'kind') === 'CustomResourceDefinition';
}
