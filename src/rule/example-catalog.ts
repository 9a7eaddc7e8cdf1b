import { parseDocuments, type Document, type JsonValue } from '../text/documents/index.js';
import { smallest } from '../text/long-lists.js';

/** Catalogs for the examples of rules, as YAML documents. */
interface ExampleBundle {
  readonly image?: string;
  readonly properties?: string;
}

interface ExamplePackage {
  readonly name?: string;
  readonly defaultChannel?: string;
  /** Entries of each channel, in flow style; a name is `PACKAGE.vVERSION`. */
  readonly channels: Readonly<Record<string, string>>;
  /** By version, what is not as usual. */
  readonly bundles?: Readonly<Record<string, ExampleBundle>>;
}

/** The documents of a package: itself, its channels, and a bundle for each entry. */
export function examplePackage({
  name = 'queue',
  defaultChannel = 'stable',
  channels,
  bundles = {},
}: ExamplePackage): string {
  const entries = Object.values(channels).join(' ');
  const versions = [...entries.matchAll(/\{ name: \w+\.v([\d.]+)/g)].map(
    ([, version = '']) => version,
  );
  return [
    `{ schema: olm.package, name: ${name}, defaultChannel: ${defaultChannel} }`,
    ...Object.entries(channels).map(
      ([channel, list]) =>
        `{ schema: olm.channel, package: ${name}, name: ${channel}, entries: [${list}] }`,
    ),
    ...[...new Set(versions)].sort().map((version) => {
      const { image = `example.com/${name}:${version}`, properties } = bundles[version] ?? {};
      const more = properties === undefined ? '' : `, ${properties}`;
      return `{ schema: olm.bundle, package: ${name}, name: ${name}.v${version}, image: '${image}', properties: [{ type: olm.package, value: { packageName: ${name}, version: ${version} } }${more}] }`;
    }),
  ].join('\n---\n');
}

export const queueCatalog = [
  examplePackage({
    channels: {
      stable:
        '{ name: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }, { name: queue.v1.2.0, replaces: queue.v1.1.0 }',
      old: '{ name: queue.v1.0.0 }',
    },
  }),
  examplePackage({
    name: 'topic',
    channels: { stable: '{ name: topic.v1.0.0 }' },
    bundles: {
      '1.0.0': {
        properties:
          "{ type: olm.package.required, value: { packageName: queue, versionRange: '>=1.0.0' } }",
      },
    },
  }),
].join('\n---\n');

export function deprecating(reference: string, message: string): string {
  return `${queueCatalog}
---
{ schema: olm.deprecations, package: queue, entries: [{ reference: ${reference}, message: ${message} }] }`;
}

/** The documents of an example in their order, with their places; none for an empty text. */
export function readExample(yaml: string): readonly Document[] {
  const lines = yaml.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return [];
  const indent = smallest(lines.map((line) => line.length - line.trimStart().length));
  const text = lines.map((line) => line.slice(indent)).join('\n');
  return parseDocuments(Buffer.from(text), {});
}

export function exampleDocuments(yaml: string): readonly JsonValue[] {
  return readExample(yaml).map(({ value }) => value);
}

export const oneVersion = `
      spec:
        versions:
          - name: v1
            served: true
            storage: true
            schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer } } } } } }`;

/** @param type of the one field in the second version; an integer in the first */
export function twoVersions(type: string): string {
  return `${oneVersion}
          - name: v2
            served: true
            storage: false
            schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: ${type} } } } } } }`;
}

export const sameInBothVersions = twoVersions('integer');
