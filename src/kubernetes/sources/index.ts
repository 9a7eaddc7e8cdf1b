/**
 * Objects of which controllers make CustomResourceDefinitions.
 *
 * - What comes in: an object of any kind.
 * - What goes out: the definitions that its controller makes of it, and where in the object each part
 *   of them comes from; nothing for an object of another kind.
 */
import {
  isObject,
  type JsonValue,
  type JsonObject,
  type Path,
} from '../../text/documents/index.js';
import { textAt, flagAt, objectAt, objectsAt, valueAt } from '../../text/documents/fields.js';
import { compositeResourceDefinitions } from './crossplane.js';
import { type DefinitionSource, present, refused } from './derived.js';
import { resourceGraphDefinitions } from './kro.js';

export type { DerivedDefinition } from './derived.js';

const apiResourceSchemas: DefinitionSource = {
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

const sources: readonly DefinitionSource[] = [
  compositeResourceDefinitions,
  resourceGraphDefinitions,
  apiResourceSchemas,
];

export function definitionSource(value: JsonValue): DefinitionSource | undefined {
  if (!isObject(value)) return undefined;
  const kind = textAt(value, 'kind');
  const group = textAt(value, 'apiVersion')?.split('/')[0];
  return sources.find((source) => source.kind === kind && source.group === group);
}

export function mentionsSource(bytes: Buffer): boolean {
  return sources.some(({ kind }) => bytes.includes(kind));
}
