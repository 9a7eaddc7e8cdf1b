import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import { keysOfField } from './field-keys.js';

const schema = {
  properties: { 'a.b': { items: {} }, 'a]': {}, a: { type: 'string' } },
  'x-kubernetes-validations': [{ rule: 'true' }],
};
const definition: JsonObject = {
  metadata: { annotations: { 'example.com/x': '' } },
  spec: {
    names: { kind: 'Widget' },
    versions: [{ name: 'v1' }, { name: 'v2', schema: { openAPIV3Schema: schema } }],
  },
};
const inSchema = ['spec', 'versions', 1, 'schema', 'openAPIV3Schema'];

describe('keysOfField', () => {
  const rows: [field: string, keys: readonly (string | number)[]][] = [
    ['spec.names.kind', ['spec', 'names', 'kind']],
    ['spec.names.plural', ['spec', 'names']],
    ['metadata.annotations[example.com/x]', ['metadata', 'annotations', 'example.com/x']],
    ['spec.versions[0].name', ['spec', 'versions', 0, 'name']],
    ['spec.version', ['spec', 'versions', 0, 'name']],
    ['spec.validation.openAPIV3Schema', inSchema],
    [
      'spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule',
      [...inSchema, 'x-kubernetes-validations', 0, 'rule'],
    ],
    [
      'spec.versions[1].schema.openAPIV3Schema.properties[a.b].items',
      [...inSchema, 'properties', 'a.b', 'items'],
    ],
    ['spec.validation.openAPIV3Schema.properties[a]].type', [...inSchema, 'properties', 'a]']],
    ['spec.validation.openAPIV3Schema.properties[no].type', [...inSchema, 'properties']],
    ['spec.selectableFields[0]', ['spec', 'versions']],
    ['status.storedVersions[0]', ['spec', 'versions']],
    ['', []],
  ];
  for (const [field, keys] of rows) {
    it(field, () => {
      expect(keysOfField(definition, field)).to.deep.equal(keys);
    });
  }
});
