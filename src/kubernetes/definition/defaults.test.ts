import { expect } from 'chai';
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import type { JsonObject } from '../../text/documents/index.js';
import { judgeDefinition } from './testing/judge-definition.js';
import { knownMinors } from './minors.js';

const field = 'spec.validation.openAPIV3Schema.properties[spec].default';

/** Minors that refuse the default of `spec`. */
function refusing(schema: JsonObject): readonly string[] {
  const refusals = judgeDefinition(exampleOfSpec(schema), undefined, knownMinors);
  return refusals.find((refusal) => refusal.field === field)?.kubernetes ?? [];
}

describe('defaults of a definition', () => {
  it('may be anything where int-or-string is all that is said of a type', () => {
    const schema = { 'x-kubernetes-int-or-string': true };
    expect(refusing({ ...schema, default: true })).to.deep.equal([]);
    expect(refusing({ ...schema, default: [] })).to.deep.equal([]);
    expect(refusing({ ...schema, default: [], type: 'integer' })).to.deep.equal(knownMinors);
    expect(refusing({ ...schema, default: 3, maximum: 2 })).to.deep.equal(knownMinors);
  });

  it('are judged by rules in the language of each minor', () => {
    const rule = { rule: 'self.sort() == self' };
    const schema = { type: 'array', maxItems: 3, items: { type: 'integer' }, default: [1], 'x-kubernetes-validations': [rule] }; // prettier-ignore
    // 1.34 knows sort in stored rules, as which those of a default are compiled.
    expect(refusing(schema)).to.deep.equal(['1.29', '1.30', '1.31', '1.32', '1.33']);
  });

  it('name what cannot be read of metadata once, as servers do', () => {
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
    const label = { a: 1 };
    const reason = 'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string'; // prettier-ignore
    const within = { type: 'object', default: label };
    const metadata = { type: 'object', properties: { labels: within } };
    const schemas = {
      [`Invalid value: {"labels":{"a":1}}: ${reason}`]: {
        ...{ ...embedded, 'x-kubernetes-preserve-unknown-fields': true },
        default: { apiVersion: 'v1', kind: 'A', metadata: { labels: label } },
      },
      [`must result in valid metadata: metadata: Invalid value: {"labels":{"a":1}}: ${reason}`]: {
        ...{ ...embedded, properties: { metadata } },
      },
    };
    for (const [message, schema] of Object.entries(schemas)) {
      const refusals = judgeDefinition(exampleOfSpec(schema), undefined, ['1.35']);
      expect(refusals.map((refusal) => refusal.message)).to.include(message);
    }
  });
});
