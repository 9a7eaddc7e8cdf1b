import { exampleExtension } from '../example-objects.js';
import { outcomeOf } from '../../../objects/extension-outcome.js';
import { from, queueCatalog, sources } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';
import { candidateText } from './extension-words.js';
import { isForcing } from './forcing-step.js';

export const clusterExtensionForcing = defineExtensionRule({
  id: 'ClusterExtensionForcing',
  severity: 'warning',
  blocksUpgrade: true,
  checks:
    'The range of a ClusterExtension asks for no lower version, and for no next major version to which the catalog has no edge.',
  why: 'OLM v1 goes to neither by itself: the ClusterExtension stays where it is.',
  otherwise:
    'error upgrading from currently installed version "…": no bundles found for package "…"',
  instead:
    'Ask for a version that an update edge leads to. upgradeConstraintPolicy: SelfCertified forces the step, after you have made sure that the data survives.',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.openShift('Update paths'),
  ),
  messages: {
    forced:
      '{step} from {from} needs upgradeConstraintPolicy SelfCertified: OLM v1 does not go there by itself ({refusal})',
  },
  example: {
    before: queueCatalog,
    after: exampleExtension('version: 1.0.0', { installed: '1.1.0' }),
    says: 'going back to queue.v1.0.0 (1.0.0) from 1.1.0 needs upgradeConstraintPolicy SelfCertified',
    accepted: exampleExtension("version: '>=1.1.0'", { installed: '1.1.0' }),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    const step = found === undefined ? undefined : isForcing(found);
    if (found?.outcome.kind !== 'no-path' || step === undefined) return;
    const { extension, outcome } = found;
    const to = outcome.best === undefined ? '' : ` ${candidateText(outcome.best.chosen)}`;
    yield {
      id: 'forced',
      data: {
        step: `${step}${to}`,
        from: extension.installed?.version ?? '',
        refusal: outcome.message,
      },
      path: extension.versionPath,
    };
  },
});
