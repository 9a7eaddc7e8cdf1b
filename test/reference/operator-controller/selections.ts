/**
 * Writes ClusterExtensions beside catalogs that they select, exclude or cannot see, to standard output, as
 * JSON lines `{id, input}`. `npm run reference -- olm-v1-catalogs --write` gives them their answers.
 */
import type { JsonObject, JsonValue } from '../../../src/text/documents/index.js';

const versions = ['1.0.0', '2.0.0'];

/** Package `queue` with a chain of two, as catalogd keeps it: a folder for each package. */
function files(name: string, highest = '2.0.0'): JsonObject {
  const offered = versions.filter((version) => version <= highest);
  const entries = offered.map((version, index) => ({
    name: `${name}.v${version}`,
    ...(index === 0 ? {} : { replaces: `${name}.v${versions[index - 1]}` }),
  }));
  const blobs = [
    { schema: 'olm.package', name, defaultChannel: 'stable' },
    { schema: 'olm.channel', package: name, name: 'stable', entries },
    ...offered.map((version) => ({
      schema: 'olm.bundle',
      package: name,
      name: `${name}.v${version}`,
      image: `example.com/${name}:${version}`,
      properties: [{ type: 'olm.package', value: { packageName: name, version } }],
    })),
  ];
  return { [`${name}/catalog.json`]: blobs.map((blob) => JSON.stringify(blob)).join('\n') };
}

interface Sketch {
  readonly name: string;
  readonly labels?: JsonObject;
  readonly priority?: number;
  readonly mode?: string;
  /** `null` where catalogd has written nothing yet. */
  readonly serving?: 'True' | 'False' | null;
  readonly files?: JsonObject;
  /** Known to whoever asks olm-guard, and not on the cluster. */
  readonly isAbsent?: true;
}

function catalog({ name, serving = 'True', isAbsent, ...sketch }: Sketch): JsonObject {
  const spec = {
    priority: sketch.priority ?? 0,
    availabilityMode: sketch.mode ?? 'Available',
    source: { type: 'Image', image: { ref: `example.com/${name}:latest` } },
  };
  const metadata = {
    name,
    labels: { 'olm.operatorframework.io/metadata.name': name, ...sketch.labels },
  };
  const ref = `example.com/${name}@sha256:${'a'.repeat(64)}`;
  const status = {
    conditions: [{ type: 'Serving', status: serving, reason: 'r', message: '' }],
    resolvedSource: { type: 'Image', image: { ref } },
  };
  return {
    object: {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterCatalog',
      metadata,
      spec,
      ...(serving === null ? {} : { status }),
    },
    files: sketch.files ?? files('queue'),
    ...(isAbsent === true ? { isAbsent } : {}),
  };
}

const named = (...names: string[]): JsonObject => ({
  matchExpressions: [
    { key: 'olm.operatorframework.io/metadata.name', operator: 'In', values: names },
  ],
});

const selectors: readonly (JsonObject | null)[] = [
  null,
  {},
  named('a'),
  named('nobody'),
  { matchLabels: { team: 'red' } },
  { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] },
  { matchExpressions: [{ key: 'team', operator: 'Like', values: ['red'] }] },
  { matchExpressions: [{ key: 'team', operator: 'In' }] },
];

const clusters: readonly (readonly Sketch[])[] = [
  [],
  [{ name: 'a' }],
  [{ name: 'a', mode: 'Unavailable' }],
  [{ name: 'a', isAbsent: true }],
  [{ name: 'a', serving: 'False' }],
  [{ name: 'a', files: files('other') }],
  [{ name: 'a', labels: { team: 'red' } }, { name: 'b' }],
  [
    { name: 'a', mode: 'Unavailable' },
    { name: 'b', labels: { team: 'red' } },
  ],
  [{ name: 'a' }, { name: 'b', priority: 1, files: files('queue', '1.0.0') }],
  [{ name: 'a', serving: 'False', mode: 'Unavailable' }, { name: 'b' }],
  [{ name: 'a' }, { name: 'b', serving: 'False', labels: { team: 'red' } }],
  [{ name: 'a' }, { name: 'b', isAbsent: true }],
];

const filters: readonly JsonObject[] = [
  {},
  { version: '1.x' },
  { version: '>=3', channels: ['stable', 'fast'] },
  { upgradeConstraintPolicy: 'SelfCertified' },
];

let count = 0;
for (const sketches of clusters) {
  for (const selector of selectors) {
    for (const [index, filter] of filters.entries()) {
      for (const installed of index === 3 ? [undefined] : [undefined, '1.0.0']) {
        const wanted: Record<string, JsonValue> = { packageName: 'queue', ...filter };
        if (selector !== null) wanted['selector'] = selector;
        const input: JsonObject = {
          extension: {
            apiVersion: 'olm.operatorframework.io/v1',
            kind: 'ClusterExtension',
            metadata: { name: 'queue' },
            spec: { namespace: 'work', source: { sourceType: 'Catalog', catalog: wanted } },
          },
          catalogs: sketches.map(catalog),
          ...(installed === undefined
            ? {}
            : { installed: { name: `queue.v${installed}`, version: installed } }),
        };
        const id = `catalogs-olm-v1-${String(++count).padStart(4, '0')}`;
        console.log(JSON.stringify({ id, input }));
      }
    }
  }
}
