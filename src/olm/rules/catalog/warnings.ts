/** What opm lets pass and a cluster stumbles over, as warnings. */
import {
  compareVersions,
  InvalidRangeError,
  parseBlangRange,
  readVersion,
  type Version,
} from '../../../text/versions/index.js';
import type {
  Catalog,
  CatalogBundle,
  CatalogChannel,
  CatalogPackage,
  ObjectPlace,
} from '../../catalogs/catalog.js';
import { readPackages, strandedHeads, type PackageState } from '../../catalogs/upgrades/index.js';
import { iconProblem } from '../../catalogs/icon.js';
import { textField } from '../../catalogs/properties.js';
import { rangeProblem } from '../../catalogs/validation-tree.js';
import { quote } from '../../../text/go/index.js';
import type { Rule } from '../../../rule/index.js';
import { catalogRules } from './rules.js';
import type { CatalogFinding } from './finding.js';

export function catalogWarnings(catalog: Catalog): CatalogFinding[] {
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

/** Heads that nothing takes over from, while somebody updates from an older entry. */
function headWarnings(state: PackageState): CatalogFinding[] {
  return strandedHeads(state).flatMap(({ channel, head, older }) => {
    if (older === undefined) return [];
    const message = `package ${quote(state.name)}, channel ${quote(channel.name)}: its head ${head} cannot be updated into channel ${quote(older.channel)}, while the older ${older.name} can: ${older.to} takes over from it`;
    const fix = `add ${head} to the skips of ${older.to} in channel ${older.channel}`;
    return [{ ...catalogRules.headStranded.finding({ message }), fix, place: channel.place }];
  });
}

function annotationWarnings({ name, bundles, channels, place }: PackageState): CatalogFinding[] {
  const all = [...bundles.values()];
  const own = [...channels.values()].flatMap(({ entries }) => entries);
  const first = all[0];
  if (first === undefined || own.some(({ skipRange = '' }) => skipRange !== '')) return [];
  if (!all.every(({ skipRangeAnnotation }) => skipRangeAnnotation !== undefined)) return [];
  const message = `package ${quote(name)}: every bundle has the annotation olm.skipRange, and no entry of a channel a skipRange: the annotation olm.skipRange is read by nobody, so there are no such updates`;
  return [warning(catalogRules.skipRangeAnnotation, message, place ?? first.place)];
}

function warning(rule: Rule, message: string, place: ObjectPlace): CatalogFinding {
  return { ...rule.finding({ message }), place };
}

function packageWarnings({ name, icon, place }: CatalogPackage): CatalogFinding[] {
  const problem = icon === undefined ? undefined : iconProblem(icon.base64data, icon.mediatype);
  if (problem === undefined) return [];
  return [warning(catalogRules.icon, `package ${quote(name)}: ${problem}`, place)];
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
): CatalogFinding[] {
  const { place } = channel;
  const subject = `package ${quote(channel.package)}, channel ${quote(channel.name)}`;
  const found: CatalogFinding[] = [];
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
      const message = `${subject}: the skipRange ${quote(skipRange)} of ${quote(name)} covers its own version: OLM classic upgrades it to itself over and over`;
      found.push(warning(catalogRules.skipRangeCoversItself, message, place));
    }
    const above = highest.find(
      ([, version]) => compareVersions(version, own) > 0 && covers(version),
    );
    if (above !== undefined) {
      const message = `${subject}: the skipRange ${quote(skipRange)} of ${quote(name)} covers the higher version of ${quote(above[0])}, so OLM may go back from it`;
      found.push(warning(catalogRules.skippedByRange, message, place));
    }
  }
  const skipped = new Set(channel.entries.flatMap(({ skips }) => skips));
  const never = channel.entries.filter(({ name }) => skipped.has(name)).map(({ name }) => name);
  if (never.length > 0) {
    const message = `${subject}: OLM classic never installs ${never.join(', ')}, because another entry skips it`;
    found.push(warning(catalogRules.skipped, message, place));
  }
  return found;
}

const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

function bundleWarnings(bundle: CatalogBundle): CatalogFinding[] {
  const found: CatalogFinding[] = [];
  const { place } = bundle;
  for (const [index, { type, value }] of bundle.properties.entries()) {
    const subject = `bundle ${quote(bundle.name)}, properties[${index}] of type ${quote(type)}`;
    if (type === 'olm.gvk' || type === 'olm.gvk.required') {
      for (const problem of gvkProblems(
        textField(value, 'group'),
        textField(value, 'version'),
        textField(value, 'kind'),
      )) {
        found.push(warning(catalogRules.gvk, `${subject}: ${problem}`, place));
      }
    } else if (type === 'olm.package.required') {
      const range = textField(value, 'versionRange');
      const problem = rangeProblem(range);
      if (textField(value, 'packageName') === '') {
        found.push(warning(catalogRules.requiredPackage, `${subject}: names no package`, place));
      }
      if (problem !== undefined) {
        const message = `${subject}: OLM cannot read the range ${quote(range)}: ${problem}`;
        found.push(warning(catalogRules.requiredPackage, message, place));
      }
    }
  }
  return found;
}

/** Rules of Kubernetes for the names of an API: DNS names for the group, DNS labels for the rest. */
function gvkProblems(group: string, version: string, kind: string): string[] {
  const problems: string[] = [];
  if (group !== '' && (group.length > 253 || !group.split('.').every((part) => label.test(part)))) {
    problems.push(`the group ${quote(group)} is no DNS name`);
  }
  if (version.length > 63 || !/^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(version)) {
    problems.push(`the version ${quote(version)} is no DNS label that begins with a letter`);
  }
  if (kind.length > 63 || !/^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(kind.toLowerCase())) {
    problems.push(`the kind ${quote(kind)} is no DNS label in mixed case`);
  }
  return problems;
}
