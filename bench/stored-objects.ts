/**
 * How fast are stored objects judged from a file, and with how much memory? Writes 100,000 objects of
 * 3 KB, runs `olm-guard check crd OLD NEW --objects FILE` on them as a process of its own, and prints
 * time and memory with their ratios to the stated limits. Then compiles a schema of 500 KB in a
 * judge's thread and prints the event loop's longest pause meanwhile.
 * Run with `npm run build && npx tsx bench/stored-objects.ts`.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { JudgePool } from '../src/gate/server/judge-pool.js';
import { definition, widget } from './large-definition.js';

const objects = Number(process.argv[2] ?? 100_000);
const limits = { seconds: (60 * objects) / 100_000, megabytes: 300, pause: 50 };
const main = join(import.meta.dirname, '..', 'dist', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'olm-guard-bench-'));

function print(what: string, measured: string, ratio: number): void {
  console.log(`${what}: ${measured} = ${ratio.toFixed(2)} of the limit`);
}

try {
  const file = join(folder, 'objects.json');
  const out = createWriteStream(file);
  out.write('{"apiVersion":"v1","items":[');
  let bytes = 0;
  for (let index = 0; index < objects; index++) {
    const text = JSON.stringify(widget(index));
    bytes += text.length;
    if (!out.write(index === 0 ? text : `,${text}`)) await once(out, 'drain');
  }
  out.end('],"kind":"List"}');
  await once(out, 'close');
  const [old, next] = [join(folder, 'old.json'), join(folder, 'new.json')];
  writeFileSync(old, JSON.stringify(definition(100, 0)));
  writeFileSync(next, JSON.stringify(definition(100, 1)));
  console.log(`${objects} objects of ${Math.round(bytes / objects)} bytes`);

  const start = performance.now();
  const { stdout, stderr } = spawnSync(
    '/usr/bin/env',
    [
      'time',
      '-f',
      'kilobytes %M',
      process.execPath,
      main,
      'check',
      'crd',
      old,
      next,
      '--objects',
      file,
    ],
    { encoding: 'utf8' },
  );
  const seconds = (performance.now() - start) / 1000;
  console.log(
    /[\d,]+ of [\d,]+ stored Widgets would be refused/.exec(stdout)?.[0] ?? `${stdout}${stderr}`,
  );
  print(
    `check crd --objects (limit: ${limits.seconds} s)`,
    `${seconds.toFixed(1)} s`,
    seconds / limits.seconds,
  );
  const kilobytes = Number(/kilobytes (\d+)/.exec(stderr)?.[1] ?? Number.NaN);
  const megabytes = kilobytes / 1024;
  print(
    `memory (limit: ${limits.megabytes} MB)`,
    `${megabytes.toFixed(0)} MB`,
    megabytes / limits.megabytes,
  );

  // As built: a thread's program is JavaScript.
  const worker = new URL('../dist/judge-worker.js', import.meta.url);
  const pool = new JudgePool({ workers: 1, worker });
  const [large, larger] = [definition(650, 0), definition(650, 1)];
  const input = JSON.stringify({ old: large, new: larger, objects: [widget(1)] });
  // A first judgement starts the thread, as a gate that runs has done long ago.
  await pool.judge('version', '{"version":"1.0.0"}');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await pool.judge('crd-stored-objects', input);
  delay.disable();
  await pool.close();
  const pause = delay.max / 1e6;
  const size = Math.round(JSON.stringify(large).length / 1000);
  print(
    `longest pause of the loop while a ${size} KB definition is compiled (limit: ${limits.pause} ms)`,
    `${pause.toFixed(1)} ms`,
    pause / limits.pause,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
