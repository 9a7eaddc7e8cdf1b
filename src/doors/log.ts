/** The log: JSON lines on stderr, so that stdout stays free for what scripts read. */
import { pino, type Logger } from 'pino';

export type { Logger };

/** @param level one of pino's names: `trace` … `fatal`, `silent`. */
export function createLog(level = 'info'): Logger {
  return pino(
    {
      level,
      base: undefined,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    // Off the event loop, and bounded: a reader that stopped reading must not stop the gate.
    pino.destination({ dest: 2, sync: false, maxLength: 16 * 1024 * 1024 }),
  );
}
