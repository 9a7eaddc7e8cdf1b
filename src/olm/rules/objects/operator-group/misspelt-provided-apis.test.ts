import { makeGroup, makeObject, describeRule } from '../testing/harness.js';
import { misspeltProvidedApis } from './group-spec.js';

describeRule(misspeltProvidedApis, [
  { when: 'it is written as OLM reads it', object: makeGroup({ provides: 'Cat.v1.a' }), says: [] },
  {
    when: 'its case is wrong',
    object: {
      ...makeObject('OperatorGroup', 'g', 'ns'),
      metadata: { name: 'g', namespace: 'ns', annotations: { 'olm.providedapis': 'Cat.v1.a' } },
    },
    says: [
      { id: 'misspelt', data: { misspelt: ['olm.providedapis'], annotation: 'olm.providedAPIs' } },
    ],
  },
]);
