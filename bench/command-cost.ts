/** Processor time of a command, of all its threads. */
import { spawnSync } from 'node:child_process';

/** Milliseconds of one run, its own and the kernel's; the shell tells milliseconds. */
export function costOfCommand(args: readonly string[], runs = 1): number {
  const loop = `for run in {1..${runs}}; do "$@" >/dev/null 2>&1; done; times`;
  const { stdout } = spawnSync('bash', ['-c', loop, 'bash', process.execPath, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', LC_ALL: 'C' },
  });
  const children = stdout.trim().split('\n').at(-1) ?? '';
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  const seconds = parts.reduce(
    (sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest),
    0,
  );
  return (seconds * 1000) / runs;
}
