import {
  classicPath,
  type ClassicRequest,
  type VersionedEntry,
  type Candidate,
  type InstalledBundle,
  ResolutionError,
  resolveV1,
  type V1Resolution,
  type PackageInCatalog,
} from '../../olm/index.js';
import { findingNamed } from '../../policy/index.js';
import {
  list,
  optionalFlag,
  optionalList,
  optionalText,
  optionalTexts,
  requiring,
  text,
} from './schemas.js';
import { defineOperation } from './operation.js';
import { InvalidInputError, type JsonObject } from '../../text/documents/index.js';
import { formatVersion } from '../../text/versions/index.js';
import { numberAt, objectsAt, textAt, textsAt, valueAt } from '../../text/documents/fields.js';

type Optional<Value> = { [Key in keyof Value]?: Value[Key] | null };

interface UpgradeClassicInput {
  readonly package: string;
  readonly channels: readonly {
    readonly name: string;
    readonly entries?:
      readonly (Optional<Omit<VersionedEntry, 'name'>> & { name: string })[] | null;
  }[];
  readonly channel: string;
  readonly defaultChannel?: string | null;
  readonly installed?: { name: string; version?: string | null } | null;
}

export const upgradeClassic = defineOperation<UpgradeClassicInput>({
  name: 'upgrade-classic',
  summary: 'Which steps OLM classic takes from an installed bundle through a channel, and why.',
  input: requiring(['package', 'channels', 'channel'], {
    package: text,
    channel: { ...text, description: 'the subscribed channel; "" for all' },
    defaultChannel: optionalText,
    channels: list({
      type: 'object',
      required: ['name'],
      // As the catalog has it: an `olm.channel` is taken whole.
      properties: {
        schema: optionalText,
        package: optionalText,
        name: text,
        entries: optionalList(
          requiring(['name'], {
            name: text,
            version: optionalText,
            replaces: optionalText,
            skips: optionalTexts,
            skipRange: optionalText,
          }),
        ),
      },
    }),
    installed: {
      type: ['object', 'null'],
      required: ['name'],
      properties: { name: text, version: optionalText },
    },
  }),
  judge(input) {
    const { steps, loops, error } = classicPath(readRequest(input));
    const output = {
      path: steps.map(({ to }) => to),
      ...(loops ? { end: 'loop' } : {}),
      error,
      steps,
    };
    const problem = loops
      ? `the path comes back to ${steps.at(-1)?.to ?? ''}, which has been installed before`
      : error;
    const findings =
      problem === undefined
        ? []
        : [findingNamed('UpgradePath', { severity: 'warning', message: problem })];
    return { allowed: true, findings, output };
  },
});

function readRequest(input: UpgradeClassicInput): ClassicRequest {
  const { installed, defaultChannel } = input;
  return {
    packageName: input.package,
    channel: input.channel,
    channels: input.channels.map(({ name, entries }) => ({
      name,
      entries: (entries ?? []).map((entry) => ({
        name: entry.name,
        version: entry.version ?? '',
        replaces: entry.replaces ?? '',
        skips: entry.skips ?? [],
        skipRange: entry.skipRange ?? '',
      })),
    })),
    ...(typeof defaultChannel === 'string' ? { defaultChannel } : {}),
    ...(installed === undefined || installed === null
      ? {}
      : { installed: { name: installed.name, version: installed.version ?? '' } }),
  };
}

interface UpgradeV1Input {
  readonly package: string;
  readonly catalogs: readonly JsonObject[];
  readonly installed?: { name: string; version: string; release?: string | null } | null;
  readonly version?: string | null;
  readonly channels?: readonly string[] | null;
  readonly upgradeConstraintPolicy?: 'CatalogProvided' | 'SelfCertified' | '' | null;
  readonly bundleReleaseSupport?: boolean | null;
}

/** A package may have thousands of bundles; the best of those not chosen say enough. */
const MAX_PASSED_OVER = 20;

export const upgradeV1 = defineOperation<UpgradeV1Input>({
  name: 'upgrade-v1',
  summary: 'Which bundle OLM v1 would install for a ClusterExtension, and why.',
  input: requiring(['package', 'catalogs'], {
    package: text,
    catalogs: list(
      requiring(['name', 'objects'], {
        name: text,
        priority: { type: ['integer', 'null'] },
        objects: list({ type: 'object' }),
      }),
    ),
    installed: {
      type: ['object', 'null'],
      required: ['name', 'version'],
      properties: { name: text, version: text, release: optionalText },
    },
    version: { ...optionalText, description: 'a range, as in spec.source.catalog.version' },
    channels: optionalTexts,
    upgradeConstraintPolicy: { enum: ['CatalogProvided', 'SelfCertified', '', null] },
    bundleReleaseSupport: optionalFlag,
  }),
  judge(input) {
    const resolution = resolve(input);
    return { output: describe(resolution) };
  },
});

function resolve(input: UpgradeV1Input): V1Resolution {
  const installed = readInstalled(input.installed);
  try {
    return resolveV1({
      packageName: input.package,
      catalogs: input.catalogs
        .map((catalog) => readCatalogPackage(catalog, input.package))
        .filter((catalog) => catalog !== undefined),
      installed,
      version: input.version ?? '',
      channels: input.channels ?? [],
      upgradeConstraintPolicy:
        input.upgradeConstraintPolicy === 'SelfCertified' ? 'SelfCertified' : 'CatalogProvided',
      bundleReleaseSupport: input.bundleReleaseSupport ?? false,
    });
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    throw new InvalidInputError('E_RESOLVE', error.message);
  }
}

function readInstalled(installed: UpgradeV1Input['installed']): InstalledBundle | undefined {
  if (installed === undefined || installed === null) return undefined;
  const { name, version, release } = installed;
  return { name, version, ...(release === undefined || release === null ? {} : { release }) };
}

function describe({ chosen, stays, passedOver }: V1Resolution): Record<string, unknown> {
  const { version, release } = chosen.versionRelease;
  return {
    resolved: chosen.name,
    resolvedVersion: formatVersion(version),
    ...(release.length === 0 ? {} : { resolvedRelease: release.join('.') }),
    catalog: chosen.catalog,
    stays,
    deprecated: chosen.deprecated,
    edges: chosen.edges,
    passedOver: passedOver.slice(0, MAX_PASSED_OVER).map(describeCandidate),
  };
}

function describeCandidate(candidate: Candidate): Record<string, unknown> {
  const { name, catalog, deprecated, edges, versionRelease } = candidate;
  const version = versionRelease === undefined ? null : formatVersion(versionRelease.version);
  return { name, version, catalog, deprecated, edges };
}

/** The catalog of an `upgrade-v1` input; undefined when it does not have the package. */
function readCatalogPackage(
  catalog: JsonObject,
  packageName: string,
): PackageInCatalog | undefined {
  const objects = objectsAt(catalog, 'objects').filter((object) => ownerOf(object) === packageName);
  if (objects.length === 0) return undefined;
  const ofSchema = (schema: string): JsonObject[] =>
    objects.filter((object) => textAt(object, 'schema') === schema);
  return {
    catalog: textAt(catalog, 'name') ?? '',
    priority: numberAt(catalog, 'priority') ?? 0,
    channels: ofSchema('olm.channel').map(readChannel),
    bundles: ofSchema('olm.bundle').map(readBundle),
    deprecatedBundles: readDeprecations(ofSchema('olm.deprecations')[0]),
  };
}

function ownerOf(object: JsonObject): string | undefined {
  return textAt(object, textAt(object, 'schema') === 'olm.package' ? 'name' : 'package');
}

function readChannel(object: JsonObject): PackageInCatalog['channels'][number] {
  return {
    name: textAt(object, 'name') ?? '',
    entries: objectsAt(object, 'entries').map((entry) => ({
      name: textAt(entry, 'name') ?? '',
      replaces: textAt(entry, 'replaces') ?? '',
      skips: textsAt(entry, 'skips'),
      skipRange: textAt(entry, 'skipRange') ?? '',
    })),
  };
}

function readBundle(object: JsonObject): PackageInCatalog['bundles'][number] {
  return {
    name: textAt(object, 'name') ?? '',
    properties: objectsAt(object, 'properties').map((property) => ({
      type: textAt(property, 'type') ?? '',
      value: valueAt(property, 'value'),
    })),
  };
}

function readDeprecations(object: JsonObject | undefined): Set<string> {
  const references = objectsAt(object, 'entries').filter(
    (entry) => textAt(entry, 'reference', 'schema') === 'olm.bundle',
  );
  return new Set(references.map((entry) => textAt(entry, 'reference', 'name') ?? ''));
}
