/** The reference programs: built once by Go, and asked. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import {
  isObject,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../src/text/documents/index.js';
import { goldenFile, type GoldenRow } from '../golden/golden.js';
import type { Reference } from './references.js';

const cache = process.env['OLM_GUARD_CACHE'] || join(homedir(), '.cache', 'olm-guard');

/** Path of the program. Go keeps what it has built; the first time takes minutes. */
export function build({
  module,
  moduleFile = 'go.mod',
  tags = '',
}: Pick<Reference, 'module' | 'moduleFile' | 'tags'>): string {
  const program = join(cache, 'reference', `${module}-${moduleFile}`);
  const args = ['build', `-modfile=${moduleFile}`, `-tags=${tags}`, '-o', program, '.'];
  const { status } = spawnSync('go', args, {
    cwd: join(import.meta.dirname, module),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`go build failed in test/reference/${module}`);
  return program;
}

/** @param questions lines of JSON */
export async function ask(
  program: string,
  args: readonly string[],
  questions: readonly string[],
): Promise<JsonObject[]> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end(questions.map((question) => `${question}\n`).join(''));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const answers = Buffer.concat(chunks)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => parseJson(line));
  if (code !== 0 || answers.length !== questions.length) {
    throw new Error(
      `${answers.length} answers to ${questions.length} questions, exit code ${String(code)}`,
    );
  }
  return answers.filter(isObject);
}

/** They become the golden rows of that name. */
export function writeRows(file: string, rows: readonly GoldenRow[]): void {
  const text = rows.map((row) => `${stringifyJson(row)}\n`).join('');
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(goldenFile(file), brotliCompressSync(text, { params }));
}
