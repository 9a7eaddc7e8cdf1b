/** Definitions that nest as deep as a real API server takes them, each beside a field that goes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseJson, stringifyJson, type JsonValue } from '../../src/text/documents/index.js';
import { useCluster, useGate } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { breaking, create, replace } from './installed-gate.js';
import { definitionPath, definitions, widgets } from './widgets.js';

const nested = (levels: number, open: string, close: string, leaf = ''): JsonValue =>
  parseJson(open.repeat(levels) + leaf + close.repeat(levels));

const anything = { 'x-kubernetes-preserve-unknown-fields': true };

/**
 * The deepest that kube-apiserver 1.35 takes, but for `items` and `additionalProperties`, on which it
 * spends longer than a request may take.
 */
const shapes: [what: string, schema: JsonValue][] = [
  ['properties', nested(4985, '{"type":"object","properties":{"a":', '}}', '{"type":"string"}')],
  ['items', nested(1000, '{"type":"array","items":', '}', '{"type":"string"}')],
  [
    'additionalProperties',
    nested(700, '{"type":"object","additionalProperties":', '}', '{"type":"string"}'),
  ],
  ['allOf', { type: 'object', allOf: [nested(4980, '{"allOf":[', ']}', '{"maxProperties":9}')] }],
  ['not', { type: 'object', not: nested(9980, '{"not":', '}', '{"maxProperties":9}') }],
  ['an example', { type: 'object', example: nested(9980, '[', ']') }],
  ['a default', { ...anything, default: { a: nested(9980, '{"a":', '}', '1') } }],
  ['an enum', { ...anything, enum: [nested(9980, '[', ']')] }],
];

describe('definitions as deep as an API server takes them', () => {
  const cluster = useCluster();
  const policyFile = (): string => join(cluster().folder, 'policy.yaml');
  const gate = useGate(cluster, {
    name: 'crds.olm-guard.io',
    rules: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        apiVersions: ['v1'],
        operations: ['UPDATE'],
        resources: ['customresourcedefinitions'],
      },
    ],
    args: () => {
      writePolicy('');
      return [`--policy=${policyFile()}`];
    },
    isAsked: async () => {
      await create(cluster(), widgets('probes'));
      const { code } = await replace(cluster(), breaking('probes'), { query: '?dryRun=All' });
      return code === 403;
    },
  });

  function writePolicy(text: string): void {
    const header = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
    writeFileSync(policyFile(), `${header}budgets: { storedObjectsSeconds: 0 }\n${text}`);
  }

  async function reloads(): Promise<number> {
    const line = /policy_reloads_total\{outcome="success"\} (\d+)/.exec(await gate().metrics());
    return Number(line?.[1] ?? 0);
  }

  function withFields(plural: string, fields: Record<string, unknown>): string {
    const definition = widgets(plural) as unknown as {
      spec: { versions: { schema: object }[] };
    };
    const openAPIV3Schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: fields } },
    };
    for (const version of definition.spec.versions)
      Object.assign(version, { schema: { openAPIV3Schema } });
    return stringifyJson(definition);
  }

  const plurals = shapes.map((_, index) => `deep${'abcdefghijkl'[index]}s`);
  before('create the definitions', async () => {
    for (const [index, [what, schema]] of shapes.entries()) {
      const plural = plurals[index] ?? '';
      const body = withFields(plural, { deep: schema, gone: { type: 'string' } });
      const answer = await cluster().request('POST', definitions, body);
      expect(answer.code, `${what}: ${answer.text.slice(0, 300)}`).to.equal(201);
    }
  });

  const policies = [
    'profile: olm-v1\n',
    'profile: crdify\n',
    'profile: olm-v1.10\n',
    'profile: proof\n',
    'profile: olm-v1\nenforce: proven\n',
  ];
  for (const policy of policies) {
    it(`lose no field unseen under ${policy.trim().replace('\n', ', ')}`, async () => {
      const known = await reloads();
      writePolicy(policy);
      await until('the policy to be read', async () =>
        (await reloads()) > known ? true : undefined,
      );
      for (const [index, [what, schema]] of shapes.entries()) {
        const plural = plurals[index] ?? '';
        const path = `${definitionPath(plural)}?dryRun=All`;
        const { body } = await cluster().request('GET', definitionPath(plural));
        const metadata = `{"resourceVersion":"${body.metadata?.resourceVersion}",`;
        const put = (fields: Record<string, unknown>): Promise<{ code: number; text: string }> =>
          cluster().request(
            'PUT',
            path,
            withFields(plural, fields).replace('"metadata":{', `"metadata":${metadata}`),
          );
        const removed = await put({ deep: schema });
        expect(removed.code, `${what}: ${removed.text.slice(0, 300)}`).to.equal(403);
        expect(removed.text, what).to.include('^.spec.gone');
        const added = await put({
          deep: schema,
          gone: { type: 'string' },
          more: { type: 'string' },
        });
        expect(added.code, `${what}: ${added.text.slice(0, 300)}`).to.equal(200);
      }
    }).timeout(600_000);
  }

  it('make no review unjudged', async () => {
    const lines = (await gate().metrics()).split('\n');
    expect(lines.filter((line) => /decision="unjudged"/.test(line))).to.deep.equal([]);
  });
});
