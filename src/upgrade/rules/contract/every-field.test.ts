/**
 * Every field of a CustomResourceDefinition, as Kubernetes' own client lists them: a definition that
 * differs in that field alone has a result, and by a rule that knows the field.
 */
import { expect } from 'chai';
import { crd } from '../../../checks/operations/crd.js';
import {
  InvalidInputError,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import { exampleOfSpec } from '../crd/example-definition.js';

interface Attribute {
  readonly baseName: string;
  readonly type: string;
}

interface Model {
  readonly getAttributeTypeMap: () => readonly Attribute[];
}

const models = new Map<string, readonly Attribute[]>();

/** Of the client's models those that one of them needs: its index brings the types of every API. */
async function readModels(type: string): Promise<void> {
  if (models.has(type)) return;
  const file = `@kubernetes/client-node/dist/gen/models/${type}.js`;
  const exports = (await import(file)) as Readonly<Record<string, Model>>;
  const attributes = exports[type]!.getAttributeTypeMap();
  models.set(type, attributes);
  for (const attribute of attributes) {
    const [model] = /\b[A-Z]\w*V1\w+|\bV1\w+/.exec(attribute.type) ?? [];
    if (model !== undefined) await readModels(model);
  }
}
await readModels('V1CustomResourceDefinitionSpec');

/** The fields of one of the client's models; undefined for what is none. */
function attributesOf(type: string): readonly Attribute[] | undefined {
  return models.get(type);
}

/** Two values of a field, where any two of its type will not do. */
const special: Readonly<Record<string, readonly [JsonValue, JsonValue]>> = {
  strategy: ['Webhook', 'None'],
  scope: ['Namespaced', 'Cluster'],
  status: [{}, {}],
  conversionReviewVersions: [['v1'], ['v1', 'v1beta1']],
  name: ['v1', 'v2'],
  type: ['string', 'integer'],
  format: ['date-time', 'uuid'],
  pattern: ['^a+$', '^b+$'],
  'x-kubernetes-list-type': ['set', 'atomic'],
  'x-kubernetes-map-type': ['granular', 'atomic'],
  'x-kubernetes-list-map-keys': [['a'], ['b']],
  items: [{ type: 'string' }, { type: 'integer' }],
  additionalProperties: [{ type: 'string' }, { type: 'integer' }],
  additionalItems: [true, false],
  default: ['a', 'b'],
  example: ['a', 'b'],
  enum: [
    ['a', 'b'],
    ['a', 'c'],
  ],
  dependencies: [{ a: ['b'] }, { a: ['c'] }],
  'x-kubernetes-validations': [
    [{ rule: 'true', message: 'a' }],
    [{ rule: 'self == self', message: 'a' }],
  ],
};

/** `fields`: of a model, all of them with values. */
function valuesOf({ baseName, type }: Attribute): readonly [JsonValue, JsonValue] {
  const known = special[baseName];
  if (known !== undefined) return known;
  const item = /^Array<(.*)>$/.exec(type)?.[1];
  if (item !== undefined) {
    const [one, two] = valuesOf({ baseName: '', type: item });
    return [[one], [two]];
  }
  if (type === 'V1JSONSchemaProps') return [{ type: 'string' }, { type: 'integer' }];
  if (type.startsWith('{ [key: string]'))
    return [{ a: { type: 'string' } }, { a: { type: 'integer' } }];
  if (type === 'string') return ['a', 'b'];
  if (type === 'number') return [1, 2];
  if (type === 'boolean') return [true, false];
  const attributes = attributesOf(type);
  if (attributes === undefined) throw new Error(`no values for ${baseName} of type ${type}`);
  const [one, two] = [0, 1].map((which) =>
    Object.fromEntries(
      attributes.map((each) => [each.baseName, valuesOf(each)[which] as JsonValue]),
    ),
  ) as [JsonObject, JsonObject];
  return [one, two];
}

/** Places of single values in a model, with what each place may hold. */
function* leavesOf(
  type: string,
  path: readonly (string | number)[],
): Generator<{ readonly path: readonly (string | number)[]; readonly other: JsonValue }> {
  for (const attribute of attributesOf(type) ?? []) {
    const at = [...path, attribute.baseName];
    if (attribute.baseName === 'schema') continue;
    const item = /^Array<(.*)>$/.exec(attribute.type)?.[1];
    yield { path: at, other: valuesOf(attribute)[1] };
    if (item !== undefined) yield* leavesOf(item, [...at, 0]);
    else yield* leavesOf(attribute.type, at);
  }
}

/** The document with another value at a place, or none. */
function changed(
  document: JsonValue,
  [key, ...rest]: readonly (string | number)[],
  value: JsonValue | undefined,
): JsonValue {
  if (key === undefined) return value ?? null;
  const copy = structuredClone(document) as Record<string | number, JsonValue>;
  if (rest.length > 0) copy[key] = changed(copy[key] ?? {}, rest, value);
  else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy;
}

function definitionOf(schema: JsonObject, spec: JsonObject = {}): JsonObject {
  const example = exampleOfSpec({ type: 'object', properties: { field: schema } });
  return { ...example, spec: { ...(example['spec'] as JsonObject), ...spec } };
}

/** What is said of the pair; what cannot be read at all is said too. */
function saidOf(old: JsonValue, next: JsonValue): readonly string[] {
  try {
    const { output } = crd.judge({ old, new: next, profile: 'proof' });
    const { results } = output as { readonly results: readonly { readonly reason: string }[] };
    return results.map(({ reason }) => reason);
  } catch (error) {
    if (error instanceof InvalidInputError) return [error.message];
    throw error;
  }
}

function expectSaid(old: JsonValue, next: JsonValue): void {
  if (sameJson(old, next)) return;
  const said = saidOf(old, next);
  expect(said, 'is silent').not.to.deep.equal([]);
  expect(
    said.filter((reason) => /no rule looks at|no rule here explains/.test(reason)),
  ).to.deep.equal([]);
}

describe('every field of a definition', () => {
  const [full] = valuesOf({ baseName: '', type: 'V1CustomResourceDefinitionSpec' });
  const whole = definitionOf({ type: 'string' });
  const base = {
    ...whole,
    spec: {
      ...(full as JsonObject),
      versions: [
        {
          ...((full as { versions: JsonObject[] }).versions[0] as JsonObject),
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      ],
    },
  };

  for (const { path, other } of leavesOf('V1CustomResourceDefinitionSpec', ['spec'])) {
    it(`${path.join('.')} is looked at`, () => {
      const without = changed(base, path, undefined);
      expectSaid(base, changed(base, path, other));
      expectSaid(base, without);
      expectSaid(without, base);
    });
  }
});

describe('every keyword of a schema', () => {
  /** Of those that an API server takes beside the keyword; an empty one is none. */
  const typesFor: Readonly<Record<string, readonly string[]>> = {
    enum: ['string'],
    format: ['string', 'integer', 'number'],
    'x-kubernetes-int-or-string': [''],
  };
  const types = ['object', 'array', 'string', 'integer', 'number', 'boolean'];
  const baseOf = (type: string): JsonObject => ({
    ...(type === '' ? { 'x-kubernetes-preserve-unknown-fields': true } : { type }),
    ...(type === 'array'
      ? { items: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } } }
      : {}),
  });

  for (const attribute of attributesOf('V1JSONSchemaProps') ?? []) {
    it(`${attribute.baseName} is looked at`, () => {
      const [one, two] = valuesOf(attribute);
      for (const type of typesFor[attribute.baseName] ?? types) {
        const plain = definitionOf(baseOf(type));
        const [old, next] = [one, two].map((value) =>
          definitionOf({ ...baseOf(type), [attribute.baseName]: value }),
        ) as [JsonObject, JsonObject];
        const isSame = JSON.stringify(old) === JSON.stringify(plain);
        expectSaid(old, next);
        if (!isSame) expectSaid(plain, old);
        if (!isSame) expectSaid(old, plain);
      }
    });
  }

  for (const attribute of attributesOf('V1ValidationRule') ?? []) {
    it(`x-kubernetes-validations.${attribute.baseName} is looked at`, () => {
      const rule = {
        rule: 'self.a != self.b',
        message: 'a',
        messageExpression: "'a'",
        reason: 'FieldValueInvalid',
        fieldPath: '.a',
        optionalOldSelf: true,
      };
      const other = {
        rule: 'self.a == self.b',
        message: 'b',
        messageExpression: "'b'",
        reason: 'FieldValueForbidden',
        fieldPath: '.b',
        optionalOldSelf: false,
      } as Record<string, JsonValue>;
      const definitionWith = (made: JsonObject): JsonObject =>
        definitionOf({
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          'x-kubernetes-validations': [made],
        });
      const without = { ...rule } as JsonObject;
      delete without[attribute.baseName];
      expectSaid(
        definitionWith(rule),
        definitionWith({ ...rule, [attribute.baseName]: other[attribute.baseName] as JsonValue }),
      );
      expectSaid(definitionWith(rule), definitionWith(without));
      expectSaid(definitionWith(without), definitionWith(rule));
    });
  }
});
