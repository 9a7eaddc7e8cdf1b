/** The policy in force: what comes with an installation, and what its admin says instead; read again on change. */
import { existsSync } from 'node:fs';
import { InvalidInputError, invalidInput } from '../../text/documents/index.js';
import type { Logger } from '../log.js';
import type { GateMetrics } from '../metrics/own-metrics.js';
import { parsePolicy, policyWarnings, defaultPolicy, type Policy } from '../../policy/index.js';
import { watchFiles, type WatchOptions } from './watched-files.js';
import { readRegularFile } from '../../text/documents/regular-file.js';

export interface PolicySource {
  readonly current: () => Policy;
  close(): void;
}

export interface PolicyFileOptions {
  readonly rules: ReadonlySet<string>;
  readonly log: Logger;
  readonly metrics: Pick<GateMetrics, 'policyReloads'>;
  readonly watch?: WatchOptions;
}

export interface PolicyFiles {
  readonly file?: string | undefined;
  /** Its fields win over those of `file`; it may be missing. */
  readonly overrides?: string | undefined;
}

/** @throws InvalidInputError when a file cannot be read or is no policy. */
export async function readPolicy(
  { file, overrides }: PolicyFiles,
  rules: ReadonlySet<string>,
): Promise<Policy> {
  const policy = file === undefined ? defaultPolicy : await parse(file, rules, defaultPolicy);
  // The folder of a volume is there also when the ConfigMap is not; any other error is reported.
  const isThere = overrides !== undefined && existsSync(overrides);
  return isThere ? parse(overrides, rules, policy) : policy;
}

async function parse(file: string, rules: ReadonlySet<string>, otherwise: Policy): Promise<Policy> {
  const text = await readRegularFile(file);
  const policy = parsePolicy(text.toString('utf8'), file, rules, otherwise);
  if (policy.crdifyFile === undefined) return policy;
  const message = 'crdify names a file, which only commands read; write its options here';
  throw invalidInput(message, { file });
}

/** A later file that is no policy is logged, counted and not used. @throws InvalidInputError for the first */
export async function policyFromFiles(
  files: PolicyFiles,
  { rules, log, metrics, watch = {} }: PolicyFileOptions,
): Promise<PolicySource> {
  let policy = await readPolicy(files, rules);
  const warn = (): void => {
    for (const warning of policyWarnings(policy, new Date()))
      log.warn({ ...files, warning }, 'policy');
  };
  warn();
  // Both series exist from the start, so that an alert on the second can be written.
  for (const outcome of ['success', 'failure']) metrics.policyReloads.inc({ outcome }, 0);
  const watching = await watchFiles(
    [files.file, files.overrides].filter((each) => each !== undefined),
    async () => {
      try {
        policy = await readPolicy(files, rules);
        metrics.policyReloads.inc({ outcome: 'success' });
        log.info({ ...files }, 'policy reloaded');
        warn();
      } catch (error) {
        metrics.policyReloads.inc({ outcome: 'failure' });
        const reason = error instanceof InvalidInputError ? error.describe() : String(error);
        log.error({ ...files, reason }, 'policy not reloaded; the one in force is kept');
      }
    },
    watch,
  );
  return { current: () => policy, close: () => watching.close() };
}
