/** What a ClusterExtension would resolve to, and what else is to be said of that. */
import { deprecationsOf } from '../../olm/deprecations.js';
import { outcomeOf, type ExtensionOutcome } from '../../olm/extension-outcome.js';
import { defineRule } from './rule.js';
import { candidateText, edgesText } from './extension-words.js';
import { from, sources } from '../source.js';

const common = {
  kind: 'ClusterExtension',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'catalogs',
} as const;

export const extensionUnresolvable = defineRule({
  ...common,
  name: 'ClusterExtensionUnresolvable',
  prevents: 'found bundles for package "…" in multiple catalogs with the same priority […]',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.operatorController(
      'internal/operator-controller/resolve/validation.go',
      'NoDependencyValidation',
    ),
  ),
  explain:
    'OLM v1 finds bundles but cannot choose: several catalogs of one priority have one (give them priorities, or use a selector), or the bundle declares a dependency, which OLM v1 does not support.',
  *check(context) {
    const found = outcomeOf(context);
    if (found?.outcome.kind !== 'failed') return;
    yield { message: found.outcome.message, path: found.extension.packagePath };
  },
});

export const extensionDeprecated = defineRule({
  ...common,
  name: 'ClusterExtensionDeprecated',
  prevents:
    'conditions PackageDeprecated, ChannelDeprecated and BundleDeprecated, after it is installed',
  source: sources(
    from.operatorController(
      'internal/operator-controller/controllers/clusterextension_controller.go',
      'SetDeprecationStatus',
    ),
    from.olmPages('File-based Catalogs'),
  ),
  explain:
    'The catalog’s author has deprecated the package, the channel or the bundle that would be installed; the message says what to use instead.',
  *check(context) {
    const found = outcomeOf(context);
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

export const extensionResolution = defineRule({
  ...common,
  name: 'ClusterExtensionResolution',
  prevents: 'nothing is said: OLM v1 installs or updates it at once',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.operatorController(
      'internal/operator-controller/catalogmetadata/filter/successors.go',
      'SuccessorsOf',
    ),
  ),
  explain:
    'What the catalogs, as they are known here, would give this ClusterExtension now. A warning when the request brings another bundle than the one that is installed; otherwise only an audit annotation, `resolves-to`.',
  *check(context) {
    const found = outcomeOf(context);
    if (found?.outcome.kind !== 'resolved') return;
    const { chosen, stays } = found.outcome.resolution;
    yield {
      message: `${verb(found)} ${candidateText(chosen)} of catalog ${chosen.catalog}${how(found)}`,
      path: found.extension.packagePath,
      severity: stays ? 'info' : 'warning',
    };
  },
});

function verb({ extension, outcome }: ExtensionOutcome): string {
  if (extension.installed === undefined) return 'installs';
  const stays = outcome.kind === 'resolved' && outcome.resolution.stays;
  return stays ? 'stays at' : `replaces ${extension.installed.version} by`;
}

function how({ outcome }: ExtensionOutcome): string {
  if (outcome.kind !== 'resolved') return '';
  const edges = edgesText(outcome.resolution.chosen);
  return edges === '' ? '' : `: ${edges}`;
}
