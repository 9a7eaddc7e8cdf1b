import { resolveImageTemplate } from '../../../catalogs/image-template.js';
import { readCatalogSource } from '../../../objects/catalog-source.js';
import { from } from '../../../../rule/index.js';
import { defineCatalogSourceRule } from '../rule.js';

export const catalogSourceSpecInvalid = defineCatalogSourceRule({
  id: 'CatalogSourceSpecInvalid',
  severity: 'error',
  checks:
    'A CatalogSource has what its source type needs: an image or an address for grpc, a ConfigMap for configmap and internal.',
  why: 'OLM refuses any other; such a catalog is never healthy and blocks the namespaces that see it.',
  otherwise:
    'SpecInvalidError: image and address unset: at least one must be set for sourcetype: grpc',
  instead: 'Set spec.image or spec.address for grpc, spec.configMap for configmap and internal.',
  source: from.olm('pkg/controller/operators/catalog/operator.go', 'validateSourceType'),
  example: {
    after:
      '{ kind: CatalogSource, metadata: { name: community, namespace: olm }, spec: { sourceType: grpc } }',
    says: 'image and address unset: at least one must be set for sourcetype: grpc',
    accepted:
      '{ kind: CatalogSource, metadata: { name: community, namespace: olm }, spec: { sourceType: grpc, image: example.com/community:1 } }',
  },
  *judge({ object, view }) {
    const catalog = readCatalogSource(object);
    const { sourceType } = catalog;
    if (sourceType === 'grpc') {
      // OLM fills in spec.image from a template that resolves.
      const template = resolveImageTemplate(
        catalog.imageTemplate,
        view.kubernetesVersion ?? undefined,
        catalog.image,
      );
      if (template.specImage !== '' || catalog.address !== '') return;
      if (template.participates && view.kubernetesVersion === null) return;
      yield {
        message: 'image and address unset: at least one must be set for sourcetype: grpc',
        path: '$.spec.image',
      };
    } else if (sourceType === 'configmap' || sourceType === 'internal') {
      if (catalog.configMap !== '') return;
      yield {
        message: `configmap name unset: must be set for sourcetype: ${sourceType}`,
        path: '$.spec.configMap',
      };
    } else {
      yield { message: `unknown sourcetype: ${sourceType}`, path: '$.spec.sourceType' };
    }
  },
});
