import { expect } from 'chai';
import { exampleDefinition } from '../../upgrade/rules/crd/example-definition.js';
import type { JsonObject } from '../../text/documents/index.js';
import { judgeDefinition, knownMinors } from './index.js';

describe('JudgedSchemas', () => {
  it('names the place of each version where two hold the very same object', () => {
    const schema = { openAPIV3Schema: { type: 'object', properties: { a: { type: 'text' } } } };
    const definition = exampleDefinition({});
    (definition['spec'] as JsonObject)['versions'] = [
      { name: 'v1', served: true, storage: true, schema },
      { name: 'v2', served: true, storage: false, schema },
      { name: 'v3', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
    ];
    const refusals = judgeDefinition(definition, undefined, knownMinors);
    expect(refusals.map(({ field }) => field)).to.deep.equal([
      'spec.versions[0].schema.openAPIV3Schema.properties[a].type',
      'spec.versions[1].schema.openAPIV3Schema.properties[a].type',
    ]);
  });
});
