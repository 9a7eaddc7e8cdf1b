/** Stops at the first defect, as opm does. Rule: `ConvertToModel` of operator-registry's declcfg. */
import { InvalidInputError } from '../../text/documents/index.js';
import { InvalidVersionError, parseVersion, type Version } from '../../text/versions/index.js';
import type {
  Catalog,
  CatalogBundle,
  CatalogChannel,
  CatalogDeprecation,
  CatalogPackage,
  ChannelEntry,
  ObjectPlace,
} from './catalog.js';
import { imageReferenceProblem } from '../../text/formats/image-reference.js';
import { compareBytes, quote } from '../../text/go/index.js';
import { attempt } from '../once.js';
import { parseRelease } from './upgrades/release.js';

export interface BundleModel {
  readonly bundle: CatalogBundle;
  readonly version: Version;
  /** The `release` of the `olm.package` property, as it is written; empty when there is none. */
  readonly release: string;
}

export interface ChannelModel {
  readonly name: string;
  /** Undefined for a default channel that no `olm.channel` defines. */
  readonly channel: CatalogChannel | undefined;
  readonly entries: ReadonlyMap<string, ChannelEntry>;
  deprecation: string | undefined;
}

export interface PackageModel {
  readonly package: CatalogPackage;
  readonly channels: Map<string, ChannelModel>;
  readonly bundles: Map<string, BundleModel>;
  readonly entryNames: Set<string>;
  /** Messages by bundle name. */
  readonly bundleDeprecations: Map<string, string>;
  deprecation: string | undefined;
}

export type CatalogModel = ReadonlyMap<string, PackageModel>;

/** @throws InvalidInputError `E_CATALOG` in the reference's words, with the object's place. */
export function buildModel(catalog: Catalog): CatalogModel {
  const model = new Map<string, PackageModel>();
  for (const item of catalog.packages) addPackage(model, item);
  // Only the last channel of each package is asked for entries without a bundle, as in the reference.
  const awaited = new Map<string, AwaitedBundles>();
  for (const channel of catalog.channels) addChannel(model, channel, awaited);
  for (const bundle of catalog.bundles) {
    addBundle(model, bundle);
    awaited.get(bundle.package)?.names.delete(bundle.name);
  }
  demandNoneAwaited(awaited);
  for (const item of model.values()) addDefaultChannel(item);
  const deprecated = new Set<string>();
  for (const [index, deprecation] of catalog.deprecations.entries()) {
    addDeprecation(model, deprecation, index, deprecated);
  }
  return model;
}

interface AwaitedBundles {
  readonly names: Set<string>;
  readonly place: ObjectPlace;
}

export function invalid(message: string, place: ObjectPlace): InvalidInputError {
  return new InvalidInputError('E_CATALOG', message, place);
}

function addPackage(model: Map<string, PackageModel>, item: CatalogPackage): void {
  const { name, place } = item;
  if (name === '') throw invalid('config contains package with no name', place);
  if (model.has(name)) throw invalid(`duplicate package ${quote(name)}`, place);
  const problems = labelProblems(name);
  if (problems.length > 0) {
    throw invalid(`invalid package name ${quote(name)}: [${problems.join(' ')}]`, place);
  }
  model.set(name, {
    package: item,
    channels: new Map(),
    bundles: new Map(),
    entryNames: new Set(),
    bundleDeprecations: new Map(),
    deprecation: undefined,
  });
}

/** Rule: `IsDNS1123Label` of k8s.io/apimachinery. */
function labelProblems(name: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(name) > 63) problems.push('must be no more than 63 characters');
  if (/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(name)) return problems;
  const isSubdomain = name
    .split('.')
    .every((part) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(part));
  problems.push(
    isSubdomain
      ? 'must not contain dots'
      : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  );
  return problems;
}

function addChannel(
  model: CatalogModel,
  channel: CatalogChannel,
  awaited: Map<string, AwaitedBundles>,
): void {
  const { name, package: packageName, place } = channel;
  const owner = model.get(packageName);
  if (owner === undefined) {
    throw invalid(`unknown package ${quote(packageName)} for channel ${quote(name)}`, place);
  }
  if (name === '') {
    throw invalid(`package ${quote(packageName)} contains channel with no name`, place);
  }
  if (owner.channels.has(name)) {
    throw invalid(`package ${quote(packageName)} has duplicate channel ${quote(name)}`, place);
  }
  const entries = new Map<string, ChannelEntry>();
  for (const entry of channel.entries) {
    if (entries.has(entry.name)) {
      throw invalid(
        `invalid package ${quote(packageName)}, channel ${quote(name)}: duplicate entry ${quote(entry.name)}`,
        place,
      );
    }
    entries.set(entry.name, entry);
    owner.entryNames.add(entry.name);
  }
  awaited.set(packageName, { names: new Set(entries.keys()), place });
  owner.channels.set(name, { name, channel, entries, deprecation: undefined });
}

function addBundle(model: CatalogModel, bundle: CatalogBundle): void {
  const { name, package: packageName, place } = bundle;
  if (packageName === '') {
    throw invalid(`package name must be set for bundle ${quote(name)}`, place);
  }
  const owner = model.get(packageName);
  if (owner === undefined) {
    throw invalid(`unknown package ${quote(packageName)} for bundle ${quote(name)}`, place);
  }
  if (owner.bundles.has(name)) {
    throw invalid(`package ${quote(packageName)} has duplicate bundle ${quote(name)}`, place);
  }
  owner.bundles.set(name, readBundle(bundle));
  if (owner.entryNames.has(name)) return;
  throw invalid(
    `package ${quote(packageName)}, bundle ${quote(name)} not found in any channel entries`,
    place,
  );
}

function readBundle(bundle: CatalogBundle): BundleModel {
  const { name, package: packageName, place, packageProperties } = bundle;
  if (bundle.propertyProblem !== undefined) {
    throw invalid(`parse properties for bundle ${quote(name)}: ${bundle.propertyProblem}`, place);
  }
  const [property] = packageProperties;
  if (property === undefined || packageProperties.length !== 1) {
    throw invalid(
      `package ${quote(packageName)} bundle ${quote(name)} must have exactly 1 "olm.package" property, found ${packageProperties.length}`,
      place,
    );
  }
  if (property.packageName !== packageName) {
    throw invalid(
      `package ${quote(packageName)} does not match "olm.package" property ${quote(property.packageName)}`,
      place,
    );
  }
  const image = bundle.image === '' ? undefined : imageReferenceProblem(bundle.image);
  const problemOfImage =
    image === undefined
      ? bundle.relatedImageProblem
      : `image: invalid image pull spec ${quote(bundle.image)}: ${image}`;
  if (problemOfImage !== undefined) {
    throw invalid(`package ${quote(packageName)} bundle ${quote(name)} ${problemOfImage}`, place);
  }
  const { version, release } = property;
  const read = attempt(InvalidVersionError, () => parseVersion(version));
  if (read instanceof InvalidVersionError) {
    throw invalid(
      `error parsing bundle ${quote(name)} version ${quote(version)}: ${read.message}`,
      place,
    );
  }
  const released = attempt(InvalidVersionError, () => parseRelease(release));
  if (released instanceof InvalidVersionError) {
    throw invalid(
      `error parsing bundle ${quote(name)} release version ${quote(release)}: ${released.message}`,
      place,
    );
  }
  return { bundle, version: read, release };
}

function demandNoneAwaited(awaited: ReadonlyMap<string, AwaitedBundles>): void {
  for (const [packageName, { names, place }] of awaited) {
    if (names.size === 0) continue;
    throw invalid(
      `no olm.bundle blobs found in package ${quote(packageName)} for olm.channel entries [${[...names].sort(compareBytes).join(' ')}]`,
      place,
    );
  }
}

function addDefaultChannel({ package: item, channels }: PackageModel): void {
  const name = item.defaultChannel;
  if (name === '' || channels.has(name)) return;
  channels.set(name, { name, channel: undefined, entries: new Map(), deprecation: undefined });
}

function addDeprecation(
  model: CatalogModel,
  deprecation: CatalogDeprecation,
  index: number,
  deprecated: Set<string>,
): void {
  const { package: packageName, place } = deprecation;
  if (packageName === '') {
    throw invalid(`package name must be set for deprecation item ${index}`, place);
  }
  const owner = model.get(packageName);
  if (owner === undefined) {
    throw invalid(`cannot apply deprecations to an unknown package ${quote(packageName)}`, place);
  }
  if (deprecated.has(packageName)) {
    throw invalid(
      `expected a maximum of one deprecation per package: ${quote(packageName)}`,
      place,
    );
  }
  deprecated.add(packageName);
  const references = new Set<string>();
  for (const [position, entry] of deprecation.entries.entries()) {
    const fail = (message: string): never => {
      throw invalid(message, place);
    };
    const shown = `declcfg.PackageScopedReference{Schema:${quote(entry.schema)}, Name:${quote(entry.name)}}`;
    if (entry.schema === '') {
      fail(
        `schema must be set for deprecation entry [${position}] for package ${quote(packageName)}`,
      );
    }
    if (references.has(shown)) {
      fail(`duplicate deprecation entry ${shown} for package ${quote(packageName)}`);
    }
    references.add(shown);
    const subject = `${quote(entry.name)} for package ${quote(packageName)}`;
    if (entry.schema === 'olm.bundle') {
      if (!owner.bundles.has(entry.name)) {
        fail(`cannot deprecate bundle ${subject}: bundle not found`);
      }
      owner.bundleDeprecations.set(entry.name, entry.message);
    } else if (entry.schema === 'olm.channel') {
      const channel = owner.channels.get(entry.name);
      if (channel === undefined) fail(`cannot deprecate channel ${subject}: channel not found`);
      else channel.deprecation = entry.message;
    } else if (entry.schema === 'olm.package') {
      if (entry.name !== '') {
        fail(
          `package name must be empty for deprecated package ${quote(packageName)} (specified ${quote(entry.name)})`,
        );
      }
      owner.deprecation = entry.message;
    } else {
      fail(
        `cannot deprecate object ${shown} referenced by entry ${position} for package ${quote(packageName)}: object schema unknown`,
      );
    }
  }
}
