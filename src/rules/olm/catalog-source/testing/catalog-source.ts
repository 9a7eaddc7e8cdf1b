import type { JsonObject } from '../../../../text/documents/index.js';
import { anObject } from '../../testing/harness.js';

export function aCatalog(spec: JsonObject, template?: string, name = 'c'): JsonObject {
  const catalog = anObject('CatalogSource', name, 'ns', { spec: { sourceType: 'grpc', ...spec } });
  if (template === undefined) return catalog;
  return {
    ...catalog,
    metadata: { name, namespace: 'ns', annotations: { 'olm.catalogImageTemplate': template } },
  };
}

export const image = { image: 'example.com/c:v1' };

export const follows = 'example.com/c:v{kube_major_version}.{kube_minor_version}';
