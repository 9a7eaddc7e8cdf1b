import { readCatalogSource } from '../../../objects/classic-objects.js';
import { objectsAt, numberAt, textAt, textMapAt } from '../../../../text/documents/fields.js';
import { qualifiedNameProblems, labelValueProblems } from '../../../../text/formats/names.js';
import type { JsonObject } from '../../../../text/documents/index.js';
import { from, sources } from '../../../../rule/index.js';
import { defineCatalogSourceRule } from '../rule.js';
import { exampleCatalogSource } from '../examples.js';

/** No other name that begins with `system-` can be given to a class. */
const ofEveryCluster: ReadonlySet<string> = new Set([
  'system-node-critical',
  'system-cluster-critical',
]);

export const catalogSourcePod = defineCatalogSourceRule({
  id: 'CatalogSourcePod',
  severity: 'warning',
  checks:
    'The pod of a CatalogSource can be created with its nodeSelector, priorityClassName and tolerations.',
  withoutNames: 'its PriorityClass does not exist',
  why: 'OLM copies grpcPodConfig into the catalog’s pod as it is. The API server refuses a pod whose PriorityClass does not exist or whose toleration means nothing, and the catalog never becomes READY.',
  otherwise: 'no PriorityClass with name … was found (the catalog pod is not created)',
  instead:
    'Name a PriorityClass that exists, give a toleration with operator Exists no value, and select nodes by labels that a node can have.',
  source: sources(
    from.olm('pkg/controller/registry/reconciler/reconciler.go', 'Pod'),
    from.kubernetesPages('Taints and Tolerations'),
  ),
  messages: {
    noPriorityClass: 'there is no PriorityClass {priority}: the catalog pod is refused',
    noNode: 'no node has the label {key}={value}: {problem}',
    invalidToleration: 'toleration {number}: {problem}; the catalog pod is refused',
  },
  example: {
    before:
      '{ kind: PriorityClass, apiVersion: scheduling.k8s.io/v1, metadata: { name: important }, value: 1000 }',
    after: exampleCatalogSource('grpcPodConfig: { priorityClassName: urgent }'),
    says: 'there is no PriorityClass urgent',
    accepted: exampleCatalogSource('grpcPodConfig: { priorityClassName: important }'),
  },
  *judge({ object, view }) {
    if (readCatalogSource(object).sourceType !== 'grpc') return;
    const at = '$.spec.grpcPodConfig';
    const priority = textAt(object, 'spec', 'grpcPodConfig', 'priorityClassName') ?? '';
    if (priority !== '' && !ofEveryCluster.has(priority)) {
      if (view.lookUp('PriorityClass', priority) === undefined) {
        yield {
          id: 'noPriorityClass',
          data: { priority },
          path: `${at}.priorityClassName`,
        };
      }
    }
    for (const [key, value] of textMapAt(object, 'spec', 'grpcPodConfig', 'nodeSelector')) {
      const [problem] = [...qualifiedNameProblems(key), ...labelValueProblems(value)];
      if (problem === undefined) continue;
      yield {
        id: 'noNode',
        data: { key, value, problem },
        path: `${at}.nodeSelector`,
      };
    }
    const tolerations = objectsAt(object, 'spec', 'grpcPodConfig', 'tolerations');
    for (const [index, toleration] of tolerations.entries()) {
      const problem = tolerationProblem(toleration);
      if (problem === undefined) continue;
      yield {
        id: 'invalidToleration',
        data: { number: index + 1, problem },
        path: `${at}.tolerations[${index}]`,
      };
    }
  },
});

function tolerationProblem(toleration: JsonObject): string | undefined {
  const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map(
    (field) => textAt(toleration, field) ?? '',
  );
  if (key !== '' && qualifiedNameProblems(key ?? '').length > 0)
    return `its key ${key} is no label's`;
  if (key === '' && operator !== 'Exists') {
    return 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  }
  if (effect !== 'NoExecute' && numberAt(toleration, 'tolerationSeconds') !== undefined) {
    return "effect must be 'NoExecute' when `tolerationSeconds` is set";
  }
  switch (operator) {
    case '':
    case 'Equal':
      if (labelValueProblems(value ?? '').length > 0) return `its value ${value} is no label's`;
      break;
    case 'Exists':
      if (value !== '') return "value must be empty when `operator` is 'Exists'";
      break;
    default:
      return `operator must be Equal or Exists, not ${operator}`;
  }
  const effects = ['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'];
  return effects.includes(effect ?? '')
    ? undefined
    : `effect ${effect} is not a Kubernetes taint effect`;
}
