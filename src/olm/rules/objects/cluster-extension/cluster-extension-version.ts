import { exampleExtension } from '../example-objects.js';
import { outcomeOf } from '../../../objects/extension-outcome.js';
import { from, queueCatalog } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';
import { quote } from '../../../../text/go/index.js';
import { candidateText, versionsText } from './extension-words.js';

export const clusterExtensionVersion = defineExtensionRule({
  id: 'ClusterExtensionVersion',
  severity: 'warning',
  blocksUpgrade: true,
  checks:
    'A bundle of the package satisfies the version and the channels of a ClusterExtension together.',
  why: 'Otherwise nothing can be installed, and what is installed is not updated any more.',
  otherwise: 'no bundles found for package "…" matching version "…"',
  instead: 'Widen the range, or name the channel that has the version.',
  source: from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
  example: {
    before: queueCatalog,
    after: exampleExtension("version: '>=3.0.0'"),
    says: 'there are 1.2.0, 1.1.0, 1.0.0',
    accepted: exampleExtension("version: '>=1.0.0'"),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    if (found?.outcome.kind !== 'unsatisfied') return;
    const { extension, outcome } = found;
    // With no range a wrong channel is the only reason, and has its own finding.
    if (extension.version === '') return;
    const message = `${outcome.message}${versionsText(found)}`;
    const version = withPreReleases(extension.version);
    const taken = found.ask({ version, installed: undefined })?.chosen;
    yield {
      path: extension.versionPath,
      ...(taken === undefined
        ? { message }
        : {
            message: `${message}; a range without a pre-release takes none`,
            fix: `Write ${quote(version)}, which takes pre-releases too: ${candidateText(taken)}.`,
          }),
    };
  },
});

/** The range with the least pre-release at each of its whole versions. Rule: Masterminds/semver, "Working With Prerelease Versions". */
function withPreReleases(range: string): string {
  return range.replaceAll(/(?<![\w.-])v?\d+\.\d+\.\d+(?![\w.+-])/g, '$&-0');
}
