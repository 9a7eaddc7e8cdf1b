/** The definition of a ResourceGraphDefinition's instances. Source: kro v0.9.4, `pkg/graph/crd`, `builder.go`. */
import {
  isObject,
  own,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  type Path,
} from '../../text/documents/index.js';
import { objectAt, objectsAt, textAt, valueAt } from '../../text/documents/fields.js';
import { present, refused, type DefinitionSource, type DerivedDefinition } from './derived.js';
import { pluralOf } from './plural.js';
import { namedTypeOf, SimpleSchema } from './simple-schema.js';

export const resourceGraphDefinitions: DefinitionSource = {
  kind: 'ResourceGraphDefinition',
  group: 'kro.run',
  derive: (graph) => [instanceDefinition(graph)],
};

function instanceDefinition(graph: JsonObject): DerivedDefinition {
  const keys = ['spec', 'schema'];
  const schema = objectAt(graph, ...keys);
  if (schema === undefined) throw refused('has no schema', keys);
  const kind = textAt(schema, 'kind') ?? '';
  if (!/^[A-Z][A-Za-z0-9]{0,62}$/.test(kind))
    throw refused('must be in UpperCamelCase', [...keys, 'kind']);
  const group = textAt(schema, 'group') ?? 'kro.run';
  const plural = pluralOf(kind.toLowerCase());
  const fields = new SimpleSchema(objectAt(schema, 'types') ?? {}, [...keys, 'types']);
  const spec = fields.schemaOf(objectAt(schema, 'spec') ?? {}, [...keys, 'spec']);
  const status = statusOf(graph);
  const columns = objectsAt(schema, 'additionalPrinterColumns');
  const metadata = objectAt(schema, 'metadata');
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: present({
      name: `${plural}.${group}`,
      labels: objectAt(metadata, 'labels'),
      annotations: objectAt(metadata, 'annotations'),
    }),
    spec: {
      group,
      names: present({
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames: valueAt(schema, 'shortNames'),
        categories: valueAt(schema, 'categories'),
      }),
      scope: textAt(schema, 'scope') === 'Cluster' ? 'Cluster' : 'Namespaced',
      versions: [
        {
          name: textAt(schema, 'apiVersion') ?? '',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: present({
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                spec,
                status: status.schema,
              }),
            },
          },
          subresources: { status: {} },
          additionalPrinterColumns: columns.length > 0 ? columns : defaultColumns,
        },
      ],
    },
  };
  return {
    crd,
    keysInSource: (inDefinition) => keysInGraph(schema, inDefinition),
    unknown: status.unknown.map((each) => [...keysOfSchema, 'properties', 'status', ...each]),
  };
}

const keysOfSchema = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'];

/** Status fields that kro adds to every instance, unless its author has other fields of these names. */
const ownStatus: JsonObject = {
  state: { type: 'string' },
  conditions: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        ...Object.fromEntries(
          ['type', 'status', 'reason', 'message', 'lastTransitionTime'].map((name) => [
            name,
            { type: 'string' },
          ]),
        ),
        observedGeneration: { type: 'integer' },
      },
    },
  },
};

const unknownSchema: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

const defaultColumns: JsonObject[] = [
  { name: 'State', type: 'string', jsonPath: '.status.state' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** kro takes the types of these fields from the resources that fill them, which only the cluster knows. */
function statusOf(graph: JsonObject): { schema: JsonObject; unknown: Path[] } {
  // kro leaves out lists and objects that hold no expression.
  const names = Object.entries(objectAt(graph, 'spec', 'schema', 'status') ?? {}).flatMap(
    ([name, value]) => (name !== 'conditions' && stringifyJson(value).includes('${') ? [name] : []),
  );
  const fields = Object.fromEntries(names.map((name) => [name, unknownSchema]));
  return {
    schema: { type: 'object', properties: { ...ownStatus, ...fields } },
    unknown: names.map((name) => ['properties', name]),
  };
}

function keysInGraph(schema: JsonObject, keys: Path): Path {
  const [root, field, , key, , , section, ...rest] = keys;
  if (root === 'metadata') return keys[1] === 'name' ? keys : ['spec', 'schema', ...keys];
  if (root !== 'spec') return keys;
  if (field === 'names')
    return [
      'spec',
      'schema',
      keys[2] === 'categories' || keys[2] === 'shortNames' ? keys[2] : 'kind',
    ];
  if (field !== 'versions') return ['spec', 'schema', ...keys.slice(1)];
  if (key === 'schema' && (section === 'spec' || section === 'status')) {
    return ['spec', 'schema', ...keysOfField(schema, section, rest)];
  }
  return ['spec', 'schema', ...(key === 'name' ? ['apiVersion'] : keys.slice(3))];
}

/** The field that a schema is made of: a type that it names is elsewhere. */
function keysOfField(schema: JsonObject, section: string, keys: Path): Path {
  let at: (string | number)[] = [section];
  let written: JsonValue | undefined = own(schema, section);
  for (let index = 0; index < keys.length; index++) {
    if (keys[index] !== 'properties') continue;
    if (typeof written === 'string') {
      const name = namedTypeOf(written);
      at = ['types', name];
      written = valueAt(schema, ...at);
      while (
        typeof written === 'string' &&
        valueAt(schema, 'types', namedTypeOf(written)) !== undefined
      ) {
        at = ['types', namedTypeOf(written)];
        written = valueAt(schema, ...at);
      }
    }
    const name = keys[++index] ?? '';
    if (Array.isArray(written)) [written] = written;
    const field: JsonValue | undefined = isObject(written) ? own(written, String(name)) : undefined;
    if (field === undefined) return at;
    at = [...at, name];
    written = field;
  }
  return at;
}
