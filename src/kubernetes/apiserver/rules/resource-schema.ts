/** Every resource has fields that its schema need not name. */
import type { SchemaNode } from '../schema.js';

const completed = new WeakMap<SchemaNode, SchemaNode>();
const completedWithBounds = new WeakMap<SchemaNode, SchemaNode>();

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

/** A generated suffix has a byte at least. */
const longestName = 253;
const longestGenerateName = longestName - 1;

function bounded(schema: SchemaNode | undefined, most: number): SchemaNode {
  return { ...string, maxLength: Math.min(schema?.maxLength ?? most, most) };
}

/**
 * The schema with kind, apiVersion, metadata.name and metadata.generateName.
 *
 * @param boundsNames whether these names are as long as a name may be, as newer servers count
 */
export function withTypeAndMeta(schema: SchemaNode, boundsNames = false): SchemaNode {
  const answers = boundsNames ? completedWithBounds : completed;
  const known = answers.get(schema);
  if (known !== undefined) return known;
  const properties = new Map(schema.properties);
  const own = properties.get('metadata')?.properties;
  const isComplete =
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    own?.get('name')?.type === 'string' &&
    own.get('generateName')?.type === 'string';
  if (!isComplete) {
    const names = new Map([
      ['name', bounded(own?.get('name'), longestName)],
      ['generateName', bounded(own?.get('generateName'), longestGenerateName)],
    ]);
    properties
      .set('kind', string)
      .set('apiVersion', string)
      .set('metadata', boundsNames ? { ...metadata, properties: names } : metadata);
  }
  const result: SchemaNode = { ...schema, properties };
  answers.set(schema, result);
  return result;
}
