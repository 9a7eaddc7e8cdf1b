import type { JsonObject } from '../../../../text/documents/index.js';
import { describeRule } from '../testing/harness.js';
import { catalogSourceRegistryPoll } from './catalog-source-registry-poll.js';
import { makeCatalog, image } from './testing/catalog-source.js';

const polls = (interval: string, more: JsonObject = image) =>
  makeCatalog({ ...more, updateStrategy: { registryPoll: { interval } } });

describeRule(catalogSourceRegistryPoll, [
  { when: 'no strategy', object: makeCatalog(image), says: [] },
  { when: 'an interval', object: polls('30m0s'), says: [] },
  {
    when: 'a strategy without registryPoll',
    object: makeCatalog({ ...image, updateStrategy: {} }),
    says: ["error: updateStrategy without registryPoll crashes OLM's catalog operator"],
  },
  {
    when: 'registryPoll null',
    object: makeCatalog({ ...image, updateStrategy: { registryPoll: null } }),
    says: [/^error: updateStrategy without/],
  },
  {
    when: 'no duration',
    object: polls('1d'),
    says: [
      'warning: error parsing spec.updateStrategy.registryPoll.interval. Using the default value of 15m0s instead. Error: time: unknown unit "d" in duration "1d"',
    ],
  },
  {
    when: 'a negative one',
    object: polls('-1m'),
    says: ['warning: registryPoll interval -1m polls with every sync'],
  },
  {
    when: 'no image',
    object: polls('30m', { address: 'a' }),
    says: ['warning: registryPoll has no effect'],
  },
  {
    when: 'a digest',
    object: polls('30m', { image: 'example.com/c@sha256:0' }),
    says: ['warning: registryPoll finds nothing new'],
  },
]);
