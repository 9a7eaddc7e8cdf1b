/** The policy in force: a file, read again whenever it changes. */
import { InvalidInputError } from '../../text/documents/index.js';
import type { Logger } from '../log.js';
import type { GateMetrics } from '../metrics/gate.js';
import { parsePolicy, policyWarnings } from '../../check/parse.js';
import type { Policy } from '../../check/policy.js';
import { watchFiles, type WatchOptions } from './watched-files.js';
import { readRegularFile } from '../../text/documents/regular-file.js';

export interface PolicySource {
  readonly current: () => Policy;
  close(): void;
}

export interface PolicyFileOptions {
  /** Names of all rules there are. */
  readonly rules: ReadonlySet<string>;
  readonly log: Logger;
  readonly metrics: Pick<GateMetrics, 'policyReloads'>;
  readonly watch?: WatchOptions;
}

/** @throws InvalidInputError when the file cannot be read or is no policy. */
export async function readPolicy(file: string, rules: ReadonlySet<string>): Promise<Policy> {
  const text = await readRegularFile(file);
  return parsePolicy(text.toString('utf8'), file, rules);
}

/**
 * Reads the policy and goes on watching it. A later file that is no policy is logged and counted,
 * and the policy in force stays.
 *
 * @throws InvalidInputError when the first one is none.
 */
export async function policyFromFile(
  file: string,
  { rules, log, metrics, watch = {} }: PolicyFileOptions,
): Promise<PolicySource> {
  let policy = await readPolicy(file, rules);
  const warn = (): void => {
    for (const warning of policyWarnings(policy, new Date())) log.warn({ file, warning }, 'policy');
  };
  warn();
  // Both series exist from the start, so that an alert on the second can be written.
  for (const outcome of ['success', 'failure']) metrics.policyReloads.inc({ outcome }, 0);
  const watching = await watchFiles(
    [file],
    async () => {
      try {
        policy = await readPolicy(file, rules);
        metrics.policyReloads.inc({ outcome: 'success' });
        log.info({ file }, 'policy reloaded');
        warn();
      } catch (error) {
        metrics.policyReloads.inc({ outcome: 'failure' });
        const reason = error instanceof InvalidInputError ? error.describe() : String(error);
        log.error({ file, reason }, 'policy not reloaded; the one in force is kept');
      }
    },
    watch,
  );
  return { current: () => policy, close: () => watching.close() };
}
