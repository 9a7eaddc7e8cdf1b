import { describeRule } from '../testing/harness.js';
import { catalogSourcePriority } from './catalog-source-priority.js';
import { aCatalog, image } from './testing/catalog-source.js';

describeRule(catalogSourcePriority, [
  {
    when: 'its own priority',
    object: aCatalog({ ...image, priority: -400 }),
    cluster: [aCatalog({ priority: 1 }, undefined, 'd')],
    says: [],
  },
  { when: 'none', object: aCatalog(image), cluster: [aCatalog(image, undefined, 'd')], says: [] },
  {
    when: 'a tie',
    object: aCatalog({ ...image, priority: 1 }),
    cluster: [aCatalog({ priority: 1 }, undefined, 'd')],
    says: ['warning: d has priority 1 too'],
  },
  {
    when: 'too large',
    object: aCatalog({ ...image, priority: 2 ** 31 }),
    says: ['warning: priority must be an integer'],
  },
]);
