/**
 * `check objects` over 10,000 manifests in 1,000 files, of which one in a hundred breaks:
 * `npm run build && npx tsx bench/manifests.ts`. Processor time of all threads, and the most memory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { definition } from '../test/chart/monorepo.js';
import { median, tell } from './measure.js';

const files = 1000;
const objectsPerFile = 10;
const rounds = 3;
const main = join(import.meta.dirname, '..', 'dist', 'main.js');
/** Of the kernel's clock, in which it counts processor time. */
const ticksPerSecond = 100;

function manifest(index: number): string {
  const keep = index % 100 === 0 ? 31 : 30;
  return `apiVersion: example.com/v1
kind: Backup
metadata:
  name: backup-${index}
  labels:
    app: backups
spec:
  schedule: "0 3 *"
  keep: ${keep}
  volumes:
    - name: data
      size: 1Gi
    - name: logs
      size: 1Gi
`;
}

interface Used {
  readonly seconds: number;
  readonly megabytes: number;
}

async function usedBy(folder: string): Promise<Used> {
  const child = spawn(process.execPath, [main, 'check', 'objects', folder, '-o', 'json'], {
    stdio: 'ignore',
  });
  let used: Used = { seconds: 0, megabytes: 0 };
  const timer = setInterval(() => {
    try {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(status) ?? [];
      if (kilobytes === undefined) return;
      used = {
        seconds: (Number(stat[11]) + Number(stat[12])) / ticksPerSecond,
        megabytes: Number(kilobytes) / 1024,
      };
    } catch {
      // It has ended.
    }
  }, 5);
  const [code] = (await once(child, 'exit')) as [number];
  clearInterval(timer);
  if (code !== 1) throw new Error(`check objects ended with ${code}`);
  return used;
}

if (process.platform !== 'linux') {
  console.log('not measured: it takes Linux');
} else {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-manifests-'));
  try {
    writeFileSync(join(folder, 'crd.yaml'), definition);
    for (let file = 0; file < files; file++) {
      const name = join(folder, `team-${file % 50}`, `objects-${file}.yaml`);
      mkdirSync(dirname(name), { recursive: true });
      const first = file * objectsPerFile;
      const objects = Array.from({ length: objectsPerFile }, (_, at) => manifest(first + at));
      writeFileSync(name, objects.join('---\n'));
    }
    const used: Used[] = [];
    for (let round = 0; round < rounds; round++) used.push(await usedBy(folder));
    const what = `check objects of ${files * objectsPerFile} manifests`;
    const seconds = median(used.map((each) => each.seconds));
    const megabytes = median(used.map((each) => each.megabytes));
    tell({ what: `${what}: processor time`, value: seconds, unit: ' s', limit: 5 });
    tell({ what: `${what}: memory`, value: megabytes, unit: ' MB', limit: 300 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
