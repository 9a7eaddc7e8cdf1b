/**
 * How long a large catalog takes: `npx tsx bench/catalog.ts [MEGABYTES]` (default 370).
 *
 * Prints the CPU time to load and validate a generated JSON catalog against the time JSON.parse alone
 * needs for the same bytes, and peak memory. Limits: 3 times JSON.parse, 300 MB.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateCatalog } from '../src/olm/catalogs/validate.js';
import { chunksOf } from '../src/repository/catalog-sources/json-file.js';
import { readCatalogFolder } from '../src/repository/catalog-sources/folder.js';
import { LineSplitter } from '../src/text/documents/json-cutter.js';
import { tell } from './measure.js';
import { syntheticCatalog } from './synthetic-catalog.js';

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
        '',
      ].join('\n'),
    );
    const what = `catalog of ${megabytes} MB`;
    tell({
      what: `${what}: read and validated, of JSON.parse`,
      ...{ value: total / parsing, unit: '×', limit: 3 },
    });
    tell({ what: `${what}: peak memory`, value: peak, unit: ' MB', limit: 300 });
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
