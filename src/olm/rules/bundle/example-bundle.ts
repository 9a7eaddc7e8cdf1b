interface ExampleCsv {
  readonly name?: string;
  readonly version?: string;
  readonly installModes?: string;
  readonly owned?: string;
  /** More fields of `spec`, in flow style, each followed by a comma. */
  readonly more?: string;
}

const allModes =
  '{ type: OwnNamespace, supported: true }, { type: SingleNamespace, supported: true }, { type: MultiNamespace, supported: true }, { type: AllNamespaces, supported: true }';

export function exampleCsv({
  name = 'cats.v1.0.0',
  version = '1.0.0',
  installModes = allModes,
  owned = '',
  more = '',
}: ExampleCsv = {}): string {
  return `{ kind: ClusterServiceVersion, metadata: { name: ${name} }, spec: { version: ${version}, ${more} installModes: [${installModes}], customresourcedefinitions: { owned: [${owned}] } } }`;
}

/** The version after that of an example, which it replaces. */
export const nextCsv = (more: ExampleCsv = {}): string =>
  exampleCsv({ name: 'cats.v1.1.0', version: '1.1.0', more: 'replaces: cats.v1.0.0,', ...more });

export const ownsCats = '{ name: cats.example.com, version: v1, kind: Cat }';

export function exampleCrd(
  versions = '{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }',
): string {
  return `{ apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: { name: cats.example.com }, spec: { group: example.com, scope: Namespaced, names: { kind: Cat, plural: cats }, versions: [${versions}] } }`;
}

export function exampleAnnotations(defaultChannel = 'stable'): string {
  const prefix = 'operators.operatorframework.io.bundle.';
  return `annotations:
  ${prefix}mediatype.v1: registry+v1
  ${prefix}manifests.v1: manifests/
  ${prefix}metadata.v1: metadata/
  ${prefix}package.v1: cats
  ${prefix}channels.v1: stable,fast
  ${prefix}channel.default.v1: ${defaultChannel}`;
}

export const documents = (...each: readonly string[]): string => each.join('\n---\n');

export function dependsOn(type: string, value: string): string {
  return `dependencies: [{ type: ${type}, value: ${value} }]`;
}
