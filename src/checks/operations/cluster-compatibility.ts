import type { Finding } from '../../rule/index.js';
import {
  classicLimit,
  clusterCompatibility as judgeCompatibility,
  isBelowNextMinor,
  limitErrorText,
} from '../../olm/index.js';
import { findingNamed } from '../../policy/index.js';
import { parseVersion } from '../../text/versions/index.js';
import { requiring } from './schemas.js';
import { defineOperation } from './operation.js';

interface ClusterCompatibilityInput {
  readonly cluster: string;
  readonly olmProperties: string;
  readonly olm?: 'v1' | 'classic';
}

export const clusterCompatibility = defineOperation<ClusterCompatibilityInput>({
  name: 'cluster-compatibility',
  summary:
    'Whether a bundle’s olm.maxOpenShiftVersion keeps a cluster from its next minor version.',
  quick: true,
  input: requiring(['cluster', 'olmProperties'], {
    cluster: { type: 'string', description: 'the version of the OpenShift cluster' },
    olmProperties: { type: 'string', description: 'the annotation olm.properties, as text' },
    olm: {
      enum: ['v1', 'classic'],
      description:
        'which OLM has installed the bundle, and so decides; v1 by default, with a warning where the other would keep the cluster back',
    },
  }),
  judge({ cluster, olmProperties, olm = 'v1' }) {
    const answer = judgeCompatibility(cluster, olmProperties);
    if ('clusterError' in answer) {
      const message = `the cluster's version ${JSON.stringify(cluster)} cannot be read: ${answer.clusterError}`;
      return { allowed: true, findings: [finding('warning', message)], output: answer };
    }
    const classic = classicAnswer(cluster, olmProperties);
    const output = { ...answer, classic };
    if (olm === 'classic') {
      const findings = classic.blocksUpgrade
        ? [finding('error', keptBack(classic, answer.nextMinor))]
        : [];
      return { allowed: !classic.blocksUpgrade, findings, output };
    }
    if ('errors' in answer) {
      const findings = answer.errors.map((error) => finding('warning', limitErrorText(error)));
      if (classic.blocksUpgrade) {
        findings.push(finding('warning', keptBack(classic, answer.nextMinor)));
      }
      return { allowed: true, findings, output };
    }
    if (answer.blocksUpgrade) {
      const message = `the bundle is compatible up to OpenShift ${answer.maxOpenShiftVersion ?? ''}: upgrade it before the cluster goes to ${answer.nextMinor}`;
      return { allowed: false, findings: [finding('error', message)], output };
    }
    const findings = classic.blocksUpgrade
      ? [finding('warning', keptBack(classic, answer.nextMinor))]
      : [];
    return { allowed: true, findings, output };
  },
});

interface ClassicAnswer {
  readonly blocksUpgrade: boolean;
  readonly error?: string;
}

/** OLM classic reads the same property otherwise. */
function classicAnswer(cluster: string, properties: string): ClassicAnswer {
  const limit = classicLimit(properties);
  switch (limit.kind) {
    case 'none':
      return { blocksUpgrade: false };
    case 'limit':
      return { blocksUpgrade: isBelowNextMinor(limit.version, parseVersion(cluster)) };
    case 'unreadable':
      return { blocksUpgrade: true, error: limit.problem };
  }
}

function keptBack({ error }: ClassicAnswer, nextMinor: string): string {
  const because = error === undefined ? '' : `: ${error}`;
  return `where OLM classic has installed the bundle, the cluster does not go to ${nextMinor}${because}`;
}

function finding(severity: Finding['severity'], message: string): Finding {
  return findingNamed('MaxOpenShiftVersion', { severity, message });
}
