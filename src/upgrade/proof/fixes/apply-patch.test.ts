import { expect } from 'chai';
import type { Operation } from 'fast-json-patch';
import type { JsonObject, JsonValue } from '../../../text/documents/index.js';
import { applyPatch } from './apply-patch.js';

describe('a patch of a definition', () => {
  const document = (): JsonObject => ({
    spec: { a: { b: [{ c: 1 }, { d: 2 }] } },
    status: { e: 3 },
  });

  const rows: readonly (readonly [string, readonly Operation[], JsonObject])[] = [
    [
      'is applied below lists',
      [{ op: 'replace', path: '/spec/a/b/1/d', value: 4 }],
      { spec: { a: { b: [{ c: 1 }, { d: 4 }] } }, status: { e: 3 } },
    ],
    [
      'takes away',
      [{ op: 'remove', path: '/spec/a/b/0' }],
      { spec: { a: { b: [{ d: 2 }] } }, status: { e: 3 } },
    ],
    [
      'moves',
      [{ op: 'move', from: '/spec/a/b/0', path: '/status/f' }],
      { spec: { a: { b: [{ d: 2 }] } }, status: { e: 3, f: { c: 1 } } },
    ],
    [
      'changes what it has put there itself',
      [
        { op: 'add', path: '/status/f', value: { g: {} } },
        { op: 'add', path: '/status/f/g/h', value: 5 },
      ],
      { spec: { a: { b: [{ c: 1 }, { d: 2 }] } }, status: { e: 3, f: { g: { h: 5 } } } },
    ],
  ];
  it('of many, copies what is around them once', () => {
    const before = document();
    const copies = new Set<JsonValue>();
    const first = applyPatch(before, [{ op: 'remove', path: '/spec/a/b/0' }], copies);
    const count = copies.size;
    const second = applyPatch(first, [{ op: 'replace', path: '/spec/a/b/0/d', value: 4 }], copies);
    expect(second).to.equal(first);
    expect(copies.size - count).to.equal(1);
    expect(second).to.deep.equal({ spec: { a: { b: [{ d: 4 }] } }, status: { e: 3 } });
    expect(before).to.deep.equal(document());
  });

  for (const [what, patch, expected] of rows) {
    it(what, () => {
      const before = document();
      const given = JSON.stringify(patch);
      expect(applyPatch(before, patch)).to.deep.equal(expected);
      expect(before).to.deep.equal(document());
      expect(JSON.stringify(patch)).to.equal(given);
    });
  }

  it('leaves the very same what it does not touch', () => {
    const before = document();
    const patched = applyPatch(before, [{ op: 'add', path: '/spec/a/f', value: 1 }]);
    expect(patched['status']).to.equal(before['status']);
    expect(patched)
      .to.have.nested.property('spec.a.b')
      .that.equals((before['spec'] as { a: JsonObject }).a['b']);
  });

  it('is refused where it does not fit', () => {
    const patch: Operation[] = [{ op: 'add', path: '/spec/x/y', value: 1 }];
    expect(() => applyPatch(document(), patch)).to.throw();
  });
});
