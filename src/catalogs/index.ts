export { bundleCrds } from './bundle-crds.js';
export { CatalogBuilder, ofNoSchema, type LoadOptions } from './builder.js';
export {
  countObjects,
  type Catalog,
  type CatalogBundle,
  type CatalogChannel,
  type ObjectPlace,
  type Property,
} from './catalog.js';
export { channelHeads } from './channel-graph.js';
export { readIgnoreFiles } from './ignore-files.js';
export {
  addFile,
  byWalk,
  isIgnoreFile,
  loadCatalog,
  selectFiles,
  type LoadedCatalog,
} from './load.js';
export { readMeta, type Meta } from './meta.js';
export { isPackageManifest, readPackageManifests } from './package-manifests.js';
export {
  deprecationsOf,
  listCatalog,
  showPackage,
  type EntryDetails,
  type PackageDetails,
  type PackageSummary,
} from './summary.js';
export { catalogHeads, validateCatalog } from './validate.js';
export { type TreeNode } from './validation-tree.js';
