/** What a ClusterExtension asks of its catalogs, and whether they have it. */
import { didYouMean } from '../../text/nearest.js';
import { compareVersions, formatVersion, readVersion } from '../../text/versions/index.js';
import { readClusterExtension } from '../../olm/cluster-extension.js';
import { outcomeOf, rangeProblem, type ExtensionOutcome } from '../../olm/extension-outcome.js';
import { defineRule } from './rule.js';
import { candidateText, catalogsText, versionsText } from './extension-words.js';
import { from, sources } from '../source.js';

const common = {
  kind: 'ClusterExtension',
  requests: ['CREATE', 'UPDATE'],
  family: 'catalogs',
} as const;

export const extensionRange = defineRule({
  ...common,
  name: 'ClusterExtensionRange',
  mode: 'deny',
  prevents: 'desired version range "…" is invalid: … (condition Progressing, again and again)',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.operatorController(
      'internal/operator-controller/catalogmetadata/compare/compare.go',
      'NewVersionRange',
    ),
  ),
  explain:
    'The version is a range in the dialect of Masterminds/semver, and this one cannot be read by it, so nothing would ever be installed or updated. `olm-guard range "…"` says what a range means.',
  *check({ object }) {
    const { version, versionPath } = readClusterExtension(object);
    const problem = rangeProblem(version);
    if (problem === undefined) return;
    yield {
      message: `desired version range ${JSON.stringify(version)} is invalid: ${problem}`,
      path: versionPath,
    };
  },
});

export const extensionPackage = defineRule({
  ...common,
  name: 'ClusterExtensionPackage',
  mode: 'warn',
  prevents: 'no bundles found for package "…"',
  source: from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
  explain:
    'None of the catalogs that are known here, and that the selector admits, has the package. A catalog may still come: OLM v1 tries again until there is one.',
  *check(context) {
    const found = outcomeOf(context);
    if (found?.outcome.kind !== 'unknown-package') return;
    const { extension, catalogs } = found;
    const names = catalogs.flatMap(({ catalog }) => catalog.packages.map(({ name }) => name));
    yield {
      message: `no bundles found for package ${JSON.stringify(extension.packageName)} in ${catalogsText(catalogs)}${didYouMean(extension.packageName, names)}`,
      path: extension.packagePath,
    };
  },
});

export const extensionChannel = defineRule({
  ...common,
  name: 'ClusterExtensionChannel',
  mode: 'warn',
  prevents: 'no bundles found for package "…" in channels […]',
  source: from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
  explain:
    'No known catalog has a channel of this name in the package. Channels that are named limit the bundles and the update edges, so a misspelt one stands for nothing.',
  *check(context) {
    const found = outcomeOf(context);
    if (found === undefined || found.packages.length === 0) return;
    const { extension, packages } = found;
    const names = new Set(packages.flatMap(({ channels }) => channels.map(({ name }) => name)));
    const unknown = extension.channels.filter((channel) => !names.has(channel));
    for (const channel of unknown) {
      const guess = didYouMean(channel, names) || `; it has ${[...names].sort().join(', ')}`;
      yield {
        message: `package ${JSON.stringify(extension.packageName)} has no channel ${JSON.stringify(channel)}${guess}`,
        path: extension.channelsPath,
        cause: channel,
      };
    }
  },
});

export const extensionVersion = defineRule({
  ...common,
  name: 'ClusterExtensionVersion',
  mode: 'warn',
  prevents: 'no bundles found for package "…" matching version "…"',
  source: from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
  explain:
    'No bundle of the package satisfies the range and the channels together, so nothing can be installed, and what is installed is not updated any more.',
  *check(context) {
    const found = outcomeOf(context);
    if (found?.outcome.kind !== 'unsatisfied') return;
    const { extension, outcome } = found;
    // With no range a wrong channel is the only reason, and has its own finding.
    if (extension.version === '') return;
    yield { message: `${outcome.message}${versionsText(found)}`, path: extension.versionPath };
  },
});

export const extensionUpgradePath = defineRule({
  ...common,
  name: 'ClusterExtensionUpgradePath',
  mode: 'warn',
  prevents:
    'error upgrading from currently installed version "…": no bundles found for package "…"',
  source: from.operatorController(
    'internal/operator-controller/catalogmetadata/filter/successors.go',
    'SuccessorsOf',
  ),
  explain:
    'Bundles satisfy the range and the channels, but none of them replaces, skips or covers by skipRange what is installed, and what is installed is not among them. Go by a version that the catalog leads to, or widen the range.',
  *check(context) {
    const found = outcomeOf(context);
    if (found?.outcome.kind !== 'no-path' || isForcing(found)) return;
    const { extension, outcome, ask } = found;
    const next = ask({ version: '' });
    const leads =
      next === undefined || next.stays
        ? 'the catalog leads nowhere from it'
        : `the catalog leads to ${candidateText(next.chosen)}`;
    yield { message: `${outcome.message}; ${leads}`, path: extension.versionPath };
  },
});

export const extensionForcing = defineRule({
  ...common,
  name: 'ClusterExtensionForcing',
  mode: 'warn',
  prevents:
    'error upgrading from currently installed version "…": no bundles found for package "…"',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.openShift('Update paths'),
  ),
  explain:
    'Only a lower version, or a next major version to which the catalog has no edge, satisfies the range. OLM v1 goes to neither by itself; `upgradeConstraintPolicy: SelfCertified` forces it, after you have made sure that the data survives.',
  *check(context) {
    const found = outcomeOf(context);
    const step = found === undefined ? undefined : isForcing(found);
    if (found?.outcome.kind !== 'no-path' || step === undefined) return;
    const { extension, outcome } = found;
    const to = outcome.best === undefined ? '' : ` ${candidateText(outcome.best.chosen)}`;
    yield {
      message: `${step}${to} from ${extension.installed?.version ?? ''} needs upgradeConstraintPolicy SelfCertified: OLM v1 does not go there by itself (${outcome.message})`,
      path: extension.versionPath,
    };
  },
});

/** What the range asks for, when only force could do it: nothing higher of the same major is in it. */
function isForcing({ extension, outcome }: ExtensionOutcome): string | undefined {
  const asksFor = extension.version !== '' && extension.installed !== undefined;
  if (outcome.kind !== 'no-path' || outcome.best === undefined || !asksFor) return undefined;
  const from = readVersion(extension.installed.version);
  if (from === undefined) return undefined;
  const { chosen, passedOver } = outcome.best;
  const higher = [chosen, ...passedOver].flatMap(({ versionRelease }) =>
    versionRelease !== undefined && compareVersions(versionRelease.version, from) > 0
      ? [versionRelease.version]
      : [],
  );
  if (higher.some(({ major }) => major === from.major)) return undefined;
  return compareVersions(chosen.versionRelease.version, from) < 0
    ? 'going back to'
    : 'going to the next major version';
}

export const extensionSelfCertified = defineRule({
  ...common,
  name: 'ClusterExtensionSelfCertified',
  mode: 'warn',
  prevents: 'nothing is said: OLM v1 replaces the operator by whatever satisfies the range',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.openShift('Update paths'),
  ),
  explain:
    'With SelfCertified the catalog’s update edges do not count: OLM v1 may skip migrations, go to a next major version or back to an older one, and data may be lost. Take a backup, name the version you mean, and set CatalogProvided again afterwards.',
  *check(context) {
    const { object, oldObject } = context;
    const extension = readClusterExtension(object, oldObject);
    if (!extension.isSelfCertified) return;
    const outcome = outcomeOf(context)?.outcome;
    const to =
      outcome?.kind === 'resolved' && !outcome.resolution.stays
        ? `: ${extension.installed?.version ?? 'nothing'} becomes ${formatVersion(outcome.resolution.chosen.versionRelease.version)}`
        : '';
    yield {
      message: `update edges of the catalog are not asked${extension.installed === undefined ? '' : to}; data loss is possible`,
      path: extension.policyPath,
    };
  },
});
