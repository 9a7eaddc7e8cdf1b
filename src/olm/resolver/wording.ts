import { firstNames } from '../../text/shortened.js';
import { formatApi } from './api.js';
import type { Entry } from './entry.js';
import type { SubscriptionState } from './namespace.js';
import type { Predicate } from './predicate.js';

/** Completes "needs …": `the API K (g/v1)`, `package b in range >=1.0.0`. */
export function describeNeed(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'gvk':
      return `the API ${formatApi(predicate.api)}`;
    case 'package':
      return `package ${predicate.name}`;
    case 'version':
      return `a version in range ${predicate.range}`;
    case 'label':
      return `the label ${predicate.label}`;
    case 'cel':
      return `a bundle for which the rule ${predicate.rule.text} holds`;
    case 'all': {
      const [first, second] = predicate.parts;
      if (first?.kind === 'package' && second?.kind === 'version' && predicate.parts.length === 2) {
        return `package ${first.name} in range ${second.range}`;
      }
      if (predicate.parts.length === 0) return 'any bundle at all';
      if (predicate.parts.length === 1) return predicate.parts.map(describeNeed).join('');
      return `one bundle that is all of: ${predicate.parts.map(describeNeed).join('; ')}`;
    }
    case 'any':
      return predicate.parts.length === 0
        ? 'one of an empty list'
        : predicate.parts.map(describeNeed).join(', or ');
    case 'not':
      return `a bundle that is not: ${predicate.parts.map(describeNeed).join('; ')}`;
  }
}

/** `a.v1.0.0`, with channel and catalog for a bundle of a catalog. */
export function describeEntry(entry: Entry): string {
  if (entry.installed) return `${entry.name} (installed)`;
  const { name, channel, catalog } = entry;
  return `${name} (channel ${channel} of catalog ${catalog.name} in ${catalog.namespace})`;
}

/** At most six names, and how many more there are. */
export function listNames(entries: readonly Entry[]): string {
  const names = entries.map((entry) => (entry.installed ? describeEntry(entry) : entry.name));
  return firstNames([...new Set(names)], 6);
}

export function describeSubscription(subscription: SubscriptionState): string {
  const { name, catalog, catalogNamespace, startingCSV } = subscription;
  const channel =
    (subscription.channel ?? '') === '' ? 'any channel' : `channel ${subscription.channel}`;
  const pin = (startingCSV ?? '') === '' ? '' : `, starting with ${startingCSV}`;
  return `Subscription ${name} asks for package ${subscription.package} from ${channel} of catalog ${catalog} in ${catalogNamespace}${pin}`;
}
