import { expect } from 'chai';
import { ConfigMaps } from './config-maps.js';
import type { Repository } from './repository.js';

describe('ConfigMaps of a repository', () => {
  it('are not known where there are too many to compare', async () => {
    const one = '{ kind: ConfigMap, metadata: { name: a }, data: { b: c } }\n---\n';
    const repository: Pick<Repository, 'filesIn' | 'kindOf' | 'read'> = {
      filesIn: () => Promise.resolve(['a.yaml']),
      kindOf: () => Promise.resolve('file'),
      read: () => Promise.resolve(Buffer.from(one.repeat(2000))),
    };
    const maps = new ConfigMaps(repository as Repository);
    const reference = { name: 'a', namespace: '', from: 'x/b.yaml' };
    const known = { data: new Map([['b', 'c']]), isPartial: false };
    expect(await maps.dataOf(reference)).to.deep.equal(known);
    for (let count = 0; count < 1000; count++) await maps.dataOf(reference);
    expect(await maps.dataOf(reference)).to.deep.equal({ data: new Map(), isPartial: true });
  });
});
