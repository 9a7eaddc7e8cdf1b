/** Definitions under the name without kcp. Source: kcp v0.30, `pkg/reconciler/apis/apibinding`, `sdk/apis/apis/v1alpha1`. */
import type { JsonObject, Path } from '../../text/documents/index.js';
import { flagAt, objectAt, objectsAt, textAt, valueAt } from '../../text/documents/fields.js';
import { present, refused, type DefinitionSource } from './derived.js';

export const apiResourceSchemas: DefinitionSource = {
  kind: 'APIResourceSchema',
  group: 'apis.kcp.io',
  derive: (source) => {
    const group = textAt(source, 'spec', 'group') ?? '';
    const versions = objectsAt(source, 'spec', 'versions');
    const conversion = objectAt(source, 'spec', 'conversion');
    if (versions.length > 1 && conversion === undefined) {
      throw refused('has several versions and no conversion', ['spec', 'versions']);
    }
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: present({
        name: `${textAt(source, 'spec', 'names', 'plural') ?? ''}.${group || 'core'}`,
        annotations: approval(source),
      }),
      spec: present({
        group,
        names: valueAt(source, 'spec', 'names'),
        scope: valueAt(source, 'spec', 'scope'),
        versions: versions.map(crdVersion),
        // kcp leaves it out where there is nothing to convert.
        conversion: versions.length > 1 ? conversion : undefined,
      }),
    };
    return [{ crd, keysInSource }];
  },
};

const approved = 'api-approved.kubernetes.io';

function approval(source: JsonObject): JsonObject | undefined {
  const value = textAt(source, 'metadata', 'annotations', approved);
  return value === undefined ? undefined : { [approved]: value };
}

function crdVersion(version: JsonObject, index: number): JsonObject {
  const schema = objectAt(version, 'schema');
  if (schema === undefined) throw refused('has no schema', ['spec', 'versions', index]);
  return present({
    name: valueAt(version, 'name'),
    served: valueAt(version, 'served'),
    storage: valueAt(version, 'storage'),
    deprecated: flagAt(version, 'deprecated') ? true : undefined,
    deprecationWarning: valueAt(version, 'deprecationWarning'),
    schema: { openAPIV3Schema: schema },
    subresources: objectAt(version, 'subresources') ?? {},
    additionalPrinterColumns: valueAt(version, 'additionalPrinterColumns'),
    selectableFields: valueAt(version, 'selectableFields'),
  });
}

function keysInSource(keys: Path): Path {
  // A version has its schema without the keyword around it.
  return keys[4] === 'openAPIV3Schema' ? [...keys.slice(0, 4), ...keys.slice(5)] : keys;
}
