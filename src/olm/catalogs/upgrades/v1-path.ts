/** The steps that OLM v1 takes, one resolution after the other, until it stays where it is. */
import { compareVersions, formatVersion } from '../../../text/versions/index.js';
import { bundleVersion, type VersionRelease } from './release.js';
import { oncePer } from '../../once.js';
import type { Bundle, BundleInstallation } from '../catalog.js';
import { firstPlace } from './edges.js';
import { chosenRefusal, installRefusal } from './extension-config.js';
import { groupBy } from '../../../text/group.js';
import {
  type Edge,
  follow,
  type InstalledBundle,
  ResolutionError,
  resolutionText,
  startingFrom,
  type UpgradePath,
} from './upgrade-path.js';
import { type V1Request, type V1Resolution, v1Resolver } from './resolve-v1.js';

/** Never throws for what a catalog or a range may hold. */
export function v1Path(request: V1Request): UpgradePath {
  const resolve = v1Resolver(request);
  const versions = versionsOf(request);
  return follow<InstalledBundle>(
    request.installed,
    (installed) => {
      const resolution = resolve({ installed });
      if (resolution.stays) return undefined;
      const { chosen } = resolution;
      const { install } = request;
      const refusal =
        install === undefined && isClassicOnlyInstalled(request)
          ? undefined
          : chosenRefusal(
              chosen.name,
              chosen.versionRelease,
              installationOf(request, chosen),
              install ?? { namespace: '' },
            );
      if (refusal !== undefined) throw new ResolutionError(refusal);
      return {
        at: installedAs(resolution, request.bundleReleaseSupport ?? false),
        step: {
          ...startingFrom(installed),
          to: chosen.name,
          catalog: chosen.catalog,
          channel: channelOf(request, resolution, chosen.edges),
          edges: chosen.edges,
          passedOver: versionsBetween(versions, installed, chosen.versionRelease),
        },
      };
    },
    resolutionText,
  );
}

function installationOf(
  { catalogs }: V1Request,
  { name, catalog }: { readonly name: string; readonly catalog?: string },
): BundleInstallation | undefined {
  for (const each of catalogs) {
    const found = bundlesByName(each.bundles).get(name);
    if (found !== undefined && (catalog === undefined || each.catalog === catalog)) {
      return found[0]?.installation;
    }
  }
  return undefined;
}

/** A path asks at each of its steps. */
const bundlesByName = oncePer((bundles: readonly Bundle[]) => groupBy(bundles, ({ name }) => name));

/** Where such a bundle is installed, OLM v1 runs with its feature gates, and the next is installed too. */
function isClassicOnlyInstalled(request: V1Request): boolean {
  if (request.installed === undefined) return false;
  const installation = installationOf(request, request.installed);
  return (
    installation !== undefined && installRefusal(installation, { namespace: '' }) !== undefined
  );
}

/** The bundle as the ClusterExtension's status would name it. Rule: operator-controller's MetadataFor. */
export function installedAs(
  { chosen }: Pick<V1Resolution, 'chosen'>,
  bundleReleaseSupport: boolean,
): InstalledBundle {
  const { name, versionRelease } = chosen;
  const { version } = versionRelease;
  const release = versionRelease.release.map(String);
  if (release.length === 0) return { name, version: formatVersion(version) };
  return bundleReleaseSupport
    ? { name, version: formatVersion(version), release: release.join('.') }
    : { name, version: formatVersion({ ...version, build: release }) };
}

/** The channel of the edge, or any wanted channel that has the bundle; "" when none has. */
function channelOf(request: V1Request, { chosen }: V1Resolution, edges: readonly Edge[]): string {
  const [edge] = edges;
  if (edge !== undefined) return edge.channel;
  const wanted = request.channels ?? [];
  const catalog = request.catalogs.find((each) => each.catalog === chosen.catalog);
  const channel = catalog?.channels.find(
    ({ name, entries }) =>
      (wanted.length === 0 || wanted.includes(name)) &&
      entries.some((entry) => entry.name === chosen.name),
  );
  return channel?.name ?? '';
}

function versionsOf({ catalogs, bundleReleaseSupport = false }: V1Request): NamedVersion[] {
  return catalogs
    .flatMap(({ bundles }) =>
      bundles.flatMap((bundle): NamedVersion[] => {
        const version = bundleVersion(bundle, bundleReleaseSupport);
        return 'error' in version ? [] : [[bundle.name, version]];
      }),
    )
    .toSorted(([, a], [, b]) => compareVersions(b.version, a.version));
}

type NamedVersion = readonly [name: string, version: VersionRelease];

function versionsBetween(
  versions: readonly NamedVersion[],
  installed: InstalledBundle | undefined,
  chosen: VersionRelease,
): string[] {
  if (installed === undefined) return [];
  const { name, version } = installed;
  const properties = [{ type: 'olm.package', value: { version } }];
  const from = bundleVersion({ name, properties }, false);
  if ('error' in from) return [];
  const firstNotAbove = (limit: VersionRelease, isOpen: boolean): number =>
    firstPlace(versions.length, (at) => {
      const order = compareVersions((versions[at] as NamedVersion)[1].version, limit.version);
      return isOpen ? order < 0 : order <= 0;
    });
  const start = firstNotAbove(chosen, true);
  const end = firstNotAbove(from, false);
  return [...new Set(versions.slice(start, end).map(([name]) => name))];
}
