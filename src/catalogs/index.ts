export { bundleCrds } from './bundle-crds.js';
export { CatalogBuilder, type LoadOptions } from './builder.js';
export {
  countObjects,
  type Catalog,
  type CatalogBundle,
  type CatalogChannel,
  type CatalogDeprecation,
  type CatalogPackage,
  type ChannelEntry,
  type Counts,
  type DeprecationEntry,
  type ObjectPlace,
  type OtherObject,
  type PackageProperty,
  type Property,
} from './catalog.js';
export { channelHeads, replacesChainProblem } from './channel-graph.js';
export { readIgnoreFiles } from './ignore-files.js';
export {
  addFile,
  byWalk,
  isIgnoreFile,
  loadCatalog,
  selectFiles,
  type CatalogFile,
  type LoadedCatalog,
} from './load.js';
export { readMeta, type Meta } from './meta.js';
export {
  buildModel,
  type BundleModel,
  type CatalogModel,
  type ChannelModel,
  type PackageModel,
} from './model.js';
export { isPackageManifest, readPackageManifests } from './package-manifests.js';
export { textField } from './properties.js';
export {
  listCatalog,
  showPackage,
  type ChannelSummary,
  type EntryDetails,
  type PackageDetails,
  type PackageSummary,
} from './summary.js';
export { catalogHeads, validateCatalog, type Complaint, type Validation } from './validate.js';
export { renderTree, type TreeNode } from './validation-tree.js';
