import { expect } from 'chai';
import { scan } from './scan.js';
import { FolderState } from '../facts/olm-state/folder-state.js';
import { defaultPolicy } from './policy.js';
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
describe('a scan of a plan that brings a definition', () => {
  for (const profile of ['olm-v1', 'proof'] as const)
    for (const [schema, denied] of [
      [size({ maximum: 3 }), true],
      [size({ description: 'x' }), false],
    ] as const)
      it(`is ${denied ? 'denied where objects break' : 'allowed where none does'}, by profile ${profile}`, async () => {
        const plan = {
          apiVersion: 'operators.coreos.com/v1alpha1',
          kind: 'InstallPlan',
          metadata: { name: 'install-1', namespace: 'team' },
          spec: { approval: 'Automatic', approved: true, clusterServiceVersionNames: ['cats.v1'] },
          status: {
            phase: 'Installing',
            plan: [
              {
                resolving: 'cats.v1',
                status: 'Unknown',
                resource: {
                  group: 'apiextensions.k8s.io',
                  version: 'v1',
                  kind: 'CustomResourceDefinition',
                  name: 'widgets.example.com',
                  manifest: JSON.stringify(crd(schema)),
                },
              },
            ],
          },
        };
        const group = {
          apiVersion: 'operators.coreos.com/v1',
          kind: 'OperatorGroup',
          metadata: { name: 'g', namespace: 'team' },
          spec: {},
        };
        const { results, unchecked } = await scan(
          FolderState.of([crd(size({})), group, plan] as never),
          { policy: { ...defaultPolicy, profile }, now: new Date() },
        );
        const verdict = results.find(({ name }) => name.startsWith('InstallPlan'))?.verdict;
        expect(verdict?.allowed ?? true, JSON.stringify({ results, unchecked })).to.equal(!denied);
      });
});
