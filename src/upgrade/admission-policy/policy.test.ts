import { expect } from 'chai';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import { policyOf } from './policy.js';

const definition = (group: string): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    ],
  },
});

const namesOf = (group: string): string[] =>
  policyOf(definition(group)).objects.map((object) => metaOf(object).name);

describe('names of exported policies', () => {
  it('are those of no other definition', () => {
    expect(namesOf('example.com')).to.include('olm-guard.1-v1.widgets.example.com');
    const names = ['example.com', 'example.com-1', '1.example.com'].flatMap((group) => [
      ...new Set(namesOf(group)),
    ]);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('are names, however long that of the definition is', () => {
    for (const length of [1, 2, 3]) {
      const group = `${'g'.repeat(60)}.`.repeat(3) + `${'x'.repeat(56 + length)}.y`;
      for (const name of namesOf(group)) {
        expect(name.length, name).to.be.at.most(253);
        expect(name).to.match(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
      }
    }
  });
});
