/** The catalog that examples about OLM's objects resolve from; it is served as `community` in `olm`. */
const bundle = (packageName: string, version: string, more = ''): string =>
  `{ schema: olm.bundle, package: ${packageName}, name: ${packageName}.v${version}, image: example.com/${packageName}:${version}, properties: [{ type: olm.package, value: { packageName: ${packageName}, version: ${version} } }${more}] }`;

const channel = (packageName: string, name: string, entries: string): string =>
  `{ schema: olm.channel, package: ${packageName}, name: ${name}, entries: [${entries}] }`;

/** Package queue with three versions in a row, and topic, which depends on it. */
export const queueCatalog = [
  '{ schema: olm.package, name: queue, defaultChannel: stable }',
  channel(
    'queue',
    'stable',
    '{ name: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }, { name: queue.v1.2.0, replaces: queue.v1.1.0 }',
  ),
  channel('queue', 'old', '{ name: queue.v1.0.0 }'),
  bundle('queue', '1.0.0'),
  bundle('queue', '1.1.0'),
  bundle('queue', '1.2.0'),
  '{ schema: olm.package, name: topic, defaultChannel: stable }',
  channel('topic', 'stable', '{ name: topic.v1.0.0 }'),
  bundle(
    'topic',
    '1.0.0',
    ", { type: olm.package.required, value: { packageName: queue, versionRange: '>=1.0.0' } }",
  ),
].join('\n---\n');

/** The same, with one thing of package queue deprecated. */
export function deprecating(reference: string, message: string): string {
  return `${queueCatalog}
---
{ schema: olm.deprecations, package: queue, entries: [{ reference: ${reference}, message: ${message} }] }`;
}
