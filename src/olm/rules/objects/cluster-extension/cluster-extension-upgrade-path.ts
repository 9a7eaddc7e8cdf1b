import { exampleExtension } from '../example-objects.js';
import { outcomeOf } from '../../../objects/extension-outcome.js';
import { from, queueCatalog } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';
import { candidateText } from './extension-words.js';
import { isForcing, wayIntoRange } from './forcing-step.js';

export const clusterExtensionUpgradePath = defineExtensionRule({
  id: 'ClusterExtensionUpgradePath',
  severity: 'warning',
  blocksUpgrade: true,
  checks:
    'An update edge of the catalog leads from the installed version of a ClusterExtension to one that its range admits.',
  why: 'Bundles satisfy the range and the channels, but none of them replaces, skips or covers by skipRange what is installed, and what is installed is not among them.',
  otherwise:
    'error upgrading from currently installed version "…": no bundles found for package "…"',
  instead: 'Go by a version that the catalog leads to, or widen the range.',
  source: from.operatorController(
    'internal/operator-controller/catalogmetadata/filter/successors.go',
    'SuccessorsOf',
  ),
  example: {
    before: queueCatalog,
    after: exampleExtension('version: 1.2.0', { installed: '1.0.0' }),
    says: 'the catalog leads to queue.v1.1.0 (1.1.0)',
    accepted: exampleExtension('version: 1.1.0', { installed: '1.0.0' }),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    if (found?.outcome.kind !== 'no-path' || isForcing(found)) return;
    const { extension, outcome, ask } = found;
    const way = wayIntoRange(found);
    const next = ask({ version: '' });
    const first = next === undefined || next.stays ? [] : [next.chosen];
    const steps = (way.length > 0 ? way : first).map(candidateText);
    const leads =
      steps.length === 0
        ? 'the catalog leads nowhere from it'
        : `the catalog leads to ${steps.join(', and from there to ')}`;
    yield { message: `${outcome.message}; ${leads}`, path: extension.versionPath };
  },
});
