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
    says: [{ id: 'noPriorityClass', data: { priority: 'urgent' } }],
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
    says: [
      {
        id: 'noNode',
        data: {
          key: 'a b',
          value: 'c',
          problem:
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        },
      },
    ],
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
      {
        id: 'invalidToleration',
        data: {
          number: 1,
          problem:
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        },
      },
      {
        id: 'invalidToleration',
        data: { number: 2, problem: "value must be empty when `operator` is 'Exists'" },
      },
      {
        id: 'invalidToleration',
        data: { number: 3, problem: 'operator must be Equal or Exists, not Like' },
      },
      {
        id: 'invalidToleration',
        data: { number: 4, problem: "effect must be 'NoExecute' when `tolerationSeconds` is set" },
      },
      {
        id: 'invalidToleration',
        data: { number: 5, problem: 'effect Never is not a Kubernetes taint effect' },
      },
    ],
  },
]);
