import type { JsonObject } from '../../../../text/documents/index.js';
import { describeRule } from '../testing/harness.js';
import { operatorConditionNotUpgradeable } from './other-operators.js';
import { v1, v2 } from './testing/objects.js';

function condition(spec: JsonObject, status: JsonObject = {}): JsonObject {
  return {
    kind: 'OperatorCondition',
    metadata: { name: 'cats.v1', namespace: 'ns', generation: 3 },
    spec,
    status,
  };
}

const no = { type: 'Upgradeable', status: 'False', message: 'migrating' };

const yes = { type: 'Upgradeable', status: 'True', message: '' };

describeRule(operatorConditionNotUpgradeable, [
  { when: 'no condition', object: v2, cluster: [v1], says: [] },
  { when: 'replaces nothing', object: v1, cluster: [condition({ conditions: [no] })], says: [] },
  {
    when: 'the replaced one is not there',
    object: v2,
    cluster: [condition({ overrides: [no] })],
    says: [],
  },
  {
    when: 'upgradeable',
    object: v2,
    cluster: [v1, condition({}, { conditions: [{ ...yes, observedGeneration: 3 }] })],
    says: [],
  },
  {
    when: 'not upgradeable',
    object: v2,
    cluster: [v1, condition({}, { conditions: [{ ...no, observedGeneration: 3 }] })],
    says: [
      {
        id: 'notUpgradeable',
        data: { reason: 'the operator is not upgradeable: migrating', condition: 'cats.v1' },
      },
    ],
  },
  {
    when: 'announced in the spec',
    object: v2,
    cluster: [v1, condition({ conditions: [no] })],
    says: [
      {
        id: 'notUpgradeable',
        data: { reason: 'the operator is not upgradeable: migrating', condition: 'cats.v1' },
      },
    ],
  },
  {
    when: 'outdated',
    object: v2,
    cluster: [v1, condition({}, { conditions: [{ ...yes, observedGeneration: 2 }] })],
    says: [
      {
        id: 'notUpgradeable',
        data: {
          reason: 'the operatorcondition status "Upgradeable"="True" is outdated',
          condition: 'cats.v1',
        },
      },
    ],
  },
  {
    when: 'an override wins',
    object: v2,
    cluster: [v1, condition({ overrides: [yes] }, { conditions: [no] })],
    says: [],
  },
  {
    when: 'an override can hold back',
    object: v2,
    cluster: [v1, condition({ overrides: [no] }, { conditions: [yes] })],
    says: [
      {
        id: 'notUpgradeable',
        data: { reason: 'the operator is not upgradeable: migrating', condition: 'cats.v1' },
      },
    ],
  },
]);
