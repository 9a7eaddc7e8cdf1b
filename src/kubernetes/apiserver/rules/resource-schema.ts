/** Every resource has fields that its schema need not name. */
import type { SchemaNode } from '../schema.js';

const completed = new WeakMap<SchemaNode, SchemaNode>();

const empty: SchemaNode = {
  type: '',
  nullable: false,
  format: '',
  exclusiveMaximum: false,
  exclusiveMinimum: false,
  pattern: '',
  uniqueItems: false,
  required: [],
  allOf: [],
  anyOf: [],
  oneOf: [],
  preserveUnknownFields: false,
  embeddedResource: false,
  intOrString: false,
  listMapKeys: [],
  rules: [],
};
const string: SchemaNode = { ...empty, type: 'string' };
const metadata: SchemaNode = {
  ...empty,
  type: 'object',
  properties: new Map([
    ['name', string],
    ['generateName', string],
  ]),
};

/** The schema with kind, apiVersion, metadata.name and metadata.generateName. */
export function withTypeAndMeta(schema: SchemaNode): SchemaNode {
  const known = completed.get(schema);
  if (known !== undefined) return known;
  const properties = new Map(schema.properties);
  const own = properties.get('metadata')?.properties;
  const isComplete =
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    own?.get('name')?.type === 'string' &&
    own.get('generateName')?.type === 'string';
  if (!isComplete) {
    properties.set('kind', string).set('apiVersion', string).set('metadata', metadata);
  }
  const result: SchemaNode = { ...schema, properties };
  completed.set(schema, result);
  return result;
}
