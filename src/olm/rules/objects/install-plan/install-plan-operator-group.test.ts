import { makeGroup, describeRule } from '../testing/harness.js';
import { installPlanOperatorGroup } from './install-plan-rules.js';
import { aPlan, aStep } from './testing/install-plan.js';

const query = 'attenuated service account query failed - ';

const withAccount = { targetNamespaces: ['ns'], serviceAccountName: 'sa' };

describeRule(installPlanOperatorGroup, [
  { when: 'one group', object: aPlan(true), cluster: [makeGroup()], says: [] },
  { when: 'not approved', object: aPlan(false), says: [] },
  { when: 'approved before', object: aPlan(true), old: aPlan(true), says: [] },
  {
    when: 'approved before, and its steps are new',
    object: aPlan(true, aStep('Secret', 's', {})),
    old: aPlan(true),
    says: [/^warning: .*no operator group/],
  },
  {
    when: 'approved before, with an empty list first',
    object: aPlan(true, aStep('Secret', 's', {})),
    old: { ...aPlan(true), status: { plan: [] } },
    says: [/^warning: .*no operator group/],
  },
  {
    when: 'approved before, and one of its steps is new',
    object: aPlan(true, aStep('Secret', 's', {}), aStep('Secret', 't', {})),
    old: aPlan(true, aStep('Secret', 's', {})),
    says: [/^warning: .*no operator group/],
  },
  {
    when: 'approved before, and a step that was done is to be done again',
    object: aPlan(true, aStep('Secret', 's', {})),
    old: aPlan(true, aStep('Secret', 's', {}, 'Created')),
    says: [/^warning: .*no operator group/],
  },
  {
    when: 'approved before, and its steps too',
    object: aPlan(true, aStep('Secret', 's', {}, 'Created')),
    old: aPlan(true, aStep('Secret', 's', {})),
    says: [],
  },
  {
    when: 'none',
    object: aPlan(true),
    old: aPlan(false),
    says: [`warning: ${query}no operator group found that is managing this namespace`],
  },
  {
    when: 'a group without targets does not count',
    object: aPlan(true),
    cluster: [makeGroup({ status: [] })],
    says: [/^warning: .*no operator group/],
  },
  {
    when: 'two, one without targets',
    object: aPlan(true),
    cluster: [makeGroup(), makeGroup({ name: 'h', status: [] })],
    says: [],
  },
  {
    when: 'two',
    object: aPlan(true),
    cluster: [makeGroup(), makeGroup({ name: 'h' })],
    says: [
      `error: ${query}more than one operator group(s) are managing this namespace count=2: g, h`,
    ],
  },
  {
    when: 'a service account',
    object: aPlan(true),
    cluster: [makeGroup({ spec: withAccount, statusMore: { serviceAccountRef: { name: 'sa' } } })],
    says: [],
  },
  {
    when: 'a service account that is not there',
    object: aPlan(true),
    cluster: [makeGroup({ spec: withAccount })],
    says: [
      `warning: ${query}please make sure the service account exists. sa=sa operatorgroup=ns/g`,
    ],
  },
]);
