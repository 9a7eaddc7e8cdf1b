import { expect } from 'chai';
import { inNamespace, metaOf, NumberText } from './index.js';

describe('ObjectMeta', () => {
  it('reads what an object says of itself', () => {
    const meta = metaOf({
      metadata: {
        name: 'a',
        namespace: 'ns',
        uid: 'u',
        resourceVersion: '7',
        generation: 3,
        deletionTimestamp: '2026-01-01T00:00:00Z',
        labels: { l: '1' },
        annotations: { a: '2' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'o', controller: true }],
        managedFields: [{ manager: 'kubectl' }],
      },
    });
    expect(meta).to.include({
      name: 'a',
      namespace: 'ns',
      key: 'ns/a',
      uid: 'u',
      resourceVersion: '7',
      generation: 3,
      deletionTimestamp: '2026-01-01T00:00:00Z',
    });
    expect([...meta.labels, ...meta.annotations]).to.deep.equal([
      ['l', '1'],
      ['a', '2'],
    ]);
    expect([meta.label('l'), meta.annotation('a')]).to.deep.equal(['1', '2']);
    expect(meta.ownerReferences).to.deep.equal([
      { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'o' },
    ]);
    expect(meta.managedFields).to.deep.equal([{ manager: 'kubectl' }]);
  });

  const odd: [what: string, object: unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a text', 'metadata'],
    ['no metadata', {}],
    ['metadata that is a list', { metadata: [] }],
    [
      'fields of other types',
      {
        metadata: {
          name: 1,
          namespace: null,
          uid: [],
          generation: 'x',
          deletionTimestamp: 5,
          labels: 'x',
          annotations: ['a'],
          ownerReferences: {},
          managedFields: [null, 1],
        },
      },
    ],
  ];
  for (const [what, object] of odd) {
    it(`reads ${what} as absent`, () => {
      const meta = metaOf(object);
      expect(meta).to.include({ name: '', namespace: '', key: '/', uid: '', resourceVersion: '' });
      expect(meta).to.include({ generation: 0, deletionTimestamp: undefined });
      expect([...meta.labels, ...meta.annotations]).to.deep.equal([]);
      expect([meta.label('constructor'), meta.annotation('a')]).to.deep.equal([
        undefined,
        undefined,
      ]);
      expect([...meta.ownerReferences, ...meta.managedFields]).to.deep.equal([]);
    });
  }

  it('passes over entries that are no text, and still says what is written there', () => {
    const meta = metaOf({
      metadata: { annotations: { a: 1, b: 'x' }, generation: new NumberText('1e1') },
    });
    expect([...meta.annotations]).to.deep.equal([['b', 'x']]);
    expect(meta.annotation('a')).to.equal(undefined);
    expect(meta.writtenAnnotation('a')).to.equal(1);
    expect(meta.generation).to.equal(10);
  });

  it('puts an object into a namespace', () => {
    expect(inNamespace({ kind: 'K', metadata: { name: 'a' } }, 'ns')).to.deep.equal({
      kind: 'K',
      metadata: { name: 'a', namespace: 'ns' },
    });
    expect(inNamespace({ metadata: 1 }, 'ns')).to.deep.equal({ metadata: { namespace: 'ns' } });
  });
});
