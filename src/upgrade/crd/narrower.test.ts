import { expect } from 'chai';
import { droppedFields } from './narrower.js';

const text = { type: 'string' };
const object = (properties: object, more: object = {}) =>
  ({ type: 'object', properties, ...more }) as never;

describe('droppedFields', () => {
  it('names what the storage version lacks, however deep', () => {
    const old = object({
      metadata: object({ name: text }),
      spec: object({
        kept: text,
        gone: text,
        list: { type: 'array', items: object({ a: text, b: text }) },
        map: { type: 'object', additionalProperties: object({ a: text }) },
      }),
    });
    const next = object({
      spec: object({
        kept: text,
        list: { type: 'array', items: object({ a: text }) },
        map: { type: 'object', additionalProperties: object({ c: text }) },
      }),
    });
    expect(droppedFields(old, next)).to.deep.equal([
      '^.spec.gone',
      '^.spec.list[*].b',
      '^.spec.map[*].a',
    ]);
  });

  it('names nothing where the storage version holds all of it', () => {
    const old = object({ spec: object({ a: text }) });
    expect(droppedFields(old, old)).to.deep.equal([]);
    expect(
      droppedFields(old, object({}, { 'x-kubernetes-preserve-unknown-fields': true })),
    ).to.deep.equal([]);
    expect(droppedFields(old, object({ spec: { additionalProperties: text } }))).to.deep.equal([]);
    expect(droppedFields(undefined, old)).to.deep.equal([]);
  });

  it('names unknown fields that were kept', () => {
    const old = object({ spec: object({}, { 'x-kubernetes-preserve-unknown-fields': true }) });
    expect(droppedFields(old, object({ spec: object({}) }))).to.deep.equal(['^.spec.*']);
    expect(droppedFields(old, undefined)).to.deep.equal(['^.spec']);
    const open = object({ spec: { type: 'object', additionalProperties: true } });
    expect(droppedFields(open, object({ spec: object({ a: text }) }))).to.deep.equal(['^.spec.*']);
    expect(droppedFields(open, open)).to.deep.equal([]);
  });
});
