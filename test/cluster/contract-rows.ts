/**
 * Each kind of difference that is no matter of stored objects alone, made in definitions of several
 * shapes. What the API server answers before and after stands in the findings themselves, or, where
 * they have no request, in `asked`.
 */
import type { JsonObject, JsonValue } from '../../src/text/documents/index.js';

export interface DraftVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  subresources?: { status?: JsonObject; scale?: JsonObject };
  selectableFields?: { jsonPath: string }[];
  additionalPrinterColumns?: { name: string; type: string; jsonPath: string }[];
  schema: { openAPIV3Schema: JsonObject };
}

/** A definition that is still being written. */
export interface Draft {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string; annotations?: Record<string, string> };
  spec: {
    group: string;
    scope: string;
    names: {
      plural: string;
      singular: string;
      kind: string;
      listKind: string;
      shortNames?: string[];
      categories?: string[];
    };
    conversion?: JsonObject;
    preserveUnknownFields?: boolean;
    versions: DraftVersion[];
  };
}

export interface Made {
  readonly draft: Draft;
  /** Declared fields at the place of the shape, in each version: where a row's own fields go. */
  readonly fields: readonly JsonObject[];
  /** Schemas around those fields. */
  readonly around: readonly JsonObject[];
}

type Edit = (made: Made) => void;

export interface ContractShape {
  readonly title: string;
  readonly make: (plural: string) => Made;
}

const string = { type: 'string' };
const integer = { type: 'integer' };

/** Schemas of one version, and those that get the fields of a row. */
interface Holder {
  readonly spec: JsonObject;
  readonly around: JsonObject & { readonly properties: JsonObject };
}

function shape(
  title: string,
  scope: 'Namespaced' | 'Cluster',
  names: readonly string[],
  hold: () => Holder,
): ContractShape {
  const make = (plural: string): Made => {
    const kind = `${plural[0]?.toUpperCase() ?? ''}${plural.slice(1, -1)}`;
    const holders = names.map(hold);
    const versions = holders.map(({ spec }, index): DraftVersion => ({
      name: names[index] ?? '',
      served: true,
      storage: index === names.length - 1,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          required: ['spec'],
          properties: {
            spec,
            status: { type: 'object', properties: { replicas: integer, selector: string } },
          },
        },
      },
    }));
    const draft: Draft = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        ...{ group, scope, versions },
        names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
      },
    };
    const around = holders.map((each) => each.around);
    return { draft, around, fields: around.map(({ properties }) => properties) };
  };
  return { title, make };
}

const group = 'contract.example.com';

const common = (): JsonObject => ({
  owner: string,
  replicas: integer,
  wanted: integer,
  selector: string,
});

const inSpec = (): Holder => {
  const spec = { type: 'object', properties: common() };
  return { spec, around: spec };
};

const inTemplate = (): Holder => {
  const around = { type: 'object', properties: {} };
  const template = { type: 'object', properties: { spec: around }, required: ['spec'] };
  const properties = { ...common(), template };
  return { spec: { type: 'object', properties, required: ['owner', 'template'] }, around };
};

const inMap = (): Holder => {
  const around = { type: 'object', properties: {} };
  const parts = { type: 'object', additionalProperties: around };
  return { spec: { type: 'object', properties: { ...common(), parts } }, around };
};

const inKeyedList = (): Holder => {
  const around = { type: 'object', properties: { name: string }, required: ['name'] };
  const parts = {
    ...{ type: 'array', items: around },
    ...{ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
  };
  return { spec: { type: 'object', properties: { ...common(), parts } }, around };
};

const inAtomicList = (): Holder => {
  const around = { type: 'object', properties: { name: string } };
  const parts = { type: 'array', items: around };
  return { spec: { type: 'object', properties: { ...common(), parts } }, around };
};

const inAtomicMap = (): Holder => {
  const { spec, around } = inTemplate();
  const { template } = spec['properties'] as { template: JsonObject };
  template['x-kubernetes-map-type'] = 'atomic';
  return { spec, around };
};

const ofOneVersion = shape('one version', 'Namespaced', ['v1'], inSpec);

const ofSeveralVersions: readonly ContractShape[] = [
  shape('cluster-wide, two versions, a template', 'Cluster', ['v1beta1', 'v1'], inTemplate),
  shape('three versions, a map', 'Namespaced', ['v1alpha1', 'v1beta1', 'v1'], inMap),
  shape('two versions, a list by name', 'Namespaced', ['v1alpha1', 'v1'], inKeyedList),
];

/** Where server-side apply merges nothing, with the spec that has a field there. */
export const atomicShapes: readonly {
  readonly shape: ContractShape;
  readonly specWith: (field: JsonValue) => JsonObject;
}[] = [
  {
    shape: shape('an atomic list', 'Namespaced', ['v1'], inAtomicList),
    specWith: (value) => ({ parts: [{ name: 'a', field: value }] }),
  },
  {
    shape: shape('an atomic map', 'Namespaced', ['v1beta1', 'v1'], inAtomicMap),
    specWith: (value) => ({ owner: 'a', template: { spec: { field: value } } }),
  },
  {
    shape: shape('an atomic list of a cluster', 'Cluster', ['v1beta1', 'v1'], inAtomicList),
    specWith: (value) => ({ parts: [{ field: value }] }),
  },
];

const shapes: readonly ContractShape[] = [ofOneVersion, ...ofSeveralVersions];

/** What a person sees without a request of the finding: a question of the suite, and both answers. */
export interface Asked {
  readonly question: 'discovery' | 'columns' | 'cells' | 'warning' | 'stored as';
  readonly before: (draft: Draft) => JsonValue;
  readonly after: (draft: Draft) => JsonValue;
}

export interface Kind {
  readonly title: string;
  readonly rule: string;
  readonly shapes: readonly ContractShape[];
  /** What both sides have; the old side is that. */
  readonly base?: Edit;
  readonly change: Edit;
  /** Gives the object that is asked for what the question is about. */
  readonly object?: (object: JsonObject) => void;
  readonly asked?: Asked;
  /** Nobody is hurt: the difference has a result and no finding. */
  readonly isHarmless?: true;
  /** Kubernetes refuses the definition itself. */
  readonly isRefused?: true;
}

const eachVersion =
  (edit: (version: DraftVersion) => void): Edit =>
  ({ draft }) =>
    draft.spec.versions.forEach(edit);

/** A field that each version declares at the place of the shape. */
const field =
  (schema: JsonObject): Edit =>
  ({ fields }) => {
    for (const each of fields) each['field'] = schema;
  };

const statusOf = (version: DraftVersion): void => {
  version.subresources = { ...version.subresources, status: {} };
};

const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const scaleOf =
  (paths: JsonObject): Edit =>
  (made) =>
    eachVersion((version) => {
      version.subresources = { ...version.subresources, scale: paths };
    })(made);

const specOf = (object: JsonObject): JsonObject => {
  const spec = (object['spec'] ?? {}) as JsonObject;
  object['spec'] = spec;
  return spec;
};

/** Beside what the shape demands. */
const withReplicas = (object: JsonObject): void => {
  Object.assign(specOf(object), { replicas: 1, selector: 'a=b' });
  object['status'] = { replicas: 1, selector: 'a=b' };
};

const first = ({ draft }: Made): DraftVersion => draft.spec.versions[0] as DraftVersion;

const list = (items: JsonObject, type?: string, ...keys: string[]): JsonObject => ({
  ...{ type: 'array', items },
  ...(type === undefined ? {} : { 'x-kubernetes-list-type': type }),
  ...(keys.length === 0 ? {} : { 'x-kubernetes-list-map-keys': keys }),
});

const port = {
  type: 'object',
  properties: { number: integer, protocol: string, note: string },
  required: ['number', 'protocol'],
};

const mapOf = (type: string): JsonObject => ({
  type: 'object',
  additionalProperties: string,
  'x-kubernetes-map-type': type,
});

export interface Converters {
  /** URL and certificate of a webhook that converts. */
  readonly answering: JsonObject;
  readonly silent: JsonObject;
}

const webhook = (clientConfig: JsonObject): JsonObject => ({
  strategy: 'Webhook',
  webhook: { conversionReviewVersions: ['v1'], clientConfig },
});

const converted =
  (conversion: JsonObject): Edit =>
  ({ draft }) => {
    draft.spec.conversion = conversion;
  };

const named =
  (names: Partial<Draft['spec']['names']>): Edit =>
  ({ draft }) => {
    Object.assign(draft.spec.names, names);
  };

/** Each kind of field: what it takes in the old definition, and in the new one. */
const ofReaders: readonly (readonly [string, string, JsonObject, JsonObject])[] = [
  [
    'an enum value added',
    'EnumValueAdded',
    { ...string, enum: ['a'] },
    { ...string, enum: ['a', 'b'] },
  ],
  ['a type widened', 'TypeWidened', integer, { 'x-kubernetes-int-or-string': true }],
  ['null allowed', 'NullAllowed', string, { ...string, nullable: true }],
  ['a bound relaxed', 'ConstraintRelaxed', { ...integer, maximum: 3 }, { ...integer, maximum: 5 }],
  ['a pattern gone', 'ConstraintRelaxed', { ...string, pattern: '^a+$' }, string],
];

export interface Return {
  readonly title: string;
  readonly shapes: readonly ContractShape[];
  readonly base?: Edit;
  readonly change: Edit;
  readonly message: RegExp;
  /**
   * What becomes of the object that the finding shows once it was written: `refused` by the old
   * definition, `cut`, `kept`; or the old definition itself is `kept out`.
   */
  readonly outcome: 'refused' | 'cut' | 'kept' | 'kept out';
  /** The object is written before the upgrade already. */
  readonly isOld?: true;
}

const requiredField: Edit = ({ around, fields }) => {
  for (const each of fields) each['field'] = integer;
  for (const each of around)
    each['required'] = [...((each['required'] ?? []) as JsonValue[]), 'field'];
};

const freedField: Edit = ({ around }) => {
  for (const each of around) {
    const left = (each['required'] as JsonValue[]).filter((name) => name !== 'field');
    if (left.length > 0) each['required'] = left;
    else delete each['required'];
  }
};

/** Rollback: upgrade, write what the finding shows, and take the upgrade back. */
export const returns: readonly Return[] = [
  {
    title: 'a field that only the new definition has',
    shapes,
    change: field(string),
    message: /^possible until an object uses spec\..*field$/,
    outcome: 'cut',
  },
  {
    title: 'a value that only the new definition has',
    shapes,
    base: field({ ...string, enum: ['a'] }),
    change: field({ ...string, enum: ['a', 'c'] }),
    message: /^possible until an object uses spec\..*field=c$/,
    outcome: 'refused',
  },
  {
    title: 'a field that may be missing now',
    shapes,
    base: requiredField,
    change: freedField,
    message: /^possible until an object leaves out spec\..*field$/,
    outcome: 'refused',
  },
  {
    title: 'a default that the old definition refuses',
    shapes: [ofOneVersion, ...ofSeveralVersions.slice(0, 2)],
    base: field({ ...integer, maximum: 5 }),
    change: field({ ...integer, maximum: 9, default: 7 }),
    message: /^not possible: the new defaults make unmodified objects invalid/,
    outcome: 'refused',
  },
  {
    title: 'a field that the upgrade drops',
    shapes,
    base: field(string),
    change: ({ fields }) => {
      for (const each of fields) delete each['field'];
    },
    message: /^not possible: the upgrade drops data that a rollback does not restore/,
    outcome: 'cut',
    isOld: true,
  },
  {
    title: 'a version that only the new definition has, and stores',
    shapes,
    change: ({ draft }) => {
      const last = draft.spec.versions.at(-1) as DraftVersion;
      draft.spec.versions.push({ ...structuredClone(last), name: 'v2' });
      last.storage = false;
    },
    message: /^not possible: the first write stores an object as "v2"/,
    outcome: 'kept out',
  },
  {
    title: 'a bound that the new definition tightens',
    shapes,
    base: field(integer),
    change: field({ ...integer, maximum: 9 }),
    message: /^possible$/,
    outcome: 'kept',
  },
];

/** What merges otherwise, with the values of two appliers. */
export const merges: readonly (Kind & { readonly values: readonly [JsonValue, JsonValue] })[] = [
  {
    title: 'map to atomic',
    rule: 'ListTypeChanged',
    shapes: [],
    base: field(list(port, 'map', 'number', 'protocol')),
    change: field(list(port, 'atomic')),
    values: [[{ number: 1, protocol: 'a' }], [{ number: 2, protocol: 'a' }]],
  },
  {
    title: 'atomic to set',
    rule: 'ListTypeChanged',
    shapes: [],
    base: field(list(string)),
    change: field(list(string, 'set')),
    values: [['a'], ['b']],
  },
  {
    title: 'granular to atomic',
    rule: 'MapTypeChanged',
    shapes: [],
    base: field(mapOf('granular')),
    change: field(mapOf('atomic')),
    values: [{ a: 'a' }, { b: 'b' }],
  },
];

/** `converters`: of the suite's own webhooks. */
export function contractKinds({ answering, silent }: Converters): readonly Kind[] {
  return [
    {
      title: 'status subresource removed',
      rule: 'StatusSubresourceRemoved',
      shapes,
      base: eachVersion(statusOf),
      change: eachVersion((version) => delete version.subresources),
    },
    {
      title: 'status subresource added',
      rule: 'StatusSubresourceAdded',
      shapes,
      change: eachVersion(statusOf),
    },
    {
      title: 'scale subresource removed',
      rule: 'ScaleSubresourceRemoved',
      shapes,
      base: scaleOf(scale),
      change: eachVersion((version) => delete version.subresources),
      object: withReplicas,
    },
    {
      title: 'scale subresource added',
      rule: 'ScaleSubresourceRemoved',
      shapes,
      change: scaleOf(scale),
      isHarmless: true,
    },
    {
      title: 'another specReplicasPath',
      rule: 'ScaleSubresourceChanged',
      shapes,
      base: scaleOf(scale),
      change: scaleOf({ ...scale, specReplicasPath: '.spec.wanted' }),
      object: withReplicas,
    },
    {
      title: 'another statusReplicasPath',
      rule: 'ScaleSubresourceChanged',
      shapes,
      base: scaleOf(scale),
      change: scaleOf({ ...scale, statusReplicasPath: '.status.ready' }),
      object: withReplicas,
    },
    {
      title: 'another labelSelectorPath',
      rule: 'ScaleSubresourceChanged',
      shapes,
      base: scaleOf({ ...scale, labelSelectorPath: '.status.selector' }),
      change: scaleOf({ ...scale, labelSelectorPath: '.status.other' }),
      object: withReplicas,
    },
    {
      title: 'selectable field removed',
      rule: 'SelectableFieldRemoved',
      shapes,
      base: eachVersion((version) => {
        version.selectableFields = [{ jsonPath: '.spec.owner' }, { jsonPath: '.spec.wanted' }];
      }),
      change: eachVersion((version) => {
        version.selectableFields = [{ jsonPath: '.spec.wanted' }];
      }),
    },
    {
      title: 'served version removed',
      rule: 'ServedVersionRemoved',
      shapes: ofSeveralVersions,
      change: ({ draft }) => draft.spec.versions.shift(),
    },
    {
      title: 'version no longer served',
      rule: 'ServedVersionRemoved',
      shapes: ofSeveralVersions,
      change: (made) => {
        first(made).served = false;
      },
    },
    {
      title: 'applied version removed',
      rule: 'AppliedVersionRemoved',
      shapes: ofSeveralVersions,
      change: ({ draft }) => draft.spec.versions.shift(),
    },
    {
      title: 'storage version changed',
      rule: 'StorageVersionChanged',
      shapes: ofSeveralVersions,
      change: (made) =>
        eachVersion((version) => {
          version.storage = version === first(made);
        })(made),
      asked: {
        question: 'stored as',
        before: ({ spec }) => spec.versions.at(-1)?.name ?? '',
        after: ({ spec }) => spec.versions[0]?.name ?? '',
      },
    },
    ...(
      [
        ['map to atomic', list(port, 'map', 'number', 'protocol'), list(port, 'atomic')],
        ['set to atomic', list(string, 'set'), list(string, 'atomic')],
        ['set to none said', list(integer, 'set'), list(integer)],
        ['atomic to map', list(port, 'atomic'), list(port, 'map', 'number', 'protocol')],
        ['atomic to set', list(string, 'atomic'), list(string, 'set')],
        [
          'map by one key less',
          list(port, 'map', 'number', 'protocol'),
          list(port, 'map', 'number'),
        ],
        [
          'map by one key more',
          list(port, 'map', 'number'),
          list(port, 'map', 'number', 'protocol'),
        ],
      ] as const
    ).map(([title, before, after]): Kind => ({
      title: `list type, ${title}`,
      rule: 'ListTypeChanged',
      shapes,
      base: field(before),
      change: field(after),
    })),
    ...(
      [
        ['granular', 'atomic'],
        ['atomic', 'granular'],
      ] as const
    ).map(([before, after]): Kind => ({
      title: `map type, ${before} to ${after}`,
      rule: 'MapTypeChanged',
      shapes,
      base: field(mapOf(before)),
      change: field(mapOf(after)),
    })),
    {
      title: 'conversion, none to a webhook that does not answer',
      rule: 'ConversionChanged',
      shapes: ofSeveralVersions,
      change: converted(webhook(silent)),
    },
    {
      title: 'conversion, a webhook to none',
      rule: 'ConversionChanged',
      shapes: ofSeveralVersions,
      base: converted(webhook(answering)),
      change: converted({ strategy: 'None' }),
    },
    {
      title: 'conversion, a webhook to another that does not answer',
      rule: 'ConversionChanged',
      shapes: ofSeveralVersions,
      base: converted(webhook(answering)),
      change: converted(webhook(silent)),
    },
    {
      title: 'conversion, of one version',
      rule: 'ConversionChanged',
      shapes: [ofOneVersion],
      change: converted(webhook(silent)),
      isHarmless: true,
    },
    {
      title: 'kind of lists',
      rule: 'ListKindChanged',
      shapes,
      change: ({ draft: { spec } }) => {
        spec.names.listKind = `${spec.names.kind}Others`;
      },
    },
    ...ofReaders.map(([title, rule, before, after]): Kind => ({
      ...{ title, rule, shapes },
      base: field(before),
      change: field(after),
    })),
    {
      title: 'a field now optional',
      rule: 'FieldNowOptional',
      shapes,
      base: requiredField,
      change: freedField,
    },
    {
      title: 'short name removed',
      rule: 'ShortNameRemoved',
      shapes,
      base: ({ draft }) => {
        draft.spec.names.shortNames = [`${draft.spec.names.singular}x`];
      },
      change: ({ draft }) => delete draft.spec.names.shortNames,
      asked: {
        question: 'discovery',
        before: () => 'listed',
        after: ({ spec }) => spec.names.singular,
      },
    },
    {
      title: 'category removed',
      rule: 'CategoryRemoved',
      shapes,
      base: named({ categories: ['contracts'] }),
      change: ({ draft }) => delete draft.spec.names.categories,
      asked: {
        question: 'discovery',
        before: () => 'listed',
        after: ({ spec }) => spec.names.singular,
      },
    },
    {
      title: 'singular changed',
      rule: 'SingularChanged',
      shapes,
      change: ({ draft }) => {
        draft.spec.names.singular = `${draft.spec.names.singular}y`;
      },
      asked: {
        question: 'discovery',
        before: ({ spec }) => spec.names.singular,
        after: ({ spec }) => spec.names.singular,
      },
    },
    {
      title: 'printer column removed',
      rule: 'PrinterColumnRemoved',
      shapes,
      base: eachVersion((version) => {
        version.additionalPrinterColumns = [
          { name: 'Owner', type: 'string', jsonPath: '.spec.owner' },
          { name: 'Wanted', type: 'integer', jsonPath: '.spec.wanted' },
        ];
      }),
      change: eachVersion((version) => version.additionalPrinterColumns?.shift()),
      asked: {
        question: 'columns',
        before: () => ['NAME', 'OWNER', 'WANTED'],
        after: () => ['NAME', 'WANTED'],
      },
    },
    {
      title: 'printer column changed',
      rule: 'PrinterColumnChanged',
      shapes,
      base: eachVersion((version) => {
        version.additionalPrinterColumns = [{ name: 'Shown', type: 'string', jsonPath: '.kind' }];
      }),
      change: eachVersion((version) => {
        version.additionalPrinterColumns = [
          { name: 'Shown', type: 'string', jsonPath: '.metadata.name' },
        ];
      }),
      asked: {
        question: 'cells',
        before: ({ spec }) => ['example', spec.names.kind],
        after: () => ['example', 'example'],
      },
    },
    {
      title: 'version deprecated',
      rule: 'DeprecationChanged',
      shapes: ofSeveralVersions,
      change: (made) => {
        Object.assign(first(made), { deprecated: true, deprecationWarning: 'use another version' });
      },
      asked: { question: 'warning', before: () => [], after: () => ['use another version'] },
    },
    ...(
      [
        ['kind', named({ kind: 'Other' })],
        ['plural', named({ plural: 'others' })],
        [
          'group',
          ({ draft }) => {
            draft.spec.group = 'other.example.com';
          },
        ],
      ] as const satisfies readonly (readonly [string, Edit])[]
    ).map(([title, change]): Kind => ({
      title: `another ${title}`,
      rule: 'NameChanged',
      ...{ shapes, change },
      isRefused: true,
    })),
    {
      title: 'undeclared fields kept',
      rule: 'UnknownFieldsKept',
      shapes,
      change: ({ draft }) => {
        draft.spec.preserveUnknownFields = true;
      },
      isRefused: true,
    },
    {
      title: 'approval taken back',
      rule: 'ToolMetadataChanged',
      shapes,
      base: ({ draft }) => {
        draft.spec.group = 'contract.k8s.io';
        draft.metadata.name = `${draft.spec.names.plural}.contract.k8s.io`;
        draft.metadata.annotations = { 'api-approved.kubernetes.io': 'https://example.com/1' };
      },
      change: ({ draft }) => delete draft.metadata.annotations,
      isRefused: true,
    },
  ];
}
