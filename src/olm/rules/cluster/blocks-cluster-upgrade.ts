import { csvUpTo } from '../objects/examples.js';
import { installedBundle } from '../../objects/cluster-extension.js';
import { limitIn, limitSource } from '../objects/cluster-version/cluster-update-blocked.js';
import { limitOfCsv } from '../../objects/open-shift-limit.js';
import { isBelowNextMinor, nextMinorOf } from '../../catalogs/upgrades/index.js';
import { readVersion } from '../../../text/versions/index.js';
import { defineScanRule } from './rule.js';

export const blocksClusterUpgrade = defineScanRule({
  id: 'BlocksClusterUpgrade',
  aliases: ['MaxOpenShiftVersion'],
  severity: 'error',
  family: 'resolution',
  kinds: ['ClusterServiceVersion'],
  otherwise:
    'ClusterServiceVersions blocking cluster upgrade: … is incompatible with OpenShift minor versions greater than …',
  source: limitSource,
  checks:
    'Installed operators that declare by olm.maxOpenShiftVersion that they do not work on the next minor version of the cluster.',
  why: 'The cluster refuses that update.',
  instead: 'Update the operator first.',
  messages: {
    unreadable:
      'has invalid olm.maxOpenShiftVersion properties, and OLM keeps the cluster from its next minor version: {problem}',
    limit: 'works up to OpenShift {limit}: update it before the cluster goes to {next}',
    extension:
      '{bundle} keeps OpenShift from {next} ({because}): update it before the cluster goes on',
  },
  example: {
    before: `
      apiVersion: config.openshift.io/v1
      kind: ClusterVersion
      metadata: { name: version }
      status: { desired: { version: 4.15.3 } }`,
    after: csvUpTo('4.15'),
    says: 'works up to OpenShift 4.15: update it before the cluster goes to 4.16',
    accepted: csvUpTo('4.16'),
  },
  *judge({ objects, clusterVersion, view }) {
    const current = readVersion(clusterVersion ?? '');
    if (clusterVersion === null || current === undefined) return;
    for (const object of objects('ClusterServiceVersion')) {
      const limit = limitOfCsv(object);
      if (limit.kind === 'unreadable') {
        yield { object, id: 'unreadable', data: { problem: limit.problem } };
      } else if (limit.kind === 'limit' && isBelowNextMinor(limit.version, current)) {
        const { major, minor } = limit.version;
        const data = { limit: `${major}.${minor}`, next: nextMinorOf(current) };
        yield { object, id: 'limit', data };
      }
    }
    for (const object of objects('ClusterExtension')) {
      const installed = installedBundle(object);
      if (installed === undefined || view.knownCatalogs === null) continue;
      const because = limitIn(view.knownCatalogs, installed.name, clusterVersion);
      if (because === undefined) continue;
      const data = { bundle: installed.name, next: nextMinorOf(current), because };
      yield { object, id: 'extension', data };
    }
  },
});
