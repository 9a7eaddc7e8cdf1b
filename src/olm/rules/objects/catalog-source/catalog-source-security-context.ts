import { readCatalogSource } from '../../../objects/catalog-source.js';
import { textAt } from '../../../../text/documents/fields.js';
import { metaOf } from '../../../../text/documents/index.js';
import { from } from '../../../../rule/index.js';
import { defineCatalogSourceRule } from '../rule.js';

export const catalogSourceSecurityContext = defineCatalogSourceRule({
  id: 'CatalogSourceSecurityContext',
  severity: 'warning',
  checks:
    'The security context of a CatalogSource is legacy or restricted, and its namespace admits it.',
  withoutNames: 'the Pod Security Standard of its namespace refuses its pod',
  why: 'In a namespace that enforces the restricted Pod Security Standard a legacy catalog pod is refused, and the catalog stays unhealthy. Catalog images made by old versions of opm need legacy.',
  otherwise: 'violates PodSecurity "restricted:latest" (the catalog pod is not created)',
  instead:
    'Set restricted and build the catalog image with a current opm, or keep the catalog in a namespace that admits legacy.',
  source: from.olm('pkg/controller/registry/reconciler/reconciler.go', 'Pod', 'addSecurityContext'),
  messages: {
    unknownMode: 'securityContextConfig must be legacy or restricted, not {mode}',
    legacy:
      'namespace {namespace} enforces the restricted Pod Security Standard: a legacy catalog pod is refused',
    unset:
      'namespace {namespace} enforces the restricted Pod Security Standard, and securityContextConfig is unset: an OLM for which that means legacy makes a pod that is refused, a later one makes a restricted pod; say which',
  },
  example: {
    before:
      '{ kind: Namespace, metadata: { name: olm, labels: { pod-security.kubernetes.io/enforce: restricted } } }',
    after:
      '{ kind: CatalogSource, metadata: { name: community, namespace: olm }, spec: { sourceType: grpc, image: example.com/community:1, grpcPodConfig: { securityContextConfig: legacy } } }',
    says: 'namespace olm enforces the restricted Pod Security Standard',
    accepted:
      '{ kind: CatalogSource, metadata: { name: community, namespace: olm }, spec: { sourceType: grpc, image: example.com/community:1, grpcPodConfig: { securityContextConfig: restricted } } }',
  },
  *judge({ object, view }) {
    const { namespace } = readCatalogSource(object);
    const path = '$.spec.grpcPodConfig.securityContextConfig';
    const mode = textAt(object, 'spec', 'grpcPodConfig', 'securityContextConfig') ?? '';
    if (mode !== '' && mode !== 'legacy' && mode !== 'restricted') {
      yield { id: 'unknownMode', data: { mode }, path };
      return;
    }
    const found = view.lookUp('Namespace', namespace);
    if (found === undefined || found === null || mode === 'restricted') return;
    if (metaOf(found).label('pod-security.kubernetes.io/enforce') !== 'restricted') return;
    yield { id: mode === 'legacy' ? 'legacy' : 'unset', data: { namespace }, path };
  },
});
