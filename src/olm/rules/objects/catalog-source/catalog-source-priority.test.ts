import { describeRule } from '../testing/harness.js';
import { catalogSourcePriority } from './catalog-source-rules.js';
import { makeCatalog, image } from './testing/catalog-source.js';

describeRule(catalogSourcePriority, [
  {
    when: 'its own priority',
    object: makeCatalog({ ...image, priority: -400 }),
    cluster: [makeCatalog({ priority: 1 }, undefined, 'd')],
    says: [],
  },
  {
    when: 'none',
    object: makeCatalog(image),
    cluster: [makeCatalog(image, undefined, 'd')],
    says: [],
  },
  {
    when: 'a tie',
    object: makeCatalog({ ...image, priority: 1 }),
    cluster: [makeCatalog({ priority: 1 }, undefined, 'd')],
    says: [{ id: 'samePriority', data: { equals: ['d'], priority: 1 } }],
  },
  {
    when: 'too large',
    object: makeCatalog({ ...image, priority: 2 ** 31 }),
    says: [{ id: 'outOfRange', data: { largestPriority: 2147483647 } }],
  },
]);
