import { basename } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a thread's program: a file, or in a single executable the asset of that name. */
export function startThread(program: URL, options: WorkerOptions): Worker {
  if (!isSea()) return new Worker(program, options);
  return new Worker(getAsset(basename(program.pathname), 'utf8'), { ...options, eval: true });
}
