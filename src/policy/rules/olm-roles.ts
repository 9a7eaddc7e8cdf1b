/** The text of `explain` for a ClusterRole that OLM makes: people meet its name before they meet OLM's rules. */
import { apiRoles, readRoleName, type RoleName } from '../../olm/index.js';

/** Undefined for a name that OLM gives no role of its own. */
export function printRole(name: string): string | undefined {
  const role = readRoleName(name);
  if (role === undefined) return undefined;
  const lines = role.kind === 'group' ? groupLines(role) : apiLines(name, role);
  return [
    `ClusterRole ${name}, by its name one of OLM`,
    ...[
      ...lines,
      ['check', `kubectl get clusterrole ${name} --show-labels (olm.managed=true)`],
    ].map(([title = '', text = '']) => `  ${`${title}:`.padEnd(11)}${text}`),
    '',
  ].join('\n');
}

function groupLines({ group, suffix }: Extract<RoleName, { kind: 'group' }>): string[][] {
  return [
    ['made by', `OLM since v0.26.0, for an OperatorGroup ${group}`],
    [
      'grants',
      `what the ${suffix} roles grant of the APIs that the group’s operators provide; nothing while there are none`,
    ],
    ['given to', 'nobody, until somebody binds it'],
    ['belongs to', `the OperatorGroup in the namespace that the label olm.owner.namespace names`],
  ];
}

function apiLines(
  name: string,
  { api, version, suffix }: Extract<RoleName, { kind: 'api' }>,
): string[][] {
  const known = apiRoles([{ name: api, version, kind: '' }], []).roles;
  const role = known.find((each) => each.name === name);
  const verbs = apiRoles([], [{ name: api, group: '', version, kind: '' }]).roles;
  const [rule] = (role ?? verbs.find((each) => each.name === name))?.rules ?? [];
  const owner =
    role === undefined ? `the APIService of ${api}` : `the CustomResourceDefinition ${api}`;
  const object = suffix === 'crdview' ? owner : api;
  const standard = suffix === 'crdview' ? 'view' : suffix;
  return [
    ['made by', `OLM, once a ClusterServiceVersion that owns ${api} in ${version} has succeeded`],
    ['grants', `${(rule?.verbs ?? []).join(', ')} on ${object}`],
    [
      'given to',
      `whoever has the ClusterRole ${standard}, which it is aggregated to, or the ${standard} role of an OperatorGroup that provides the API`,
    ],
    ['belongs to', `${owner}: it stays when the ClusterServiceVersion goes`],
  ];
}
