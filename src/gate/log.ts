/** The log: JSON lines on stderr, so that stdout stays free for what scripts read. */
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger };

/** UTF-16 code units of lines that may wait for a reader. */
const maxWaiting = 1024 * 1024;

/** @param onDrop called for each line that could not be written */
export function createLog(level = 'info', onDrop: () => void = () => undefined): Logger {
  return pino(
    {
      level,
      base: undefined,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    standardError(onDrop),
  );
}

/**
 * Node's own stderr never waits for the reader of a pipe and has no part in the end of the process.
 * pino's destination has both: it writes in a thread, which the end of the process waits for, and
 * then tries again for as long as a pipe or a disk is full.
 */
function standardError(onDrop: () => void): DestinationStream {
  const { stderr } = process;
  // The callback of a line counts what becomes of it.
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
  return {
    write(line) {
      if (stderr.writableLength + line.length > maxWaiting) onDrop();
      else {
        stderr.write(line, (error) => {
          if (error) onDrop();
        });
      }
    },
  };
}

function ignore(): void {
  // An error without a listener would end the process.
}
