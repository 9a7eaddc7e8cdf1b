import { roleSuffixes, type RoleSuffix } from './group-roles.js';

export type RoleName =
  | { readonly kind: 'group'; readonly group: string; readonly suffix: RoleSuffix }
  /** Of a CustomResourceDefinition or an APIService: their names look alike. */
  | {
      readonly kind: 'api';
      readonly api: string;
      readonly version: string;
      readonly suffix: RoleSuffix | 'crdview';
    };

const suffixes = roleSuffixes.join('|');
/** Source: OLM getClusterRoleName. */
const groupRole = new RegExp(`^olm\\.og\\.(.+)\\.(${suffixes})-[0-9A-Za-z]+$`);
/** Source: OLM ensureClusterRolesForCSV; a version is a label of DNS as Kubernetes orders them. */
const apiRole = new RegExp(`^([^/\\s]+)-(v[0-9]+(?:(?:alpha|beta)[0-9]+)?)-(${suffixes}|crdview)$`);

export function readRoleName(name: string): RoleName | undefined {
  const [, group, groupSuffix] = groupRole.exec(name) ?? [];
  if (group !== undefined) return { kind: 'group', group, suffix: groupSuffix as RoleSuffix };
  const [, api, version = '', suffix] = apiRole.exec(name) ?? [];
  if (api === undefined || (suffix === 'crdview' && !api.includes('.'))) return undefined;
  return { kind: 'api', api, version, suffix: suffix as RoleSuffix | 'crdview' };
}
