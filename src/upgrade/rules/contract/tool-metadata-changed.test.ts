import { expect } from 'chai';
import { UpgradePair } from '../../pair.js';
import { exampleOfSpec } from '../crd/example-definition.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { judgeContract } from './judge.js';

const approved = 'https://github.com/kubernetes-sigs/gateway-api/pull/2466';
const webhook = {
  strategy: 'Webhook',
  webhook: {
    conversionReviewVersions: ['v1'],
    clientConfig: { service: { namespace: 'a', name: 'a' } },
  },
};

function definition(annotations: JsonObject, more: JsonObject): JsonObject {
  const { spec, ...rest } = exampleOfSpec({ type: 'object' }) as { spec: JsonObject };
  return {
    ...rest,
    metadata: { name: 'widgets.example.com', annotations },
    spec: { ...spec, ...more },
  };
}

const community = { group: 'gateway.networking.k8s.io' };

const rows: readonly (readonly [
  title: string,
  key: string,
  before: string,
  after: string | undefined,
  spec: JsonObject,
  isTold: boolean,
])[] = [
  ['another approval', 'api-approved.kubernetes.io', approved, `${approved}1`, community, false],
  ['an approval taken back', 'api-approved.kubernetes.io', approved, 'unapproved, yet', community, true], // prettier-ignore
  ['an approval that no group needs', 'api-approved.kubernetes.io', approved, undefined, {}, false],
  ['a version of a bundle', 'gateway.networking.k8s.io/bundle-version', 'v1.1.0', 'v1.2.0', community, false], // prettier-ignore
  ['a certificate for a webhook', 'cert-manager.io/inject-ca-from', 'a/b', undefined, { conversion: webhook }, true], // prettier-ignore
  ['a certificate for nothing', 'cert-manager.io/inject-ca-from', 'a/b', undefined, {}, false],
  ['a policy of Helm', 'helm.sh/resource-policy', 'keep', undefined, {}, true],
  ['a policy that Helm does not know', 'helm.sh/resource-policy', 'hold', 'held', {}, false],
  ['an option of Argo CD', 'argocd.argoproj.io/sync-options', 'Replace=true', undefined, {}, true],
  ['what Argo CD tracks by', 'argocd.argoproj.io/tracking-id', 'a', 'b', {}, false],
  ['what Flux writes', 'kustomize.toolkit.fluxcd.io/name', 'a', 'b', {}, false],
  ['a contract of Cluster API', 'cluster.x-k8s.io/v1beta1', 'v1beta1', 'v1beta2', {}, true],
];

describe('metadata of tools', () => {
  for (const [title, key, before, after, spec, isTold] of rows) {
    it(`is ${isTold ? 'told' : 'not told'}: ${title}`, () => {
      const [old, next] = [before, after].map((value) =>
        definition(value === undefined ? {} : { [key]: value }, spec),
      ) as [JsonObject, JsonObject];
      const found = judgeContract(UpgradePair.read(old, next)).findings;
      const told = found.filter(({ rule }) => rule === 'ToolMetadataChanged');
      expect(told).to.have.length(isTold ? 1 : 0);
    });
  }
});
