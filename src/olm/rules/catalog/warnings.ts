/** Warnings about catalogs that opm accepts and a cluster stumbles over. */
import { compareVersions, readVersion, type Version } from '../../../text/versions/index.js';
import {
  type Catalog,
  type CatalogBundle,
  type CatalogChannel,
  type CatalogPackage,
  type ChannelEntry,
  channelHeads,
} from '../../catalogs/catalog.js';
import {
  type PackageState,
  readPackages,
  strandedHeads,
} from '../../catalogs/upgrades/package-state.js';
import { limitProblem } from '../../objects/open-shift-limit.js';
import { unreadableOpenShiftLimit } from '../objects/cluster-service-version/csv-contents.js';
import { textField } from '../../catalogs/properties.js';
import { rangePredicate, rangeProblem } from '../../catalogs/validate.js';
import { requirementBudget, unmetRequirements } from '../../catalogs/requirements.js';
import { decodeBase64, quote } from '../../../text/go/index.js';
import { groupBy } from '../../../text/group.js';
import { firstNames } from '../../../text/shortened.js';
import { nearest } from '../../../text/nearest.js';
import type { Finding } from '../../../rule/index.js';
import { catalogRules } from './rules.js';

export function catalogWarnings(catalog: Catalog): Finding[] {
  const versions = new Map<string, string>();
  for (const bundle of catalog.bundles) {
    const [property] = bundle.packageProperties;
    if (property !== undefined) versions.set(`${bundle.package}/${bundle.name}`, property.version);
  }
  return [
    ...catalog.packages.flatMap(packageWarnings),
    ...catalog.channels.flatMap((channel) => channelWarnings(channel, versions)),
    ...catalog.bundles.flatMap(bundleWarnings),
    ...requirementWarnings(catalog),
    ...[...readPackages(catalog).values()].flatMap((state) => [
      ...headWarnings(state),
      ...annotationWarnings(state),
    ]),
  ];
}

/** One finding for each package and requirement: its bundles mostly repeat the same. */
function requirementWarnings(catalog: Catalog): Finding[] {
  const budget = requirementBudget();
  const all = catalog.bundles.flatMap((bundle) =>
    unmetRequirements(bundle, [catalog], budget).map((requirement) => ({ bundle, requirement })),
  );
  const groups = groupBy(all, ({ bundle, requirement }) =>
    JSON.stringify([bundle.package, requirement]),
  );
  const unmet = [...groups.values()].map((group): Finding => {
    const [{ bundle: first, requirement }] = group;
    const names = group.map(({ bundle }) => bundle.name);
    const data = { requirement, bundles: firstNames(names, 3) };
    const finding = catalogRules.requirementUnmet.finding({ id: 'unmet', data });
    return { ...finding, place: first.place };
  });
  return budget.comparisons > 0
    ? unmet
    : [...unmet, catalogRules.requirementUnmet.finding({ id: 'unasked', severity: 'info' })];
}

/** Heads that nothing takes over from, while an older entry still has updates. */
export function headWarnings(state: PackageState): Finding[] {
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
  for (const finding of headsUnlinked(channel, known)) found.push(finding);
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
  return found.map((finding) => ({ place, ...finding }));
}

/** Why opm finds several heads: one finding for each but the newest, where the entry that should lead to it begins. */
function headsUnlinked(channel: CatalogChannel, versions: ReadonlyMap<string, Version>): Finding[] {
  const names = new Set(channel.entries.map(({ name }) => name));
  const heads = channelHeads(channel.entries).slice(0, maxCompared);
  const [newest, ...others] = heads.sort((a, b) => byVersion(versions, b.name, a.name));
  if (newest === undefined) return [];
  return others.map(({ name: older }) => {
    const meant = ({ name, replaces }: ChannelEntry): boolean =>
      name !== older &&
      replaces !== '' &&
      !names.has(replaces) &&
      (older.endsWith(`.${replaces}`) || nearest(replaces, [older]) !== undefined);
    const version = versions.get(older);
    const covers = ({ name, skipRange }: ChannelEntry): boolean =>
      name !== older && version !== undefined && rangePredicate(skipRange)?.(version) === true;
    const misnaming = heads.find(meant);
    const covering = heads.find(covers);
    const id = misnaming !== undefined ? 'unknown' : covering !== undefined ? 'range' : 'none';
    const { name, replaces } = misnaming ?? covering ?? newest;
    const data = { package: channel.package, channel: channel.name, head: name, older, replaces };
    const isReplacing = id === 'unknown' || replaces === '';
    const fix = `${isReplacing ? `replaces: ${older}` : `skips: [${older}]`} in ${name}`;
    const place = channel.headPlaces?.get(name) ?? channel.place;
    return { ...catalogRules.headUnlinked.finding({ id, data, fix }), place };
  });
}

function byVersion(versions: ReadonlyMap<string, Version>, a: string, b: string): number {
  const [left, right] = [versions.get(a), versions.get(b)];
  if (left === undefined || right === undefined) return a.localeCompare(b, 'en', { numeric: true });
  return compareVersions(left, right);
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
  const limits = bundle.properties.filter(({ type }) => type === 'olm.maxOpenShiftVersion');
  const problem = limits.length === 0 ? undefined : limitProblem(JSON.stringify(limits));
  if (problem !== undefined) {
    const message = `bundle ${quote(bundle.name)}: ${problem}`;
    found.push(unreadableOpenShiftLimit.finding({ message }));
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

/** Whether the data is an image of the type it is said to be, which opm does not check. */
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
