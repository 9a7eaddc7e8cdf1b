/** Findings about a catalog: opm's own complaints first, then those that opm never checks. */
import type { Finding } from '../../../rule/index.js';
import type { LoadedCatalog } from '../../catalogs/load.js';
import type { Validation } from '../../catalogs/validate.js';
import { blobSchemaFindings } from './catalog-blob-schema.js';
import { lifecycleFindings } from './catalog-lifecycle.js';
import { reservedSchemaFindings } from './catalog-reserved-schema.js';
import { catalogRules } from './rules.js';
import type {
  Catalog,
  CatalogBundle,
  CatalogChannel,
  CatalogPackage,
} from '../../catalogs/catalog.js';
import { lintConstraintProperty } from '../bundle/lints.js';
import { stringifyJson } from '../../../text/documents/index.js';
import { quote, decodeBase64 } from '../../../text/go/index.js';
import {
  compareVersions,
  InvalidRangeError,
  parseBlangRange,
  readVersion,
  type Version,
} from '../../../text/versions/index.js';
import { readPackages, strandedHeads, type PackageState } from '../../catalogs/upgrades/index.js';
import { textField } from '../../catalogs/properties.js';
import { rangeProblem } from '../../catalogs/validation-tree.js';

export function catalogFindings(loaded: LoadedCatalog, validation?: Validation): Finding[] {
  if (loaded.error !== undefined) {
    const { message, where } = loaded.error;
    return [{ ...catalogRules.loads.finding({ message }), place: where }];
  }
  const refusals = (validation?.complaints ?? []).map(({ message, place, within }) => ({
    ...catalogRules.valid.finding({ message: [...within, message].join(': ') }),
    place,
  }));
  const { catalog } = loaded;
  return [
    ...refusals,
    ...blobSchemaFindings(catalog),
    ...reservedSchemaFindings(catalog),
    ...lifecycleFindings(catalog),
    ...catalogWarnings(catalog),
    ...constraintFindings(catalog),
  ];
}

/** Warnings all of them: opm accepts the catalog. */
function constraintFindings({ bundles }: Catalog): Finding[] {
  // The bundles of a package mostly repeat the same few.
  const known = new Map<string, readonly Finding[]>();
  return bundles.flatMap(({ name, properties, place }) =>
    properties.flatMap(({ type, value = null }, index) => {
      if (type !== 'olm.constraint') return [];
      const text = stringifyJson(value);
      const found = known.get(text) ?? lintConstraintProperty({ type, value }, '$');
      known.set(text, found);
      return found.map(({ message, path: _, ...finding }) => ({
        ...finding,
        severity: finding.severity === 'error' ? 'warning' : finding.severity,
        message: `bundle ${quote(name)}, properties[${index}]: ${message}`,
        place,
      }));
    }),
  );
}

function catalogWarnings(catalog: Catalog): Finding[] {
  const versions = new Map<string, string>();
  for (const bundle of catalog.bundles) {
    const [property] = bundle.packageProperties;
    if (property !== undefined) versions.set(`${bundle.package}/${bundle.name}`, property.version);
  }
  return [
    ...catalog.packages.flatMap(packageWarnings),
    ...catalog.channels.flatMap((channel) => channelWarnings(channel, versions)),
    ...catalog.bundles.flatMap(bundleWarnings),
    ...[...readPackages(catalog).values()].flatMap((state) => [
      ...headWarnings(state),
      ...annotationWarnings(state),
    ]),
  ];
}

/** Heads that nothing takes over from, while an older entry still has updates. */
function headWarnings(state: PackageState): Finding[] {
  return strandedHeads(state).flatMap(({ channel, head, older }) => {
    if (older === undefined) return [];
    const names = { package: state.name, channel: channel.name, head };
    const data = { ...names, later: older.channel, older: older.name, to: older.to };
    const fix = `add ${head} to the skips of ${older.to} in channel ${older.channel}`;
    return [
      { ...catalogRules.headStranded.finding({ id: 'stranded', data, fix }), place: channel.place },
    ];
  });
}

function annotationWarnings({ name, bundles, channels, place }: PackageState): Finding[] {
  const all = [...bundles.values()];
  const own = [...channels.values()].flatMap(({ entries }) => entries);
  const first = all[0];
  if (first === undefined || own.some(({ skipRange = '' }) => skipRange !== '')) return [];
  if (!all.every(({ skipRangeAnnotation }) => skipRangeAnnotation !== undefined)) return [];
  const finding = catalogRules.skipRangeAnnotation.finding({
    id: 'unread',
    data: { package: name },
  });
  return [{ ...finding, place: place ?? first.place }];
}

function packageWarnings({ name, icon, place }: CatalogPackage): Finding[] {
  const problem = icon === undefined ? undefined : iconProblem(icon.base64data, icon.mediatype);
  if (problem === undefined) return [];
  const data = { package: name, problem };
  return [{ ...catalogRules.icon.finding({ id: 'invalid', data }), place }];
}

/** Ranges are held against the highest versions of a channel only: some channels have thousands. */
const maxCompared = 100;

/** Undefined for a range that cannot be read; one that crashes the library covers nothing. */
function rangePredicate(range: string): ((version: Version) => boolean) | undefined {
  if (rangeProblem(range) !== undefined) return undefined;
  const covers = parseBlangRange(range);
  return (version) => {
    try {
      return covers(version);
    } catch (error) {
      if (error instanceof InvalidRangeError) return false;
      throw error;
    }
  };
}

function channelWarnings(
  channel: CatalogChannel,
  versions: ReadonlyMap<string, string>,
): Finding[] {
  const { place } = channel;
  const names = { package: channel.package, channel: channel.name };
  const found: Finding[] = [];
  const known = new Map<string, Version>();
  for (const { name } of channel.entries) {
    const version = readVersion(versions.get(`${channel.package}/${name}`) ?? '');
    if (version !== undefined) known.set(name, version);
  }
  const highest = [...known].sort(([, a], [, b]) => compareVersions(b, a)).slice(0, maxCompared);
  for (const { name, skipRange } of channel.entries) {
    const own = known.get(name);
    const covers = skipRange === '' ? undefined : rangePredicate(skipRange);
    if (own === undefined || covers === undefined) continue;
    if (covers(own)) {
      const data = { ...names, range: skipRange, name };
      found.push(catalogRules.skipRangeCoversItself.finding({ id: 'covers', data }));
    }
    const above = highest.find(
      ([, version]) => compareVersions(version, own) > 0 && covers(version),
    );
    if (above !== undefined) {
      const data = { ...names, range: skipRange, name, above: above[0] };
      found.push(catalogRules.skippedByRange.finding({ id: 'covers', data }));
    }
  }
  const skipped = new Set(channel.entries.flatMap(({ skips }) => skips));
  const never = channel.entries.filter(({ name }) => skipped.has(name)).map(({ name }) => name);
  if (never.length > 0) {
    const data = { ...names, names: never };
    found.push(catalogRules.skipped.finding({ id: 'skipped', data }));
  }
  return found.map((finding) => ({ ...finding, place }));
}

const dnsLabel = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

function bundleWarnings(bundle: CatalogBundle): Finding[] {
  const found: Finding[] = [];
  const { place } = bundle;
  for (const [index, { type, value }] of bundle.properties.entries()) {
    const property = { bundle: bundle.name, index, type };
    if (type === 'olm.gvk' || type === 'olm.gvk.required') {
      for (const id of ['group', 'version', 'kind'] as const) {
        const text = textField(value, id);
        if (isGvkPart[id](text)) continue;
        found.push(catalogRules.gvk.finding({ id, data: { ...property, value: text } }));
      }
    } else if (type === 'olm.package.required') {
      const range = textField(value, 'versionRange');
      const problem = rangeProblem(range);
      if (textField(value, 'packageName') === '') {
        found.push(catalogRules.requiredPackage.finding({ id: 'unnamed', data: property }));
      }
      if (problem !== undefined) {
        const data = { ...property, range, problem };
        found.push(catalogRules.requiredPackage.finding({ id: 'unreadable', data }));
      }
    }
  }
  return found.map((finding) => ({ ...finding, place }));
}

const isLabel = (text: string): boolean =>
  text.length <= 63 && /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(text);

/** Rules of Kubernetes for the names of an API: DNS names for the group, DNS labels for the rest. */
const isGvkPart = {
  group: (text: string) =>
    text === '' || (text.length <= 253 && text.split('.').every((part) => dnsLabel.test(part))),
  version: isLabel,
  kind: (text: string) => isLabel(text.toLowerCase()),
};

/** Whether the data is not an image of its type, which opm does not check; undefined when the icon is fine or absent. */
function iconProblem(base64data: string, mediaType: string): string | undefined {
  if (base64data === '' && mediaType === '') return undefined;
  if (base64data === '') return `the icon has the media type ${mediaType} and no data`;
  const actual = imageType(decodeBase64(base64data));
  if (actual === undefined)
    return 'the icon is no image that OLM knows (SVG, PNG, JPEG, GIF, WebP)';
  if (mediaType === '') return `the icon has no media type; it is ${actual}`;
  if (actual !== mediaType) return `the icon says it is ${mediaType}; it is ${actual}`;
  return undefined;
}

function imageType(data: Buffer): string | undefined {
  const start = data.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  return /<svg[\s>]/i.test(data.toString('utf8', 0, 8192)) ? 'image/svg+xml' : undefined;
}
