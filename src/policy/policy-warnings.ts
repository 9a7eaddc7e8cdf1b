import type { Exemption, Policy } from './policy.js';
import { parseEnd } from './rfc3339.js';

/** @param mentioned exemptions with a warning already */
export function policyWarnings(
  policy: Policy,
  now: Date,
  mentioned: ReadonlySet<Exemption> = new Set(),
): string[] {
  return policy.exemptions.flatMap((exemption, index) => {
    if (mentioned.has(exemption)) return [];
    const said = exemptionWarning(exemption, now);
    return said === undefined ? [] : [`exemption ${index + 1}${said}`];
  });
}

function exemptionWarning({ until, reason }: Exemption, now: Date): string | undefined {
  if (until === undefined || (parseEnd(until) ?? 0) > now.getTime()) return undefined;
  const named = reason === undefined ? '' : ` "${reason}"`;
  return `${named} expired at ${until} and no longer counts`;
}
