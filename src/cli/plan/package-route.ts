/** The steps by which OLM would go to a release of a package, or why it does not get there. */
import {
  type ExplainedPath,
  packageOf,
  type Step,
  termsOf,
  validateCatalog,
} from '../../olm/index.js';
import type { Obstacle } from '../../report/index.js';
import type { Installation } from './installation.js';
import type { PackageQuestion } from './plan-actions.js';
import { type KnownCatalog, readCatalogOption, notInCatalog } from '../options/known-catalogs.js';
import { shellCommand } from '../../text/shell-command.js';
import { defaultChannelOf, explainedPaths, missingChannel } from '../catalog/catalog-path.js';

export interface UpgradeRoute {
  readonly steps: readonly Step[];
  /** The bundle or the version that it leads to. */
  readonly to: string;
  readonly wanted?: string | undefined;
  /** OLM would not stop there by itself. */
  readonly goesOn: boolean;
  readonly channel: string;
  readonly obstacles: readonly Obstacle[];
  readonly versionOf: (bundle: string) => string;
  /** A sentence where no catalog has what is installed, or what is wanted. */
  readonly notInCatalog?: string;
}

/** In place of a version, where nothing is installed. */
export const nothing = 'nothing';

/** The steps that OLM would take; none where it takes none that lead there. */
export function findWay(
  question: PackageQuestion,
  catalogs: readonly KnownCatalog[],
  { by, subscription, extension, starting }: Installation,
  from: string | undefined,
): UpgradeRoute {
  const { package: packageName, to: wanted } = question;
  const defaultChannel = defaultChannelOf(packageName, catalogs) ?? '';
  const subscribed = subscription?.channel === '' ? undefined : subscription?.channel;
  const channel = question.channel ?? (by === 'classic' ? (subscribed ?? defaultChannel) : '');
  const versions = new Map(
    catalogs
      .flatMap(({ catalog }) => catalog.bundles)
      .filter((bundle) => bundle.package === packageName)
      .map(({ name, packageProperties }) => [name, packageProperties[0]?.version ?? name]),
  );
  const versionOf = (bundle: string): string => versions.get(bundle) ?? bundle;
  const isWanted = (bundle: string): boolean => bundle === wanted || versionOf(bundle) === wanted;
  const isKnown = [...versions.keys()].some(isWanted);
  const range = by === 'v1' && wanted !== undefined ? `<=${versionOf(wanted)}` : undefined;
  const start = from ?? starting;
  const found = pathOf({
    packageName,
    catalogs: catalogs.flatMap(
      ({ catalog, ...named }) => packageOf(catalog, packageName, named) ?? [],
    ),
    from: start,
    defaultChannel,
    only: by,
    ...(extension !== undefined && { terms: termsOf(extension) }),
    ...(channel !== '' && { channel }),
    ...(range !== undefined && { range }),
  });
  const first =
    from === undefined && starting !== undefined
      ? [{ to: starting, channel, edges: [], passedOver: [] }]
      : [];
  const steps: readonly Step[] = [...first, ...found.path.steps];
  const end = wanted === undefined ? steps.length - 1 : steps.findIndex(({ to }) => isWanted(to));
  const isThere = wanted !== undefined && (from === wanted || isWanted(from ?? ''));
  const isReached = wanted === undefined ? found.deadEnd === undefined : end >= 0 || isThere;
  // A typed name may be mistyped, and an installed one withdrawn; ahead of its channel it is in the catalog.
  const isStuck = from !== undefined && wanted === undefined && steps.length === 0;
  const stopped =
    found.path.error ??
    (isStuck ? notInCatalog(packageName, from, catalogs) : undefined) ??
    (isReached && !found.path.loops ? undefined : whyNot(found, wanted, isWanted, isKnown));
  const unknown = [start, wanted]
    .flatMap((version) =>
      version === undefined ? [] : (notInCatalog(packageName, version, catalogs) ?? []),
    )
    .join('; ');
  const common = { channel, versionOf, wanted, ...(unknown !== '' && { notInCatalog: unknown }) };
  if (stopped !== undefined && !(isReached && wanted !== undefined)) {
    const obstacle = wayObstacle(stopped, question, { catalogs, channel, from, found });
    const shown = wanted === undefined ? steps : [];
    const to = wanted ?? shown.at(-1)?.to ?? from ?? nothing;
    return { ...common, steps: shown, to, goesOn: false, obstacles: [obstacle] };
  }
  const taken = steps.slice(0, end + 1);
  const last = taken.at(-1)?.to;
  const goesOn = by === 'classic' && taken.length < steps.length;
  const to = last === undefined ? (from ?? nothing) : versionOf(last);
  return { ...common, steps: taken, to, goesOn, obstacles: [] };
}

/** Why no way leads there, what to do about it, and which command shows more. */
function wayObstacle(
  message: string,
  { package: packageName, to: wanted, catalog: sources }: PackageQuestion,
  {
    catalogs,
    channel,
    from,
    found,
  }: {
    readonly catalogs: readonly KnownCatalog[];
    readonly channel: string;
    readonly from: string | undefined;
    readonly found: ExplainedPath;
  },
): Obstacle {
  const object = channel === '' ? `package ${packageName}` : `channel ${channel} of ${packageName}`;
  const noChannel = missingChannel(channel || undefined, packageName, catalogs);
  const common = {
    ...{ object, isInTheWay: true },
    ...(noChannel === undefined
      ? { rule: 'UpgradePath', message }
      : { rule: 'SubscriptionChannel', message: noChannel }),
  };
  const invalid = catalogs.findIndex(({ catalog }) => validateCatalog(catalog).error !== undefined);
  if (found.path.error !== undefined && invalid >= 0) {
    const { source } = readCatalogOption(sources[invalid] ?? '');
    return {
      ...common,
      instead: 'Have the author of the catalog mend it',
      command: shellCommand('olm-guard', 'catalog', 'validate', source),
    };
  }
  const isKnown = from === undefined || notInCatalog(packageName, from, catalogs) === undefined;
  const instead = !isKnown
    ? 'Name what is installed by --from, or a catalog that knows it'
    : wanted !== undefined
      ? 'Choose a version on the way by --to, or another channel by --channel'
      : 'Choose another channel by --channel, or have the author of the catalog let a later entry take over from it';
  const command = shellCommand(
    ...['olm-guard', 'catalog', 'path', packageName],
    ...(from === undefined || !isKnown ? [] : ['--from', from]),
    ...sources.flatMap((source) => ['--catalog', source]),
    ...(channel === '' ? [] : ['--channel', channel]),
  );
  return { ...common, instead, command };
}

function pathOf(request: Parameters<typeof explainedPaths>[0]): ExplainedPath {
  const [path] = explainedPaths(request).paths;
  return path ?? { title: '', path: { steps: [], loops: false } };
}

function whyNot(
  { path: { steps, loops }, deadEnd }: ExplainedPath,
  wanted: string | undefined,
  isWanted: (bundle: string) => boolean,
  isKnown: boolean,
): string {
  if (loops) return 'the path comes back to where it was: it would be an update cycle';
  const over = steps.find(({ passedOver }) => passedOver.some(isWanted));
  if (over !== undefined) {
    return `OLM never installs ${wanted}: from ${over.from ?? 'nothing'} it goes to ${over.to}, which passes over it`;
  }
  if (deadEnd !== undefined) return deadEnd;
  const end = steps.at(-1)?.to;
  return `no step leads to ${wanted}${isKnown ? '' : ', which is not in the catalog'}; the path ends at ${end ?? 'what is installed'}`;
}
