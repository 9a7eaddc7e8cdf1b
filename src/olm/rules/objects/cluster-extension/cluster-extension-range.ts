import { exampleExtension } from '../example-objects.js';
import { readClusterExtension } from '../../../objects/cluster-extension.js';
import { rangeProblem } from '../../../objects/extension-outcome.js';
import { from, sources } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';

export const clusterExtensionRange = defineExtensionRule({
  id: 'ClusterExtensionRange',
  severity: 'error',
  blocksUpgrade: true,
  checks: 'The version of a ClusterExtension is a range that Masterminds/semver can read.',
  why: 'Nothing would ever be installed or updated by one that cannot be read.',
  otherwise: 'desired version range "…" is invalid: … (condition Progressing, again and again)',
  instead: 'Correct the range; olm-guard range "…" says what a range means.',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.operatorController(
      'internal/operator-controller/catalogmetadata/compare/compare.go',
      'NewVersionRange',
    ),
  ),
  example: {
    after: exampleExtension("version: '>=1.0.0 beta'"),
    says: 'desired version range ">=1.0.0 beta" is invalid',
    accepted: exampleExtension("version: '>=1.0.0, <2.0.0'"),
  },
  *judge({ object }) {
    const { version, versionPath } = readClusterExtension(object);
    const problem = rangeProblem(version);
    if (problem === undefined) return;
    yield {
      message: `desired version range ${JSON.stringify(version)} is invalid: ${problem}`,
      path: versionPath,
    };
  },
});
