import { type JsonObject, metaOf } from '../../text/documents/index.js';
import { objectsAt, textAt } from '../../text/documents/fields.js';
import { grantedSubresources } from './consumers.js';
import { MultiIndex } from './multi-index.js';
import { readPolicyRules, type GrantedRule } from './policy-rules.js';

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
