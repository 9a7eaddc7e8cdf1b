/** Types that rules are checked against: k8s.io/apiserver/pkg/cel/{common/schemas,types}.go. */
import { type CelType, listOfType, mapOfType, objectType, types } from '../../../cel/index.js';
import type { SchemaNode } from '../schema.js';
import { escapeName } from './escaping.js';

/** Undefined where rules cannot see them. @param name of the place: object types differ from place to place */
export function typeOfSchema(
  schema: SchemaNode,
  isResource: boolean,
  name = 'selfType',
): CelType | undefined {
  if (schema.intOrString) return types.dyn;
  const node = isResource ? schema.asResource() : schema;
  switch (node.type) {
    case 'array': {
      const item =
        node.items && typeOfSchema(node.items, node.items.embeddedResource, `${name}.@idx`);
      return item && listOfType(item);
    }
    case 'object':
      return node.declaredType(name, () => typeOfObject(node, name));
    case 'string':
      return textTypes.get(node.format) ?? types.string;
    case 'boolean':
      return types.bool;
    case 'number':
      return types.double;
    case 'integer':
      return types.int;
    default:
      return undefined;
  }
}

const textTypes = new Map([
  ['byte', types.bytes],
  ['duration', types.duration],
  ['date', types.timestamp],
  ['date-time', types.timestamp],
]);

function typeOfObject(schema: SchemaNode, name: string): CelType | undefined {
  const additional = schema.additionalProperties?.schema;
  if (additional !== undefined) {
    const value = typeOfSchema(additional, additional.embeddedResource, `${name}.@elem`);
    return value && mapOfType(types.string, value);
  }
  const fields = new Map<string, CelType>();
  for (const [property, node] of schema.properties ?? []) {
    const identifier = escapeName(property);
    if (identifier === undefined) continue;
    const field = typeOfSchema(node, node.embeddedResource, `${name}.${identifier}`);
    if (field !== undefined) fields.set(identifier, field);
  }
  return objectType(name, fields);
}
