/** A catalog as large as wanted, with bundles as public catalogs have them. */
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
