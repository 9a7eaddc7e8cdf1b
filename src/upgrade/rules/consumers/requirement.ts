/** Reads a CompatibilityRequirement of OpenShift as OpenShift's own webhook does. */
import { collectCrds } from '../../crd/collect.js';
import {
  readCustomResourceDefinition,
  type CustomResourceDefinition,
} from '../../crd/custom-resource-definition.js';
import { TypedText } from '../../crd/typed-text.js';
import {
  InvalidInputError,
  isObject,
  own,
  parseDocuments,
  type JsonObject,
} from '../../../text/documents/index.js';
import { objectAt, objectsAt, textAt, textsAt, valueAt } from '../../../text/documents/fields.js';

export interface Requirement {
  /** Whether OpenShift denies a definition that does not meet it, or only warns. */
  readonly action: 'Deny' | 'Warn';
  /** The definition to be compatible with, without the fields that the requirement excludes. */
  readonly definition: CustomResourceDefinition;
}

export function readRequirement(object: JsonObject, name: string): Requirement | undefined {
  const spec = objectAt(object, 'spec');
  const action = textAt(spec, 'customResourceDefinitionSchemaValidation', 'action');
  if (action !== 'Deny' && action !== 'Warn') return undefined;
  const data = textAt(spec, 'compatibilitySchema', 'customResourceDefinition', 'data') ?? '';
  const found = collectCrds(parseDocuments(data)).crds.get(name);
  if (found === undefined) return undefined;
  const excluded = objectsAt(spec, 'compatibilitySchema', 'excludedFields');
  const versions = found.crd.versions.map(({ name: version, schema, document }) => {
    const paths = excluded
      .filter((each) => textsAt(each, 'versions').includes(version))
      .flatMap((each) => textAt(each, 'path') ?? []);
    if (paths.length === 0) return document;
    const left = paths.reduce((rest, path) => withoutField(rest, path.split('.')), schema ?? {});
    return { ...document, schema: { openAPIV3Schema: left } };
  });
  const { document } = found.crd;
  const definition = readCustomResourceDefinition({
    ...document,
    spec: { ...objectAt(document, 'spec'), versions },
  });
  const text = new TypedText({ stored: false, emptyIsAbsent: true });
  for (const { schema = {} } of definition.versions) text.schema(schema);
  return { action, definition };
}

function withoutField(schema: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const properties = objectAt(schema, 'properties') ?? {};
  const field = own(properties, name);
  if (!isObject(field)) throw noField(name);
  if (rest.length === 0) {
    const others = Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name));
    const required = textsAt(schema, 'required').filter((each) => each !== name);
    return { ...schema, properties: others, required };
  }
  const isList = valueAt(field, 'type') === 'array';
  const items = isList ? objectAt(field, 'items') : field;
  if (items === undefined) throw noField(name);
  const left = withoutField(items, rest);
  return {
    ...schema,
    properties: { ...properties, [name]: isList ? { ...field, items: left } : left },
  };
}

function noField(name: string): InvalidInputError {
  return new InvalidInputError(
    'E_INPUT',
    `excludes a field at or below ${JSON.stringify(name)} that its own definition does not have`,
  );
}
