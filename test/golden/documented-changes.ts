/**
 * The changes of a CustomResourceDefinition that OpenShift's page on CRD upgrade safety prohibits or
 * allows, one by one. The suites of the NDJSON door, of `check crd` and of the webhook on an API server
 * walk the same rows.
 */
import type { JsonObject } from '../../src/text/documents/index.js';

export interface DocumentedChange {
  readonly says: string;
  /** The definition that is to take the place of {@link documentedDefinition} of the same name. */
  readonly change: (plural: string) => JsonObject;
  /** What it is denied with; null for what is allowed. */
  readonly refusal: { readonly rule: string; readonly text: string } | null;
  /** An API server refuses it before it asks a webhook. */
  readonly isOfServers?: true;
}

const properties: JsonObject = {
  mode: { type: 'string', enum: ['Fast', 'Slow'] },
  note: { type: 'string' },
  replicas: { type: 'integer', minimum: 2, maximum: 5 },
  title: { type: 'string', minLength: 2, maxLength: 9 },
  labels: {
    type: 'object',
    additionalProperties: { type: 'string' },
    minProperties: 2,
    maxProperties: 5,
  },
  tags: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 5 },
  count: { type: 'integer' },
  words: { type: 'array', items: { type: 'string' } },
  options: { type: 'object', additionalProperties: { type: 'string' } },
  size: { type: 'integer', default: 1 },
  pollInterval: { type: 'string' },
};

interface Whole {
  readonly properties?: JsonObject;
  readonly required?: string[];
  readonly scope?: string;
  /** The stored one first. */
  readonly versions?: readonly string[];
}

function definition(
  plural: string,
  {
    properties: of = properties,
    required = ['mode'],
    scope = 'Namespaced',
    versions = ['v1'],
  }: Whole = {},
): JsonObject {
  const spec = { type: 'object', required, properties: of };
  const kind = `${plural.slice(0, 1).toUpperCase()}${plural.slice(1, -1)}`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.test.example.com` },
    spec: {
      group: 'test.example.com',
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      })),
    },
  };
}

/** What is installed, as an API server holds it. */
export const documentedDefinition = (plural: string): JsonObject => ({
  ...definition(plural),
  status: { storedVersions: ['v1'] },
});

const withField =
  (field: string, keywords: JsonObject) =>
  (plural: string): JsonObject => {
    const before = properties[field] as JsonObject;
    return definition(plural, {
      properties: { ...properties, [field]: { ...before, ...keywords } },
    });
  };
const without =
  (field: string, keyword?: string) =>
  (plural: string): JsonObject => {
    const left = { ...properties };
    if (keyword === undefined) delete left[field];
    else {
      const schema = { ...(left[field] as JsonObject) };
      delete schema[keyword];
      left[field] = schema;
    }
    return definition(plural, { properties: left });
  };

const changed = (field: string, text: string): DocumentedChange['refusal'] => ({
  rule: 'ChangeValidator',
  text: `version "v1", field "^.spec${field === '' ? '' : `.${field}`}": ${text}`,
});

/** Field with the bound, a field without it. */
const lower = {
  minimum: ['replicas', 'count'],
  minLength: ['title', 'note'],
  minProperties: ['labels', 'options'],
  minItems: ['tags', 'words'],
} as const;
const upper = {
  maximum: ['replicas', 'count'],
  maxLength: ['title', 'note'],
  maxProperties: ['labels', 'options'],
  maxItems: ['tags', 'words'],
} as const;
const upperNow = { maximum: 5, maxLength: 9, maxProperties: 5, maxItems: 5 } as const;

const bounds: readonly DocumentedChange[] = [
  ...Object.entries(lower).flatMap(([keyword, [bounded, free]]): DocumentedChange[] => [
    {
      says: `${keyword} increased`,
      change: withField(bounded, { [keyword]: 3 }),
      refusal: changed(bounded, `${keyword}: constraint increased from 2 to 3`),
    },
    {
      says: `${keyword} added`,
      change: withField(free, { [keyword]: 3 }),
      refusal: changed(free, `${keyword}: constraint 3 added`),
    },
    { says: `${keyword} decreased`, change: withField(bounded, { [keyword]: 1 }), refusal: null },
  ]),
  ...Object.entries(upper).flatMap(([keyword, [bounded, free]]): DocumentedChange[] => {
    const now = upperNow[keyword as keyof typeof upperNow];
    return [
      {
        says: `${keyword} decreased`,
        change: withField(bounded, { [keyword]: now - 1 }),
        refusal: changed(bounded, `${keyword}: constraint decreased from ${now} to ${now - 1}`),
      },
      {
        says: `${keyword} added`,
        change: withField(free, { [keyword]: 3 }),
        refusal: changed(free, `${keyword}: constraint 3 added`),
      },
      {
        says: `${keyword} increased`,
        change: withField(bounded, { [keyword]: now + 1 }),
        refusal: null,
      },
    ];
  }),
];

export const documentedChanges: readonly DocumentedChange[] = [
  {
    says: 'a required field is added',
    change: (plural) => definition(plural, { required: ['mode', 'note'] }),
    refusal: changed('', 'new required fields added: [note]'),
  },
  {
    says: 'an existing field is removed',
    change: without('pollInterval'),
    refusal: {
      rule: 'NoExistingFieldRemoved',
      text: 'version/v1 field/^.spec.pollInterval may not be removed',
    },
  },
  {
    says: 'the type of an existing field is changed',
    change: withField('pollInterval', { type: 'integer' }),
    refusal: changed('pollInterval', 'type changed from "string" to "integer"'),
  },
  {
    says: 'a default is added',
    change: withField('count', { default: 3 }),
    refusal: changed('count', 'default value "3" added when there was no default previously'),
  },
  {
    says: 'a default is changed',
    change: withField('size', { default: 3 }),
    refusal: changed('size', 'default value changed from "1" to "3"'),
  },
  {
    says: 'a default is removed',
    change: without('size', 'default'),
    refusal: changed('size', 'default value "1" removed'),
  },
  {
    says: 'enum values are added where there were none',
    change: withField('note', { enum: ['a', 'b'] }),
    refusal: changed('note', 'enum constraints ["a" "b"] added'),
  },
  {
    says: 'an enum value is removed',
    change: withField('mode', { enum: ['Fast'] }),
    refusal: changed('mode', 'enums ["Slow"] removed from the set of previously allowed values'),
  },
  {
    says: 'a change that no rule knows is made',
    change: withField('note', { pattern: '^a' }),
    refusal: {
      rule: 'ChangeValidator',
      text: 'version "v1", field "^.spec.note" has unknown change, refusing to determine that change is safe',
    },
  },
  ...bounds,
  {
    says: 'the scope is changed',
    change: (plural) => definition(plural, { scope: 'Cluster' }),
    refusal: { rule: 'NoScopeChange', text: 'scope changed from "Namespaced" to "Cluster"' },
    isOfServers: true,
  },
  {
    says: 'an existing stored version is removed',
    change: (plural) => definition(plural, { versions: ['v2'] }),
    refusal: { rule: 'NoStoredVersionRemoved', text: 'stored version "v1" removed' },
    isOfServers: true,
  },
  {
    says: 'an enum value is added',
    change: withField('mode', { enum: ['Fast', 'Slow', 'Idle'] }),
    refusal: null,
  },
  {
    says: 'a required field becomes optional',
    change: (plural) => definition(plural, { required: [] }),
    refusal: null,
  },
  {
    says: 'a version is added',
    change: (plural) => definition(plural, { versions: ['v1', 'v2'] }),
    refusal: null,
  },
];
