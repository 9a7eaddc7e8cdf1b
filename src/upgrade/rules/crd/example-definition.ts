import { isObject, own, type JsonObject } from '../../../text/documents/index.js';
import { exampleDocuments } from '../../../rule/index.js';

/** One version `v1` with this schema of the whole object. */
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

export function exampleOfSpec(spec: JsonObject): JsonObject {
  return exampleDefinition({ type: 'object', properties: { spec } });
}

/** Parts of its `spec` and `status`, or the schema of a custom resource's `spec`. */
export function definitionOfExample(yaml: string): JsonObject {
  const [example] = exampleDocuments(yaml);
  if (!isObject(example)) throw new Error(`not an object: ${yaml}`);
  const parts = own(example, 'spec');
  if (!isObject(parts)) return exampleOfSpec({ type: 'object', ...example });
  const whole = exampleOfSpec({ type: 'object' });
  return {
    ...whole,
    ...example,
    spec: { ...(isObject(whole['spec']) ? whole['spec'] : {}), ...parts },
  };
}

export function isAboutSchema(yaml: string): boolean {
  const [example] = exampleDocuments(yaml);
  return isObject(example) && own(example, 'spec') === undefined;
}
