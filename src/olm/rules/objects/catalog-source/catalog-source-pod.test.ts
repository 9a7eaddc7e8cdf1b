import type { JsonObject } from '../../../../text/documents/index.js';
import { makeObject, describeRule } from '../testing/harness.js';
import { catalogSourcePod } from './catalog-source-pod.js';
import { makeCatalog, image } from './testing/catalog-source.js';

const pod = (grpcPodConfig: JsonObject): JsonObject => makeCatalog({ ...image, grpcPodConfig });
const tolerating = (...tolerations: JsonObject[]): JsonObject => pod({ tolerations });
const important = makeObject('PriorityClass', 'important', '', { value: 1000 });

describeRule(catalogSourcePod, [
  { when: 'nothing is asked', object: makeCatalog(image), says: [] },
  {
    when: 'everything is right',
    object: pod({
      priorityClassName: 'important',
      nodeSelector: { 'node-role.kubernetes.io/infra': '' },
      tolerations: [
        { key: 'infra', operator: 'Exists' },
        { key: 'infra', value: 'yes', effect: 'NoExecute', tolerationSeconds: 60 },
        { operator: 'Exists' },
      ],
    }),
    cluster: [important],
    says: [],
  },
  {
    when: 'the PriorityClass is not there',
    object: pod({ priorityClassName: 'urgent' }),
    cluster: [important],
    says: ['warning: there is no PriorityClass urgent: the catalog pod is refused'],
  },
  {
    when: 'PriorityClasses cannot be seen, or the class is Kubernetes’ own',
    object: pod({ priorityClassName: 'urgent' }),
    unknown: ['PriorityClass'],
    says: [],
  },
  {
    when: 'one of Kubernetes',
    object: pod({ priorityClassName: 'system-cluster-critical' }),
    says: [],
  },
  {
    when: 'no node can have the label',
    object: pod({ nodeSelector: { 'a b': 'c' } }),
    says: [/^warning: no node has the label a b=c: /],
  },
  {
    when: 'tolerations that mean nothing',
    object: tolerating(
      { value: 'x' },
      { key: 'infra', operator: 'Exists', value: 'x' },
      { key: 'infra', operator: 'Like' },
      { key: 'infra', tolerationSeconds: 5 },
      { key: 'infra', effect: 'Never' },
    ),
    says: [
      /^warning: toleration 1: operator must be Exists when `key` is empty/,
      /^warning: toleration 2: value must be empty when `operator` is 'Exists'/,
      /^warning: toleration 3: operator must be Equal or Exists, not Like/,
      /^warning: toleration 4: effect must be 'NoExecute' when `tolerationSeconds` is set/,
      /^warning: toleration 5: effect Never is none/,
    ],
  },
]);
