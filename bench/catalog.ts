/**
 * How long a large catalog takes: `npx tsx bench/catalog.ts [MEGABYTES]` (default 370).
 *
 * Prints the CPU time to load and validate a generated JSON catalog against the time JSON.parse alone
 * needs for the same bytes, and peak memory. Limits: 3 times JSON.parse, 700 MB.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineSplitter, validateCatalog } from '../src/catalogs/index.js';
import { chunksOf } from '../src/catalog-sources/json-file.js';
import { readCatalogFolder } from '../src/catalog-sources/folder.js';

const packages = 300;
const channels = 5;
const bundlesPerChannel = 30;

/**
 * Channels share no bundles, so there are packages × channels × bundlesPerChannel of them. A bundle's
 * bytes are spread as in the public catalogs of 4.20: a third each in annotations (examples as
 * escaped JSON) and descriptions of CustomResourceDefinitions, the rest in prose and images.
 */
export async function* syntheticCatalog(megabytes: number): AsyncGenerator<string> {
  const bundleBytes = (megabytes * 1.38e6) / (packages * channels * bundlesPerChannel) - 1700;
  const parts = {
    prose: '## Installs, upgrades and backs up\n one more "database". '.repeat(
      Math.max(1, Math.round((bundleBytes * 0.2) / 58)),
    ),
    examples: JSON.stringify(
      Array.from({ length: Math.max(1, Math.round((bundleBytes * 0.35) / 290)) }, (_, index) => ({
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: { name: `thing-${index}` },
        spec: { replicas: 3, storage: { size: '10Gi', class: 'fast' } },
      })),
      null,
      2,
    ),
    descriptors: Array.from(
      { length: Math.max(1, Math.round((bundleBytes * 0.33) / 185)) },
      (_, index) => ({
        path: `storage.size${index}`,
        displayName: 'Size',
        description: 'How much room there is for data on each of the replicas.',
        'x-descriptors': ['urn:alm:descriptor:com.tectonic.ui:text'],
      }),
    ),
    manifest: Buffer.from(
      JSON.stringify({ kind: 'ClusterRole', rules: 'x'.repeat(Math.round(bundleBytes * 0.12)) }),
    ).toString('base64'),
  };
  for (let index = 0; index < packages; index++) {
    const name = `package-${index}`;
    yield line({ schema: 'olm.package', name, defaultChannel: 'channel-0' });
    for (let channel = 0; channel < channels; channel++) {
      const versions = Array.from(
        { length: bundlesPerChannel },
        (_, patch) => `${channel}.0.${patch}`,
      );
      yield line({
        schema: 'olm.channel',
        package: name,
        name: `channel-${channel}`,
        entries: versions.map((version, patch) => ({
          name: `${name}.v${version}`,
          ...(patch > 0 && { replaces: `${name}.v${versions[patch - 1] ?? ''}` }),
          skipRange: `<${version}`,
        })),
      });
      for (const version of versions) {
        yield line(bundle(name, version, parts));
        await Promise.resolve();
      }
    }
  }
}

interface Parts {
  readonly prose: string;
  readonly examples: string;
  readonly descriptors: readonly unknown[];
  readonly manifest: string;
}

function bundle(name: string, version: string, parts: Parts): unknown {
  const crd = {
    name: `things.${name}.example.com`,
    version: 'v1',
    kind: 'Thing',
    description: 'One.',
  };
  return {
    schema: 'olm.bundle',
    package: name,
    name: `${name}.v${version}`,
    image: `registry.example.com/${name}/bundle@sha256:${'0123456789abcdef'.repeat(4)}`,
    properties: [
      { type: 'olm.package', value: { packageName: name, version } },
      { type: 'olm.gvk', value: { group: `${name}.example.com`, version: 'v1', kind: 'Thing' } },
      { type: 'olm.bundle.object', value: { data: parts.manifest } },
      {
        type: 'olm.csv.metadata',
        value: {
          description: parts.prose,
          annotations: { capabilities: 'Deep Insights', 'alm-examples': parts.examples },
          crdDescriptions: { owned: [crd] },
          installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map(
            (type) => ({ type, supported: true }),
          ),
          keywords: ['database', 'backup'],
          links: [{ name: 'Home', url: 'https://example.com' }],
        },
      },
    ],
    relatedImages: Array.from({ length: 4 }, (_, index) => ({
      name: `image-${index}`,
      image: `registry.example.com/${name}/part-${index}@sha256:${'0123456789abcdef'.repeat(4)}`,
    })),
  };
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

async function main(): Promise<void> {
  const megabytes = Number(process.argv[2] ?? 370);
  const folder = await mkdtemp(join(tmpdir(), 'catalog-bench-'));
  try {
    const file = join(folder, 'catalog.json');
    const output = createWriteStream(file);
    for await (const text of syntheticCatalog(megabytes)) {
      if (!output.write(text)) await once(output, 'drain');
    }
    output.end();
    await once(output, 'close');

    const before = cpu();
    const loaded = await readCatalogFolder(folder, { keep: 'graph' });
    const loadedAt = cpu();
    const validation = validateCatalog(loaded.catalog);
    const validatedAt = cpu();
    const peak = process.resourceUsage().maxRSS / 1024;
    if (loaded.error !== undefined || validation.error !== undefined) {
      throw new Error(loaded.error?.message ?? validation.error);
    }
    const parsing = await parseOnly(file);
    const total = validatedAt - before;
    const megabytesRead = output.bytesWritten / 1e6;
    const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
    process.stdout.write(
      [
        `catalog: ${megabytesRead.toFixed(0)} MB, ${loaded.catalog.bundles.length} bundles`,
        `load ${seconds(loadedAt - before)}, validate ${seconds(validatedAt - loadedAt)}, together ${seconds(total)}`,
        `JSON.parse alone ${seconds(parsing)}`,
        `ratio ${(total / parsing).toFixed(2)} (limit 3)`,
        `peak memory ${peak.toFixed(0)} MB (limit 700)`,
        '',
      ].join('\n'),
    );
    if (total > 3 * parsing || peak > 700) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Only the time to decode and parse the bytes, object by object. */
async function parseOnly(file: string): Promise<number> {
  const splitter = new LineSplitter(1e8);
  const handle = await open(file);
  let spent = 0;
  for await (const chunk of chunksOf(handle)) {
    for (const { bytes } of splitter.push(chunk)) {
      const start = cpu();
      JSON.parse(bytes.toString('utf8'));
      spent += cpu() - start;
    }
  }
  await handle.close();
  return spent;
}

/** Milliseconds of CPU that this process has used: other work on the machine does not count. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

await main();
