import { installedBundle } from '../../objects/cluster-extension.js';
import { limitIn, limitSource } from '../objects/cluster-version/catalog-limit.js';
import { limitOfCsv } from '../../objects/open-shift-limit.js';
import { isBelowNextMinor, nextMinorOf } from '../../catalogs/upgrades/index.js';
import { readVersion } from '../../../text/versions/index.js';
import { defineScanRule } from './rule.js';

export const blocksClusterUpgrade = defineScanRule({
  id: 'BlocksClusterUpgrade',
  aliases: ['MaxOpenShiftVersion'],
  severity: 'error',
  blocksUpgrade: false,
  family: 'resolution',
  kinds: ['ClusterServiceVersion'],
  otherwise:
    'ClusterServiceVersions blocking cluster upgrade: … is incompatible with OpenShift minor versions greater than …',
  source: limitSource,
  checks:
    'Installed operators that declare by olm.maxOpenShiftVersion that they do not work on the next minor version of the cluster.',
  why: 'The cluster refuses that update.',
  instead: 'Update the operator first.',
  example: {
    before: `
      apiVersion: config.openshift.io/v1
      kind: ClusterVersion
      metadata: { name: version }
      status: { desired: { version: 4.15.3 } }`,
    after: `
      apiVersion: operators.coreos.com/v1alpha1
      kind: ClusterServiceVersion
      metadata:
        name: cats.v1
        namespace: pets
        annotations:
          olm.properties: '[{"type": "olm.maxOpenShiftVersion", "value": "4.15"}]'`,
    says: 'works up to OpenShift 4.15: update it before the cluster goes to 4.16',
    accepted: `
      apiVersion: operators.coreos.com/v1alpha1
      kind: ClusterServiceVersion
      metadata:
        name: cats.v1
        namespace: pets
        annotations:
          olm.properties: '[{"type": "olm.maxOpenShiftVersion", "value": "4.16"}]'`,
  },
  *judge({ objects, clusterVersion, view }) {
    const current = readVersion(clusterVersion ?? '');
    if (clusterVersion === null || current === undefined) return;
    for (const object of objects('ClusterServiceVersion')) {
      const limit = limitOfCsv(object);
      if (limit.kind === 'unreadable') {
        yield {
          object,
          message: `has invalid olm.maxOpenShiftVersion properties, and OLM keeps the cluster from its next minor version: ${limit.problem}`,
        };
      } else if (limit.kind === 'limit' && isBelowNextMinor(limit.version, current)) {
        yield {
          object,
          message: `works up to OpenShift ${limit.version.major}.${limit.version.minor}: update it before the cluster goes to ${nextMinorOf(current)}`,
        };
      }
    }
    for (const object of objects('ClusterExtension')) {
      const installed = installedBundle(object);
      if (installed === undefined || view.knownCatalogs === null) continue;
      const because = limitIn(view.knownCatalogs, installed.name, clusterVersion);
      if (because === undefined) continue;
      yield {
        object,
        message: `${installed.name} keeps OpenShift from ${nextMinorOf(current)} (${because}): update it before the cluster goes on`,
      };
    }
  },
});
