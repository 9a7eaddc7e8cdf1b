/** Which stored objects an upgrade concerns, and under which schemas they have to be judged. */
import {
  isObject,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import { schemaOf } from '../../../kubernetes/index.js';
import { flagAt, textAt } from '../../../text/documents/fields.js';
import { versionEntries } from '../named-versions.js';
import { sameMeaning } from './meaning.js';

/** One list of objects: as the old definition serves them, judged under versions of the new one. */
interface StoredRead {
  readonly version: string;
  readonly under: readonly string[];
  /** The version in which every write stores them from now on, where they must not lose a field. */
  readonly storedAs?: string;
}

export interface StoredPlan {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly reads: readonly StoredRead[];
  /** Versions that a webhook converts only after the upgrade: they cannot be judged before. */
  readonly notJudged: readonly string[];
  /** Nothing becomes of an object that is only read and written as until now. */
  readonly isOnlyAdded?: true;
  readonly leaving?: readonly string[];
}

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: JsonValue;
  readonly subresources: JsonValue;
}

/** By its text: descriptions, columns and titles do not count. Undefined also for an unreadable definition. */
export function planStored(old: JsonObject, next: JsonObject): StoredPlan | undefined {
  const before = own(old, 'spec');
  const after = own(next, 'spec');
  if (!isObject(before) || !isObject(after)) return undefined;
  const oldVersions = versionsOf(old);
  const newVersions = versionsOf(next);
  const source = servedForReading(oldVersions);
  const target = newVersions.find(({ storage }) => storage);
  if (source === undefined || target === undefined) return undefined;
  const leaving = oldVersions
    .filter(
      ({ name, served }) =>
        served && !newVersions.some((each) => each.name === name && each.served),
    )
    .map(({ name }) => `${namesOf(before).group}/${name}`);
  const common = { ...namesOf(before), ...(leaving.length === 0 ? {} : { leaving }) };
  // Nothing is held against the objects: only who wrote them is looked at.
  const looks = leaving.length === 0 ? [] : [{ version: source.name, under: [] }];
  const alike = sameForAll(before, after);
  const webhook = convertsByWebhook(before) || convertsByWebhook(after);
  const concerned = newVersions.filter((version) => {
    if (!version.served && !version.storage) return false;
    const known = oldVersions.find(({ name }) => name === version.name);
    if (!alike || known === undefined || !judgesAlike(known, version)) return true;
    // No client has read or written objects in a version that was there and not served; how a webhook
    // converts them there is a question about the webhook.
    return !webhook && version.served && !known.served;
  });
  const known = (name: string): boolean =>
    oldVersions.some((version) => version.name === name && version.served);
  const gone = !newVersions.some(({ name }) => name === source.name);
  if (!webhook) {
    const under = [
      ...new Set([...concerned.map(({ name }) => name), ...(gone ? [target.name] : [])]),
    ];
    const isMoved = !oldVersions.some(({ name, storage }) => storage && name === target.name);
    const storedAs = isMoved && !under.includes(target.name) ? target.name : undefined;
    const read = { version: source.name, under, ...(storedAs !== undefined && { storedAs }) };
    const reads = under.length === 0 && storedAs === undefined ? looks : [read];
    return reads.length === 0 ? undefined : { ...common, reads, notJudged: [] };
  }
  const shared = concerned.filter(({ name }) => known(name));
  const added = concerned.filter(({ name }) => !known(name));
  if (shared.length === 0 && added.length === 0 && looks.length === 0) return undefined;
  shared.sort((left, right) => rank(left, source) - rank(right, source));
  const isOnlyAdded =
    added.length > 0 &&
    leaving.length === 0 &&
    added.every(({ name }) => !oldVersions.some((version) => version.name === name)) &&
    oldVersions.some(({ name, storage }) => storage && name === target.name);
  return {
    ...common,
    reads:
      shared.length === 0 ? looks : shared.map(({ name }) => ({ version: name, under: [name] })),
    notJudged: added.map(({ name }) => name),
    ...(isOnlyAdded ? { isOnlyAdded } : {}),
  };
}

export interface StoredResource {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly version: string;
  readonly isStorage: boolean;
}

export function storedResource(definition: JsonObject): StoredResource | undefined {
  const spec = own(definition, 'spec');
  if (!isObject(spec)) return undefined;
  const version = servedForReading(versionsOf(definition));
  if (version === undefined) return undefined;
  return { ...namesOf(spec), version: version.name, isStorage: version.storage };
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

function versionsOf(definition: JsonObject): Version[] {
  return versionEntries(definition).map((version) => ({
    name: textAt(version, 'name') ?? '',
    served: own(version, 'served') !== false,
    storage: flagAt(version, 'storage'),
    schema: schemaOf(version),
    subresources: own(version, 'subresources') ?? null,
  }));
}

function sameForAll(before: JsonObject, after: JsonObject): boolean {
  const preserves = (spec: JsonObject): boolean => flagAt(spec, 'preserveUnknownFields');
  return (
    sameJson(own(before, 'scope'), own(after, 'scope')) &&
    namesOf(before).kind === namesOf(after).kind &&
    preserves(before) === preserves(after)
  );
}

function judgesAlike(known: Version, version: Version): boolean {
  return (
    sameJson(known.subresources, version.subresources) && sameMeaning(known.schema, version.schema)
  );
}

function convertsByWebhook(spec: JsonObject): boolean {
  return textAt(spec, 'conversion', 'strategy') === 'Webhook';
}

function namesOf(spec: JsonObject): { group: string; resource: string; kind: string } {
  const name = (...path: string[]): string => textAt(spec, ...path) ?? '';
  return { group: name('group'), resource: name('names', 'plural'), kind: name('names', 'kind') };
}
