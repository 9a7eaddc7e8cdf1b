/** Update graphs: what either OLM would install next, and why. */
export { classicPath } from './classic-path.js';
export { classicLimit, isBelowNextMinor, type ClassicLimit } from './classic-limit.js';
export { clusterCompatibility, limitErrorText, nextMinorOf } from './cluster-compatibility.js';
export { pathDifferences } from './differences.js';
export { documentsPath } from './documents-path.js';
export { explainPaths, type ExplainedPath, type PathAnswer } from './explain-paths.js';
export { classicChannels, packageOf } from './from-catalog.js';
export { nextBundle, updateDeadEnd } from './next-bundle.js';
export { packageGraph, type GraphChannel, type GraphNode, type PackageGraph } from './graph.js';
export type { GraphEdge } from './graph-edges.js';
export { strandedHeads, type StrandedHead } from './later-channels.js';
export { readPackages, type PackageState } from './package-state.js';
export { ResolutionError, type PackageInCatalog, type InstalledBundle } from './model.js';
export {
  resolveV1,
  v1Resolver,
  type Candidate,
  type V1Request,
  type V1Resolution,
} from './resolve-v1.js';
export { type Step } from './step.js';
export { hiddenMistakes } from './extension-config.js';
export { installedAs, v1Path } from './v1-path.js';
