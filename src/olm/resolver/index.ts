/** Predicts what OLM classic will choose in a namespace, and explains it. */
export { explain, type Explanation } from './explain.js';
export { unreadableDependency } from './unreadable-dependency.js';
export type { Semantics } from './constraint.js';
export type {
  CatalogState,
  InstalledCsv,
  NamespaceState,
  OperatorGroupState,
  SubscriptionState,
} from './namespace.js';
export type { Property } from './requirement.js';
export { loadCatalogs, resolve, type LoadedCatalogs, type Outcome } from './resolve.js';
export { type PictureBox, type PictureLine, type ResolutionPicture } from './picture.js';
