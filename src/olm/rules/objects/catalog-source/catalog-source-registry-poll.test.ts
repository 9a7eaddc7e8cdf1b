import type { JsonObject } from '../../../../text/documents/index.js';
import { describeRule } from '../testing/harness.js';
import { catalogSourceRegistryPoll } from './catalog-source-rules.js';
import { makeCatalog, image } from './testing/catalog-source.js';

const polls = (interval: string, more: JsonObject = image) =>
  makeCatalog({ ...more, updateStrategy: { registryPoll: { interval } } });

describeRule(catalogSourceRegistryPoll, [
  { when: 'no strategy', object: makeCatalog(image), says: [] },
  { when: 'an interval', object: polls('30m0s'), says: [] },
  {
    when: 'a strategy without registryPoll',
    object: makeCatalog({ ...image, updateStrategy: {} }),
    says: [{ id: 'noRegistryPoll' }],
  },
  {
    when: 'registryPoll null',
    object: makeCatalog({ ...image, updateStrategy: { registryPoll: null } }),
    says: [{ id: 'noRegistryPoll' }],
  },
  {
    when: 'no duration',
    object: polls('1d'),
    says: [
      {
        id: 'unreadable',
        data: { error: 'time: unknown unit "d" in duration "1d"' },
        severity: 'warning',
      },
    ],
  },
  {
    when: 'a negative one',
    object: polls('-1m'),
    says: [{ id: 'everySync', data: { interval: '-1m' }, severity: 'warning' }],
  },
  {
    when: 'no image',
    object: polls('30m', { address: 'a' }),
    says: [{ id: 'noImage', severity: 'warning' }],
  },
  {
    when: 'a digest',
    object: polls('30m', { image: 'example.com/c@sha256:0' }),
    says: [{ id: 'digest', severity: 'warning' }],
  },
]);
