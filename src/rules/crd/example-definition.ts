/** The definition around a schema that is an example: one version of widgets. */
import type { JsonObject } from '../../text/documents/index.js';

export function exampleDefinition(openAPIV3Schema: JsonObject): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** The same for the schema of `spec`. */
export function exampleOfSpec(spec: JsonObject): JsonObject {
  return exampleDefinition({ type: 'object', properties: { spec } });
}
