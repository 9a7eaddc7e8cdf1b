export { type LoadOptions } from './builder.js';
export {
  type BundleInstallation,
  type Catalog,
  type CatalogBundle,
  type CatalogChannel,
  type ChannelEntry,
  contentsOf,
  type ObjectPlace,
  type Property,
} from './catalog.js';
export { channelHeads } from './channel-graph.js';
export { loadCatalog, type LoadedCatalog } from './load.js';
export { type Meta } from './meta.js';
export { readPackageManifests } from './package-manifests.js';
export { type EntryDetails, type PackageDetails, type PackageSummary } from './summary.js';
export { catalogHeads, validateCatalog } from './validate.js';
export { type TreeNode } from './validation-tree.js';
