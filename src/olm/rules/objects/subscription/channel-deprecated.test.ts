import { describeRule } from '../testing/harness.js';
import { channelDeprecated } from './subscription-package.js';
import { catalogs, subscription } from './testing/subscription-catalog.js';

describeRule(channelDeprecated, [
  {
    when: 'the channel is',
    object: subscription({ channel: 'old' }),
    catalogs,
    says: ['warning: olm.channel/old: use stable'],
  },
  { when: 'it is not', object: subscription(), catalogs, says: [] },
]);
