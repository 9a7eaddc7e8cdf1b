/** Roles and their bindings: which rights an account has, and whether they cover others. */
import { type JsonObject, type JsonValue, metaOf } from '../../text/documents/index.js';
import { objectsAt, textAt, textsAt } from '../../text/documents/fields.js';
import { grantedSubresources } from './consumers.js';

interface Binding {
  readonly namespace: string;
  readonly roleKey: string;
  readonly subjects: readonly string[];
}

export class RoleIndex {
  private readonly rules = new Map<string, readonly GrantedRule[]>();
  private readonly grants = new MultiIndex<JsonObject>({ resource: grantedSubresources });
  private readonly bindings = new MultiIndex<Binding>({
    subject: (binding) => [...binding.subjects],
  });

  set(key: string, object: JsonObject): void {
    const kind = textAt(object, 'kind');
    if (kind === 'Role' || kind === 'ClusterRole') {
      this.rules.set(`${kind}/${key}`, readPolicyRules(object, 'rules'));
      if (grantedSubresources(object).length > 0) this.grants.set(`${kind}/${key}`, object);
      else this.grants.delete(`${kind}/${key}`);
    } else if (kind === 'RoleBinding' || kind === 'ClusterRoleBinding') {
      this.bindings.set(`${kind}/${key}`, readBinding(object));
    }
  }

  delete(key: string, object: JsonObject): void {
    const kind = textAt(object, 'kind') ?? '';
    this.rules.delete(`${kind}/${key}`);
    this.grants.delete(`${kind}/${key}`);
    this.bindings.delete(`${kind}/${key}`);
  }

  /** Roles of either kind that name a subresource: `widgets/scale`. */
  granting(resource: string): JsonObject[] {
    return this.grants.get('resource', [resource]);
  }

  /** @param namespace where the rights are to hold; `""` for all namespaces */
  rulesOf(account: string, itsNamespace: string, namespace: string): GrantedRule[] {
    const subjects = [
      `ServiceAccount ${itsNamespace}/${account}`,
      `User system:serviceaccount:${itsNamespace}:${account}`,
      `Group system:serviceaccounts:${itsNamespace}`,
      'Group system:serviceaccounts',
      'Group system:authenticated',
    ];
    return this.bindings
      .get('subject', subjects)
      .filter((binding) => binding.namespace === '' || binding.namespace === namespace)
      .flatMap((binding) => this.rules.get(binding.roleKey) ?? []);
  }
}

function readBinding(object: JsonObject): Binding {
  const namespace = metaOf(object).namespace;
  const role = textAt(object, 'roleRef', 'name') ?? '';
  const isCluster = textAt(object, 'roleRef', 'kind') === 'ClusterRole';
  return {
    namespace,
    roleKey: isCluster ? `ClusterRole//${role}` : `Role/${namespace}/${role}`,
    subjects: objectsAt(object, 'subjects').map((subject) => {
      const kind = textAt(subject, 'kind') ?? '';
      const name = textAt(subject, 'name') ?? '';
      const of = textAt(subject, 'namespace') ?? namespace;
      return kind === 'ServiceAccount' ? `${kind} ${of}/${name}` : `${kind} ${name}`;
    }),
  };
}

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

/** Source: k8s.io/component-helpers auth/rbac/validation (Covers). */
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

/** Values by key, found again by any of several properties in time that depends on the hits alone. */
export class MultiIndex<Value> {
  private readonly values = new Map<string, Value>();
  private readonly entries = new Map<string, Map<string, Value>>();

  /** @param properties names of indexes, each with the terms under which a value is found */
  constructor(private readonly properties: Readonly<Record<string, (value: Value) => string[]>>) {}

  set(key: string, value: Value): void {
    this.delete(key);
    this.values.set(key, value);
    for (const term of this.termsOf(value)) {
      let entry = this.entries.get(term);
      if (entry === undefined) this.entries.set(term, (entry = new Map<string, Value>()));
      entry.set(key, value);
    }
  }

  delete(key: string): void {
    const value = this.values.get(key);
    if (value === undefined) return;
    this.values.delete(key);
    for (const term of this.termsOf(value)) {
      const entry = this.entries.get(term);
      entry?.delete(key);
      if (entry?.size === 0) this.entries.delete(term);
    }
  }

  get(property: string, terms: readonly string[]): Value[] {
    const found = new Map<string, Value>();
    for (const term of terms) {
      for (const [key, value] of this.entries.get(`${property} ${term}`) ?? [])
        found.set(key, value);
    }
    return [...found.values()];
  }

  all(): Value[] {
    return [...this.values.values()];
  }

  private termsOf(value: Value): string[] {
    return Object.entries(this.properties).flatMap(([property, terms]) =>
      terms(value).map((term) => `${property} ${term}`),
    );
  }
}
