import type { JsonObject } from '../../text/documents/index.js';
import { type Copy, judgeCopies, readCsv } from '../../olm/index.js';
import { flagAt, objectAt, objectsAt, textsAt } from '../../text/documents/fields.js';
import { readGroups, readNamespaces, splitGroups } from './group-inputs.js';
import { defineOperation } from './operation.js';
import * as schema from './operatorgroup-schemas.js';

export const copiedCsvs = defineOperation<JsonObject>({
  name: 'copied-csvs',
  summary: 'In which namespaces OLM keeps copies of a ClusterServiceVersion, and what they carry.',
  input: {
    type: 'object',
    required: ['clusterServiceVersion', 'operatorGroups', 'namespaces'],
    properties: {
      clusterServiceVersion: schema.kubernetesObject,
      operatorGroups: schema.kubernetesObjects,
      namespaces: schema.namespaces,
      disableCopiedCSVs: schema.optionalFlag,
      olmConfig: {
        ...schema.kubernetesObject,
        description: 'The OLMConfig cluster, whose features.disableCopiedCSVs counts too.',
      },
      protectedNamespaces: schema.optionalTexts,
      existing: schema.kubernetesObjects,
    },
  },
  judge(input) {
    const csv = readCsv(objectAt(input, 'clusterServiceVersion') ?? {});
    const copies = judgeCopies({
      csv,
      ...splitGroups(readGroups(input, 'operatorGroups'), csv.namespace),
      namespaces: readNamespaces(input),
      disableCopiedCSVs:
        flagAt(input, 'disableCopiedCSVs') ||
        flagAt(input, 'olmConfig', 'spec', 'features', 'disableCopiedCSVs'),
      protectedNamespaces: textsAt(input, 'protectedNamespaces'),
      existing: objectsAt(input, 'existing').map(readCsv),
    });
    return {
      allowed: true,
      findings: [],
      output: {
        copies: copies.copies.map(objectOf),
        deleted: copies.deleted,
        explanation: copies.explanation,
      },
    };
  },
});

function objectOf({ name, namespace, annotations, labels, status }: Copy): object {
  return {
    metadata: {
      name,
      namespace,
      annotations: Object.fromEntries(annotations),
      labels: Object.fromEntries(labels),
    },
    status,
  };
}
