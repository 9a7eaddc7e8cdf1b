/** Which stored objects an upgrade concerns, and under which schemas they have to be judged. */
import {
  isObject,
  own,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../documents/index.js';
import { schemaOf } from '../objects/index.js';

/** One list of objects: as the old definition serves them, judged under versions of the new one. */
export interface StoredRead {
  /** The version under which they are listed. */
  readonly version: string;
  /** Versions of the new definition under which they must be acceptable. */
  readonly under: readonly string[];
}

export interface StoredPlan {
  readonly group: string;
  /** Plural name of the resource. */
  readonly resource: string;
  readonly kind: string;
  readonly reads: readonly StoredRead[];
  /** Versions that are converted by a webhook only after the upgrade: nobody can judge them before. */
  readonly notJudged: readonly string[];
}

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** Everything that judging an object depends on, as text. */
  readonly meaning: string;
}

/**
 * Undefined when no version accepts anything else than before, by its text: descriptions, columns
 * and titles do not count. A definition that nobody can read concerns nobody.
 */
export function planStored(old: JsonObject, next: JsonObject): StoredPlan | undefined {
  const before = own(old, 'spec');
  const after = own(next, 'spec');
  if (!isObject(before) || !isObject(after)) return undefined;
  const oldVersions = versionsOf(before);
  const newVersions = versionsOf(after);
  const source = servedForReading(oldVersions);
  const target = newVersions.find(({ storage }) => storage);
  if (source === undefined || target === undefined) return undefined;
  const common = { ...namesOf(before) };
  const changed = newVersions.filter(({ name, meaning }) => {
    const known = oldVersions.find((each) => each.name === name);
    return known?.meaning !== meaning;
  });
  const concerned = changed.filter(({ served, storage }) => served || storage);
  const known = (name: string): boolean =>
    oldVersions.some((version) => version.name === name && version.served);
  // Objects of a version that goes away are read as the one that stays.
  const gone = !newVersions.some(({ name }) => name === source.name);
  const webhook = convertsByWebhook(before) || convertsByWebhook(after);
  if (!webhook) {
    const under = [...concerned.map(({ name }) => name), ...(gone ? [target.name] : [])];
    const reads = under.length === 0 ? [] : [{ version: source.name, under: [...new Set(under)] }];
    return reads.length === 0 ? undefined : { ...common, reads, notJudged: [] };
  }
  const shared = concerned.filter(({ name }) => known(name));
  const added = concerned.filter(({ name }) => !known(name));
  if (shared.length === 0 && added.length === 0) return undefined;
  // The storage version first: its objects need no conversion, and every write ends there.
  shared.sort((left, right) => rank(left, source) - rank(right, source));
  return {
    ...common,
    reads: shared.map(({ name }) => ({ version: name, under: [name] })),
    notJudged: added.map(({ name }) => name),
  };
}

/** How to count a definition's objects; undefined when no version of it is served. */
export function storedResource(
  definition: JsonObject,
): { group: string; resource: string; kind: string; version: string } | undefined {
  const spec = own(definition, 'spec');
  if (!isObject(spec)) return undefined;
  const version = servedForReading(versionsOf(spec));
  return version === undefined ? undefined : { ...namesOf(spec), version: version.name };
}

function rank({ name }: Version, source: Version): number {
  return name === source.name ? 0 : 1;
}

function servedForReading(versions: readonly Version[]): Version | undefined {
  return (
    versions.find(({ storage, served }) => storage && served) ??
    versions.find(({ served }) => served)
  );
}

function versionsOf(spec: JsonObject): Version[] {
  const versions = own(spec, 'versions');
  const preserve = own(spec, 'preserveUnknownFields') === true;
  const names = own(spec, 'names');
  const kind = isObject(names) ? own(names, 'kind') : undefined;
  const shared = [own(spec, 'scope'), kind, preserve].map((each) => stringifyJson(each ?? null));
  return (Array.isArray(versions) ? versions : []).filter(isObject).map((version) => ({
    name: textOf(own(version, 'name')),
    served: own(version, 'served') !== false,
    storage: own(version, 'storage') === true,
    meaning: [
      ...shared,
      stringifyJson(meaningOf(schemaOf(version))),
      stringifyJson(own(version, 'subresources') ?? null),
    ].join('\n'),
  }));
}

const words: ReadonlySet<string> = new Set(['description', 'title', 'example', 'externalDocs']);
const byName: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  'dependencies',
]);
const values: ReadonlySet<string> = new Set(['default', 'enum']);

/** A schema without what is only for readers, its keys in one order. */
function meaningOf(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(meaningOf);
  if (!isObject(schema)) return schema;
  return ordered(schema, (key, value) =>
    words.has(key)
      ? undefined
      : values.has(key)
        ? value
        : byName.has(key) && isObject(value)
          ? ordered(value, (_, each) => meaningOf(each))
          : meaningOf(value),
  );
}

/** Pairs instead of an object: names of fields are the author's. */
function ordered(
  object: JsonObject,
  each: (key: string, value: JsonValue) => JsonValue | undefined,
): JsonValue {
  const pairs: JsonValue[] = [];
  for (const key of Object.keys(object).sort()) {
    const value = each(key, own(object, key) ?? null);
    if (value !== undefined) pairs.push([key, value]);
  }
  return pairs;
}

function convertsByWebhook(spec: JsonObject): boolean {
  const conversion = own(spec, 'conversion');
  return isObject(conversion) && own(conversion, 'strategy') === 'Webhook';
}

function namesOf(spec: JsonObject): { group: string; resource: string; kind: string } {
  const names = own(spec, 'names');
  const name = (key: string): string => textOf(isObject(names) ? own(names, key) : undefined);
  return { group: textOf(own(spec, 'group')), resource: name('plural'), kind: name('kind') };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
