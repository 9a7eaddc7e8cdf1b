import { installPlanCrdSafety } from './install-plan-crd-safety.js';
import { inNamespace, metaOf } from '../../../../text/documents/index.js';
import { from, sources } from '../../../../rule/index.js';
import { firstNames } from '../../../../text/shortened.js';
import { checkedKinds, examplePlanOfCsv, planRule } from './plan-rule.js';
import { pendingSteps } from '../../../objects/install-plan.js';
import { csvRules } from '../cluster-service-version/table.js';
import { csvLimitAhead } from '../cluster-version/cluster-update-blocked.js';
import { RuleContext } from '../rule.js';
import { objectsAt } from '../../../../text/documents/fields.js';
import { settledGroup } from '../examples.js';

const prefix = 'attenuated service account query failed - ';

export const installPlanOperatorGroup = planRule({
  id: 'InstallPlanOperatorGroup',
  family: 'install-plans',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'The namespace of an approved InstallPlan has exactly one OperatorGroup with targets, and the service account that it names.',
  withoutNames: 'its namespace does not have exactly one OperatorGroup',
  why: 'The plan runs with the rights that the one OperatorGroup stands for. With several groups OLM only repeats its message until all but one are gone. A missing group, or a service account that is not there yet, is a warning: the plan goes on by itself once they come.',
  otherwise: `${prefix}more than one operator group(s) are managing this namespace count=2`,
  instead: 'Delete all OperatorGroups but one before the plan is approved.',
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'syncInstallPlans'),
    from.olm('pkg/lib/scoped/querier.go', 'queryServiceAccountFromNamespace'),
  ),
  example: {
    before: `
      ${settledGroup()}
      ---
      ${settledGroup('pets', 'second')}
      ---
      ${settledGroup('zoo')}`,
    after:
      '{ kind: InstallPlan, metadata: { name: install-1, namespace: pets }, spec: { approved: true } }',
    says: 'more than one operator group(s) are managing this namespace count=2: pets, second',
    accepted:
      '{ kind: InstallPlan, metadata: { name: install-1, namespace: zoo }, spec: { approved: true } }',
  },
  *judge({ object, view }) {
    const namespace = metaOf(object).namespace;
    const groups = view.groupsIn(namespace);
    const managing = groups.filter((group) => group.statusNamespaces.length > 0);
    const [group] = managing;
    if (group === undefined) {
      yield {
        message: `${prefix}no operator group found that is managing this namespace`,
        severity: 'warning',
        fix: `create an OperatorGroup in namespace ${namespace}, or wait until the one there has targets`,
      };
    } else if (managing.length > 1) {
      yield {
        message: `${prefix}more than one operator group(s) are managing this namespace count=${managing.length}: ${firstNames(managing.map((each) => each.name))}`,
      };
    } else if (group.serviceAccountName !== '' && !group.serviceAccountSynced) {
      yield {
        message: `${prefix}please make sure the service account exists. sa=${group.serviceAccountName} operatorgroup=${group.namespace}/${group.name}`,
        severity: 'warning',
        fix: `create ServiceAccount ${group.serviceAccountName} in namespace ${group.namespace}`,
      };
    }
  },
});

/** Requirements are what the plan itself brings. */
const stepRules = csvRules.filter((rule) => rule.id !== 'RequirementsNotMet');

export const installPlanCsv = planRule({
  id: 'InstallPlanCSV',
  family: 'install-plans',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'Every ClusterServiceVersion of an approved InstallPlan passes the rules for ClusterServiceVersions, as if it were created now.',
  withoutNames: 'OLM would fail a ClusterServiceVersion that it brings',
  why: 'OLM completes the plan and fails the operator afterwards.',
  otherwise: 'the ClusterServiceVersion of a completed plan goes to Failed',
  instead: 'Do what the rule that the message names asks for, and approve the plan then.',
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'ExecutePlan'),
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
  ),
  messages: {
    refused: 'ClusterServiceVersion {csv}: {rule}: {message}',
    limits: 'ClusterServiceVersion {message}',
  },
  example: {
    before: settledGroup(),
    after: examplePlanOfCsv('AllNamespaces'),
    says: 'ClusterServiceVersion cats.v1: UnsupportedOperatorGroup: ',
    accepted: examplePlanOfCsv('OwnNamespace'),
  },
  *judge(context) {
    const { object, view } = context;
    const namespace = metaOf(object).namespace;
    for (const step of pendingSteps(object, ['ClusterServiceVersion'], view)) {
      if (step.object === null) continue;
      const csv = inNamespace(step.object, namespace);
      const stepContext = new RuleContext({
        view,
        crdSafety: context.crdSafety,
        request: 'CREATE',
        // A bundle holds no copied CSVs, even if OLM runs the plan.
        isByOlm: false,
        object: csv,
        oldObject: null,
      });
      const ahead = csvLimitAhead(csv, view);
      if (ahead !== undefined) {
        const rule = 'BlocksClusterUpgrade';
        const cause = `${step.name} ${rule}`;
        yield { id: 'limits', data: { message: ahead }, severity: 'warning', foundBy: rule, cause };
      }
      for (const rule of stepRules) {
        for (const finding of rule.judge(stepContext)) {
          if (finding.severity === 'info') continue;
          // OLM's reason, with which its message may begin, is the rule's id.
          const message = finding.message.replace(`${rule.id}: `, '');
          yield {
            id: 'refused',
            data: { csv: step.name, rule: rule.id, message },
            severity: finding.severity,
            foundBy: rule.id,
            cause: [step.name, rule.id, finding.cause ?? []].flat().join(' '),
            ...(typeof finding.fix === 'string' ? { fix: finding.fix } : {}),
          };
        }
      }
    }
  },
});

export const installPlanBundleTooLarge = planRule({
  id: 'InstallPlanBundleTooLarge',
  family: 'install-plans',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'Bundles that an approved InstallPlan refers to can be read whole and in time: at most 50 bundles, 1,000 manifests in them, 16 MiB of each unpacked, and no YAML whose aliases stand for a multiple of what is written; what was not read when the review’s time ended counts as too large, whoever was slow.',
  withoutNames: 'a bundle that it refers to cannot be read whole',
  why: 'Steps may refer to a ConfigMap into which a bundle was unpacked. What is hidden in one that cannot be read would be installed unchecked, so it does not pass.',
  otherwise: 'OLM reports no error: what is hidden in it would be installed unchecked',
  instead:
    'Unpack the bundle anew: delete the ConfigMap and the InstallPlan. If only time ran out, try again.',
  source: from.olm('pkg/controller/operators/catalog/manifests.go', 'ManifestForStep'),
  messages: { tooLarge: '{kind} {name} cannot be checked: {unread}' },
  example: {
    before: `
      kind: ConfigMap
      metadata: { name: unpacked, namespace: olm }
      data:
        manifest: |
          kind: ClusterServiceVersion
          a: &a [x, x, x, x, x, x, x, x, x, x]
          b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
          c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
          d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
          metadata: { name: cats.v1 }
          e: [*d, *d]`,
    after: examplePlanOfCsv(),
    says: 'ClusterServiceVersion cats.v1 cannot be checked: ConfigMap olm/unpacked holds a manifest that',
    accepted: examplePlanOfCsv('OwnNamespace'),
  },
  *judge({ object, view }) {
    for (const { kind, name, unread, isTooMuch } of pendingSteps(object, checkedKinds, view)) {
      if (!isTooMuch || unread === null) continue;
      yield { id: 'tooLarge', data: { kind, name, unread }, cause: `${kind} ${name}` };
    }
  },
});

export const installPlanUnchecked = planRule({
  id: 'InstallPlanUnchecked',
  family: 'install-plans',
  severity: 'warning',
  protects: 'own-namespace',
  checks:
    'Every step of an approved InstallPlan with a CustomResourceDefinition or a ClusterServiceVersion could be read.',
  why: 'Steps may refer to a ConfigMap into which a bundle was unpacked. Where it cannot be read, or a definition on the cluster is known by name only, the step goes unchecked, and this says so; where policy denies what cannot be judged, the approval is denied.',
  otherwise: 'OLM reports no error: what could not be read was not checked',
  instead:
    'Let olm-guard read ConfigMaps of the catalog namespace, or check the bundle by itself: olm-guard check bundle.',
  source: from.olm('pkg/controller/operators/catalog/manifests.go', 'ManifestForStep'),
  messages: { unchecked: '{kind} {name} was not checked: {reason}' },
  example: {
    after: examplePlanOfCsv(),
    says: 'ClusterServiceVersion cats.v1 was not checked: its manifest is in ConfigMap olm/unpacked, which does not exist',
    accepted: examplePlanOfCsv('OwnNamespace'),
  },
  *judge({ object, view }) {
    for (const { kind, name, unread, isTooMuch } of pendingSteps(object, checkedKinds, view)) {
      if (isTooMuch) continue;
      const reason =
        unread ?? (kind === 'CustomResourceDefinition' ? unknownDefinition(name, view) : null);
      if (reason === null) continue;
      yield { id: 'unchecked', data: { kind, name, reason }, cause: `${kind} ${name}` };
    }
  },
});

function unknownDefinition(name: string, view: RuleContext['view']): string | null {
  const current = view.lookUp('CustomResourceDefinition', name);
  if (current === undefined) return null;
  const isKnown = current !== null && objectsAt(current, 'spec', 'versions').length > 0;
  return isKnown ? null : 'the definition on the cluster is not in view';
}

export const installPlanRules = [
  installPlanOperatorGroup,
  installPlanCrdSafety,
  installPlanCsv,
  installPlanBundleTooLarge,
  installPlanUnchecked,
];
