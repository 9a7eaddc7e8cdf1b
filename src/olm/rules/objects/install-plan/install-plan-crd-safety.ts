import { from, sources } from '../../../../rule/index.js';
import { readCsv } from '../../../objects/classic-objects.js';
import { objectsAt } from '../../../../text/documents/fields.js';
import { pendingSteps } from '../../../objects/install-plan.js';
import { isRefusedByServer } from '../../../../upgrade/index.js';
import { InvalidInputError, metaOf, type JsonObject } from '../../../../text/documents/index.js';
import type { Problem, RuleContext } from '../rule.js';
import { escalateForSharedOwners, type Owner } from '../definitions.js';
import { examplePlan, planRule } from './plan-rule.js';
import { attempt } from '../../../once.js';

const messages = {
  unsafe: 'CustomResourceDefinition {name}: {rule}: {message}',
  unsafeAndShared:
    'CustomResourceDefinition {name}: {rule}: {message}; it is shared with {elsewhere}',
  unjudged: 'CustomResourceDefinition {name} cannot be judged: {problem}',
} as const;

const ofScope = (scope: string): string =>
  examplePlan(
    'CustomResourceDefinition',
    'cats.example.com',
    `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"cats.example.com"},"spec":{"group":"example.com","names":{"kind":"Cat","plural":"cats"},"scope":"${scope}","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`,
  );

export const installPlanCrdSafety = planRule({
  id: 'InstallPlanCRDSafety',
  aliases: ['ClassicUpgrade'],
  family: 'crd-upgrade-safety',
  severity: 'error',
  protects: 'own-namespace',
  awaitsProof: true,
  checks:
    'No CustomResourceDefinition of an approved InstallPlan breaks the one on the cluster, by the CRD rules of the policy.',
  withoutNames: 'a definition that it brings would break what is installed',
  why: 'A plan that fails half-way is not taken back, and Failed is final. OpenShift’s documentation says that a definition with one owner is upgraded at once; today’s OLM checks the objects and stored versions of every definition.',
  otherwise:
    'error validating existing CRs against new CRD’s schema for …; risk of data loss updating …',
  instead:
    'Do not approve the plan; install a version of the operator whose definitions are compatible, or migrate the objects first.',
  source: sources(
    from.olm('pkg/controller/operators/catalog/step.go', 'NewCRDV1Step'),
    from.olm('pkg/lib/crd/storage.go', 'SafeStorageVersionUpgrade'),
  ),
  messages,
  example: {
    before: `
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: cats.example.com }
      spec:
        group: example.com
        names: { kind: Cat, plural: cats }
        scope: Namespaced
        versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]`,
    after: ofScope('Cluster'),
    says: 'CustomResourceDefinition cats.example.com: NoScopeChange: ',
    accepted: ofScope('Namespaced'),
  },
  *judge({ object, view, crdSafety }) {
    for (const { name, object: next } of pendingSteps(object, ['CustomResourceDefinition'], view)) {
      const current = view.lookUp('CustomResourceDefinition', name);
      if (next === null || current === undefined || current === null) continue;
      if (objectsAt(current, 'spec', 'versions').length === 0) continue;
      yield* comparison(name, current, next, crdSafety, ownersOf(name, object, view));
    }
  },
});

function* comparison(
  name: string,
  current: JsonObject,
  next: JsonObject,
  crdSafety: RuleContext['crdSafety'],
  owners: Owners,
): Iterable<Problem<typeof messages>> {
  const findings = attempt(InvalidInputError, () =>
    escalateForSharedOwners(crdSafety(current, next), owners.all),
  );
  if (findings instanceof InvalidInputError) {
    yield {
      id: 'unjudged',
      data: { name, problem: findings.message },
      // A definition that API servers refuse as well breaks nothing; one that is too much to judge may.
      ...(findings.code === 'E_LIMIT'
        ? ({ severity: 'error', unprovable: true } as const)
        : ({ severity: 'warning' } as const)),
      cause: name,
    };
    return;
  }
  for (const each of findings) {
    const { rule, severity, message, effect, version, path, witness } = each;
    const { audience, harm, request, stored, storedFrom } = each;
    const { elsewhere } = owners;
    if (severity === 'info') continue;
    // No object breaks by what an API server refuses, but the plan fails half-way.
    const isRefused = severity === 'error' && isRefusedByServer(rule);
    yield {
      id: elsewhere.length === 0 ? 'unsafe' : 'unsafeAndShared',
      data: { name, rule, message, elsewhere },
      severity,
      cause: [name, rule, version, path].filter((part) => part !== undefined).join(' '),
      effect,
      harm,
      version,
      path,
      witness,
      unprovable: isRefused ? true : each.unprovable,
      audience,
      request,
      stored,
      storedFrom,
    };
  }
}

interface Owners {
  readonly all: () => readonly Owner[];
  /** Owners in other namespaces, who get the new definition too. */
  readonly elsewhere: readonly string[];
}

function ownersOf(crd: string, plan: JsonObject, view: RuleContext['view']): Owners {
  const { namespace } = metaOf(plan);
  const known = view.csvsOwningCrd(crd);
  const others = known.filter((csv) => csv.namespace !== namespace);
  return {
    all: () => [...known, ...plannedOwners(crd, plan, view)],
    elsewhere: others.map((csv) => `${csv.namespace}/${csv.name}`),
  };
}

/** The ClusterServiceVersions that the plan itself brings. */
function plannedOwners(crd: string, plan: JsonObject, view: RuleContext['view']): Owner[] {
  return pendingSteps(plan, ['ClusterServiceVersion'], view).flatMap(({ object }) => {
    if (object === null) return [];
    const csv = readCsv(object);
    if (!csv.ownedCrds.some(({ name }) => name === crd)) return [];
    return [{ ...csv, namespace: metaOf(plan).namespace }];
  });
}
