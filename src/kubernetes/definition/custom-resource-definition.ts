/**
 * A CustomResourceDefinition as the API server's validation has it before it: decoded as v1, with
 * v1's defaults, and converted to the internal type, which moves what all versions have alike to the
 * top. Places in errors follow from that.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/{types,defaults,conversion}.go.
 */
import { BadRequest } from '../apiserver/field-error.js';
import { decodeObjectMeta } from '../apiserver/object-meta.js';
import type { JsonObject } from '../../text/documents/index.js';
import { corruptBase64, decodeBase64 } from '../../text/go/index.js';
import {
  Decoder,
  optional,
  optionalText,
  struct,
  text,
  texts,
  type Struct,
} from '../apiserver/decode.js';
import type { ServerTraits } from './minors.js';
import type { KnownSchemas } from '../apiserver/known-schemas.js';
import { SchemaReader } from '../apiserver/read-schema.js';
import type { SchemaNode } from '../apiserver/schema.js';
import { isSame, withoutOptionalOldSelf } from './schema-walk.js';

const readNames = struct({
  plural: text,
  singular: text,
  kind: text,
  listKind: text,
  shortNames: texts,
  categories: texts,
});
export type Names = Struct<typeof readNames>;

const noNames: Names = readNames({}, '');

export interface Validation {
  readonly schema: SchemaNode | undefined;
}

const readSubresources = struct({
  hasStatus: (read) => read.object('status', () => true) ?? false,
  scale: optional(
    struct({ specReplicasPath: text, statusReplicasPath: text, labelSelectorPath: text }),
  ),
});
export type Subresources = Struct<typeof readSubresources>;

const readColumn = struct({
  name: text,
  type: text,
  format: text,
  jsonPath: text,
  description: text,
  priority: (read, key) => read.integer(key, 32) ?? 0,
});
export type PrinterColumn = Struct<typeof readColumn>;

export interface VersionParts {
  readonly validation: Validation | undefined;
  readonly subresources: Subresources | undefined;
  readonly columns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
}

export interface Version extends VersionParts {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
}

const readClientConfig = struct({
  caBundle: (read, key) => {
    const written = read.text(key);
    const corrupt = corruptBase64(written);
    if (corrupt === undefined) return decodeBase64(written);
    throw new BadRequest(`illegal base64 data at input byte ${corrupt}`);
  },
  url: optionalText,
  service: optional(
    struct({
      namespace: text,
      name: text,
      path: optionalText,
      port: (read, key) => read.integer(key, 32) ?? 443,
    }),
  ),
});
export type WebhookClientConfig = Struct<typeof readClientConfig>;

export interface Conversion {
  readonly strategy: string;
  readonly clientConfig: WebhookClientConfig | undefined;
  readonly reviewVersions: readonly string[];
}

export interface Definition extends VersionParts {
  readonly meta: JsonObject;
  readonly annotations: JsonObject;
  readonly group: string;
  readonly names: Names;
  readonly scope: string;
  readonly versions: readonly Version[];
  readonly conversion: Conversion;
  readonly preserveUnknownFields: boolean;
  readonly status: {
    readonly storedVersions: readonly string[];
    readonly acceptedNames: Names;
    /** Types of the conditions that are true; undefined where the status has no conditions. */
    readonly conditions: ReadonlySet<string> | undefined;
  };
}

/** @param known schemas of the other definition of a pair @throws BadRequest; InvalidInputError `E_LIMIT` */
export function readDefinition(source: JsonObject, known: KnownSchemas): Definition {
  const read = new Decoder(source, '');
  const metadata = read.value('metadata');
  const meta = metadata === undefined ? {} : decodeObjectMeta(metadata);
  const spec =
    read.object('spec', (each, path) => new Decoder(each, path)) ?? new Decoder({}, 'spec');
  const schemas = new SchemaReader(known);
  const versions = spec.objects('versions', (each, path) => readVersion(each, path, schemas)) ?? [];
  const names = spec.object('names', readNames) ?? noNames;
  return {
    meta,
    annotations: (meta['annotations'] ?? {}) as JsonObject,
    group: spec.text('group'),
    names: withDefaults(names),
    scope: spec.text('scope'),
    conversion: spec.object('conversion', readConversion) ?? withoutConversion,
    preserveUnknownFields: spec.flag('preserveUnknownFields'),
    status: read.object('status', readStatus) ?? noStatus,
    ...withCommonParts(versions),
  };
}

function withDefaults(names: Names): Names {
  const { kind, singular, listKind } = names;
  return {
    ...names,
    singular: singular === '' ? kind.toLowerCase() : singular,
    listKind: listKind === '' && kind !== '' ? `${kind}List` : listKind,
  };
}

function readVersion(source: JsonObject, path: string, schemas: SchemaReader): Version {
  const read = new Decoder(source, path);
  return {
    name: read.text('name'),
    served: read.flag('served'),
    storage: read.flag('storage'),
    deprecated: read.flag('deprecated'),
    deprecationWarning: read.optionalText('deprecationWarning'),
    validation: read.object('schema', (each, at) => ({
      schema: new Decoder(each, at).object('openAPIV3Schema', (schema, place) =>
        schemas.read(schema, place),
      ),
    })),
    subresources: read.object('subresources', readSubresources),
    columns: read.objects('additionalPrinterColumns', readColumn) ?? [],
    selectableFields:
      read.objects('selectableFields', (each, at) => new Decoder(each, at).text('jsonPath')) ?? [],
  };
}

/** Moves to the top what all versions have alike. */
function withCommonParts(
  versions: readonly Version[],
): VersionParts & Pick<Definition, 'versions'> {
  const [first] = versions;
  const isCommon = (part: keyof VersionParts): boolean =>
    first !== undefined && versions.every((each) => isSame(each[part], first[part]));
  const none: VersionParts = {
    validation: undefined,
    subresources: undefined,
    columns: [],
    selectableFields: [],
  };
  const common = (Object.keys(none) as (keyof VersionParts)[]).filter(isCommon);
  const pick = (from: VersionParts): Partial<VersionParts> =>
    Object.fromEntries(common.map((part) => [part, from[part]]));
  return {
    ...none,
    ...pick(first ?? none),
    versions: versions.map((version) => ({ ...version, ...pick(none) })),
  };
}

const withoutConversion: Conversion = {
  strategy: 'None',
  clientConfig: undefined,
  reviewVersions: [],
};

function readConversion(source: JsonObject, path: string): Conversion {
  const read = new Decoder(source, path);
  const webhook = read.object('webhook', (each, at) => new Decoder(each, at));
  return {
    strategy: read.text('strategy'),
    clientConfig: webhook?.object('clientConfig', readClientConfig),
    reviewVersions: webhook?.texts('conversionReviewVersions') ?? [],
  };
}

const noStatus: Definition['status'] = {
  storedVersions: [],
  acceptedNames: noNames,
  conditions: undefined,
};

function readStatus(source: JsonObject, path: string): Definition['status'] {
  const read = new Decoder(source, path);
  const conditions = read.objects('conditions', struct({ type: text, status: text })) ?? [];
  return {
    storedVersions: read.texts('storedVersions') ?? [],
    acceptedNames: read.object('acceptedNames', readNames) ?? noNames,
    conditions:
      conditions.length === 0
        ? undefined
        : new Set(conditions.filter(({ status }) => status === 'True').map(({ type }) => type)),
  };
}

/** The definition as a server has it that drops the fields of features that it has not turned on. */
export function asReadBy(
  definition: Definition,
  { knowsSelectableFields, knowsOptionalOldSelf }: ServerTraits,
): Definition {
  if (knowsSelectableFields && knowsOptionalOldSelf) return definition;
  const reading = <Parts extends VersionParts>(parts: Parts): Parts => ({
    ...parts,
    ...(knowsSelectableFields ? {} : { selectableFields: [] }),
    ...(knowsOptionalOldSelf || parts.validation?.schema === undefined
      ? {}
      : { validation: { schema: withoutOptionalOldSelf(parts.validation.schema) } }),
  });
  return { ...reading(definition), versions: definition.versions.map(reading) };
}

/** Every schema of a definition: the common one, else those of its versions. */
export function schemasOf(definition: Definition): SchemaNode[] {
  return [definition, ...definition.versions].flatMap(({ validation }) => validation?.schema ?? []);
}

/** Whether a version has the same schema in both, as far as both can be asked for it. */
export function hasSameSchema(definition: Definition, old: Definition, version: string): boolean {
  const [now, before] = [validationOf(definition, version), validationOf(old, version)];
  if (typeof now === 'symbol' || typeof before === 'symbol') return false;
  return isSame(now, before);
}

const unknown = Symbol('no such version');

/** As `GetSchemaForVersion` finds it: a common schema is that of any version, even of unknown ones. */
function validationOf(
  { versions, validation }: Definition,
  version: string,
): Validation | undefined | typeof unknown {
  if (versions.every((each) => each.validation === undefined)) return validation;
  const found = versions.find(({ name }) => name === version);
  return found === undefined ? unknown : found.validation;
}

/** Requirements, named as in upstream's `validationOptions`; an update may leave some of them unmet as before. */
export interface Requirements {
  readonly recognizedReviewVersion: boolean;
  readonly immutableNames: boolean;
  readonly schema: boolean;
  readonly knownTypes: boolean;
  readonly structuralSchema: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSetItems: boolean;
  readonly mapListKeys: boolean;
  readonly validCaBundle: boolean;
  /** Rules and messages whose text the old definition has somewhere. */
  readonly storedRules: ReadonlySet<string>;
  readonly storedMessages: ReadonlySet<string>;
  /** Whether a version has the schema that it had, so that its rules may cost what they cost. */
  readonly hasSameSchema: (version: string) => boolean;
  /** Whether too many selectable fields may stay: of a version, or with '' of all of them. */
  readonly mayStaySelectable: (version: string) => boolean;
}

const none: ReadonlySet<string> = new Set();

export const ofCreate: Requirements = {
  recognizedReviewVersion: true,
  immutableNames: false,
  schema: true,
  knownTypes: true,
  structuralSchema: true,
  prunedDefaults: true,
  atomicSetItems: true,
  mapListKeys: true,
  validCaBundle: false,
  storedRules: none,
  storedMessages: none,
  hasSameSchema: () => false,
  mayStaySelectable: () => false,
};
