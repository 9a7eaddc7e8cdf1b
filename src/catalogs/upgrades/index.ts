/** Update graphs: what either OLM would install next, and why. */
export { channelOrder } from './channel-order.js';
export {
  classicPath,
  type ClassicChannel,
  type ClassicRequest,
  type InstalledCsv,
  type VersionedEntry,
} from './classic-path.js';
export { classicLimit, isBelowNextMinor, type ClassicLimit } from './classic-limit.js';
export {
  clusterCompatibility,
  nextMinorOf,
  type ClusterCompatibility,
} from './cluster-compatibility.js';
export { edgeWords, pathDifferences } from './differences.js';
export { documentsPath, type DocumentsRequest, type Source } from './documents-path.js';
export { edgesTo, entriesByName, type Origin, type PlacedEntry } from './edges.js';
export {
  explainPaths,
  type ExplainedPath,
  type PathAnswer,
  type PathQuestion,
} from './explain-paths.js';
export { classicChannels, packageOf } from './from-catalog.js';
export {
  packageGraph,
  type GraphChannel,
  type GraphNode,
  type GraphRequest,
  type GraphRow,
  type NodeState,
  type PackageGraph,
} from './graph.js';
export type { GraphEdge } from './graph-edges.js';
export {
  ResolutionError,
  type Bundle,
  type CatalogPackage,
  type Channel,
  type ChannelEntry,
  type Edge,
  type InstalledBundle,
} from './model.js';
export { compareVersionReleases, type Release, type VersionRelease } from './release.js';
export { resolveV1, type Candidate, type V1Request, type V1Resolution } from './resolve-v1.js';
export { type Step, type UpgradePath } from './step.js';
export { v1Path } from './v1-path.js';
