import { exampleExtension } from '../example-objects.js';
import { readClusterExtension } from '../../../objects/cluster-extension.js';
import { outcomeOf } from '../../../objects/extension-outcome.js';
import { formatVersion } from '../../../../text/versions/index.js';
import { from, queueCatalog, sources } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';

export const clusterExtensionSelfCertified = defineExtensionRule({
  id: 'ClusterExtensionSelfCertified',
  severity: 'warning',
  checks: 'A ClusterExtension follows the update edges of its catalog.',
  why: 'With SelfCertified the edges do not count: OLM v1 may skip migrations, go to a next major version or back to an older one, and data may be lost.',
  otherwise: 'OLM reports no error: OLM v1 replaces the operator by whatever satisfies the range',
  instead:
    'Set CatalogProvided. Where the step must be forced, take a backup, name the version you mean, and set CatalogProvided again afterwards.',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.openShift('Update paths'),
  ),
  messages: {
    stepUnknown: 'update edges of the catalog are not asked; data loss is possible',
    step: 'update edges of the catalog are not asked: {from} becomes {to}; data loss is possible',
  },
  example: {
    before: queueCatalog,
    after: exampleExtension('version: 1.2.0, upgradeConstraintPolicy: SelfCertified', {
      installed: '1.0.0',
    }),
    says: 'update edges of the catalog are not asked: 1.0.0 becomes 1.2.0; data loss is possible',
    accepted: exampleExtension('upgradeConstraintPolicy: CatalogProvided', { installed: '1.0.0' }),
  },
  *judge(context) {
    const { object, oldObject } = context;
    const extension = readClusterExtension(object, oldObject);
    if (!extension.isSelfCertified) return;
    const outcome = context.fact(outcomeOf)?.outcome;
    const { installed, policyPath: path } = extension;
    if (installed === undefined || outcome?.kind !== 'resolved' || outcome.resolution.stays) {
      yield { id: 'stepUnknown', path };
      return;
    }
    const to = formatVersion(outcome.resolution.chosen.versionRelease.version);
    yield { id: 'step', data: { from: installed.version, to }, path };
  },
});
