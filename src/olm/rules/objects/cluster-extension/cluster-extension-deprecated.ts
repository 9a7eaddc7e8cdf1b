import { exampleExtension } from '../example-objects.js';
import { deprecationsOf } from '../../../objects/deprecations.js';
import { outcomeOf } from '../../../objects/extension-outcome.js';
import { deprecating, from, sources } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';

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
