import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import { ObjectStore } from './object-store.js';

const object = (name: string, resourceVersion = ''): JsonObject => ({
  metadata: { name, namespace: 'ns', resourceVersion },
});

describe('objects by kind and name', () => {
  let store: ObjectStore;
  let heard: string[];

  beforeEach(() => {
    store = new ObjectStore();
    heard = [];
    store.onChange(({ old, object: now }) => {
      const name = (each: JsonObject | undefined) =>
        each === undefined ? '-' : JSON.stringify(each['metadata']).slice(9, 10);
      heard.push(`${name(old)}>${name(now)}`);
    });
  });

  it('tells of what comes, changes and goes', () => {
    store.put('A', object('x', '1'));
    store.put('A', object('x', '2'));
    store.remove('A', object('x', '3'));
    expect(heard).to.deep.equal(['->x', 'x>x', 'x>-']);
    expect(store.count('A')).to.equal(0);
  });

  it('tells only of differences when all are replaced', () => {
    for (const name of ['x', 'y', 'z']) store.put('A', object(name, '1'));
    store.put('B', object('b', '1'));
    heard.length = 0;
    store.replace('A', [object('x', '1'), object('y', '2'), object('n', '1')]);
    expect(heard).to.deep.equal(['y>y', '->n', 'z>-']);
    expect([store.count('A'), store.count('B')]).to.deep.equal([3, 1]);
  });

  it('compares objects without a resourceVersion by content', () => {
    const of = (name: string, value: number): JsonObject => ({ ...object(name), value });
    store.replace('A', [of('x', 1), of('y', 1)]);
    heard.length = 0;
    store.replace('A', [of('x', 1), of('y', 2)]);
    expect(heard).to.deep.equal(['y>y']);
  });

  it('does not know what it never saw', () => {
    store.remove('A', object('x'));
    store.replace('A', []);
    expect(heard).to.deep.equal([]);
    expect([...store.objects('other')]).to.deep.equal([]);
  });
});
