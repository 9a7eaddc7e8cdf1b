/** Consumers of a definition: the fields, versions and subresources that they need, and what an update takes away. */
import {
  type DefinitionVersion,
  readCustomResourceDefinition,
  type CustomResourceDefinition,
} from '../../crd/custom-resource-definition.js';
import {
  isObject,
  own,
  type JsonObject,
  type InvalidInputError,
  invalidInput,
  parseDocuments,
} from '../../../text/documents/index.js';
import {
  objectAt,
  valueAt,
  objectsAt,
  textAt,
  textsAt,
  flagAt,
} from '../../../text/documents/fields.js';
import { collectCrds } from '../../crd/collect.js';
import { TypedText } from '../../crd/typed-text.js';
import { compareKubernetesVersions } from '../../../text/versions/version.js';

export interface Consumer {
  readonly name: string;
  readonly needs: readonly Need[];
  readonly by?: 'rights';
  readonly requirement?: Requirement;
}

export interface Need {
  /** Every served version where it is left out; `preferred` is the one that API servers name first. */
  readonly version?: string | typeof preferred;
  readonly fields?: readonly FieldPath[];
  readonly subresource?: 'status' | 'scale';
}

/** The version of a consumer that names only a group and a kind. */
export const preferred = Symbol('preferred');

/** Names of fields from the root; items of lists and values of maps are no step, but for the key of a map. */
export type FieldPath = readonly string[];

const anyKey = '*';

/** About as many fields as the largest schema that API servers accept has. */
const maxFields = 100_000;

export function fieldsOfVersion({ schema }: DefinitionVersion): FieldPath[] {
  const found: FieldPath[] = [];
  const left: (readonly [JsonObject, FieldPath])[] = schema === undefined ? [] : [[schema, []]];
  for (let next = left.pop(); next !== undefined && found.length < maxFields; next = left.pop()) {
    const [node, path] = [itemOf(next[0]), next[1]];
    for (const [name, field] of Object.entries(objectAt(node, 'properties') ?? {})) {
      const at = [...path, name];
      found.push(at);
      if (isObject(field)) left.push([field, at]);
    }
    const values = objectAt(node, 'additionalProperties');
    if (values !== undefined) left.push([values, [...path, anyKey]]);
  }
  return found.sort((one, other) => one.length - other.length);
}

export function fieldsOfObject(object: JsonObject): FieldPath[] {
  const found: FieldPath[] = [];
  const left: (readonly [unknown, FieldPath])[] = [[object, []]];
  for (let next = left.pop(); next !== undefined && found.length < maxFields; next = left.pop()) {
    const [value, path] = next;
    if (Array.isArray(value)) for (const item of value as unknown[]) left.push([item, path]);
    if (!isObject(value)) continue;
    for (const [name, field] of Object.entries(value)) {
      if (path.length === 0 && ofEveryObject.has(name)) continue;
      const at = [...path, name];
      found.push(at);
      left.push([field, at]);
    }
  }
  return found.sort((one, other) => one.length - other.length);
}

const ofEveryObject: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Whether a version has a field, or keeps it without knowing it. */
export function hasField({ schema }: DefinitionVersion, path: FieldPath): boolean {
  let node: JsonObject = schema ?? {};
  for (const [at, name] of path.entries()) {
    node = itemOf(node);
    const isOfEvery = at === 0 || own(node, 'x-kubernetes-embedded-resource') === true;
    if (isOfEvery && ofEveryObject.has(name)) return true;
    const field = valueAt(node, 'properties', name) ?? valueAt(node, 'additionalProperties');
    if (!isObject(field))
      return field === true || own(node, 'x-kubernetes-preserve-unknown-fields') === true;
    node = field;
  }
  return true;
}

function itemOf(schema: JsonObject): JsonObject {
  let node = schema;
  for (let items = own(node, 'items'); items !== undefined && isObject(items);) {
    node = items;
    items = own(node, 'items');
  }
  return node;
}

export interface Requirement {
  readonly action: 'Deny' | 'Warn';
  /** The definition to be compatible with, without the fields that the requirement excludes. */
  readonly definition: CustomResourceDefinition;
}

/** Reads a CompatibilityRequirement of OpenShift as OpenShift's own webhook does. */
export function readRequirement(object: JsonObject, name: string): Requirement | undefined {
  const spec = objectAt(object, 'spec');
  const action = textAt(spec, 'customResourceDefinitionSchemaValidation', 'action');
  if (action !== 'Deny' && action !== 'Warn') return undefined;
  const data = textAt(spec, 'compatibilitySchema', 'customResourceDefinition', 'data') ?? '';
  const found = collectCrds(parseDocuments(data)).crds.get(name);
  if (found === undefined) return undefined;
  const excluded = objectsAt(spec, 'compatibilitySchema', 'excludedFields');
  const versions = found.crd.versions.map(({ name: version, schema, document }) => {
    const paths = excluded
      .filter((each) => textsAt(each, 'versions').includes(version))
      .flatMap((each) => textAt(each, 'path') ?? []);
    if (paths.length === 0) return document;
    const left = paths.reduce((rest, path) => withoutField(rest, path.split('.')), schema ?? {});
    return { ...document, schema: { openAPIV3Schema: left } };
  });
  const { document } = found.crd;
  const definition = readCustomResourceDefinition({
    ...document,
    spec: { ...objectAt(document, 'spec'), versions },
  });
  const text = new TypedText({ stored: false, emptyIsAbsent: true });
  for (const { schema = {} } of definition.versions) text.schema(schema);
  return { action, definition };
}

function withoutField(schema: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const properties = objectAt(schema, 'properties') ?? {};
  const field = own(properties, name);
  if (!isObject(field)) throw noField(name);
  if (rest.length === 0) {
    const others = Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name));
    const required = textsAt(schema, 'required').filter((each) => each !== name);
    return { ...schema, properties: others, required };
  }
  const isList = valueAt(field, 'type') === 'array';
  const items = isList ? objectAt(field, 'items') : field;
  if (items === undefined) throw noField(name);
  const left = withoutField(items, rest);
  return {
    ...schema,
    properties: { ...properties, [name]: isList ? { ...field, items: left } : left },
  };
}

function noField(name: string): InvalidInputError {
  return invalidInput(
    `excludes a field at or below ${JSON.stringify(name)} that its own definition does not have`,
  );
}

const subresources = ['status', 'scale'] as const;
export type Subresource = (typeof subresources)[number];

export interface Losses {
  readonly versions: readonly string[];
  readonly subresources: readonly Subresource[];
  readonly scaling: boolean;
}

type Version = Pick<DefinitionVersion, 'name' | 'served' | 'document'>;

/** By names of versions and subresources alone, of definitions as they came; no schema is read. */
export function lossesOf(oldDocument: JsonObject, nextDocument: JsonObject): Losses {
  const [old, next] = [versionsOf(oldDocument), versionsOf(nextDocument)];
  const served = old.filter((version) => version.served);
  const byName = new Map(next.map((version) => [version.name, version]));
  const nextOf = ({ name }: Version): Version | undefined => byName.get(name);
  const isServed = (version: Version): boolean => nextOf(version)?.served === true;
  const shared = served.filter(isServed);
  return {
    versions: served.filter((version) => !isServed(version)).map(({ name }) => name),
    subresources: subresources.filter((each) =>
      shared.some(
        (version) => hasSubresource(version, each) && !hasSubresource(nextOf(version), each),
      ),
    ),
    scaling:
      hasSubresource(preferredVersion(old), 'scale') &&
      !hasSubresource(preferredVersion(next), 'scale'),
  };
}

function versionsOf(definition: JsonObject): Version[] {
  return objectsAt(definition, 'spec', 'versions').map((document) => ({
    name: textAt(document, 'name') ?? '',
    served: flagAt(document, 'served'),
    document,
  }));
}

/** The served version that discovery names first. */
export function preferredVersion<V extends Version>(versions: readonly V[]): V | undefined {
  return versions
    .filter(({ served }) => served)
    .reduce<V | undefined>(
      (first, each) =>
        first === undefined || compareKubernetesVersions(each.name, first.name) > 0 ? each : first,
      undefined,
    );
}

export function hasSubresource(
  version: Pick<Version, 'document'> | undefined,
  name: Subresource,
): boolean {
  return objectAt(version?.document ?? {}, 'subresources', name) !== undefined;
}
