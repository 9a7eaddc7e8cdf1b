/**
 * `node build/krew.mjs OWNER/REPOSITORY FOLDER`: the krew manifest of a release, of which FOLDER holds
 * the archives `kubectl-olm_guard-<os>-<arch>.tar.gz`.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'js-yaml';

const [repository = '', folder = '.'] = process.argv.slice(2);
const manifest = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
const version = `v${JSON.parse(manifest).version}`;
const homepage = `https://github.com/${repository}`;

const platforms = readdirSync(folder)
  .sort()
  .flatMap((file) => {
    const [, os, arch] = /^kubectl-olm_guard-([a-z]+)-([a-z0-9]+)\.tar\.gz$/.exec(file) ?? [];
    if (os === undefined) return [];
    const sha256 = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    return [
      {
        selector: { matchLabels: { os, arch } },
        uri: `${homepage}/releases/download/${version}/${file}`,
        sha256,
        bin: 'kubectl-olm_guard',
      },
    ];
  });
if (!/^[^/\s]+\/[^/\s]+$/.test(repository) || platforms.length === 0) {
  console.error(
    'usage: node build/krew.mjs OWNER/REPOSITORY FOLDER (with archives of executables)',
  );
  process.exit(2);
}

process.stdout.write(
  yaml.dump(
    {
      apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
      kind: 'Plugin',
      metadata: { name: 'olm-guard' },
      spec: {
        version,
        homepage,
        shortDescription: 'Say what an operator upgrade would break',
        description:
          'Compares CustomResourceDefinitions, bundles and catalogs as OLM does, proves what an upgrade\nbreaks with an object that shows it, and asks the cluster which stored objects it concerns.\n',
        platforms,
      },
    },
    { lineWidth: -1 },
  ),
);
