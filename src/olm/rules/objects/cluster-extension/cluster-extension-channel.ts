import { exampleExtension } from '../example-objects.js';
import { outcomeOf } from '../../../objects/extension-outcome.js';
import { didYouMean } from '../../../../text/nearest.js';
import { from, queueCatalog } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';

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
  messages: {
    unknown: 'package "{package}" has no channel "{channel}"{instead}',
  },
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
