import type { Finding } from '../finding.js';
import {
  classicLimit,
  clusterCompatibility as judgeCompatibility,
  isBelowNextMinor,
} from '../catalogs/upgrades/index.js';
import { findingNamed } from '../rules/registry.js';
import { readVersion } from '../text/versions/index.js';
import { defineOperation } from './operation.js';

interface ClusterCompatibilityInput {
  readonly cluster: string;
  readonly olmProperties: string;
}

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
    const answer = judgeCompatibility(cluster, olmProperties);
    const output = { ...answer, classic: classicAnswer(cluster, olmProperties) };
    if ('clusterError' in output) {
      const message = `the cluster's version ${JSON.stringify(cluster)} cannot be read: ${output.clusterError}`;
      return { allowed: true, findings: [finding('warning', message)], output };
    }
    if ('errors' in output) {
      const findings = output.errors.map((message) =>
        finding(
          'warning',
          message.startsWith('failed to unmarshal') ? converted(message) : message,
        ),
      );
      return { allowed: true, findings, output };
    }
    if (!output.blocksUpgrade) return { allowed: true, findings: [], output };
    const message = `the bundle is compatible up to OpenShift ${output.maxOpenShiftVersion ?? ''}: upgrade it before the cluster goes to ${output.nextMinor}`;
    return { allowed: false, findings: [finding('error', message)], output };
  },
});

/** As OLM v1's controller puts it into the ClusterOperator. */
function converted(message: string): string {
  return `could not convert olm.properties: ${message}`;
}

/** OLM classic reads the same property otherwise; undefined when the cluster's version cannot be read. */
function classicAnswer(
  cluster: string,
  properties: string,
): { readonly blocksUpgrade: boolean; readonly error?: string } | undefined {
  const current = readVersion(cluster);
  if (current === undefined) return undefined;
  const limit = classicLimit(properties);
  switch (limit.kind) {
    case 'none':
      return { blocksUpgrade: false };
    case 'limit':
      return { blocksUpgrade: isBelowNextMinor(limit.version, current) };
    case 'unreadable':
      return { blocksUpgrade: true, error: limit.problem };
  }
}

function finding(severity: Finding['severity'], message: string): Finding {
  return findingNamed('MaxOpenShiftVersion', { severity, message });
}
