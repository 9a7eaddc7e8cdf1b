export { readBundleFolders, type ReadCatalog, readCatalog } from './catalog-sources/source.js';
export {
  type CatalogPiece,
  GatheredCatalog,
  catalogPieces,
} from './catalog-sources/catalog-pieces.js';
export { readCatalogFolder } from './catalog-sources/folder.js';
export { type AppliedOptions } from './manifests/applied-files.js';
export type { WrittenValue } from './manifests/applied-folder.js';
export { type WrittenLine, isDefinitionOfChart, renderedMark } from './manifests/chart-places.js';
export { goDefinitions, goPrefix } from './manifests/go-definitions.js';
export { isKustomization, type References, referencesOf } from './manifests/kustomization.js';
export {
  type ManifestObject,
  manifestObjects,
  objectsFrom,
  mayDefine,
} from './manifests/manifest-objects.js';
export { type Manifests, readManifests } from './manifests/manifests.js';
export { SchemaCatalog } from './manifests/schema-catalog.js';
export { hasVariable } from './manifests/variables.js';
