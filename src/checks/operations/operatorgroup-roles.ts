import type { JsonObject } from '../../text/documents/index.js';
import { type ApiKey, documentedGroupRoles, groupRoles } from '../../olm/index.js';
import { objectsAt, textAt } from '../../text/documents/fields.js';
import { defineOperation } from './operation.js';
import { apis, text } from './operatorgroup-schemas.js';

export const operatorgroupRoles = defineOperation<JsonObject>({
  name: 'operatorgroup-roles',
  summary: 'The ClusterRoles that OLM makes for an OperatorGroup, today and in OpenShift 4.12.',
  quick: true,
  input: {
    type: 'object',
    required: ['name', 'namespace'],
    properties: { name: text, namespace: text, apis },
  },
  judge(input) {
    const name = textAt(input, 'name') ?? '';
    const roles = groupRoles(name, textAt(input, 'namespace') ?? '', readApis(input, 'apis'));
    return {
      allowed: true,
      findings: [],
      output: {
        operatorGroupClusterRoles: roles.map(({ suffix, name: role, aggregationRule }) => ({
          suffix,
          name: role,
          nameLength: Buffer.byteLength(role),
          aggregationRule,
        })),
        labels: roles[0]?.labels,
        documented: documentedGroupRoles(name),
      },
    };
  },
});

/** APIs of an input; parts left out are empty. */
export function readApis(input: JsonObject, ...path: string[]): ApiKey[] {
  return objectsAt(input, ...path).map((api) => ({
    group: textAt(api, 'group') ?? '',
    version: textAt(api, 'version') ?? '',
    kind: textAt(api, 'kind') ?? '',
  }));
}
