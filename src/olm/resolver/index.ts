/** Predicts what OLM classic will choose in a namespace, and explains it. */
export { unreadableDependency } from './requirement.js';
export type {
  CatalogState,
  InstalledCsv,
  NamespaceState,
  OperatorGroupState,
  SubscriptionState,
} from './namespace.js';
export type { Property } from './requirement.js';
