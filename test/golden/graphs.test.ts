/** The pictures in docs/graphs are what the command draws today. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadCatalog } from '../../src/olm/catalogs/load.js';
import { draw } from '../../src/cli/catalog/catalog-graph.js';
import { describeReleases, releaseLines } from './releases.js';

const root = join(import.meta.dirname, '..', '..');

describeReleases('pictures in docs/graphs', () => {
  const rows: [packageName: string, catalog: string, from: string][] = [
    ['dell-csm-operator', 'v4.20', '1.6.1'],
    ['koku-metrics-operator', 'v4.12', '1.2.0'],
  ];
  for (const [packageName, version, from] of rows) {
    it(`${packageName} is current`, async () => {
      const { catalog } = loadCatalog(filesOf(version, packageName));
      const named = { name: version, priority: 0, catalog };
      const text = await draw(packageName, named, {
        catalog: version,
        channel: [],
        from,
        output: 'svg',
      });
      const file = join(root, 'docs', 'graphs', `${packageName}.svg`);
      expect(readFileSync(file, 'utf8')).to.equal(text);
    });
  }
});

function filesOf(version: string, packageName: string): { path: string; content: string }[] {
  return releaseLines(`real/catalog-${version}.jsonl.br`)
    .map((line) => JSON.parse(line) as { path: string; content: string })
    .filter(({ path }) => path.split('/').includes(packageName));
}
