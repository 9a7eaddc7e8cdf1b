import { resolveImageTemplate } from '../../../catalogs/image-template.js';
import { readCatalogSource } from '../../../objects/catalog-source.js';
import { from, sources } from '../../../../rule/index.js';
import { defineCatalogSourceRule } from '../rule.js';

/** A cluster that is not asked has some version. */
const anyVersion = 'v1.30.0';

export const catalogSourceImageTemplate = defineCatalogSourceRule({
  id: 'CatalogSourceImageTemplate',
  aliases: ['CatalogImageTemplate'],
  severity: 'warning',
  checks: 'The image template of a CatalogSource resolves to an image reference.',
  why: 'olm.catalogImageTemplate knows {kube_major_version}, {kube_minor_version} and {kube_patch_version}. One that does not resolve leaves spec.image as it is.',
  otherwise: 'UnableToResolve: cannot construct catalog image …',
  instead: 'Use only {kube_major_version}, {kube_minor_version} and {kube_patch_version}.',
  source: sources(
    from.olm('pkg/lib/catalogsource/image_template.go', 'ReplaceTemplates'),
    from.olm('pkg/controller/operators/catalogtemplate/operator.go', 'syncCatalogSources'),
  ),
  example: {
    after:
      "{ kind: CatalogSource, metadata: { name: community, namespace: olm, annotations: { olm.catalogImageTemplate: 'example.com/community:{minor}' } }, spec: { sourceType: grpc, image: example.com/community:1 } }",
    says: 'UnableToResolve: ',
    accepted:
      "{ kind: CatalogSource, metadata: { name: community, namespace: olm, annotations: { olm.catalogImageTemplate: 'example.com/community:v{kube_major_version}.{kube_minor_version}' } }, spec: { sourceType: grpc, image: example.com/community:1 } }",
  },
  *judge({ object, view }) {
    const { imageTemplate, image } = readCatalogSource(object);
    if (imageTemplate === '') return;
    // Whether a template can be an image at all does not depend on the version that fills it in.
    const version = view.kubernetesVersion ?? anyVersion;
    const template = resolveImageTemplate(imageTemplate, version, image);
    const failed = template.conditions.find((condition) => condition.status === 'False');
    if (failed === undefined) return;
    const assumed = view.kubernetesVersion === null ? ` (as if Kubernetes were ${anyVersion})` : '';
    yield {
      message: `${failed.reason}: ${failed.message}${assumed}`,
      path: '$.metadata.annotations["olm.catalogImageTemplate"]',
    };
  },
});
