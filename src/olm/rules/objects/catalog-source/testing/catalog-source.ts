import type { JsonObject } from '../../../../../text/documents/index.js';
import { makeObject } from '../../testing/harness.js';

export function makeCatalog(spec: JsonObject, template?: string, name = 'c'): JsonObject {
  const catalog = makeObject('CatalogSource', name, 'ns', {
    spec: { sourceType: 'grpc', ...spec },
  });
  if (template === undefined) return catalog;
  return {
    ...catalog,
    metadata: { name, namespace: 'ns', annotations: { 'olm.catalogImageTemplate': template } },
  };
}

export const image = { image: 'example.com/c:v1' };

export const follows = 'example.com/c:v{kube_major_version}.{kube_minor_version}';
