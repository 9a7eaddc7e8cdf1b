/** RBAC rules as Kubernetes compares them. Source: component-helpers auth/rbac/validation (Covers). */
import type { JsonValue } from '../../text/documents/index.js';
import { objectsAt, textsAt } from '../../text/documents/fields.js';

export interface GrantedRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export function readPolicyRules(object: JsonValue | undefined, ...path: string[]): GrantedRule[] {
  return objectsAt(object, ...path).map((rule) => ({
    verbs: textsAt(rule, 'verbs'),
    apiGroups: textsAt(rule, 'apiGroups'),
    resources: textsAt(rule, 'resources'),
    resourceNames: textsAt(rule, 'resourceNames'),
    nonResourceURLs: textsAt(rule, 'nonResourceURLs'),
  }));
}

export function isCovered(rule: GrantedRule, granted: readonly GrantedRule[]): boolean {
  return singleRights(rule).every((right) => granted.some((grant) => covers(grant, right)));
}

function singleRights(rule: GrantedRule): GrantedRule[] {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  return verbs.flatMap((verb) => [
    ...nonResourceURLs.map((url) => ({ ...none, verbs: [verb], nonResourceURLs: [url] })),
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        names.map((name) => ({
          ...none,
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames: name,
        })),
      ),
    ),
  ]);
}

function covers(grant: GrantedRule, right: GrantedRule): boolean {
  return (
    hasAll(grant.verbs, right.verbs) &&
    hasAll(grant.apiGroups, right.apiGroups) &&
    right.resources.every((resource) => coversResource(grant.resources, resource)) &&
    coversNames(grant.resourceNames, right.resourceNames) &&
    right.nonResourceURLs.every((url) => coversUrl(grant.nonResourceURLs, url))
  );
}

function hasAll(granted: readonly string[], wanted: readonly string[]): boolean {
  return granted.includes('*') || wanted.every((text) => granted.includes(text));
}

function coversResource(granted: readonly string[], resource: string): boolean {
  if (granted.includes('*') || granted.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && granted.includes(`*${resource.slice(slash)}`);
}

function coversNames(granted: readonly string[], wanted: readonly string[]): boolean {
  if (granted.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => granted.includes(name));
}

function coversUrl(granted: readonly string[], url: string): boolean {
  return granted.some(
    (grant) => grant === url || (grant.endsWith('*') && url.startsWith(grant.slice(0, -1))),
  );
}
