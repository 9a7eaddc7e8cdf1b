import { exampleExtension } from '../examples.js';
import { readClusterExtension } from '../../../objects/cluster-extension.js';
import {
  type ExtensionOutcome,
  outcomeOf,
  rangeProblem,
} from '../../../objects/extension-outcome.js';
import { deprecating, from, queueCatalog, sources } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';
import { didYouMean } from '../../../../text/nearest.js';
import { quote } from '../../../../text/go/index.js';
import { formatVersion } from '../../../../text/versions/index.js';
import { deprecationsOf } from '../../../objects/deprecations.js';
import { textAt } from '../../../../text/documents/fields.js';
import type { Candidate } from '../../../catalogs/upgrades/resolve-v1.js';
import type { KnownCatalog } from '../../../objects/view.js';

export const clusterExtensionRange = defineExtensionRule({
  id: 'ClusterExtensionRange',
  severity: 'error',
  blocksUpgrade: true,
  checks: 'The version of a ClusterExtension is a range that Masterminds/semver can read.',
  why: 'Nothing would ever be installed or updated by one that cannot be read.',
  otherwise: 'desired version range "…" is invalid: … (condition Progressing, again and again)',
  instead: 'Correct the range; olm-guard range "…" says what a range means.',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.operatorController(
      'internal/operator-controller/catalogmetadata/compare/compare.go',
      'NewVersionRange',
    ),
  ),
  example: {
    after: exampleExtension("version: '>=1.0.0 beta'"),
    says: 'desired version range ">=1.0.0 beta" is invalid',
    accepted: exampleExtension("version: '>=1.0.0, <2.0.0'"),
  },
  *judge({ object }) {
    const { version, versionPath } = readClusterExtension(object);
    const problem = rangeProblem(version);
    if (problem === undefined) return;
    yield {
      message: `desired version range ${JSON.stringify(version)} is invalid: ${problem}`,
      path: versionPath,
    };
  },
});

export const clusterExtensionPackage = defineExtensionRule({
  id: 'ClusterExtensionPackage',
  severity: 'warning',
  blocksUpgrade: true,
  checks:
    'A catalog that is known here, and that the selector admits, has the package of a ClusterExtension.',
  why: 'Nothing is installed without one. A catalog may still come: OLM v1 tries again until there is one.',
  otherwise: 'no bundles found for package "…"',
  instead: 'Correct packageName, or create the ClusterCatalog first.',
  source: from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
  example: {
    before: queueCatalog,
    after: exampleExtension('', { package: 'quue' }),
    says: 'no bundles found for package "quue" in the known catalog community (did you mean "queue"?)',
    accepted: exampleExtension(),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    if (found?.outcome.kind !== 'unknown-package') return;
    const { extension, catalogs, excluded, outcome } = found;
    const names = catalogs.flatMap(({ catalog }) => catalog.packages.map(({ name }) => name));
    const where = catalogs.length === 0 ? '' : ` in ${catalogsText(catalogs)}`;
    const others = excluded.length === 0 ? '' : `; ${excluded.join('; ')}`;
    yield {
      message: `${outcome.message}${where}${didYouMean(extension.packageName, names)}${others}`,
      path: extension.packagePath,
    };
  },
});

export const clusterExtensionChannel = defineExtensionRule({
  id: 'ClusterExtensionChannel',
  severity: 'warning',
  blocksUpgrade: true,
  checks:
    'The package has the channels that a ClusterExtension names, in a catalog that is known here.',
  why: 'Channels that are named limit the bundles and the update edges, so a misspelt one stands for nothing.',
  otherwise: 'no bundles found for package "…" in channels […]',
  instead: 'Correct the channel, or leave channels out.',
  source: from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
  messages: { unknown: 'package "{package}" has no channel "{channel}"{instead}' },
  example: {
    before: queueCatalog,
    after: exampleExtension('channels: [stabel]'),
    says: 'package "queue" has no channel "stabel" (did you mean "stable"?)',
    accepted: exampleExtension('channels: [stable]'),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    if (found === undefined || found.packages.length === 0) return;
    const { extension, packages } = found;
    const names = new Set(packages.flatMap(({ channels }) => channels.map(({ name }) => name)));
    const unknown = extension.channels.filter((channel) => !names.has(channel));
    for (const channel of unknown) {
      const instead = didYouMean(channel, names) || `; it has ${[...names].sort().join(', ')}`;
      yield {
        id: 'unknown',
        data: { package: extension.packageName, channel, instead },
        path: extension.channelsPath,
        cause: channel,
      };
    }
  },
});

export const clusterExtensionVersion = defineExtensionRule({
  id: 'ClusterExtensionVersion',
  severity: 'warning',
  blocksUpgrade: true,
  checks:
    'A bundle of the package satisfies the version and the channels of a ClusterExtension together.',
  why: 'Otherwise nothing can be installed, and what is installed is not updated any more.',
  otherwise: 'no bundles found for package "…" matching version "…"',
  instead: 'Widen the range, or name the channel that has the version.',
  source: from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
  example: {
    before: queueCatalog,
    after: exampleExtension("version: '>=3.0.0'"),
    says: 'there are 1.2.0, 1.1.0, 1.0.0',
    accepted: exampleExtension("version: '>=1.0.0'"),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    if (found?.outcome.kind !== 'unsatisfied') return;
    const { extension, outcome } = found;
    // With no range a wrong channel is the only reason, and has its own finding.
    if (extension.version === '') return;
    const message = `${outcome.message}${versionsText(found)}`;
    const version = withPreReleases(extension.version);
    const taken = found.ask({ version, installed: undefined })?.chosen;
    yield {
      path: extension.versionPath,
      ...(taken === undefined
        ? { message }
        : {
            message: `${message}; a range without a pre-release takes none`,
            fix: `Write ${quote(version)}, which takes pre-releases too: ${candidateText(taken)}.`,
          }),
    };
  },
});

/** The range with the least pre-release at each of its whole versions. Rule: Masterminds/semver, "Working With Prerelease Versions". */
function withPreReleases(range: string): string {
  return range.replaceAll(/(?<![\w.-])v?\d+\.\d+\.\d+(?![\w.+-])/g, '$&-0');
}

export const clusterExtensionSelfCertified = defineExtensionRule({
  id: 'ClusterExtensionSelfCertified',
  severity: 'warning',
  checks: 'A ClusterExtension follows the update edges of its catalog.',
  why: 'With SelfCertified the edges do not count: OLM v1 may skip migrations, go to a next major version or back to an older one, and data may be lost.',
  otherwise: 'OLM reports no error: OLM v1 replaces the operator by whatever satisfies the range',
  instead:
    'Set CatalogProvided. Where the step must be forced, take a backup, name the version you mean, and set CatalogProvided again afterwards.',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.openShift('Update paths'),
  ),
  messages: {
    stepUnknown: 'update edges of the catalog are not asked; data loss is possible',
    step: 'update edges of the catalog are not asked: {from} becomes {to}; data loss is possible',
  },
  example: {
    before: queueCatalog,
    after: exampleExtension('version: 1.2.0, upgradeConstraintPolicy: SelfCertified', {
      installed: '1.0.0',
    }),
    says: 'update edges of the catalog are not asked: 1.0.0 becomes 1.2.0; data loss is possible',
    accepted: exampleExtension('upgradeConstraintPolicy: CatalogProvided', { installed: '1.0.0' }),
  },
  *judge(context) {
    const { object, oldObject } = context;
    const extension = readClusterExtension(object, oldObject);
    if (!extension.isSelfCertified) return;
    const outcome = context.fact(outcomeOf)?.outcome;
    const { installed, policyPath: path } = extension;
    if (installed === undefined || outcome?.kind !== 'resolved' || outcome.resolution.stays) {
      yield { id: 'stepUnknown', path };
      return;
    }
    const to = formatVersion(outcome.resolution.chosen.versionRelease.version);
    yield { id: 'step', data: { from: installed.version, to }, path };
  },
});

export const clusterExtensionDeprecated = defineExtensionRule({
  id: 'ClusterExtensionDeprecated',
  severity: 'warning',
  checks:
    'The package, the channels and the bundle that a ClusterExtension would install are not deprecated by the catalog.',
  why: 'The catalog’s author will not look after them any longer; the message says what to use instead.',
  otherwise:
    'conditions PackageDeprecated, ChannelDeprecated and BundleDeprecated, after it is installed',
  instead: 'Use what the message names.',
  source: sources(
    from.operatorController(
      'internal/operator-controller/controllers/clusterextension_controller.go',
      'SetDeprecationStatus',
    ),
    from.olmPages('File-based Catalogs'),
  ),
  example: {
    before: deprecating('{ schema: olm.channel, name: old }', 'use stable'),
    after: exampleExtension('channels: [old]'),
    says: 'use stable',
    accepted: exampleExtension('channels: [stable]'),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    if (found === undefined) return;
    const { extension, catalogs, outcome } = found;
    const chosen = outcome.kind === 'resolved' ? outcome.resolution.chosen : undefined;
    const bundle = chosen?.name ?? extension.installed?.name;
    for (const { name, catalog } of catalogs) {
      if (chosen !== undefined && chosen.catalog !== name) continue;
      const deprecations = deprecationsOf(catalog, extension.packageName);
      const channels = extension.channels.flatMap(
        (channel) => deprecations.channels.get(channel) ?? [],
      );
      const ofBundle = bundle === undefined ? undefined : deprecations.bundles.get(bundle);
      for (const message of [deprecations.package, ...channels, ofBundle]) {
        if (message !== undefined) yield { message, path: extension.packagePath, cause: message };
      }
    }
  },
});

export const clusterExtensionServiceAccount = defineExtensionRule({
  id: 'ClusterExtensionServiceAccount',
  severity: 'warning',
  checks: 'A ClusterExtension names no ServiceAccount.',
  why: 'operator-controller has ignored spec.serviceAccount since v1.11: it installs with its own rights, those of a cluster administrator, so the rights of the named account limit nothing. Up to v1.10 the field is required.',
  otherwise:
    'OLM v1 only logs it: spec.serviceAccount is deprecated, is ignored, and will be removed',
  instead:
    'Leave spec.serviceAccount out from v1.11 on; limit instead who may write ClusterExtensions, and which packages and namespaces they may name.',
  source: from.operatorController('api/v1/clusterextension_types.go', 'ClusterExtensionSpec'),
  messages: {
    ignored:
      'operator-controller ignores spec.serviceAccount since v1.11 and installs with its own rights: what {account} may do limits nothing',
  },
  example: {
    after: exampleExtension('', { spec: 'serviceAccount: { name: installer }' }),
    says: 'what installer may do limits nothing',
    accepted: exampleExtension(),
  },
  *judge({ object }) {
    const account = textAt(object, 'spec', 'serviceAccount', 'name') ?? '';
    if (account === '') return;
    yield { id: 'ignored', data: { account }, path: '$.spec.serviceAccount' };
  },
});

/** A package may have hundreds of versions; a person wants the newest. */
const maxVersions = 5;

export function candidateText({ name, versionRelease }: Candidate): string {
  return versionRelease === undefined ? name : `${name} (${formatVersion(versionRelease.version)})`;
}

function catalogsText(catalogs: readonly KnownCatalog[]): string {
  const names = catalogs.map(({ name }) => name).join(', ');
  return `the known catalog${catalogs.length === 1 ? '' : 's'} ${names}`;
}

function versionsText({ ask, extension }: ExtensionOutcome): string {
  const all = ask({ version: '', installed: undefined });
  if (all === undefined) return '';
  const texts = [all.chosen, ...all.passedOver].flatMap(({ versionRelease }) =>
    versionRelease === undefined ? [] : [formatVersion(versionRelease.version)],
  );
  const versions = [...new Set(texts)];
  const more = versions.length > maxVersions ? `, … (${versions.length} in all)` : '';
  const where = extension.channels.length === 0 ? '' : ' in these channels';
  return `; there are ${versions.slice(0, maxVersions).join(', ')}${more}${where}`;
}

export function edgesText({ edges }: Candidate): string {
  const words = edges.map(({ kind, channel, range }) =>
    kind === 'skipRange'
      ? `skipRange ${range ?? ''} in channel ${channel}`
      : `${kind} in channel ${channel}`,
  );
  return [...new Set(words)].join(', ');
}
