import type { Policy } from './policy.js';
import { parseTime } from './rfc3339.js';

/** Warnings about a policy that is valid and probably not what was meant. */
export function policyWarnings(policy: Policy, now: Date): string[] {
  return policy.exemptions.flatMap(({ until, reason }, index) =>
    until !== undefined && (parseTime(until) ?? 0) <= now.getTime()
      ? [
          `exemption ${index + 1}${reason === undefined ? '' : ` "${reason}"`} expired at ${until} and no longer counts`,
        ]
      : [],
  );
}
