/** examples/sidecar/ci/check-crd.sh, as a CI job runs it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, start, type Started } from '../cli/command.js';
import { withSize } from './reviews.js';
import { until } from './until.js';

describe('examples/sidecar/ci/check-crd.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-ci-'));
  const script = join(root, 'examples', 'sidecar', 'ci', 'check-crd.sh');
  let sidecar: Started;
  let url = '';
  before(async () => {
    sidecar = start(['sidecar', '--listen', '127.0.0.1:0']);
    await until(() => sidecar.stdout().includes('\n'));
    url = /ready (\S+)/.exec(sidecar.stdout())?.[1] ?? '';
  });
  after(async () => {
    sidecar.process.kill('SIGTERM');
    await sidecar.ended;
    rmSync(folder, { recursive: true });
  });

  const files: Record<string, string> = {
    'old.json': JSON.stringify(withSize({ type: 'integer', minimum: 1 })),
    'wider.json': JSON.stringify(withSize({ type: 'integer' })),
    'removed.json': JSON.stringify(withSize(undefined)),
    'broken.json': '{',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

  const rows: [name: string, file: string, code: number, says: RegExp][] = [
    ['passes what is allowed', 'wider.json', 0, /"allowed":true/],
    ['fails what is denied', 'removed.json', 1, /NoExistingFieldRemoved/],
    ['says what it could not ask', 'broken.json', 2, /E_JSON/],
  ];
  for (const [name, file, code, says] of rows) {
    it(name, () => {
      const { status, stdout, stderr } = spawnSync(
        'bash',
        [script, join(folder, 'old.json'), join(folder, file)],
        { env: { ...process.env, OLM_GUARD_URL: url }, encoding: 'utf8' },
      );
      expect(stdout + stderr).to.match(says);
      expect(status).to.equal(code);
    });
  }
});
