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
