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
