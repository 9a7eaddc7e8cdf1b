/** apiVersion, kind and metadata, which the API server keeps in every resource whatever its schema says. */
import { readSchema, SchemaNode } from '../../kubernetes/index.js';
import type { Place } from './pin.js';

export const serverManagedFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Whether a node is a resource: the object itself, or one that is embedded in it. */
export function isResource(node: SchemaNode, place: Place | undefined): boolean {
  return place === undefined || node.embeddedResource;
}

export function saidOf(node: SchemaNode, name: string): SchemaNode | undefined {
  return node.properties?.get(name) ?? node.additionalProperties?.schema;
}

const text = readSchema({ type: 'string' }, '$');
const whole = readSchema({ type: 'object' }, '$');
/** The API server requires a DNS-1123 subdomain as the name of a custom resource. */
const rootName = readSchema(
  {
    type: 'string',
    minLength: 1,
    maxLength: 253,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  },
  '$',
);

export function ownFieldBefore(
  node: SchemaNode,
  place: Place | undefined,
  name: string,
): SchemaNode {
  const said = saidOf(node, name);
  if (name !== 'metadata') return said ?? text;
  if (place !== undefined) return metadata(said, text, []);
  const ofName = said?.properties?.get('name');
  const known = ofName && new SchemaNode({ ...ofName, allOf: [...ofName.allOf, rootName] });
  return metadata(said, known ?? rootName, ['name']);
}

/** The same in the new schema: what it asks, which is nothing where it does not name the field. */
export function ownFieldAfter(node: SchemaNode, name: string): SchemaNode {
  const said = saidOf(node, name);
  if (name !== 'metadata') return said ?? text;
  return metadata(said, said?.properties?.get('name') ?? text, []);
}

/** Metadata is not pruned, and names are strings. */
function metadata(
  said: SchemaNode = whole,
  name: SchemaNode,
  required: readonly string[],
): SchemaNode {
  const generateName = said.properties?.get('generateName') ?? text;
  return new SchemaNode({
    ...said,
    preserveUnknownFields: true,
    properties: new Map([
      ...(said.properties ?? []),
      ['name', name],
      ['generateName', generateName],
    ]),
    required: [...said.required, ...required],
  });
}
