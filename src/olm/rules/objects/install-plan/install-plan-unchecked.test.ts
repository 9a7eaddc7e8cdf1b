import { describeRule } from '../testing/harness.js';
import { installPlanUnchecked } from './install-plan-unchecked.js';
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
      'warning: ClusterServiceVersion cats.v1 was not checked: its manifest is in ConfigMap olm/bundle, which does not exist',
    ],
  },
  {
    when: 'bundles not in view',
    object: aPlan(true, refersTo),
    unknown: ['ConfigMap'],
    says: [/which this view does not read$/],
  },
  {
    when: 'not in the bundle',
    object: aPlan(true, refersTo),
    cluster: [map({ data: {} })],
    says: [/does not hold it$/],
  },
  {
    when: 'no JSON',
    object: aPlan(true, aStep('ClusterServiceVersion', 'x', '{')),
    says: [/^warning: ClusterServiceVersion x was not checked: its manifest cannot be read/],
  },
  {
    when: 'no object',
    object: aPlan(true, aStep('ClusterServiceVersion', 'x', '[]')),
    says: [/its manifest is no object$/],
  },
  {
    when: 'definitions not in view',
    object: aPlan(true, crdStep),
    unknown: ['CustomResourceDefinition'],
    says: [/cats\.pets was not checked: the definition on the cluster is not in view/],
  },
]);
