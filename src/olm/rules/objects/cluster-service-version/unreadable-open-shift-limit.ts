import { csvUpTo } from '../example-objects.js';
import { bundleProperties, limitOfCsv, limitProblem } from '../../../objects/open-shift-limit.js';
import { from } from '../../../../rule/index.js';
import { defineOlmRule } from '../rule.js';

export const unreadableOpenShiftLimit = defineOlmRule({
  id: 'UnreadableOpenShiftLimit',
  subject: 'ClusterServiceVersion',
  family: 'catalogs',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'OLM can read the olm.maxOpenShiftVersion of a ClusterServiceVersion, where it has one.',
  why: 'What OLM cannot read keeps an OpenShift cluster from its next minor version for as long as the operator is installed.',
  otherwise: '… has invalid olm.maxOpenShiftVersion properties: …',
  instead:
    'Set one property olm.maxOpenShiftVersion to <major>.<minor> as a string, such as "4.18".',
  source: from.olm('pkg/controller/operators/openshift/helpers.go', 'maxOpenShiftVersion'),
  example: {
    after: csvUpTo('<cluster_version>'),
    says: 'failed to parse "<cluster_version>" as semver',
    accepted: csvUpTo('4.18'),
  },
  *judge({ object }) {
    const properties = bundleProperties(object);
    const limit = limitOfCsv(object);
    const message =
      properties !== null
        ? limitProblem(properties)
        : limit.kind === 'unreadable'
          ? `OLM cannot read olm.maxOpenShiftVersion and will keep an OpenShift cluster from its next minor version: ${limit.problem}`
          : undefined;
    if (message !== undefined) yield { message, path: '$.metadata.annotations' };
  },
});
