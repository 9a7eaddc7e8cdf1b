/** Rules of bundles and of resolution, by family, as policies name them. */
import { bundleRules } from '../rules/bundle/index.js';
import type { Family } from '../finding.js';
import { lintRules, resolutionRules } from '../resolver/index.js';

export const rulesOfBundlesAndResolution: readonly [Family, readonly string[]][] = [
  ...Object.values(bundleRules),
  ...Object.values(lintRules),
  ...Object.values(resolutionRules),
].map(({ family, name }) => [family, [name]]);
