import { expect } from 'chai';
import { hasSameObjectSemantics } from './object-semantics.js';

const definition = (spec: object) => ({ spec: { versions: [{ name: 'v1' }], ...spec } });

describe('hasSameObjectSemantics', () => {
  it('heeds nothing by which no object is read', () => {
    const names = { names: { shortNames: ['w'] } };
    expect(hasSameObjectSemantics(definition({}), definition(names))).to.equal(true);
  });

  const differing: Record<string, object> = {
    versions: { versions: [{ name: 'v1', served: true }] },
    conversion: { conversion: { strategy: 'Webhook' } },
    preserveUnknownFields: { preserveUnknownFields: true },
  };
  for (const [field, spec] of Object.entries(differing)) {
    it(`heeds ${field}`, () => {
      expect(hasSameObjectSemantics(definition({}), definition(spec))).to.equal(false);
      expect(hasSameObjectSemantics(definition(spec), definition({}))).to.equal(false);
    });
  }
});
