/** What an API server takes of the machine. */
import { readdirSync, readFileSync } from 'node:fs';
import type { TestCluster } from '../test/apiserver/cluster.js';

/** Its process id. */
export function processOf(cluster: TestCluster): string {
  const port = new URL(cluster.url).port;
  const found = readdirSync('/proc').find((each) => {
    if (!/^\d+$/.test(each)) return false;
    try {
      return readFileSync(`/proc/${each}/cmdline`, 'utf8').includes(`--secure-port=${port}\0`);
    } catch {
      return false; // It ended meanwhile.
    }
  });
  if (found === undefined) throw new Error(`no process listens on port ${port}`);
  return found;
}

/** Of all threads, in milliseconds. */
export function processorTime(pid: string): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/sched`, 'utf8');
    return sum + Number(/^se\.sum_exec_runtime\s*:\s*(\S+)$/m.exec(text)?.[1]);
  }, 0);
}

/** A gauge of its metrics page without labels. */
export async function gaugeOf(cluster: TestCluster, name: string): Promise<number> {
  const { text } = await cluster.request('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
