import { InvalidInputError, type JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../finding.js';
import { objectsAt, textAt } from '../../olm/fields.js';
import { isApproved, pendingSteps } from '../../olm/install-plan.js';
import { defineRule, type OlmRule, type Problem, type RuleContext } from './rule.js';
import { csvRules } from './csv-rules.js';
import { namesText } from './group-review.js';
import { from, sources } from '../source.js';

/**
 * Whether the request lets the plan run: then, and only then, it is looked at. A plan that OLM
 * approves itself is created without steps; they come with its first status.
 */
function letsRun({ object, oldObject }: RuleContext): boolean {
  if (!isApproved(object)) return false;
  if (oldObject === null || !isApproved(oldObject)) return true;
  return (
    objectsAt(oldObject, 'status', 'plan').length === 0 &&
    objectsAt(object, 'status', 'plan').length > 0
  );
}

function planRule(row: Omit<Parameters<typeof defineRule>[0], 'kind' | 'requests'>): OlmRule {
  return defineRule({
    ...row,
    kind: 'InstallPlan',
    requests: ['CREATE', 'UPDATE'],
    check: (context) => (letsRun(context) ? row.check(context) : []),
  });
}

const prefix = 'attenuated service account query failed - ';

export const installPlanOperatorGroup = planRule({
  name: 'InstallPlanOperatorGroup',
  mode: 'deny',
  family: 'install-plans',
  prevents: `${prefix}more than one operator group(s) are managing this namespace count=2`,
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'syncInstallPlans'),
    from.olm('pkg/lib/scoped/querier.go', 'queryServiceAccountFromNamespace'),
  ),
  explain:
    'An approved InstallPlan runs with the rights that the one OperatorGroup of its namespace stands for. With several groups OLM only repeats its message until all but one are gone. ' +
    'A missing group, or a service account that is not there yet, only warns: the plan goes on by itself once they come.',
  *check({ object, view }) {
    const namespace = textAt(object, 'metadata', 'namespace') ?? '';
    const groups = view.groupsIn(namespace);
    const managing = groups.filter((group) => group.statusNamespaces.length > 0);
    const [group] = managing;
    if (group === undefined) {
      yield {
        message: `${prefix}no operator group found that is managing this namespace`,
        severity: 'warning',
      };
    } else if (managing.length > 1) {
      yield {
        message: `${prefix}more than one operator group(s) are managing this namespace count=${managing.length}: ${namesText(managing.map((each) => each.name))}`,
      };
    } else if (group.serviceAccountName !== '' && !group.serviceAccountSynced) {
      yield {
        message: `${prefix}please make sure the service account exists. sa=${group.serviceAccountName} operatorgroup=${group.namespace}/${group.name}`,
        severity: 'warning',
      };
    }
  },
});

export const installPlanCrd = planRule({
  name: 'InstallPlanCRDSafety',
  mode: 'deny',
  family: 'crd-upgrade-safety',
  prevents:
    'error validating existing CRs against new CRD’s schema for …; risk of data loss updating …',
  source: sources(
    from.olm('pkg/controller/operators/catalog/step.go', 'NewCRDV1Step'),
    from.olm('pkg/lib/crd/storage.go', 'SafeStorageVersionUpgrade'),
  ),
  explain:
    'Every CustomResourceDefinition of the plan is compared with the one on the cluster by the CRD rules of the policy, before the plan runs: a plan that fails half-way is not taken back, and Failed is final.',
  *check({ object, view, crdSafety }) {
    for (const { name, object: next } of pendingSteps(object, ['CustomResourceDefinition'], view)) {
      const current = view.lookUp('CustomResourceDefinition', name);
      if (next === null || current === undefined || current === null) continue;
      if (objectsAt(current, 'spec', 'versions').length === 0) continue;
      yield* comparison(name, current, next, crdSafety, sharedBy(name, object, view));
    }
  },
});

function* comparison(
  name: string,
  current: JsonObject,
  next: JsonObject,
  crdSafety: RuleContext['crdSafety'],
  shared: string,
): Iterable<Problem> {
  let findings: readonly Finding[];
  try {
    findings = crdSafety(current, next);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    yield {
      message: `CustomResourceDefinition ${name} cannot be judged: ${error.message}`,
      severity: 'warning',
      cause: name,
    };
    return;
  }
  for (const { rule, severity, message, effect, version, path, witness } of findings) {
    if (severity === 'info') continue;
    yield {
      message: `CustomResourceDefinition ${name}: ${rule}: ${message}${shared}`,
      severity,
      cause: [name, rule, version, path].filter((part) => part !== undefined).join(' '),
      ...(effect === undefined ? {} : { effect }),
      ...(version === undefined ? {} : { version }),
      ...(path === undefined ? {} : { path }),
      ...(witness === undefined ? {} : { witness }),
    };
  }
}

/** Owners in other namespaces, who get the new definition too. */
function sharedBy(crd: string, plan: JsonObject, view: RuleContext['view']): string {
  const namespace = textAt(plan, 'metadata', 'namespace');
  const others = view.csvsOwningCrd(crd).filter((csv) => csv.namespace !== namespace);
  if (others.length === 0) return '';
  return `; it is shared with ${namesText(others.map((csv) => `${csv.namespace}/${csv.name}`))}`;
}

/** Requirements are what the plan itself brings. */
const stepRules = csvRules.filter((rule) => rule.name !== 'RequirementsNotMet');

export const installPlanCsv = planRule({
  name: 'InstallPlanCSV',
  mode: 'deny',
  family: 'install-plans',
  prevents: 'the ClusterServiceVersion of a completed plan goes to Failed',
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'ExecutePlan'),
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
  ),
  explain:
    'Every ClusterServiceVersion of the plan is checked by the rules for ClusterServiceVersions as if it were created now: OLM completes the plan and fails the operator afterwards.',
  *check(context) {
    const { object, view } = context;
    const namespace = textAt(object, 'metadata', 'namespace') ?? '';
    for (const step of pendingSteps(object, ['ClusterServiceVersion'], view)) {
      if (step.object === null) continue;
      const csv = inNamespace(step.object, namespace);
      const stepContext: RuleContext = {
        ...context,
        request: 'CREATE',
        object: csv,
        oldObject: null,
      };
      for (const rule of stepRules) {
        for (const finding of rule.check(stepContext)) {
          if (finding.severity === 'info') continue;
          yield {
            message: `ClusterServiceVersion ${step.name}: ${rule.name}: ${finding.message}`,
            severity: finding.severity,
            cause: [step.name, rule.name, finding.cause]
              .filter((part) => part !== undefined)
              .join(' '),
          };
        }
      }
    }
  },
});

function inNamespace(csv: JsonObject, namespace: string): JsonObject {
  const metadata = csv['metadata'];
  return {
    ...csv,
    metadata: {
      ...(typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
        ? metadata
        : {}),
      namespace,
    },
  };
}

const checkedKinds = ['CustomResourceDefinition', 'ClusterServiceVersion'];

export const installPlanBundleTooLarge = planRule({
  name: 'InstallPlanBundleTooLarge',
  mode: 'deny',
  family: 'install-plans',
  prevents: 'nothing is said: what is hidden in it would be installed unchecked',
  source: from.olm('pkg/controller/operators/catalog/manifests.go', 'ManifestForStep'),
  explain:
    'Steps may refer to a ConfigMap into which a bundle was unpacked. One that unpacks to more than any bundle has, or whose YAML stands for a multiple of what is written, is not read further, and what is not read does not pass. ' +
    'Unpack the bundle anew: delete the ConfigMap and the InstallPlan.',
  *check({ object, view }) {
    for (const { kind, name, unread, isTooMuch } of pendingSteps(object, checkedKinds, view)) {
      if (!isTooMuch || unread === null) continue;
      yield { message: `${kind} ${name} cannot be checked: ${unread}`, cause: `${kind} ${name}` };
    }
  },
});

export const installPlanUnchecked = planRule({
  name: 'InstallPlanUnchecked',
  mode: 'warn',
  family: 'install-plans',
  prevents: 'nothing is said: what could not be read was not checked',
  source: from.olm('pkg/controller/operators/catalog/manifests.go', 'ManifestForStep'),
  explain:
    'Steps may refer to a ConfigMap into which a bundle was unpacked. Where it cannot be read, or a definition on the cluster is known by name only, the step goes unchecked, and this says so.',
  *check({ object, view }) {
    for (const { kind, name, unread, isTooMuch } of pendingSteps(object, checkedKinds, view)) {
      if (isTooMuch) continue;
      const reason =
        unread ?? (kind === 'CustomResourceDefinition' ? unknownDefinition(name, view) : null);
      if (reason === null) continue;
      yield { message: `${kind} ${name} was not checked: ${reason}`, cause: `${kind} ${name}` };
    }
  },
});

function unknownDefinition(name: string, view: RuleContext['view']): string | null {
  const current = view.lookUp('CustomResourceDefinition', name);
  if (current === undefined) return null;
  const isKnown = current !== null && objectsAt(current, 'spec', 'versions').length > 0;
  return isKnown ? null : 'the definition on the cluster is not in view';
}
