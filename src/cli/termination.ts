/** When a server is asked to stop. */

/** Resolves with the first signal to stop; until then the process goes on. */
export function terminationSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}
