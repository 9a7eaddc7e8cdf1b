/**
 * Questions of the kinds that other projects test themselves with and that were once answered
 * otherwise here, through the NDJSON door: crdify, CEL of Kubernetes 1.35, operator-framework/api and
 * OLM classic.
 */
import { expect } from 'chai';
import type { JsonObject } from '../../src/text/documents/index.js';
import { answer } from './golden.js';

function definition(schema: JsonObject): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Box', plural: 'boxes' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } },
        },
      ],
    },
  };
}

describe('what other projects ask themselves', () => {
  const box = {
    type: 'object',
    properties: { numbers: { type: 'array', items: { type: 'integer' } } },
  };
  const withRule = (rule: string): JsonObject =>
    definition({ ...box, 'x-kubernetes-validations': [{ rule }] });

  const rules: [rule: string, refused: RegExp | null][] = [
    ['[] != self.numbers', null],
    ["{} == {'key': 2} || true", null],
    ['[] in [self.numbers] || true', null],
    ['dyn([1.5, 0.5]).sum() == 2.0', null],
    ['[?self.numbers[?0]] == [4]', null],
    ["{?'k': self.?numbers[?9]} == {}", null],
    ['.25 < 0.5', null],
    ['[5, 6][dyn(1u)] == 6', null],
    ['[5, 6][dyn(1.0)] == 6', null],
    ['!({}.?first.second.hasValue())', null],
    ["b'é' == b'\\303\\251'", null],
    ["optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')) == optional.none()", null],
    ['dyn(9007199254740993) > dyn(9007199254740992.0)', /failed rule/],
    ['[1].all(n, n, n > 0)', /duplicate variable name: n/],
    ['self.numbers.all(n, n > 4)', /failed rule/],
  ];
  for (const [rule, refused] of rules) {
    it(`${refused === null ? 'takes' : 'refuses'} ${rule}`, async () => {
      const objects = [
        {
          apiVersion: 'example.com/v1',
          kind: 'Box',
          metadata: { name: 'b', namespace: 'ns1' },
          spec: { numbers: [4] },
        },
      ];
      const { output } = await answer('crd-objects', {
        crd: withRule(rule),
        version: 'v1',
        objects,
      });
      const [result] = (output as { results: JsonObject[] }).results;
      if (refused === null) expect(result).to.deep.equal({ valid: true, errors: [] });
      else expect(JSON.stringify(result)).to.match(refused);
    });
  }

  it('has no witness against a rule that holds for every object', async () => {
    const { verdict } = await answer('crd', {
      old: definition(box),
      new: withRule('!has(self.numbers) || [] == self.numbers || self.numbers != []'),
      profile: 'proof',
    });
    const { allowed, findings } = verdict as { allowed: boolean; findings: JsonObject[] };
    expect(allowed).to.equal(true);
    expect(findings.filter(({ effect }) => effect === 'breaking')).to.deep.equal([]);
  });

  it('lets the description of an alternative change under olm-v1.10, and not under crdify', async () => {
    const alternatives = (description: string): JsonObject =>
      definition({ ...box, oneOf: [{ required: ['numbers'], description }, { maxProperties: 0 }] });
    for (const [profile, allowed] of [
      ['olm-v1.10', true],
      ['crdify', false],
    ] as const) {
      const [old, next] = [alternatives('one'), alternatives('another')];
      const { verdict } = await answer('crd', { old, new: next, profile });
      expect((verdict as JsonObject)['allowed'], profile).to.equal(allowed);
    }
  });

  it('names a ServiceAccount of a bundle that its operator brings too', async () => {
    const csv = {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'ClusterServiceVersion',
      metadata: { name: 'boxes.v1.0.0' },
      spec: {
        version: '1.0.0',
        installModes: [{ type: 'AllNamespaces', supported: true }],
        install: {
          strategy: 'deployment',
          spec: {
            deployments: [
              { name: 'packer', spec: { template: { spec: { serviceAccountName: 'packer' } } } },
            ],
          },
        },
      },
    };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'packer' } };
    const files = {
      'manifests/csv.yaml': JSON.stringify(csv),
      'manifests/account.yaml': JSON.stringify(account),
    };
    const { verdict } = await answer('bundle', { files });
    const { findings } = verdict as { findings: { rule: string }[] };
    expect(findings.map(({ rule }) => rule)).to.include('BundleServiceAccount');
  });

  for (const [value, because] of [
    ['"4.17.0"', /^where OLM classic has installed the bundle, the cluster does not go to 4\.18$/],
    [
      '"4.17.1"',
      /does not go to 4\.18: .*must specify only <major>\.<minor> version, got .*4\.17\.1/,
    ],
    ['"soon"', /does not go to 4\.18: failed to parse "soon" as semver/],
    ['""', /does not go to 4\.18: value cannot be ""/],
    ['"4.16"},{"type":"olm.maxOpenShiftVersion","value":"4.17"', /defining more than one/],
  ] as const) {
    const olmProperties = `[{"type":"olm.maxOpenShiftVersion","value":${value}}]`;
    const input = { cluster: '4.17.2', olmProperties };

    it(`says that a limit of ${value} blocks under OLM classic`, async () => {
      const { verdict, output } = await answer('cluster-compatibility', {
        ...input,
        olm: 'classic',
      });
      expect((output as JsonObject)['classic']).to.deep.include({ blocksUpgrade: true });
      const { allowed, findings } = verdict as { allowed: boolean; findings: JsonObject[] };
      expect(allowed).to.equal(false);
      expect(findings).to.have.lengthOf(1);
      expect(findings[0]).to.include({ rule: 'MaxOpenShiftVersion', severity: 'error' });
      expect(findings[0]?.['message']).to.match(because);
    });

    it(`warns of a limit of ${value} whoever does not say which OLM it is`, async () => {
      const { verdict } = await answer('cluster-compatibility', input);
      const { allowed, findings } = verdict as { allowed: boolean; findings: JsonObject[] };
      expect(allowed).to.equal(true);
      expect(findings.map(({ severity }) => severity)).to.deep.equal(['warning', 'warning']);
      expect(findings[1]?.['message']).to.match(because);
    });
  }

  it('lets the cluster go on under OLM classic where the limit is a later version', async () => {
    for (const value of ['4.18.0', '4.18', '5.0']) {
      const { verdict } = await answer('cluster-compatibility', {
        cluster: '4.17.2',
        olmProperties: JSON.stringify([{ type: 'olm.maxOpenShiftVersion', value }]),
        olm: 'classic',
      });
      expect(verdict, value).to.deep.include({ allowed: true, findings: [] });
    }
  });
});
