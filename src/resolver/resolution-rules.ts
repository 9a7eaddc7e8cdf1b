/** What a resolution can be blamed for, by name. */
import type { ExplainedRule, Family } from '../finding.js';

const family: Family = 'resolution';

export const resolutionRules = {
  conflict: {
    name: 'ResolutionConflict',
    family,
    severity: 'error',
    explain:
      'The subscriptions, installed operators and dependencies of a namespace contradict each other. OLM then installs and upgrades nothing at all in the namespace, and reports it on every subscription.',
  },
  prevented: {
    name: 'ResolutionPrevented',
    family,
    severity: 'error',
    explain:
      'Something stops OLM before it chooses: an unhealthy catalog, not exactly one OperatorGroup, a channel without a unique order, a constraint it cannot read. One such thing stops the whole namespace.',
  },
  gaveUp: {
    name: 'ResolutionGaveUp',
    family,
    severity: 'error',
    explain:
      'The search for a solution took more conflicts than its budget allows, so that the gate never hangs.',
  },
  heldBack: {
    name: 'UpgradeHeldBack',
    family,
    severity: 'warning',
    explain:
      'A subscription stays on its installed version although its channel has an upgrade, because every upgrade contradicts something else. OLM does this silently.',
  },
  pulledIn: {
    name: 'OperatorPulledIn',
    family,
    severity: 'info',
    explain:
      'OLM installs an operator that nobody subscribed to, because another one needs it, and makes a subscription for it.',
  },
} as const satisfies Record<string, ExplainedRule>;
