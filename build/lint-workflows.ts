/** `npm run lint:workflows`: actionlint, built from source, reads the workflows and that of the examples. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrograms, hasGo, missingPrograms } from '../test/apiserver/binaries.js';

const root = join(import.meta.dirname, '..');
const workflows = join(root, '.github', 'workflows');
// What a machine has beside it shall not decide.
const options = ['-shellcheck=', '-pyflakes='];

if (missingPrograms(['actionlint']).length > 0 && !hasGo()) {
  console.error('workflows are not linted: needs Go');
  process.exit(process.env['CI'] === undefined ? 0 : 1);
}
const actionlint = (await ensurePrograms(['actionlint'])).get('actionlint') ?? '';
const files = readdirSync(workflows).map((name) => join(workflows, name));
// Of another repository, in which this one is a folder: it is read by itself.
const example = readFileSync(join(root, 'examples', 'ci', 'github-workflow.yaml'));
for (const [args, input] of [
  [files, ''],
  [['-'], example],
] as const) {
  const { status } = spawnSync(actionlint, [...options, ...args], {
    cwd: root,
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exitCode = 1;
}
