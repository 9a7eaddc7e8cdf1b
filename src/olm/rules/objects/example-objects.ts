/** Objects of the examples of rules, as YAML that is indented as the examples are. */

interface ExampleExtension {
  readonly package?: string;
  readonly installed?: string;
  /** One more field of `spec`. */
  readonly spec?: string;
}

/** @param asks further fields of `spec.source.catalog` */
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

/** @param more further fields of `spec` */
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

/** @param annotation `key: value` */
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

/** @param value of `olm.maxOpenShiftVersion` */
export function csvUpTo(value: string): string {
  return annotatedCsv(
    `olm.properties: '[{"type": "olm.maxOpenShiftVersion", "value": "${value}"}]'`,
  );
}
