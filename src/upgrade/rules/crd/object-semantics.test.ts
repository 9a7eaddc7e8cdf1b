import { expect } from 'chai';
import { hasSameObjectSemantics } from './kubernetes-refusals.js';

const definition = (spec: object) => ({ spec: { versions: [{ name: 'v1' }], ...spec } });

describe('hasSameObjectSemantics', () => {
  it('ignores what no object is read by', () => {
    const names = { names: { shortNames: ['w'] } };
    expect(hasSameObjectSemantics(definition({}), definition(names))).to.equal(true);
  });

  const differing: Record<string, object> = {
    versions: { versions: [{ name: 'v1', served: true }] },
    conversion: { conversion: { strategy: 'Webhook' } },
    preserveUnknownFields: { preserveUnknownFields: true },
  };
  for (const [field, spec] of Object.entries(differing)) {
    it(`compares ${field}`, () => {
      expect(hasSameObjectSemantics(definition({}), definition(spec))).to.equal(false);
      expect(hasSameObjectSemantics(definition(spec), definition({}))).to.equal(false);
    });
  }
});
