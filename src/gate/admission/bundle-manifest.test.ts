import { expect } from 'chai';
import { manifestElsewhere } from './plan-objects.js';
import { UnfinishedError } from './reviewer.js';

describe('a bundle that no thread has read', () => {
  const question = {
    bundle: { namespace: 'ns', name: 'bundle' },
    wanted: { kind: 'ClusterServiceVersion', name: 'cats.v1' },
  };
  const rows: [what: string, error: Error, answer: object][] = [
    [
      'is unread when none had the time to begin',
      new UnfinishedError('busy', 'busy'),
      { unread: 'ConfigMap ns/bundle was not read: busy', isUnfinished: true },
    ],
    [
      'is too much when what came before it took all the time',
      new UnfinishedError('late', 'late'),
      { unread: 'ConfigMap ns/bundle was not read: late', isTooMuch: true },
    ],
    [
      'is too much when it takes too long',
      new UnfinishedError('late'),
      { unread: 'ConfigMap ns/bundle was not read: late', isTooMuch: true },
    ],
    [
      'is too much when it takes all memory',
      new UnfinishedError('full', undefined, true),
      { unread: 'ConfigMap ns/bundle was not read: full', isTooMuch: true },
    ],
  ];
  for (const [what, error, answer] of rows) {
    it(what, async () => {
      const judge = (): Promise<never> => Promise.reject(error);
      expect(await manifestElsewhere({}, question, { judge })).to.deep.equal(answer);
    });
  }
});
