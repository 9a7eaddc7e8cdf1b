interface ExampleExtension {
  readonly package?: string;
  readonly installed?: string;
  readonly spec?: string;
}

export function exampleExtension(
  asks = '',
  { package: name = 'queue', installed, spec }: ExampleExtension = {},
): string {
  const catalog = [`packageName: ${name}`, ...(asks === '' ? [] : [asks])].join(', ');
  const more = spec === undefined ? '' : `${spec}, `;
  const bundle = `{ name: queue.v${installed}, version: ${installed} }`;
  return `
      kind: ClusterExtension
      metadata: { name: queue }
      spec: { namespace: work, ${more}source: { sourceType: Catalog, catalog: { ${catalog} } } }${
        installed === undefined ? '' : `\n      status: { install: { bundle: ${bundle} } }`
      }`;
}

export function exampleSubscription(
  more = '',
  {
    package: of = 'queue',
    name = 'queue',
    namespace = 'work',
    source = 'community',
    status = '',
  } = {},
): string {
  const spec = [
    `name: ${of}`,
    ...(more === '' ? [] : [more]),
    `source: ${source}, sourceNamespace: olm`,
  ];
  return `
      kind: Subscription
      metadata: { name: ${name}, namespace: ${namespace} }
      spec: { ${spec.join(', ')} }${status === '' ? '' : `\n      status: { ${status} }`}`;
}

export function annotatedCsv(annotation: string): string {
  return `
      apiVersion: operators.coreos.com/v1alpha1
      kind: ClusterServiceVersion
      metadata:
        name: cats.v1
        namespace: pets
        annotations:
          ${annotation}`;
}

export function csvUpTo(value: string): string {
  return annotatedCsv(
    `olm.properties: '[{"type": "olm.maxOpenShiftVersion", "value": "${value}"}]'`,
  );
}

interface ExampleOperator {
  readonly name?: string;
  readonly namespace?: string;
  /** The plural of the kind that it owns, in example.com. */
  readonly owns?: 'cats' | 'dogs';
  readonly modes?: readonly string[];
  readonly more?: string;
  readonly isSucceeded?: true;
}

const kinds = { cats: 'Cat', dogs: 'Dog' };
const allModes = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

export function exampleOperator(operator: ExampleOperator = {}): string {
  const { name = 'cats.v1', namespace = 'pets', owns = 'cats', modes = allModes } = operator;
  return [
    'kind: ClusterServiceVersion',
    `metadata: { name: ${name}, namespace: ${namespace} }`,
    'spec:',
    '  installModes:',
    ...modes.map((type) => `    - { type: ${type}, supported: true }`),
    `  customresourcedefinitions: { owned: [{ name: ${owns}.example.com, version: v1, kind: ${kinds[owns]} }] }`,
    ...(operator.more === undefined ? [] : [`  ${operator.more}`]),
    ...(operator.isSucceeded === true ? ['status: { phase: Succeeded }'] : []),
  ]
    .map((line) => `      ${line}`)
    .join('\n');
}

interface ExampleGroup {
  readonly name?: string;
  readonly namespace?: string;
  readonly annotations?: string;
  readonly apis?: string;
  readonly status?: string;
}

export function exampleGroup(
  spec = 'targetNamespaces: [pets]',
  { name = 'pets', namespace = 'pets', apis, annotations, status }: ExampleGroup = {},
): string {
  const text = apis === undefined ? annotations : `olm.providedAPIs: '${apis}'`;
  const annotated = text === undefined ? '' : `, annotations: { ${text} }`;
  const settled = status === undefined ? '' : `, status: { namespaces: [${status}] }`;
  return `{ kind: OperatorGroup, metadata: { name: ${name}, namespace: ${namespace}${annotated} }, spec: ${spec === '' ? '{}' : `{ ${spec} }`}${settled} }`;
}

/** OperatorGroup whose status has its own namespace. */
export function settledGroup(namespace = 'pets', name = namespace): string {
  return `{ kind: OperatorGroup, metadata: { name: ${name}, namespace: ${namespace} }, spec: { targetNamespaces: [${namespace}] }, status: { namespaces: [${namespace}] } }`;
}

export function exampleCatalogSource(
  more = '',
  { name = 'community', annotations }: Pick<ExampleGroup, 'name' | 'annotations'> = {},
): string {
  const annotated = annotations === undefined ? '' : `, annotations: { ${annotations} }`;
  return `{ kind: CatalogSource, metadata: { name: ${name}, namespace: olm${annotated} }, spec: { sourceType: grpc, image: example.com/${name}:1${more === '' ? '' : `, ${more}`} } }`;
}
