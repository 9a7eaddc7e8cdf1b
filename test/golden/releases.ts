/**
 * Releases of public operators. They are other projects' texts, so this repository does not hold
 * them: they lie in the folder that OLM_GUARD_RELEASES names, or in any folder beside the checkout.
 *
 * - `real/crd-pairs.jsonl.br`: CustomResourceDefinitions of two consecutive releases, `{id, old, new}`
 * - `real/catalog-v4.12.jsonl.br`, `real/catalog-v4.20.jsonl.br`: file-based catalogs, `{path, content}`
 * - `golden/*.jsonl.br`: rows as in ./data, about these
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../src/text/documents/index.js';
import { brotliLines } from './brotli-lines.js';
import type { GoldenRow } from './golden.js';

const mark = join('real', 'crd-pairs.jsonl.br');
const folder = findFolder();

/** Why the releases cannot be read, for the one line that a suite or benchmark without them prints. */
export const releasesMissing: string | undefined =
  folder === undefined
    ? `releases of public operators: a folder with ${mark}, named by OLM_GUARD_RELEASES or beside the checkout`
    : undefined;

function findFolder(): string | undefined {
  const named = process.env['OLM_GUARD_RELEASES'] ?? '';
  if (named !== '') {
    if (!existsSync(join(named, mark))) {
      throw new Error(`OLM_GUARD_RELEASES names ${named}, which has no ${mark}`);
    }
    return named;
  }
  const beside = join(import.meta.dirname, '..', '..', '..');
  return readdirSync(beside)
    .map((name) => join(beside, name))
    .find((candidate) => existsSync(join(candidate, mark)));
}

/** Declares a suite over public releases; where they are missing it is skipped with one line. */
export function describeReleases(title: string, body: () => void): void {
  if (releasesMissing === undefined) {
    describe(title, body);
    return;
  }
  console.log(`${title}: skipped, needs ${releasesMissing}`);
  describe.skip(title, () => {
    it('needs releases of public operators', () => undefined);
  });
}

/** The rows of a file as text, for files too large to parse as a whole. */
export function releaseLines(path: string): string[] {
  if (folder === undefined) throw new Error(`there are no ${releasesMissing}`);
  return brotliLines(join(folder, path));
}

/** Numbers keep their text. */
export function releaseRows(path: string): GoldenRow[] {
  return releaseLines(path).map((line) => parseJson(line) as GoldenRow);
}
