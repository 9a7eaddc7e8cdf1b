import { describeRule } from '../testing/harness.js';
import { installPlanUnchecked } from './install-plan-rules.js';
import {
  aPlan,
  aStep,
  crdStep,
  csvStep,
  map,
  reference,
  refersTo,
} from './testing/install-plan.js';

describeRule(installPlanUnchecked, [
  { when: 'all read', object: aPlan(true, csvStep, crdStep), says: [] },
  {
    when: 'other kinds do not matter',
    object: aPlan(true, aStep('Secret', 'x', reference)),
    says: [],
  },
  {
    when: 'no such bundle',
    object: aPlan(true, refersTo),
    says: [
      {
        id: 'unchecked',
        data: {
          kind: 'ClusterServiceVersion',
          name: 'cats.v1',
          reason: 'its manifest is in ConfigMap olm/bundle, which does not exist',
        },
      },
    ],
  },
  {
    when: 'bundles not in view',
    object: aPlan(true, refersTo),
    unknown: ['ConfigMap'],
    says: [
      {
        id: 'unchecked',
        data: {
          kind: 'ClusterServiceVersion',
          name: 'cats.v1',
          reason: 'its manifest is in ConfigMap olm/bundle, which this view does not read',
        },
      },
    ],
  },
  {
    when: 'not in the bundle',
    object: aPlan(true, refersTo),
    cluster: [map({ data: {} })],
    says: [
      {
        id: 'unchecked',
        data: {
          kind: 'ClusterServiceVersion',
          name: 'cats.v1',
          reason: 'ConfigMap olm/bundle does not hold it',
        },
      },
    ],
  },
  {
    when: 'no JSON',
    object: aPlan(true, aStep('ClusterServiceVersion', 'x', '{')),
    says: [
      {
        id: 'unchecked',
        data: {
          kind: 'ClusterServiceVersion',
          name: 'x',
          reason: 'its manifest cannot be read: is not JSON: the input ends too early',
        },
      },
    ],
  },
  {
    when: 'no object',
    object: aPlan(true, aStep('ClusterServiceVersion', 'x', '[]')),
    says: [
      {
        id: 'unchecked',
        data: { kind: 'ClusterServiceVersion', name: 'x', reason: 'its manifest is no object' },
      },
    ],
  },
  {
    when: 'definitions not in view',
    object: aPlan(true, crdStep),
    unknown: ['CustomResourceDefinition'],
    says: [
      {
        id: 'unchecked',
        data: {
          kind: 'CustomResourceDefinition',
          name: 'cats.pets',
          reason: 'the definition on the cluster is not in view',
        },
      },
    ],
  },
]);
