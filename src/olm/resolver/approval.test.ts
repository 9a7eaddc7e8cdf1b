import { expect } from 'chai';
import type { ChosenOperator } from './explain-solution.js';
import { approvalOf } from './explain.js';
import type { SubscriptionState } from './namespace.js';

const subscription = (name: string, installPlanApproval?: string): SubscriptionState => ({
  ...{ name, namespace: 'ns', package: name, catalog: 'c', catalogNamespace: 'olm' },
  installPlanApproval,
});
const operator = (name: string, action: ChosenOperator['action'] = 'install'): ChosenOperator => ({
  ...{ name: `${name}.v1`, package: name, channel: 'stable', catalog: 'c', action },
  ...{ catalogNamespace: 'olm', because: '', passedOver: [] },
});

describe('what an InstallPlan waits for', () => {
  const rows: readonly [
    string,
    readonly SubscriptionState[],
    readonly ChosenOperator[],
    string | undefined,
  ][] = [
    ['nobody asks for it', [subscription('a', 'Automatic')], [operator('a')], undefined],
    ['nothing is to be done', [subscription('a', 'Manual')], [operator('a', 'keep')], undefined],
    [
      'its own operator and others',
      [subscription('a', 'Manual'), subscription('b')],
      [operator('a', 'upgrade'), operator('b'), operator('c', 'keep')],
      'It waits for approval of a.v1 (Subscription a with approval Manual); the same InstallPlan carries b.v1.',
    ],
    [
      'its own operator alone',
      [subscription('a', 'Manual')],
      [operator('a')],
      'It waits for approval of a.v1 (Subscription a with approval Manual).',
    ],
    [
      'only others',
      [subscription('a', 'Manual'), subscription('b')],
      [operator('a', 'keep'), operator('b')],
      'It all waits for approval, because of Subscription a with approval Manual: the InstallPlan carries b.v1.',
    ],
  ];
  for (const [when, subscriptions, operators, sentence] of rows) {
    it(when, () => {
      expect(approvalOf(subscriptions, operators)?.sentence).to.equal(sentence);
    });
  }
});
