import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { newestMinor } from '../../kubernetes/index.js';
import { parseJson } from '../../text/documents/index.js';
import { answer } from './answer.js';
import { operations } from './table.js';

describe('a minor of Kubernetes that came later', () => {
  const files = { 'manifests/crd.yaml': 'kind: CustomResourceDefinition' };
  for (const [name, input] of [
    ['definition', { new: {} }],
    ['bundle', { files }],
  ] as const) {
    it(`is judged as the newest known one, which ${name} says`, () => {
      const given = answer(name, { ...input, kubernetes: ['1.99'] });
      expect('verdict' in given && given.verdict.warnings).to.deep.equal([
        `Kubernetes 1.99 is newer than any known here: judged as ${newestMinor} does`,
      ]);
    });
  }
});

describe('operations', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const { name, input } of operations) {
    it(`${name} has a JSON Schema for its input`, () => {
      const isSchema = ajv.validateSchema(input);
      expect(isSchema, ajv.errorsText()).to.equal(true);
    });
  }

  const misspelt: [operation: string, input: string, says: string, path: string][] = [
    ['image-template', '{"kubernetesVersion":"1.30"}', '"kubernetesVersion"', '$'],
    ['image-template', '{"gitversion":"v1.30"}', '(did you mean "gitVersion"?)', '$'],
    [
      'operatorgroup-intersection',
      '{"csvGroup":{"name":"a","namespace":"a","staticProvidedApis":true},"csv":{}}',
      '"staticProvidedApis"',
      '$.csvGroup',
    ],
    [
      'upgrade-v1',
      '{"package":"a","catalogs":[],"upgradeconstraintPolicy":"SelfCertified"}',
      '(did you mean "upgradeConstraintPolicy"?)',
      '$',
    ],
    [
      'resolve',
      '{"namespace":"a","globalCatalogNamespace":"olm","subscriptions":[{"name":"a","namespace":"a","package":"p","catalog":"c","catalogNamespace":"olm","chanel":"x"}]}',
      '(did you mean "channel"?)',
      '$.subscriptions[0]',
    ],
  ];
  for (const [name, input, says, path] of misspelt) {
    it(`${name} refuses a misspelt field: ${input.slice(0, 60)}`, () => {
      const { error } = answer(name, parseJson(input)) as {
        error: { code: string; message: string; where: object };
      };
      expect(error.code).to.equal('E_INPUT');
      expect(error.message).to.include('has an unknown field').and.include(says);
      expect(error.where).to.deep.equal({ path });
    });
  }

  for (const operation of operations) {
    it(`${operation.name} takes no field that it does not know`, () => {
      expect(operation.input).to.have.property('additionalProperties', false);
    });
  }

  it('read Kubernetes objects as an API server does, with fields that they do not know', () => {
    const clusterServiceVersion = {
      kind: 'ClusterServiceVersion',
      metadata: { name: 'a', namespace: 'a', generateName: 'a-' },
      spec: {},
      more: true,
    };
    const input = { clusterServiceVersion, operatorGroups: [] };
    expect(answer('membership', input)).to.not.have.property('error');
  });

  it('have unique names', () => {
    expect(new Set(operations.map(({ name }) => name)).size).to.equal(operations.length);
  });
});
