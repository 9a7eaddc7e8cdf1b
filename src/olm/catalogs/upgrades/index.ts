/** Update graphs: what either OLM would install next, and why. */
export { classicLimit, isBelowNextMinor, type ClassicLimit } from './classic-limit.js';
export { clusterCompatibility, limitErrorText, nextMinorOf } from './cluster-compatibility.js';
export { packageOf } from './from-catalog.js';
export { nextBundle, updateDeadEnd } from './next-bundle.js';
export { strandedHeads } from './later-channels.js';
export { readPackages, type PackageState } from './package-state.js';
export { ResolutionError, type PackageInCatalog, type InstalledBundle } from './model.js';
export { v1Resolver, type Candidate, type V1Resolution } from './resolve-v1.js';
export { hiddenMistakes } from './extension-config.js';
export { installedAs } from './v1-path.js';
