import type { JsonObject } from '../../../text/documents/index.js';
import { extensionFailing } from './v1-failing.js';
import { describeScanRule } from './testing/scan-rows.js';

const blocked: JsonObject = { type: 'Progressing', status: 'False', reason: 'Blocked' };

const extension: JsonObject = {
  apiVersion: 'olm.operatorframework.io/v1',
  kind: 'ClusterExtension',
  metadata: { name: 'queue' },
  status: {
    conditions: [{ type: 'Progressing', status: 'True', reason: 'RollingOut' }],
    activeRevisions: [{ name: 'queue-2', conditions: [blocked] }],
  },
};

const revision = (kind: string): JsonObject => ({
  apiVersion: 'olm.operatorframework.io/v1',
  kind,
  metadata: { name: 'queue-2' },
  status: { conditions: [blocked] },
});

describeScanRule(extensionFailing, [
  {
    when: 'its active revision is blocked and cannot be read',
    objects: [extension],
    says: [{ of: 'queue', id: 'revision', data: { revision: 'queue-2' } }],
  },
  ...['ClusterObjectSet', 'ClusterExtensionRevision'].map((kind) => ({
    when: `its active revision can be read as a ${kind}, which says it by itself`,
    objects: [extension, revision(kind)],
    says: [],
  })),
]);
