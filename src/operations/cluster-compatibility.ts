import { docsFor, type Finding } from '../finding.js';
import { clusterCompatibility as judgeCompatibility } from '../catalogs/upgrades/cluster-compatibility.js';
import { defineOperation } from './operation.js';

interface ClusterCompatibilityInput {
  readonly cluster: string;
  readonly olmProperties: string;
}

const rule = 'MaxOpenShiftVersion';

export const clusterCompatibility = defineOperation<ClusterCompatibilityInput>({
  name: 'cluster-compatibility',
  summary:
    'Whether a bundle’s olm.maxOpenShiftVersion keeps a cluster from its next minor version.',
  quick: true,
  input: {
    type: 'object',
    required: ['cluster', 'olmProperties'],
    properties: {
      cluster: { type: 'string', description: 'the version of the OpenShift cluster' },
      olmProperties: { type: 'string', description: 'the annotation olm.properties, as text' },
    },
  },
  judge({ cluster, olmProperties }) {
    const output = judgeCompatibility(cluster, olmProperties);
    if ('clusterError' in output) {
      const message = `the cluster's version ${JSON.stringify(cluster)} cannot be read: ${output.clusterError}`;
      return { allowed: true, findings: [finding('warning', message)], output };
    }
    if ('errors' in output) {
      const findings = output.errors.map((message) => finding('warning', message));
      return { allowed: true, findings, output };
    }
    if (!output.blocksUpgrade) return { allowed: true, findings: [], output };
    const message = `the bundle is compatible up to OpenShift ${output.maxOpenShiftVersion ?? ''}: upgrade it before the cluster goes to ${output.nextMinor}`;
    return { allowed: false, findings: [finding('error', message)], output };
  },
});

function finding(severity: Finding['severity'], message: string): Finding {
  return { rule, family: 'catalogs', severity, message, docs: docsFor(rule) };
}
