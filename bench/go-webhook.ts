/** Builds and starts a small webhook in Go with crdify, where Go and its modules are available. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { selfSigned } from '../src/gate/server/certificates/files.js';
import { peakBytes } from './gate-process.js';

const module = join(import.meta.dirname, '..', 'test', 'reference', 'crdify');
/** The first build downloads modules and compiles everything; later ones use Go's caches. */
const buildMilliseconds = 600_000;

export interface WebhookProcess {
  readonly url: string;
  /** PEM of the CA of its certificate. */
  readonly authority: string;
  /** The largest resident set so far; undefined where the system does not tell. */
  peakBytes(): number | undefined;
  stop(): Promise<void>;
}

/** Returns undefined, and prints why, if the webhook cannot be built. */
export async function startGoWebhook(): Promise<WebhookProcess | undefined> {
  const program = build();
  if (program === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-go-webhook-'));
  const files = ['tls.crt', 'tls.key'].map((name) => join(folder, name)) as [string, string];
  const { authority, current } = await selfSigned(['127.0.0.1']);
  writeFileSync(files[0], current.cert);
  writeFileSync(files[1], current.key, { mode: 0o600 });
  const child = spawn(program, files, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [
    unknown,
  ];
  const [, url] = /^ready (\S+)/.exec(String(line)) ?? [];
  if (url === undefined) throw new Error(`the Go webhook ended with ${String(line)}`);
  return {
    ...{ url, authority },
    peakBytes: () => peakBytes(child.pid),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function build(): string | undefined {
  const cache = process.env['OLM_GUARD_CACHE'] || join(homedir(), '.cache', 'olm-guard');
  const program = join(cache, 'bench', 'crdify-webhook');
  const args = ['build', '-mod=readonly', '-trimpath', '-o', program, './webhook'];
  const { status, error, stderr } = spawnSync('go', args, {
    ...{ cwd: module, timeout: buildMilliseconds, encoding: 'utf8' },
    env: { ...process.env, GOFLAGS: '' },
  });
  if (status === 0) return program;
  const reason = error?.message ?? stderr.trim().split('\n').at(-1);
  console.log(`no Go webhook beside the gate, it cannot be built here: ${reason}`);
  return undefined;
}
