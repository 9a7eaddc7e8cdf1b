import {
  type InvalidInputError,
  invalidInput,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
  type Place,
} from '../../text/documents/index.js';

export interface DefinitionVersion {
  readonly name: string;
  readonly index: number;
  readonly served: boolean;
  readonly storage: boolean;
  /** `schema.openAPIV3Schema`; a version without it has no fields. */
  readonly schema: JsonObject | undefined;
  readonly document: JsonObject;
}

export class CustomResourceDefinition {
  readonly #byName = new Map<string, DefinitionVersion>();

  constructor(
    readonly document: JsonObject,
    readonly name: string,
    readonly scope: string,
    readonly versions: readonly DefinitionVersion[],
    readonly storedVersions: readonly string[],
    readonly convertsByWebhook: boolean,
  ) {
    for (const version of versions) {
      if (!this.#byName.has(version.name)) this.#byName.set(version.name, version);
    }
  }

  version(name: string): DefinitionVersion | undefined {
    return this.#byName.get(name);
  }

  get storage(): DefinitionVersion | undefined {
    return this.versions.find(({ storage }) => storage);
  }

  withStoredVersions(names: readonly string[]): CustomResourceDefinition {
    const status = own(this.document, 'status');
    const stored = { ...(isObject(status) ? status : {}), storedVersions: [...names] };
    const { name, scope, versions, convertsByWebhook } = this;
    const document = { ...this.document, status: stored };
    return new CustomResourceDefinition(document, name, scope, versions, names, convertsByWebhook);
  }

  /**
   * As a cluster has it that was given this file. Files of a release carry no `status.storedVersions`;
   * the API server writes it when a definition is made, with the storage version as its first entry,
   * and refuses every definition without that version until it is taken out by hand. A definition that
   * names its stored versions stays as it is.
   *
   * Source: apiextensions-apiserver, `customresourcedefinition/strategy.go`, `PrepareForCreate`.
   */
  asInstalled(): CustomResourceDefinition {
    const { storage, storedVersions } = this;
    if (storedVersions.length > 0 || storage === undefined) return this;
    return this.withStoredVersions([storage.name]);
  }
}

const apiGroup = 'apiextensions.k8s.io/';

export function isCustomResourceDefinition(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const apiVersion = own(value, 'apiVersion');
  return (
    own(value, 'kind') === 'CustomResourceDefinition' &&
    typeof apiVersion === 'string' &&
    apiVersion.startsWith(apiGroup)
  );
}

/** Reads leniently: it lets through what a judgement can do without (group, names, schema). @throws InvalidInputError `E_INPUT` */
export function readCustomResourceDefinition(
  value: JsonValue | undefined,
  where: Place = {},
): CustomResourceDefinition {
  return decode(requireCrd(value, where), new Reader(where));
}

/** @throws InvalidInputError `E_INPUT` for two definitions with names of their own */
export function requireSameName(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
): void {
  if (old.name === next.name) return;
  throw invalidInput(
    `is named ${next.name}, but the old definition is ${old.name}; compare two versions of one definition`,
    { path: '$.new.metadata.name' },
  );
}

function decode(document: JsonObject, read: Reader): CustomResourceDefinition {
  const metadata = read.object(own(document, 'metadata'), '$.metadata');
  const name = read.text(own(metadata, 'name'), '$.metadata.name');
  if (name === '') throw read.error('is empty; give the definition its name', '$.metadata.name');
  const spec = read.object(own(document, 'spec'), '$.spec');
  const status = read.object(own(document, 'status') ?? {}, '$.status');
  const conversion = read.object(own(spec, 'conversion') ?? {}, '$.spec.conversion');
  return new CustomResourceDefinition(
    document,
    name,
    read.text(own(spec, 'scope') ?? '', '$.spec.scope'),
    read
      .list(own(spec, 'versions'), '$.spec.versions')
      .map((version, index) => read.version(version, index)),
    read
      .list(own(status, 'storedVersions') ?? [], '$.status.storedVersions')
      .map((version, index) => read.text(version, `$.status.storedVersions[${index}]`)),
    own(conversion, 'strategy') === 'Webhook',
  );
}

/** @throws InvalidInputError `E_INPUT` that says what it is instead, and how to convert a v1beta1 one */
export function requireCrd(value: JsonValue | undefined, where: Place = {}): JsonObject {
  const read = new Reader(where);
  const document = read.object(value, '$');
  const kind = own(document, 'kind');
  const apiVersion = own(document, 'apiVersion');
  if (kind !== 'CustomResourceDefinition') {
    const found = typeof kind === 'string' ? `a ${kind}` : 'without a kind';
    throw read.error(`is ${found}, not a CustomResourceDefinition`, '$.kind');
  }
  if (apiVersion === 'apiextensions.k8s.io/v1beta1') {
    throw read.error(
      'is a v1beta1 CustomResourceDefinition, which Kubernetes has not served since 1.22; convert it to ' +
        'apiextensions.k8s.io/v1 first: every entry of spec.versions needs its own schema.openAPIV3Schema ' +
        '(move spec.validation there) and spec.preserveUnknownFields must be false',
      '$.apiVersion',
    );
  }
  if (apiVersion !== 'apiextensions.k8s.io/v1') {
    throw read.error('must be apiextensions.k8s.io/v1', '$.apiVersion');
  }
  return document;
}

class Reader {
  constructor(readonly where: Place) {}

  error(message: string, path: string): InvalidInputError {
    const prefix = this.where.path;
    const place = prefix === undefined ? path : `${prefix}${path.slice(1)}`;
    return invalidInput(message, { ...this.where, path: place });
  }

  object(value: JsonValue | undefined, path: string): JsonObject {
    if (isObject(value)) return value;
    throw this.error(missing(value) ?? 'must be an object', path);
  }

  list(value: JsonValue | undefined, path: string): readonly JsonValue[] {
    if (Array.isArray(value)) return value;
    throw this.error(missing(value) ?? 'must be a list', path);
  }

  text(value: JsonValue | undefined, path: string): string {
    if (typeof value === 'string') return value;
    throw this.error(missing(value) ?? 'must be text', path);
  }

  flag(value: JsonValue | undefined, path: string): boolean {
    if (value === undefined || value === null) return false;
    if (typeof value === 'boolean') return value;
    throw this.error('must be true or false', path);
  }

  version(value: JsonValue, index: number): DefinitionVersion {
    const path = `$.spec.versions[${index}]`;
    const version = this.object(value, path);
    const schema = this.object(own(version, 'schema') ?? {}, `${path}.schema`);
    const root = own(schema, 'openAPIV3Schema') ?? undefined;
    return {
      name: this.text(own(version, 'name'), `${path}.name`),
      index,
      served: this.flag(own(version, 'served'), `${path}.served`),
      storage: this.flag(own(version, 'storage'), `${path}.storage`),
      document: version,
      schema: root === undefined ? undefined : this.object(root, `${path}.schema.openAPIV3Schema`),
    };
  }
}

function missing(value: JsonValue | undefined): string | undefined {
  return value === undefined || value === null ? 'is missing' : undefined;
}
