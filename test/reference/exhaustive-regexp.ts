/** `npm run reference -- re2`: the exhaustive tests of RE2, of which Go keeps a log of 65 million bytes. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exhaustiveRegexpSuite } from '../conformance/suites.js';
import type { Suite } from '../conformance/suite.js';
import { goRoot } from '../conformance/text-suites.js';
import { build } from './program.js';

export function exhaustiveRegexp(): Suite {
  const root = goRoot();
  if (root === undefined) throw new Error('Go is needed, and is not there');
  const packed = readFileSync(join(root, 'src', 'regexp', 'testdata', 're2-exhaustive.txt.bz2'));
  const { status, stdout } = spawnSync(build({ module: 're2' }), {
    input: packed,
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error('the log cannot be unpacked');
  return exhaustiveRegexpSuite(root, stdout.toString('utf8'));
}
