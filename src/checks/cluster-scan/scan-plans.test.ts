import { expect } from 'chai';
import { scan } from './scan.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { defaultPolicy } from '../../policy/policy.js';
import { exampleDefinition } from '../../upgrade/rules/crd/example-definition.js';
import type { JsonObject } from '../../text/documents/index.js';

const crd = (schema: JsonObject) => ({
  ...exampleDefinition(schema),
  status: { storedVersions: ['v1'] },
});
const size = (more: JsonObject) => ({
  type: 'object',
  properties: { size: { type: 'integer', ...more } },
});
const planOf = (definition: JsonObject, phase = 'Installing') => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'InstallPlan',
  metadata: { name: 'install-1', namespace: 'team' },
  spec: { approval: 'Automatic', approved: true, clusterServiceVersionNames: ['cats.v1'] },
  status: {
    phase,
    plan: [
      {
        resolving: 'cats.v1',
        status: 'Unknown',
        resource: {
          group: 'apiextensions.k8s.io',
          version: 'v1',
          kind: 'CustomResourceDefinition',
          name: 'widgets.example.com',
          manifest: JSON.stringify(definition),
        },
      },
    ],
  },
});
const group = {
  apiVersion: 'operators.coreos.com/v1',
  kind: 'OperatorGroup',
  metadata: { name: 'g', namespace: 'team' },
  spec: {},
};

describe('a scan of a plan that brings a definition', () => {
  for (const profile of ['olm-v1', 'proof'] as const)
    for (const [schema, denied] of [
      [size({ maximum: 3 }), true],
      [size({ description: 'x' }), false],
    ] as const)
      it(`is ${denied ? 'denied where objects break' : 'allowed where none does'}, by profile ${profile}`, async () => {
        const { results, unchecked } = await scan(
          FolderState.of([crd(size({})), group, planOf(crd(schema))] as never),
          { policy: { ...defaultPolicy, profile }, now: new Date() },
        );
        const verdict = results.find(({ name }) => name.startsWith('InstallPlan'))?.verdict;
        expect(verdict?.allowed ?? true, JSON.stringify({ results, unchecked })).to.equal(!denied);
      });

  it('names who relies on what the definition loses, as the gate does', async () => {
    const withStatus = (subresources: JsonObject): JsonObject => {
      const whole = crd(size({})) as unknown as { spec: { versions: JsonObject[] } };
      const versions = whole.spec.versions.map((version) => ({ ...version, subresources }));
      return { ...whole, spec: { ...whole.spec, versions } };
    };
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'writer' },
      rules: [{ apiGroups: ['example.com'], resources: ['widgets/status'], verbs: ['update'] }],
    };
    const plan = planOf(withStatus({}), 'RequiresApproval');
    const objects = [withStatus({ status: {} }), group, role, plan];
    const { results } = await scan(FolderState.of(objects as never), {
      policy: defaultPolicy,
      now: new Date(),
    });
    const found = results.flatMap(({ name, verdict }) =>
      verdict.findings.map(({ message }) => `${name}: ${message}`),
    );
    expect(found.join('\n')).to.match(
      /^InstallPlan team\/install-1: once approved: CustomResourceDefinition widgets\.example\.com: ClusterRole writer .*status/m,
    );
  });
});
